"""What a seam costs: a fragment of 32 kB on documents of 100 kB, 1 MB and 10 MB, against tokenizing the fragment.

    python -m benchmarks.seam_cost [--best-of 5] [--fragment 32768] [--sizes 100000 1000000 10000000]

For each way of going on: the time from the fragment's first character until it is decided how it joins (in chunks
of 1 kB, what is read after the decision not counted), in milliseconds, the best of several, next to what ijson takes
to tokenize that fragment. A few others are decided just before, as in a process that decides many. Then a document
that is said again from its beginning, in several layouts: the time a megabyte, next to comparing two texts and to
reading such a text as a new document, both in the same chunks; the most characters held, and the memory that was
needed. It reports; it asserts nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import ijson
from rich.console import Console
from rich.table import Table

import jsonseam

CHUNK = 1024  # characters
WARM = 3  # decisions on the smallest document in front of each that is measured
WORDS = ["harbour", "ferry", "timetable", "Aalborg", "Cádiz", "depth", "quay", "tide", "pilot", "crane", "cargo"]


def rows(seed: int, number: int) -> Iterator[str]:
    """Rows of a document, all different, without end."""
    rng = random.Random(seed)
    while True:
        number += 1
        row = {
            "id": number,
            "name": " ".join(rng.choices(WORDS, k=3)),
            "depth": round(rng.uniform(3, 20), 2),
            "note": " ".join(rng.choices(WORDS, k=rng.randint(4, 18))),
            "open": rng.random() < 0.5,
        }
        yield json.dumps(row, ensure_ascii=False)


@dataclass(frozen=True)
class Cut:
    """A document cut in a string: `held` was delivered, `rest` goes on; `row` is where the cut-off row begins."""

    held: str
    rest: str
    row: int


def make_cut(size: int, fragment: int) -> Cut:
    """The last 16 kB and what goes on are the same for every size, so that sizes can be compared."""
    parts, length = ['{"title": "Harbours", "rows": ['], 0
    for source, until in ((rows(7, 0), size - 16_000), (rows(8, 10**6), size + 2 * fragment)):
        while length < until:
            parts.append(next(source) + ", ")
            length += len(parts[-1])
    text = "".join(parts)
    row = text.index('{"id": 1000060')
    at = text.index('"note": "', row) + 20
    return Cut(text[:at], text[at:], row)


WAYS: dict[str, Callable[[Cut], str]] = {
    "continue": lambda cut: cut.rest,
    "overlap": lambda cut: cut.held[-200:] + cut.rest,
    "resume": lambda cut: cut.held[cut.row :] + cut.rest,
    "reopen": lambda cut: '{"rows": [' + cut.held[cut.row :] + cut.rest,
    "fenced resume": lambda cut: "Here is the rest:\n\n```json\n" + cut.held[cut.row :] + cut.rest,
}


def decide(accumulator: jsonseam.Accumulator, fragment: str) -> tuple[float, jsonseam.Seam]:
    """Seconds until the fragment's seam is decided."""
    before = len(accumulator.seams)
    spent = 0.0
    for at in range(0, len(fragment), CHUNK):
        started = time.process_time()
        accumulator.feed(fragment[at : at + CHUNK])
        spent += time.process_time() - started
        if len(accumulator.seams) > before:
            return spent, accumulator.seams[-1]
    started = time.process_time()
    accumulator.end_fragment()
    return spent + time.process_time() - started, accumulator.seams[-1]


def tokenize(fragment: str) -> float:
    """Seconds that ijson takes for it, as the accumulator sends it: in slices of 4 kB, from inside a string."""
    events = ijson.sendable_list()
    coroutine = ijson.get_backend("yajl2_c").basic_parse_coro(events, use_float=True)
    coroutine.send(b'{"rows": [{"note": "')
    data = [fragment[at : at + 4096].encode() for at in range(0, len(fragment), 4096)]
    started = time.process_time()
    for part in data:
        coroutine.send(part)
        del events[:]
    return time.process_time() - started


def read(fragment: str) -> float:
    """Seconds that an accumulator takes to read it without a seam."""
    accumulator = jsonseam.Accumulator()
    accumulator.feed('{"rows": [{"note": "')
    started = time.process_time()
    for at in range(0, len(fragment), CHUNK):
        accumulator.feed(fragment[at : at + CHUNK])
    return time.process_time() - started


def measure_decisions(sizes: list[int], fragment: int, best_of: int) -> Table:
    table = Table("way", *(f"{size / 1e6:g} MB: ms" for size in sizes), "largest / smallest", "seen", "decided as")
    cuts = {size: make_cut(size, fragment) for size in sizes}
    held = {size: jsonseam.Accumulator() for size in sizes}
    for size in sizes:
        held[size].add(cuts[size].held)
    states = {size: held[size].checkpoint() for size in sizes}
    for name, way in WAYS.items():
        times: dict[int, float] = {}
        for _ in range(best_of):
            for size in sizes:
                accumulator = jsonseam.Accumulator.resume(states[size])
                # Reading a large document empties the processor's caches, which is no cost of the seam behind it.
                for _ in range(WARM):
                    decide(jsonseam.Accumulator.resume(states[sizes[0]]), way(cuts[sizes[0]])[:fragment])
                spent, seam = decide(accumulator, way(cuts[size])[:fragment])
                times[size] = min(times.get(size, 1e9), spent)
        ratio = max(times.values()) / min(times.values())
        row = [f"{times[size] * 1000:.2f}" for size in sizes]
        table.add_row(name, *row, f"{ratio:.2f}", str(seam.seen), seam.kind)
    rest = cuts[sizes[0]].rest[:fragment]
    plain = min(tokenize(rest) for _ in range(2 * best_of))
    own = min(read(rest) for _ in range(2 * best_of))
    table.add_section()
    table.add_row("ijson alone, the fragment", f"{plain * 1000:.2f}", *[""] * (len(sizes) + 2))
    table.add_row("read without a seam", f"{own * 1000:.2f}", *[""] * (len(sizes) + 2))
    return table


def stream_by(accumulator: jsonseam.Accumulator, text: str) -> float:
    """Seconds that it takes to feed it."""
    started = time.process_time()
    for at in range(0, len(text), CHUNK):
        accumulator.feed(text[at : at + CHUNK])
    return time.process_time() - started


def most_needed(accumulator: jsonseam.Accumulator, text: str) -> tuple[int, float]:
    """The most characters that are held until the seam is decided, and the kilobytes of memory that it takes."""
    most, before = 0, len(accumulator.seams)
    tracemalloc.start()
    for at in range(0, len(text), CHUNK):
        accumulator.feed(text[at : at + CHUNK])
        most = max(most, accumulator._intake.opening.held)
        if len(accumulator.seams) > before:
            break
    memory = tracemalloc.get_traced_memory()[1] / 1000
    tracemalloc.stop()
    return most, memory


def compare(text: str, other: str) -> float:
    """Seconds that it takes to find that two texts are the same, chunk by chunk."""
    started = time.process_time()
    for at in range(0, len(text), CHUNK):
        if text[at : at + CHUNK] != other[at : at + CHUNK]:
            raise ValueError("the texts differ")
    return time.process_time() - started


def said_again(cut: Cut) -> Iterator[tuple[str, str]]:
    """Ways of saying again what is held, up to a little behind its end."""
    yield "to the letter", cut.held + "on"
    value = json.loads(cut.held + '"}]}')
    for name, layout in (
        ("indented", {"indent": 1, "ensure_ascii": False}),
        ("without spaces", {"separators": (",", ":"), "ensure_ascii": False}),
        ("indented, with escapes", {"indent": 1}),
    ):
        text = json.dumps(value, **layout)
        yield name, text[: text.rindex('"')] + "on"


def measure_restarts(size: int, best_of: int) -> Table:
    title = f"{size / 1e6:g} MB said again"
    table = Table(title, "ms a MB", "comparing alone", "reading it anew", "most held", "memory, kB", "decided as")
    cut = make_cut(size, 4096)
    first = jsonseam.Accumulator()
    first.add(cut.held)
    state = first.checkpoint()
    del first
    alone = min(compare(cut.held, "".join([cut.held[:9], cut.held[9:]])) for _ in range(best_of))
    for name, text in said_again(cut):
        spent = min(stream_by(jsonseam.Accumulator.resume(state), text) for _ in range(best_of))
        anew = min(stream_by(jsonseam.Accumulator(), text) for _ in range(best_of))
        accumulator = jsonseam.Accumulator.resume(state)
        most, memory = most_needed(accumulator, text)
        accumulator.end_fragment()
        times = [
            f"{spent * 1e9 / len(text):.2f}",
            f"{alone * 1e9 / len(cut.held):.2f}",
            f"{anew * 1e9 / len(text):.1f}",
        ]
        table.add_row(name, *times, f"{most:,}", f"{memory:,.0f}", accumulator.seams[-1].kind)
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--best-of", type=int, default=5)
    parser.add_argument("--fragment", type=int, default=1 << 15, help="characters")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000, 10_000_000], help="characters")
    args = parser.parse_args()
    console = Console()
    console.print(measure_decisions(args.sizes, args.fragment, args.best_of))
    console.print(measure_restarts(args.sizes[-1], args.best_of))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

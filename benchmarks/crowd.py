"""W4: ten thousand streams at once, 4 kB chunks in turn. How fast, and what does each hold beyond its document?

    python -m benchmarks.crowd [--count 10000]

Bytes held: a process holds half-delivered documents in as many parsers, another one holds the same documents as text
and value without any parser; the difference of what they have allocated, over their number, is what a parser costs. All
of Python, yajl and Rust allocate from one heap there, which tells what is in use (tracemalloc would not see yajl); the
memory that the process occupies, with the holes that freed blocks leave, is told beside it. Throughput: turns.py.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import jsonseam
from benchmarks import children
from benchmarks.results import Fact
from benchmarks.streams import CHUNK, LIBRARIES, PLACE, SIZE, Documents

DELIVERED = 2  # chunks of each document when the memory is read
PARKED = "jsonseam parked"
PARSERS = {
    "wide": ("jsonseam", PARKED, "streaming-json-parser (Rust)", "jsonmend"),
    "ASCII": ("jsonseam", PARKED),
}


# ------------------------------------------------------------ what is held
def hold(name: str, documents: Documents, count: int) -> list[Any]:
    """`count` documents, delivered in part: in parsers, or as text and value if the name is "documents"."""
    if name == "documents":
        return list(bare(documents, count))
    library = LIBRARIES["jsonseam" if name == PARKED else name]()
    held = [library.make() for _ in range(count)]
    for which in range(DELIVERED):
        for number, parser in enumerate(held):
            library.feed(parser, documents.chunk(number, which))
    for parser in held if name == PARKED else ():
        parser.park()
    return held


def bare(documents: Documents, count: int) -> Iterator[tuple[str, Any]]:
    """What is delivered when memory is read, as text and as the value that `json.loads` builds."""
    closed = jsonseam.join([documents.whole[: DELIVERED * CHUNK]]).text
    for number in range(count):
        text = "".join(documents.chunk(number, which) for which in range(DELIVERED))
        yield text, json.loads(closed.replace(PLACE, f"{number:08d}", 1))


METERS: dict[str, tuple[Callable[[], int], dict[str, str]]] = {
    "allocated": (children.allocated, {"PYTHONMALLOC": "malloc"}),
    "occupied": (children.resident, {}),
}


def memory(name: str, text: str, count: int, meter: Callable[[], int]) -> float:
    """Bytes for each of `count`. For a process of its own."""
    documents = Documents(narrow=text == "ASCII")
    hold(name, documents, 3)
    gc.collect()
    before = meter()
    held = hold(name, documents, count)
    gc.collect()
    each = (meter() - before) / count
    assert len(held) == count
    return each


def memory_of(name: str, text: str, count: int) -> dict[str, float]:
    """By every meter, each in a process of its own. Raises `ChildError`."""
    found = {}
    for kind, (_, environment) in METERS.items():
        arguments = ("--hold", name, "--text", text, "--meter", kind, "--count", count)
        found[kind] = children.ask("benchmarks.crowd", *arguments, environment=environment)["each"]
    return found


# ------------------------------------------------------------ facts
def facts(count: int, tell: Callable[[str], None]) -> Iterator[Fact | tuple[str, str]]:
    """Each figure, or what has none and why."""
    for text in PARSERS:
        yield from held_facts(text, count, tell)
    yield from turn_facts(count, tell)


def held_facts(text: str, count: int, tell: Callable[[str], None]) -> Iterator[Fact | tuple[str, str]]:
    """What each parser holds of documents of that text."""
    tell(f"W4: {count} documents without a parser, {text}")
    try:
        bare = memory_of("documents", text, count)
    except children.ChildError as error:
        yield f"W4 memory, {text}", str(error)
        return
    for name in PARSERS[text]:
        tell(f"W4: {count} times {name}, {text}")
        try:
            found = memory_of(name, text, count)
        except children.ChildError as error:
            yield f"W4 {name}, memory, {text}", str(error)
            continue
        beyond = {kind: found[kind] - bare[kind] for kind in METERS}
        note = (
            f"each of {count}, two thirds through {SIZE / 1e3:.0f} kB, beyond {bare['allocated'] / 1e3:.0f} kB of text "
            f"and value; {beyond['occupied']:,.0f} of the process, with holes"
        )
        yield Fact("W4", f"{name}, {text}: allocated beyond the document", beyond["allocated"], "bytes", note)


def turn_facts(count: int, tell: Callable[[str], None]) -> Iterator[Fact | tuple[str, str]]:
    """How fast each library takes them in turn, and what the controls say of that."""
    for name in LIBRARIES:
        tell(f"W4: throughput of {count} times {name}")
        rounds = 3 if name == "jsonseam" else 1
        try:
            ways = children.ask("benchmarks.turns", name, "--count", count, "--rounds", rounds)
        except children.ChildError as error:
            yield f"W4 {name}, throughput", str(error)
            continue
        yield Fact("W4", f"{name}: {count} streams in turn", ways["in turn"]["rate"] / 1e6, "MB/s", compared(ways))


def compared(ways: dict[str, Any]) -> str:
    """What the streams in turn are to the controls of turns.py."""
    here = ways["in turn"]
    against = {
        "one stream": "one long stream that holds all of them",
        "one by one": "the same one after the other, all held",
        "dropped": "the same, each dropped before the next",
    }
    parts = [f"{here['rate'] / ways[way]['rate']:.2f} of {what}" for way, what in against.items() if way in ways]
    parts.append(f"the garbage collector takes {here['collecting']:.0%} of the time")
    parts.append(f"without it {ways['uncollected']['rate'] / ways['dropped']['rate']:.2f} of each dropped")
    return ", ".join(parts) + f"; {here['faults']:.0f} page faults a document, dropped {ways['dropped']['faults']:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--hold", choices=["documents", *PARSERS["wide"]], help="only this, in this process, as JSON")
    parser.add_argument("--text", choices=list(PARSERS), default="wide", help="of documents with emojis, or of ASCII")
    parser.add_argument("--meter", choices=list(METERS), default="allocated", help="needs PYTHONMALLOC=malloc")
    args = parser.parse_args()
    if args.hold:
        print(json.dumps({"each": memory(args.hold, args.text, args.count, METERS[args.meter][0])}))
    else:
        start = time.monotonic()
        for fact in facts(args.count, lambda text: print(text, file=sys.stderr)):
            print(fact)
        print(f"after {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()

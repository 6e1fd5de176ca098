"""W4: ten thousand streams at once, 4 kB chunks in turn. How fast, and what does each hold beyond its document?

    python -m benchmarks.crowd [--count 10000]

Bytes held: a process holds half-delivered documents in as many parsers, another one holds the same documents as text
and value without any parser; the difference of what they have allocated, over their number, is what a parser costs. All
of Python, yajl and Rust allocate from one heap there, which tells what is in use (tracemalloc would not see yajl); the
memory that the process occupies, with the holes that freed blocks leave, is told beside it. Throughput: characters a
second of CPU, against the same documents one after the other, and against one long document in the same chunks.
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
from benchmarks import children, measuring, texts
from benchmarks.results import Fact

CHUNK = 4096  # characters
DELIVERED = 2  # chunks of each document when the memory is read
SIZE = 3 * CHUNK
PLACE = "A report"  # in the document's title; a number takes its place, so that no two documents are the same
PARSERS = ("jsonseam", "jsonseam parked", "streaming-json-parser (Rust)", "jsonmend")


class Documents:
    """As many as are asked for, each its own text: chunks come out of bytes, as they would come from a network."""

    def __init__(self) -> None:
        whole = texts.text("sections", SIZE)
        self.whole = whole + " " * max(0, SIZE - len(whole))
        self.chunks = [piece.encode() for piece in texts.cut(self.whole, CHUNK)]
        self.held = self.whole[: DELIVERED * CHUNK]
        self.closed = jsonseam.join([self.held]).text

    def chunk(self, number: int, which: int) -> str:
        piece = self.chunks[which]
        return (piece.replace(PLACE.encode(), b"%08d" % number, 1) if which == 0 else piece).decode()

    def value(self, number: int) -> Any:
        """What is delivered when memory is read, as `json.loads` builds it."""
        return json.loads(self.closed.replace(PLACE, f"{number:08d}", 1))


# ------------------------------------------------------------ what is held
Feed = Callable[[Any, str], object]


def maker(name: str) -> tuple[Callable[[], Any], Feed, Callable[[Any], object]]:
    """How a parser is made, fed and read, and what is done to it when it waits."""
    if name.startswith("jsonseam"):

        def rest(accumulator: Any) -> object:
            return accumulator.park() if name == "jsonseam parked" else accumulator.value

        return jsonseam.Accumulator, fed, rest
    if name == "jsonmend":
        from jsonmend import Mender

        return Mender, lambda mender, chunk: mender.feed(chunk), lambda mender: mender.value
    import streaming_json_parser_native
    from streaming_json_parser import StreamingJsonParser

    assert streaming_json_parser_native
    return StreamingJsonParser, lambda parser, chunk: parser.feed(chunk).value, lambda parser: None


def fed(accumulator: jsonseam.Accumulator, chunk: str) -> object:
    accumulator.feed(chunk)
    return accumulator.value


def hold(name: str, documents: Documents, count: int) -> list[Any]:
    """`count` documents, delivered in part: in parsers, or as text and value if the name is "documents"."""
    if name == "documents":
        return [
            ("".join(documents.chunk(number, which) for which in range(DELIVERED)), documents.value(number))
            for number in range(count)
        ]
    make, feed, rest = maker(name)
    held = [make() for _ in range(count)]
    for which in range(DELIVERED):
        for number, parser in enumerate(held):
            feed(parser, documents.chunk(number, which))
    for parser in held:
        rest(parser)
    return held


METERS: dict[str, tuple[Callable[[], int], dict[str, str]]] = {
    "allocated": (children.allocated, {"PYTHONMALLOC": "malloc"}),
    "occupied": (children.resident, {}),
}


def memory(name: str, count: int, meter: Callable[[], int]) -> float:
    """Bytes for each of `count`. For a process of its own."""
    documents = Documents()
    hold(name, documents, 3)
    gc.collect()
    before = meter()
    held = hold(name, documents, count)
    gc.collect()
    each = (meter() - before) / count
    assert len(held) == count
    return each


def memory_of(name: str, count: int) -> dict[str, float]:
    """By every meter, each in a process of its own. Raises `ChildError`."""
    found = {}
    for kind, (_, environment) in METERS.items():
        arguments = ("--hold", name, "--meter", kind, "--count", count)
        found[kind] = children.ask("benchmarks.crowd", *arguments, environment=environment)["each"]
    return found


# ------------------------------------------------------------ how fast
def in_turn(documents: Documents, count: int) -> None:
    crowd = [jsonseam.Accumulator() for _ in range(count)]
    for which in range(len(documents.chunks)):
        for number, accumulator in enumerate(crowd):
            fed(accumulator, documents.chunk(number, which))
    assert all(accumulator.complete for accumulator in crowd)


def one_by_one(documents: Documents, count: int) -> None:
    for number in range(count):
        accumulator = jsonseam.Accumulator()
        for which in range(len(documents.chunks)):
            fed(accumulator, documents.chunk(number, which))
        assert accumulator.complete


def single(chunks: list[bytes]) -> None:
    accumulator = jsonseam.Accumulator()
    for chunk in chunks:
        fed(accumulator, chunk.decode())
    assert accumulator.complete


def speed(count: int) -> dict[str, float]:
    """Characters a second of CPU, for each way. For a process of its own."""
    documents = Documents()
    long = texts.text("sections", 4_000_000)
    chunks = [chunk.encode() for chunk in texts.cut(long, CHUNK)]
    characters = {"in turn": count * len(documents.whole), "one by one": count * len(documents.whole)}
    ways: dict[str, Callable[[], object]] = {
        "in turn": lambda: in_turn(documents, count),
        "one by one": lambda: one_by_one(documents, count),
        "single": lambda: single(chunks),
    }
    characters["single"] = len(long)
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(3):
        for name, work in ways.items():
            taken[name].append(measuring.once(work))
    return {name: characters[name] / measuring.median(seconds) for name, seconds in taken.items()}


# ------------------------------------------------------------ facts
def facts(count: int, tell: Callable[[str], None]) -> Iterator[Fact | tuple[str, str]]:
    """Each figure, or what has none and why."""
    tell(f"W4: {count} documents without a parser")
    try:
        bare = memory_of("documents", count)
    except children.ChildError as error:
        yield "W4 memory", str(error)
        return
    for name in PARSERS:
        tell(f"W4: {count} times {name}")
        try:
            found = memory_of(name, count)
        except children.ChildError as error:
            yield f"W4 {name}, memory", str(error)
            continue
        beyond = {kind: found[kind] - bare[kind] for kind in METERS}
        note = (
            f"each of {count}, two thirds through {SIZE / 1e3:.0f} kB, beyond {bare['allocated'] / 1e3:.0f} kB of text "
            f"and value; {beyond['occupied']:,.0f} of the process, with holes"
        )
        yield Fact("W4", f"{name}: allocated beyond the document", beyond["allocated"], "bytes", note)
    tell(f"W4: throughput of {count}")
    try:
        rates = children.ask("benchmarks.crowd", "--speed", "--count", count)
    except children.ChildError as error:
        yield "W4 throughput", str(error)
        return
    note = f"{rates['in turn'] / rates['single']:.2f} of one long stream ({rates['single'] / 1e6:.1f}), "
    note += f"{rates['in turn'] / rates['one by one']:.2f} of the same documents one by one"
    yield Fact("W4", f"jsonseam: {count} streams in turn", rates["in turn"] / 1e6, "MB/s", note)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--hold", choices=["documents", *PARSERS], help="only this, in this process, as JSON")
    parser.add_argument("--meter", choices=list(METERS), default="allocated", help="needs PYTHONMALLOC=malloc")
    parser.add_argument("--speed", action="store_true", help="only the throughput, in this process, as JSON")
    args = parser.parse_args()
    if args.hold:
        print(json.dumps({"each": memory(args.hold, args.count, METERS[args.meter][0])}))
    elif args.speed:
        print(json.dumps(speed(args.count)))
    else:
        start = time.monotonic()
        for fact in facts(args.count, lambda text: print(text, file=sys.stderr)):
            print(fact)
        print(f"after {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()

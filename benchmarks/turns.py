"""W4's throughput: many streams in turn, beside controls that tell what of it is the machine's and Python's share.

    python -m benchmarks.turns NAME [--count 10000] [--rounds 3]

The same documents in the same chunks, by one library, in five ways. Three hold as much in the end as the streams in
turn do: one after the other, all of them as the items of one long document, and in turn without the cyclic garbage
collector. "dropped" holds one document at a time. So "in turn" over "one after the other" is what taking turns costs,
and "dropped" over both is what it costs to hold so much: the collector looks through all of it again as it grows (its
share of the time is told), and new memory is touched where freed memory would be used again (page faults are told).
CPU time throughout. For a process of its own, so that no library inherits what another has left.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks import measuring
from benchmarks.streams import LIBRARIES, Documents, Library


@dataclass
class Run:
    """`collecting`: the cyclic collector's share of the time; `faults`: pages of memory first touched, a document."""

    rate: float  # characters a second
    collecting: float
    faults: float


class Watch:
    """What a piece of work takes; the garbage collector's part apart."""

    def __init__(self) -> None:
        self.collecting = 0.0
        self._since = 0.0

    def hear(self, phase: str, info: dict[str, int]) -> None:
        now = time.process_time()
        if phase == "start":
            self._since = now
        else:
            self.collecting += now - self._since

    def run(self, way: str, library: Library, documents: Documents, count: int) -> Run:
        self.collecting = 0.0
        faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        gc.collect()
        gc.callbacks.append(self.hear)
        if way == UNCOLLECTED:
            gc.disable()
        start = time.process_time()
        held = WAYS[way](library, documents, count)
        seconds = time.process_time() - start
        gc.callbacks.remove(self.hear)
        gc.enable()
        faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
        del held
        return Run(count * len(documents.whole) / seconds, self.collecting / seconds, faults / count)


# ------------------------------------------------------------ the ways
def in_turn(library: Library, documents: Documents, count: int) -> Any:
    crowd = [library.make() for _ in range(count)]
    for which in range(len(documents.chunks)):
        for number, parser in enumerate(crowd):
            library.feed(parser, documents.chunk(number, which))
    return crowd


def one_by_one(library: Library, documents: Documents, count: int) -> Any:
    return list(parsers(library, documents, count))


def dropped(library: Library, documents: Documents, count: int) -> Any:
    measuring.drain(parsers(library, documents, count))


def parsers(library: Library, documents: Documents, count: int) -> Iterator[Any]:
    for number in range(count):
        parser = library.make()
        for which in range(len(documents.chunks)):
            library.feed(parser, documents.chunk(number, which))
        yield parser


def one_stream(library: Library, documents: Documents, count: int) -> Any:
    parser = library.make()
    for number in range(count):
        for which in range(len(documents.chunks)):
            piece = documents.chunk(number, which)
            library.feed(parser, piece if which else ("," if number else "[") + piece)
    library.feed(parser, "]")
    return parser


UNCOLLECTED = "uncollected"  # the way that is gone without the collector
WAYS: dict[str, Callable[[Library, Documents, int], Any]] = {
    "in turn": in_turn,
    "one by one": one_by_one,
    "one stream": one_stream,
    "dropped": dropped,
    UNCOLLECTED: in_turn,
}


def measure(name: str, count: int, rounds: int) -> dict[str, dict[str, float]]:
    """Each way's run of median rate, by name. For a process of its own."""
    documents, watch, library = Documents(), Watch(), LIBRARIES[name]()
    ways = [way for way in WAYS if library.streams or way != "one stream"]
    for way in ways:
        WAYS[way](library, documents, 3)
    runs: dict[str, list[Run]] = {way: [] for way in ways}
    for number in range(rounds):
        for way in ways[number % len(ways) :] + ways[: number % len(ways)]:
            runs[way].append(watch.run(way, library, documents, count))
    return {way: asdict(sorted(found, key=lambda run: run.rate)[len(found) // 2]) for way, found in runs.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=list(LIBRARIES))
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    print(json.dumps(measure(args.name, args.count, args.rounds)))


if __name__ == "__main__":
    main()

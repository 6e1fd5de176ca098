"""W5: a stream of 16 to 256 MB whose items are handed off as they close. Does memory stay flat, and time linear?

    python -m benchmarks.handoff [--sizes 16,64,256]

Each reader and size has a process of its own; memory is the most that the process occupied while it read, less what it
occupied before the stream began. The stream is made of one block of records that is repeated, so that making it costs
next to nothing.
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
from benchmarks import children, texts
from benchmarks.results import Fact

CHUNK = 65_536  # characters
SIZES = (16, 64, 256)  # MB
LOOK = 2000  # items, from one look at the memory to the next


def stream(megabytes: int) -> Iterator[str]:
    """`{"rows": [record, record, ...]}` in chunks, about a million characters a megabyte."""
    block = texts.text("records", 1_000_000)[1:-1] + ", "
    pieces = texts.cut(block, CHUNK)
    yield '{"rows": ['
    for _ in range(megabytes - 1):
        yield from pieces
    yield from texts.cut(block[:-2], CHUNK)
    yield "]}"


# ------------------------------------------------------------ readers
def by_jsonseam(megabytes: int) -> Iterator[Any]:
    """The chunks of one answer, which is what the other readers take them for."""
    return iter(jsonseam.items([stream(megabytes)], "rows"))


def by_jsonseam_with_seams(megabytes: int) -> Iterator[Any]:
    """Every chunk an answer of its own, with a seam behind it."""
    return iter(jsonseam.items(stream(megabytes), "rows"))


def by_ijson(megabytes: int) -> Iterator[Any]:
    """Its fastest backend; it takes bytes from a file, and `use_float` spares it decimals."""
    import ijson

    found: Iterator[Any] = ijson.get_backend("yajl2_c").items(AsFile(megabytes), "rows.item", use_float=True)
    return found


def by_json_stream(megabytes: int) -> Iterator[Any]:
    import json_stream

    chunks = (piece.encode() for piece in stream(megabytes))
    for row in json_stream.load(chunks)["rows"].persistent():
        yield json_stream.to_standard_types(row)


class AsFile:
    """The stream as ijson reads it."""

    def __init__(self, megabytes: int) -> None:
        self._pieces = stream(megabytes)

    def read(self, size: int) -> bytes:
        return next(self._pieces, "").encode() if size else b""


READERS: dict[str, Callable[[int], Iterator[Any]]] = {
    "jsonseam": by_jsonseam,
    "jsonseam, answers of 64 kB": by_jsonseam_with_seams,
    "ijson": by_ijson,
    "json-stream": by_json_stream,
}


def read(reader: str, megabytes: int) -> dict[str, float]:
    """Items, seconds of CPU, and the most bytes of memory seen beyond those at the start. For a process of its own."""
    for _ in READERS[reader](1):
        pass
    gc.collect()
    before = most = children.resident()
    count, start = 0, time.process_time()
    for item in READERS[reader](megabytes):
        assert isinstance(item["id"], int)
        count += 1
        if count % LOOK == 0:
            most = max(most, children.resident())
    return {"items": count, "seconds": time.process_time() - start, "bytes": most - before}


# ------------------------------------------------------------ facts
def facts(sizes: tuple[int, ...], tell: Callable[[str], None]) -> Iterator[Fact | tuple[str, str]]:
    """Each figure, or what has none and why."""
    for reader in READERS:
        found: dict[int, dict[str, float]] = {}
        try:
            for megabytes in sizes:
                tell(f"W5: {megabytes} MB by {reader}")
                found[megabytes] = children.ask("benchmarks.handoff", "--read", reader, "--sizes", megabytes)
        except children.ChildError as error:
            yield f"W5 {reader}", str(error)
            continue
        yield from told(reader, found)


def told(reader: str, found: dict[int, dict[str, float]]) -> Iterator[Fact]:
    least, most = min(found), max(found)
    grown = (found[most]["bytes"] - found[least]["bytes"]) / 1e6
    rates = {size: size / one["seconds"] for size, one in found.items()}
    held = ", ".join(f"{one['bytes'] / 1e6:.1f}" for one in found.values())
    note = f"most memory at {', '.join(map(str, found))} MB, beyond the start: {held} MB"
    yield Fact("W5", f"{reader}: memory grown from {least} to {most} MB of items handed off", grown, "MB", note)
    note = f"at {', '.join(map(str, found))} MB: " + ", ".join(f"{rate:.1f}" for rate in rates.values())
    yield Fact("W5", f"{reader}: items handed off", rates[most], "MB/s", note)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="megabytes, by commas")
    parser.add_argument("--read", choices=list(READERS), help="only this, in this process, as JSON")
    args = parser.parse_args()
    sizes = tuple(int(size) for size in args.sizes.split(","))
    if args.read:
        print(json.dumps(read(args.read, sizes[0])))
        return
    for fact in facts(sizes, lambda text: print(text, file=sys.stderr)):
        print(fact)


if __name__ == "__main__":
    main()

"""What mending costs: 1 MB with a fault every 2 kB against the same text clean, and the strict path by itself.

    python -m benchmarks.faults [--size 1000000]

Ratios of process time, best of several interleaved runs in one process. It reports; it asserts nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from typing import Any

import jsonseam
from jsonseam.parser import Limits, Parser

FAULTS: dict[str, Callable[[str], str]] = {
    "trailing comma": lambda record: record[:-1] + ",}",
    "missing comma": lambda record: record.replace(', "score"', ' "score"', 1),
    "bare key": lambda record: record.replace('"score":', "score:", 1),
    "single quotes": lambda record: record.replace('"name"', "'name'", 1),
    "raw line feed": lambda record: record.replace("second half", "second\nhalf", 1),
    "python literal": lambda record: record.replace("true", "True", 1),
    "wrong closer": lambda record: record[:-1] + "]",
}


def record(rng: random.Random, number: int) -> str:
    note = " ".join(rng.choices(["steady", "growth", "second half", "new", "prices", "because"], k=12))
    return json.dumps(
        {
            "id": number,
            "name": f"n{rng.randrange(10**6)}",
            "score": rng.random(),
            "ok": True,
            "note": "second half " + note,
        }
    )


def pieces(size: int, fault: Callable[[str], str] | None, every: int = 2000) -> list[str]:
    """Records as text, `size` characters of them, one with the fault whenever `every` characters have gone by."""
    rng = random.Random(1)
    found: list[str] = []
    length = since = 0
    while length < size:
        piece = record(rng, len(found))
        since += len(piece)
        if fault is not None and since >= every:
            piece, since = fault(piece), 0
        found.append(piece)
        length += len(piece) + 2
    return found


def document(size: int, fault: Callable[[str], str] | None, every: int = 2000) -> str:
    return "[" + ", ".join(pieces(size, fault, every)) + "]"


def meant(size: int, fault: str) -> list[dict[str, Any]]:
    """What the document with this fault says: its records before they were damaged."""
    damaged = pieces(size, FAULTS[fault])
    rng = random.Random(1)
    records = [json.loads(record(rng, number)) for number in range(len(damaged))]
    if fault == "raw line feed":
        for number, piece in enumerate(damaged):
            if "\n" in piece:
                records[number]["note"] = records[number]["note"].replace("second half", "second\nhalf", 1)
    return records


def faults_in(text: str) -> int:
    accumulator = jsonseam.Accumulator()
    accumulator.add(text)
    return len(accumulator.repairs)


def through_accumulator(text: str) -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.feed(text)
    accumulator.end_fragment()


def through_parser(text: str) -> None:
    Parser(Limits(512, 1 << 28, 1 << 24)).read(text)


def best(work: Callable[[str], None], text: str, runs: int) -> float:
    times = []
    for _ in range(runs):
        start = time.process_time()
        work(text)
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1_000_000, help="characters")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    clean = document(args.size, None)
    strict = best(through_accumulator, clean, args.runs)
    bare = best(through_parser, clean, args.runs)
    print(
        f"clean text: {1e3 * strict:.0f} ms; with cleaning, seams and mending taken out {1e3 * bare:.0f} ms"
        f" ({strict / bare:.3f} times)"
    )
    for name, fault in FAULTS.items():
        text = document(args.size, fault)
        took = best(through_accumulator, text, args.runs)
        each = 1e6 * (took - strict * len(text) / len(clean)) / faults_in(text)
        print(
            f"{name:16} every 2 kB: {1e3 * took:5.0f} ms, {took / strict:4.1f} times the clean text,"
            f" {each:4.0f} microseconds a fault",
            flush=True,
        )


if __name__ == "__main__":
    main()

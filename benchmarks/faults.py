"""What mending costs: 1 MB with a fault every 2 kB against the same text clean, and the strict path by itself.

    python -m benchmarks.faults [--size 1000000]

Ratios of process time, best of several interleaved runs in one process. It reports; it asserts nothing.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import time
from collections.abc import Callable
from typing import Any

import jsonseam
from jsonseam.parser import Parser
from jsonseam.standing import Limits

FAULTS: dict[str, Callable[[str], str]] = {
    "trailing comma": lambda record: record[:-1] + ",}",
    "missing comma": lambda record: record.replace(', "score"', ' "score"', 1),
    "double comma": lambda record: record.replace(', "score"', ',, "score"', 1),
    "missing colon": lambda record: record.replace('"score":', '"score"', 1),
    "equals sign": lambda record: record.replace('"score":', '"score" =', 1),
    "bare key": lambda record: record.replace('"score":', "score:", 1),
    "single quotes": lambda record: record.replace('"name"', "'name'", 1),
    "smart quotes": lambda record: record.replace('"name"', "“name”", 1),
    "backtick": lambda record: record.replace('"name"', "`name`", 1),
    "inner quotes": lambda record: record.replace("second half", 'second "half"', 1),
    "bad escape": lambda record: record.replace("second half", r"second\d half", 1),
    "raw line feed": lambda record: record.replace("second half", "second\nhalf", 1),
    "unclosed string": lambda record: re.sub(r'("name": "n[0-9]+)",', r"\1,\n", record, count=1),
    "python literal": lambda record: record.replace("true", "True", 1),
    "js literal": lambda record: record.replace("null", "undefined", 1),
    "number style": lambda record: record.replace('"id": ', '"id": +', 1),
    "comment": lambda record: record.replace(', "score"', ', /* as asked */ "score"', 1),
    "odd space": lambda record: record.replace(', "score"', ', \u200b"score"', 1),
    "missing closer": lambda record: record[:-2] + "}",
    "extra closer": lambda record: record[:-1] + "]}",
    "wrong closer": lambda record: record[:-1] + "]",
}
ALL = "all of them"
COMMON = ("trailing comma", "missing comma", "bare key", "single quotes", "raw line feed", "python literal",
          "wrong closer")  # fmt: skip
# What the note says instead, where the fault does not leave the value as it was.
NOTED = {"raw line feed": "second\nhalf", "inner quotes": 'second "half"', "bad escape": r"second\d half"}


def record(rng: random.Random, number: int) -> str:
    note = " ".join(rng.choices(["steady", "growth", "second half", "new", "prices", "because"], k=12))
    return json.dumps(
        {
            "id": number,
            "name": f"n{rng.randrange(10**6)}",
            "score": rng.random(),
            "ok": True,
            "note": "second half " + note,
            "owner": None,
            "tags": ["new", "old"],
        }
    )


def pieces(size: int, fault: str | None, every: int = 2000) -> list[tuple[str, str]]:
    """Records as text, `size` characters of them, one with the fault whenever `every` characters have gone by.

    With each the fault that it has, or "". `ALL`: each kind of fault in turn.
    """
    rng = random.Random(1)
    kinds = itertools.cycle(FAULTS if fault == ALL else [fault] if fault else [""])
    found: list[tuple[str, str]] = []
    length = since = 0
    while length < size:
        piece, kind = record(rng, len(found)), ""
        since += len(piece)
        if fault is not None and since >= every:
            kind, since = next(kinds), 0
            piece = FAULTS[kind](piece)
        found.append((piece, kind))
        length += len(piece) + 2
    return found


def document(size: int, fault: str | None, every: int = 2000) -> str:
    return "[" + ", ".join(piece for piece, _ in pieces(size, fault, every)) + "]"


def meant(size: int, fault: str) -> list[dict[str, Any]]:
    """What the document with this fault says: its records before they were damaged."""
    damaged = pieces(size, fault)
    rng = random.Random(1)
    records = [json.loads(record(rng, number)) for number in range(len(damaged))]
    for found, (_, kind) in zip(records, damaged, strict=True):
        if kind in NOTED:
            found["note"] = found["note"].replace("second half", NOTED[kind], 1)
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


def seconds(work: Callable[[str], None], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1_000_000, help="characters")
    parser.add_argument("--runs", type=int, default=9)
    args = parser.parse_args()
    clean = document(args.size, None)
    rounds = [(seconds(through_accumulator, clean), seconds(through_parser, clean)) for _ in range(args.runs)]
    strict, bare = map(min, zip(*rounds, strict=True))
    print(
        f"clean text: {1e3 * strict:.0f} ms; with cleaning, seams and mending taken out {1e3 * bare:.0f} ms"
        f" ({strict / bare:.3f} times)"
    )
    for name in [*FAULTS, ALL]:
        text = document(args.size, name)
        # One after the other, as a machine is now faster and now slower.
        rounds = [(seconds(through_accumulator, clean), seconds(through_accumulator, text)) for _ in range(args.runs)]
        strict, took = map(min, zip(*rounds, strict=True))
        each = 1e6 * (took - strict * len(text) / len(clean)) / faults_in(text)
        print(
            f"{name:16} every 2 kB: {1e3 * took:5.0f} ms, {took / strict:4.1f} times the clean text,"
            f" {each:4.0f} microseconds a fault",
            flush=True,
        )


if __name__ == "__main__":
    main()

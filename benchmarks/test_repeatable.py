"""Repeatable cases under pytest-benchmark, to compare one state of jsonseam with another.

    pytest benchmarks/ --benchmark-save=before
    pytest benchmarks/ --benchmark-compare=before

One case a workload, on documents that are made and on the real ones where they are there. Not part of the ordinary
tests, and no time is asserted: what is asserted is that the value is right.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks import faults, peers, texts

# question | document | characters | chunk; 0: all at once
CASES = [
    ("chunks", "sections", 300_000, 16),
    ("chunks", "records", 300_000, 16),
    ("chunks", "twitter", 0, 16),
    ("answers", "sections", 100_000, 8_000),
    ("answers", "sections", 1_000_000, 32_000),
    ("answers", "records", 1_000_000, 32_000),
    ("whole", "sections", 1_000_000, 0),
    ("whole", "records", 1_000_000, 0),
    ("whole", "citm", 0, 0),
]


@pytest.mark.parametrize(
    ("question", "name", "size", "chunk"), CASES, ids=[f"{q}-{name}-{size}-{chunk}" for q, name, size, chunk in CASES]
)
def test_delivery(benchmark: Any, question: str, name: str, size: int, chunk: int) -> None:
    try:
        text = texts.text(name, size)
    except texts.MissingError as missing:
        pytest.skip(str(missing))
    way = peers.jsonseam().way(question)
    assert callable(way)
    delivery = texts.cut(text, chunk) if chunk else text

    def work() -> Any:
        if not chunk:
            return way(delivery)
        *_, last = way(delivery)
        return last

    last = benchmark(work)
    assert (last[0] if question == "answers" else last) == json.loads(text)


@pytest.mark.parametrize("fault", faults.COMMON)
def test_faults(benchmark: Any, fault: str) -> None:
    way = peers.jsonseam().way("mended")
    assert callable(way)
    assert benchmark(way, faults.document(100_000, fault)) == faults.meant(100_000, fault)

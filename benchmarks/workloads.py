"""What is measured: the workloads as a table. Documents and their sizes, how they are delivered, what is asked.

Rule: no times and no libraries here. W4 (crowd.py) and W5 (handoff.py) measure memory too and have their own files; W7,
seams, is measured by seams.py and stitchers.py, for correctness and not for speed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from benchmarks import faults, texts


@dataclass(frozen=True)
class Case:
    """One document in one delivery. `group` names the row of the plot that it belongs to, over growing sizes."""

    workload: str
    group: str
    size: int  # characters asked for; 0: the size that the document has
    make: Callable[[], str] = field(compare=False)
    chunk: int = 0  # characters; 0: in one go

    @property
    def name(self) -> str:
        return f"{self.workload} {self.group}" + (f" {kilobytes(self.size)}" if self.size else "")

    def delivery(self, text: str) -> Any:
        """What a peer is given."""
        return texts.cut(text, self.chunk) if self.chunk else text


@dataclass(frozen=True)
class Workload:
    """`question`: the peers' function that answers it. `quick`: the cases of a short run."""

    id: str
    title: str
    question: str
    cases: list[Case]
    quick: list[Case]


def kilobytes(size: int) -> str:
    return f"{size / 1e6:g} MB" if size >= 1_000_000 else f"{size / 1e3:g} kB"


def grown(workload: str, group: str, name: str, sizes: tuple[int, ...], chunk: int) -> list[Case]:
    return [Case(workload, group, size, partial(texts.text, name, size), chunk) for size in sizes]


def real(workload: str, chunk: int) -> list[Case]:
    return [Case(workload, name, 0, partial(texts.text, name), chunk) for name in texts.REAL]


def chunked() -> Workload:
    sizes = (20_000, 50_000, 100_000, 300_000, 1_000_000)
    cases = [case for name in texts.MADE for case in grown("W1", name, name, sizes, 16)] + real("W1", 16)
    quick = [case for case in cases if case.size in (20_000, 300_000)]
    return Workload("W1", "16-character chunks, the value read after each", "chunks", cases, quick)


def answered() -> Workload:
    sizes = (100_000, 300_000, 1_000_000, 4_000_000)
    cases = [
        case
        for name in texts.MADE
        for answer in (8_000, 16_000, 32_000)
        for case in grown("W2", f"{name}, answers of {kilobytes(answer)}", name, sizes, answer)
    ]
    quick = [case for case in cases if (case.size, case.chunk) in ((100_000, 8_000), (1_000_000, 32_000))]
    return Workload("W2", "long answers, value and completeness read after each", "answers", cases, quick)


def whole() -> Workload:
    sizes = (100_000, 1_000_000, 4_000_000)
    cases = [case for name in texts.MADE for case in grown("W3", name, name, sizes, 0)] + real("W3", 0)
    quick = [case for case in cases if case.size in (0, 1_000_000)]
    return Workload("W3", "one document in one go", "whole", cases, quick)


def faulty() -> Workload:
    def case(size: int, name: str) -> Case:
        return Case("W6", name, size, lambda: faults.document(size, name))

    cases = [case(size, name) for name in faults.COMMON for size in (100_000, 1_000_000)]
    quick = [found for found in cases if found.size == 100_000]
    return Workload("W6", "a fault every 2 kB, in one go", "mended", cases, quick)


TIMED = {workload.id: workload for workload in (chunked(), answered(), whole(), faulty())}

"""One case after the other, through every peer that can do it: checked first, then measured in turn.

Rule: a peer is measured only if it reads the document right; whoever does not, or would take longer than anybody
waits for, gets a reason instead of a time. Nothing is extrapolated: the last size that was measured is what is shown.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks import measuring
from benchmarks.peers import Peer
from benchmarks.results import Row
from benchmarks.workloads import Case, Workload, kilobytes

Tell = Callable[[str], None]
OWN = "jsonseam"
GIVE_UP = 4  # times the patience, for a stream that nothing was known of before


@dataclass
class Comparison:
    """`rounds`: of each case. `patience`: seconds, for one peer in one case; what would take longer is not begun."""

    peers: list[Peer]
    rounds: int
    patience: float
    tell: Tell
    slowest: dict[tuple[str, str, str], tuple[int, float]] = field(default_factory=dict)

    def row(self, workload: Workload, case: Case, text: str, missing: dict[str, str]) -> Row:
        """The case with every peer. `missing`: why some are not there at all."""
        delivery, meant = case.delivery(text), meaning(case, text)
        works: dict[str, measuring.Work] = {}
        first: dict[str, float] = {}
        row = Row(case.workload, case.group, len(text), case.name, {}, dict(missing))
        for peer in self.peers:
            way = peer.way(workload.question)
            reason = way if isinstance(way, str) else self.too_slow(peer, case, len(text))
            if reason is not None:
                row.reasons[peer.name] = reason
                continue
            assert callable(way)
            self.tell(f"{case.name}: {peer.name} is checked")
            start = time.process_time()
            problem = check(workload.question, way, delivery, meant, GIVE_UP * self.patience)
            first[peer.name] = time.process_time() - start
            if problem is not None:
                row.reasons[peer.name] = problem
                continue
            works[peer.name] = work(workload.question, way, delivery)
            if workload.question == "answers" and not peer.tells:
                row.notes[peer.name] = "the value alone: it does not tell completeness"

        def told(name: str, number: int) -> None:
            self.tell(f"{case.name}: round {number + 1} of {self.rounds}, {name}")

        row.seconds = measuring.interleaved(works, first, self.rounds, self.patience, told)
        for name, seconds in row.seconds.items():
            self.slowest[case.workload, case.group, name] = (len(text), measuring.median(seconds))
        return row

    def too_slow(self, peer: Peer, case: Case, size: int) -> str | None:
        """Why it is not begun at this size, by the last smaller one; None if it may run, as jsonseam always may."""
        before = self.slowest.get((case.workload, case.group, peer.name))
        if before is None or peer.name == OWN:
            return None
        growth = size / before[0]
        if before[1] * (growth**2 if peer.square else growth) <= self.patience:
            return None
        why = "parses all of it again for each chunk, " if peer.square else ""
        return f"not begun: {why}{before[1]:.2g} s at {kilobytes(round(before[0], -3))}"


def work(question: str, way: Callable[[Any], Any], delivery: Any) -> measuring.Work:
    if is_stream(question):
        return lambda: measuring.drain(way(delivery))
    return lambda: way(delivery)


# ------------------------------------------------------------ checking
def meaning(case: Case, text: str) -> Any:
    """What the document says; of one with faults, what it said before they were made."""
    if case.workload != "W6":
        return json.loads(text)
    from benchmarks import faults

    return faults.meant(case.size, case.group)


def check(question: str, way: Callable[[Any], Any], delivery: Any, meant: Any, limit: float) -> str | None:
    """What is wrong with a peer's answer; None if nothing is. The values on the way must be values of Python.

    A stream is given up after `limit` seconds.
    """
    try:
        last, kinds = streamed(way(delivery), len(delivery), limit) if is_stream(question) else at_once(way(delivery))
    except GivenUpError as late:
        return str(late)
    except Exception as error:  # whatever a peer raises is its reason
        return f"{type(error).__name__}: {error}".splitlines()[0][:100]
    if not kinds <= {dict, list, str, type(None)}:
        return f"gives {sorted(kind.__name__ for kind in kinds)}, not plain values"
    return None if last == meant else "reads another value than the one that was meant"


class GivenUpError(Exception):
    """It took too long."""


def is_stream(question: str) -> bool:
    return question in ("chunks", "answers")


def at_once(value: Any) -> tuple[Any, set[type]]:
    return value, {type(value)}


def streamed(values: Iterator[Any], count: int, limit: float) -> tuple[Any, set[type]]:
    """The last of the values, and the types of all of them."""
    start = time.process_time()
    kinds: set[type] = set()
    complete: bool | None = None
    value: Any = None
    for number, value in enumerate(values):
        if isinstance(value, tuple):
            value, complete = value
        kinds.add(type(value))
        if time.process_time() - start > limit:
            raise GivenUpError(f"given up after {limit:g} s, with {number / count:.0%} of it read")
    if complete is False:
        raise ValueError("the whole document is not called complete")
    return value, kinds

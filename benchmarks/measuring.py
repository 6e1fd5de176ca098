"""How a time is taken: every way of doing a thing in turn, in one process, and the median of what each took.

Rule: nothing here knows JSON. The time is CPU time of the process, which another busy process disturbs least. What is
compared runs interleaved, in an order that changes from round to round, so that a machine that slows down slows all of
them; a ratio is the median of the rounds' own ratios.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence

Work = Callable[[], object]

SHORTEST = 0.02  # seconds; what is shorter is done several times in a row


def drain(values: Iterator[object]) -> None:
    """Take every value and keep none, at the speed of C."""
    deque(values, maxlen=0)


def once(work: Work, times: int = 1) -> float:
    """Seconds that one of `times` calls takes."""
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def interleaved(
    works: dict[str, Work], first: dict[str, float], rounds: int, patience: float, told: Callable[[str, int], None]
) -> dict[str, list[float]]:
    """Seconds of each work in each round. A work that has used up `patience` seconds rests in the rounds that follow.

    `first`: what each took when it was tried; it tells how often a short one is repeated, and is all that is known of
    one that needed more than the patience. `told` hears who runs, in which round.
    """
    taken: dict[str, list[float]] = {name: [first[name]] if first[name] > patience else [] for name in works}
    times = {name: max(1, min(200, int(SHORTEST / max(first[name], 1e-7)))) for name in works}
    names = list(works)
    for number in range(rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            if sum(taken[name]) * times[name] < patience:
                told(name, number)
                taken[name].append(once(works[name], times[name]))
    return taken


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def ratio(of: Sequence[float], to: Sequence[float]) -> float:
    """How many times as long as the second the first one takes: by rounds, as far as both were run."""
    return statistics.median(first / second for first, second in zip(of, to, strict=False))

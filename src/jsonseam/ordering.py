"""Does a number fit the ones around it? At a seam its digits, or the number itself, may have come twice.

Rule: numbers that ascend go on ascending, those that count go on counting, and those that are all of one length stay
so. What has no order and no common length tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import lt
from typing import Any, Final

from jsonseam.lexemes import scalar_value

# What speaks against a number, in nats.
MORE_DIGITS: Final = 6.0
OTHER_DIGITS: Final = 6.0
OUT_OF_ORDER: Final = 6.0
LEAPS: Final = 6.0
# How much there must be of something before it tells.
ENOUGH_LENGTHS: Final = 3  # numbers that all have as many digits
LONG_NUMBER: Final = 5  # digits of each of these
ENOUGH_ORDERED: Final = 3  # numbers that ascend
ENOUGH_COUNTED: Final = 5  # whole numbers that count
ENOUGH_IN_RUNS: Final = 5  # numbers of two ascending runs, the second of which begins in the first
ENOUGH_STEPS: Final = 5  # numbers that ascend, before a leap is odd
LEAP: Final = 100  # times the largest step there was
LARGEST: Final = 1e15  # the number from which on digits are not counted


def against_number(word: str, column: Sequence[Any] | None, before: Sequence[Any], later: Sequence[Any]) -> float:
    """What speaks against a number, as it is spelled: nats.

    `column`: the numbers at its place in the peers, None if the number cannot straddle the seam. `before`, `later`:
    those around it in their order, if they have one.
    """
    value: Any = scalar_value(word)
    at_seam = column is not None or len(later) > 0  # a count that ends further on ends whichever way it is joined
    against = _against_order(value, before, later, at_seam=at_seam)
    if against is None:
        return _against_size(word, column or ())
    return against or LEAPS * (column is not None and not later and _leaps(value, before))


def _against_order(value: Any, before: Sequence[Any], later: Sequence[Any], *, at_seam: bool) -> float | None:
    """A number that breaks an ascending order, or a count: the only one that does, or the first one said again of a
    longer run. None where there is no order."""
    if not _are_numbers(before) or not _are_numbers(later):
        return None
    if len(before) + len(later) >= ENOUGH_ORDERED and _ascend([*before, *later]):
        breaks = not _ascend([*before[-1:], value, *later[:1]]) or (at_seam and _breaks_count(value, before))
        return OUT_OF_ORDER * breaks
    goes_further = before and later and before[-1] < later[-1]
    again = goes_further and value <= before[-1] and len(before) + len(later) >= ENOUGH_IN_RUNS
    return OUT_OF_ORDER if again and _ascend(before) and _ascend([value, *later]) else None


def _breaks_count(value: Any, before: Sequence[Any]) -> bool:
    """Is it not the next one of whole numbers that count?"""
    steps = {two - one for one, two in pairwise(before[-ENOUGH_COUNTED:])}
    return len(before) >= ENOUGH_COUNTED and len(steps) == 1 and value != before[-1] + steps.pop()


def _leaps(value: Any, before: Sequence[Any]) -> bool:
    """Is it much further from the last number than any other was from the one before it, as two in one are?"""
    steps = [two - one for one, two in pairwise(before)]
    return len(before) >= ENOUGH_STEPS and value - before[-1] > LEAP * max(steps)


def _against_size(word: str, column: Sequence[Any]) -> float:
    """More digits before the point than any other has, or another number of them where all are long and alike, as
    keys are."""
    lengths = [len(str(abs(int(other)))) for other in column if _is_number(other) and abs(other) < LARGEST]
    digits = word.lstrip("-").split(".")[0]
    if len(lengths) < 2 or not digits.isdigit():
        return 0.0
    alike = len(lengths) >= ENOUGH_LENGTHS and min(lengths) == max(lengths) >= LONG_NUMBER
    odd = MORE_DIGITS * (len(digits) > max(lengths) + (len(lengths) == 2))
    odd += OTHER_DIGITS * (alike and len(digits) != max(lengths))
    return odd


def _is_number(value: Any) -> bool:
    return type(value) is int or type(value) is float


def _are_numbers(values: Sequence[Any]) -> bool:
    return all(map(_is_number, values))


def _ascend(values: Sequence[Any]) -> bool:
    return all(map(lt, values, values[1:]))

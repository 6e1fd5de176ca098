"""How much information does a text carry, for a model of the document that has not seen it?

An adaptive context model over a window: the next character is predicted from what followed the same 24, 12, 6
and 3 characters before, each order falling back on the shorter one. Predictable text (", 0, 0, 0") that comes
twice is data; improbable text that comes twice is an echo. Cost: bounded by WINDOW and MOST, not by the document.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final

from jsonseam.chance import BRACKETS, ENOUGH, most_told

WINDOW: Final = 4096  # characters of the document that the model knows
MOST: Final = 160  # characters of a text that are looked at
ORDERS: Final = (3, 6, 12, 24)
IN_CIRCLES: Final = 4.0  # a real echo surprises for its first few characters only, so these count more
HEAD: Final = 24  # characters in which an echo shows that it is not what was due
BEGINNING: Final = 96  # characters in which an echo surprises; a text that goes round in circles does so further on
UNEXPECTED: Final = 4.0  # nats from which on a beginning is not what was due at all
LONG_AGAIN: Final = 16  # characters; so many come twice at a seam by chance only where they are what was due
SHORT_AGAIN: Final = 12  # characters; below, a word comes twice
NOT_DUE: Final = 7.0  # nats of a beginning that no text ever goes on with
DUE: Final = 2.0  # nats a character
_LAYOUT = " \t\r\n"
TWICE: Final = 2.5  # words that the window knows tell more than it gives them credit for, but not without end
_SAMPLES = 12  # earlier occurrences of a context that are counted
_ALPHABET = 64  # characters that are about equally likely where nothing is known
_LEAST = 0.03  # a character that was never seen here is no better evidence than one out of an alphabet
_TRUST = 0.6  # weight of the shorter context against one occurrence of the longer


class Meter:
    """What each character of a window carries, and of a text behind it, given what stands before it.

    Each is looked at once: `costs`, by the character's place, may be shared by all meters of one window. `in_string`:
    the window ends inside a string.
    """

    __slots__ = ("_ahead", "_known", "_text", "in_string", "window")

    def __init__(self, window: str, ahead: str, costs: dict[int, float], *, in_string: bool) -> None:
        self.window, self.in_string = window, in_string
        self._text = window + ahead[:MOST]
        self._known, self._ahead = costs, dict[int, float]()

    def measure(self, start: int, size: int) -> float:
        """Nats of `size` characters from `start` on, of which at most MOST are looked at."""
        total = 0.0
        for at in range(start, min(start + min(size, MOST), len(self._text))):
            costs = self._known if at < len(self.window) else self._ahead
            if at not in costs:
                costs[at] = self._cost(at)
            total += costs[at]
            if total > ENOUGH:
                return ENOUGH
        return total

    def measure_head(self, start: int) -> float:
        """Nats of the first HEAD characters from `start` on, layout not counted."""
        told, counted = 0.0, 0
        for at in range(start, len(self._text)):
            if counted == HEAD:
                break
            if self._text[at] not in _LAYOUT:
                counted += 1
                told += self.measure(at, 1)
        return told

    def goes_round(self, size: int) -> bool:
        """Does what comes say the last `size` characters of the window twice, as far as it is known, but for layout?"""
        ahead = "".join(self._text[len(self.window) :].split())
        size = len("".join(self.window[-size:].split()))
        again = ahead[size : 2 * size]
        return len(again) >= min(size, HEAD) > 0 and ahead.startswith(again)

    def measure_again(self, again: int, size: int) -> float:
        """By how many nats `size` characters behind the window are likelier if the first `again` are an echo.

        Nothing where what stands behind the echo was not due either: then it is the text that is new.
        """
        literal = self.measure(len(self.window), size)
        after = Meter(self.window, self._text[len(self.window) + again :], self._known, in_string=self.in_string)
        behind_echo = after.measure(len(self.window), size - again)
        return literal - behind_echo if behind_echo <= DUE * (size - again) else 0.0

    def _cost(self, at: int) -> float:
        known = self._text[max(0, at - WINDOW) : at]
        return -log(max(_LEAST, _probability(known, known[-ORDERS[-1] :], self._text[at])))


def surprise_again(
    meter: Meter, sizes: Sequence[int], *, at_once: bool = True, to_the_letter: bool = False
) -> dict[int, float]:
    """How much it tells that the last k characters of the window come again behind it, for each k of `sizes`.

    What those characters carry for a model that has not seen them, in proportion to what comes carries for one that
    has, and to how unexpected its beginning is: a text that goes round in circles goes on in them, and that is
    no echo. At least what comes carries where they come `at_once`, not behind the openers of a path. Where the
    last k and the last k' of them (k/2 <= k' < k) both come again, only one period, k - k', counts. However little
    they carry themselves, many of them with a beginning that was not due are no chance.
    """
    evidence: dict[int, float] = {}
    if not sizes:
        return evidence  # most candidates at most seams: nothing is measured for them
    ordered = sorted(set(sizes))
    window = meter.window
    head = meter.measure_head(len(window))
    for at, size in enumerate(ordered):
        shorter = ordered[at - 1] if at else 0
        counted = size - shorter if shorter >= size / 2 else size
        most = most_told(window, size, in_string=meter.in_string)
        told = min(most, meter.measure(len(window) - counted, counted))
        new = meter.measure(len(window), min(size, BEGINNING))
        at_least = min(new, most, TWICE * told) if at_once else 0.0
        if meter.goes_round(size):
            evidence[size] = min(told, BRACKETS)
            continue
        evidence[size] = max(min(told, IN_CIRCLES * new) * min(1.0, head / UNEXPECTED), at_least)
        if at_once and meter.measure(len(window), min(size, HEAD)) >= NOT_DUE:
            least = SHORT_AGAIN if to_the_letter else LONG_AGAIN
            evidence[size] = max(evidence[size], min(most, _not_due(meter, size, least)))
    return evidence


def _not_due(meter: Meter, size: int, least: int) -> float:
    """What an echo of `least` characters or more tells whose beginning was not due.

    That is what comes, and more where it is too long to be chance.
    """
    said = "".join(meter.window[-size:].split())
    new = meter.measure(len(meter.window), size)
    if len(said) >= LONG_AGAIN:
        return NOT_DUE + new
    return new if least < LONG_AGAIN and size >= least and len(said) >= least // 2 else 0.0


def _probability(known: str, context: str, char: str) -> float:
    p = (known.count(char) + 0.3) / (len(known) + 0.3 * _ALPHABET)
    for order in ORDERS:
        if len(context) < order:
            break
        seen, hits = _followers(known, context[-order:], char)
        if not seen:
            break
        p = (hits + _TRUST * p) / (seen + _TRUST)
    return p


def _followers(known: str, context: str, char: str) -> tuple[int, int]:
    """How often `context` stands in `known` (the latest ones), and how often `char` follows it there."""
    seen = hits = 0
    size, find = len(context), known.rfind
    end = len(known) - 1  # the last place is the context itself
    while seen < _SAMPLES:
        at = find(context, 0, end)
        if at < 0:
            break
        seen += 1
        end = at + size - 1
        if known[end + 1] == char:
            hits += 1
    return seen, hits

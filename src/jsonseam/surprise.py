"""How much information does a text carry, for a model of the document that has not seen it?

An adaptive context model over a window: the next character is predicted from what followed the same 24, 12, 6
and 3 characters before, each order falling back on the shorter one. Predictable text (", 0, 0, 0") that comes
twice is data; improbable text that comes twice is an echo. Cost: bounded by WINDOW and MOST, not by the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import log
from typing import Final

from jsonseam.chance import BRACKETS, ENOUGH, Chance
from jsonseam.lexemes import SPACES, WHITE_SPACE, squeeze

WINDOW: Final = 4096  # characters of the document that the model knows
MOST: Final = 160  # characters of a text that are looked at
ORDERS: Final = (3, 6, 12, 24)
FAR_BACK: Final = 2048  # characters in front of one in which its context is looked for
NEAR: Final = 512  # characters in which it is counted how often one comes at all
IN_CIRCLES: Final = 4.0  # a real echo surprises for its first few characters only, so these count more
HEAD: Final = 24  # characters in which an echo shows that it is not what was due
BEGINNING: Final = 96  # characters in which an echo surprises; a text that goes round in circles does so further on
UNEXPECTED: Final = 4.0  # nats from which on a beginning is not what was due at all
LONG_AGAIN: Final = 16  # characters; so many come twice at a seam by chance only where they are what was due
SHORT_AGAIN: Final = 12  # characters; below, a word comes twice
NOT_DUE: Final = 7.0  # nats of a beginning that no text ever goes on with
DUE: Final = 2.0  # nats a character
TWICE: Final = 2.5  # words that the window knows tell more than it gives them credit for, but not without end
_KEY: Final = re.compile(rf'"[^"\\]*+"{SPACES}:')
_WORD: Final = re.compile(r"[^\W_]++")
_SAMPLES: Final = 8  # latest occurrences of a context that are counted
_ALPHABET: Final = 64  # characters that are about equally likely where nothing is known
_LEAST: Final = 0.03  # a character that was never seen here is no better evidence than one out of an alphabet
_TRUST: Final = 0.6  # weight of the shorter context against one occurrence of the longer


class Model:
    """A window, and what it has been asked so far: what its characters carry, by their places, and how often they come.

    `in_string`: it ends inside a string. `chance`: what its items can tell at most.
    """

    __slots__ = ("_counts", "_near", "chance", "costs", "window")

    def __init__(self, window: str, *, in_string: bool) -> None:
        self.window = window
        self.chance = Chance(window, in_string=in_string)
        self._near = window[-NEAR:]
        self.costs: dict[int, float] = {}
        self._counts: dict[str, int] = {}

    def frequency(self, char: str) -> float:
        """How likely it is anywhere near the end of the window, about."""
        if char not in self._counts:
            self._counts[char] = self._near.count(char)
        return (self._counts[char] + 0.3) / (len(self._near) + 0.3 * _ALPHABET)


class Meter:
    """What each character of a window carries, and of a text behind it, given what stands before it.

    Each is looked at once: `model` may be shared by all meters of one window, and `ahead`, by the character's place, by
    all those of a text that grows behind it.
    """

    __slots__ = ("_ahead", "_model", "_text", "window")

    def __init__(self, model: Model, text: str, ahead: dict[int, float]) -> None:
        self.window = model.window
        self._text = model.window + text[:MOST]
        self._model, self._ahead = model, ahead

    def most_told(self, size: int) -> float:
        """As `Chance.most_told`, of the window."""
        return self._model.chance.most_told(size)

    def measure(self, start: int, size: int, enough: float = ENOUGH) -> float:
        """Nats of `size` characters from `start` on, of which at most MOST are looked at: all, or just `enough`."""
        stop = min(start + min(size, MOST), len(self._text))
        # Of what is held the beginnings of words tell most; of what comes again, how it begins.
        total = 0.0
        for at in _telling_first(self._text, start, stop) if start < len(self.window) else range(start, stop):
            total += self._cost(at)
            if total >= enough:
                break
        return total

    def _cost(self, at: int) -> float:
        costs = self._model.costs if at < len(self.window) else self._ahead
        if at not in costs:
            costs[at] = -log(max(_LEAST, _probability(self._model, self._text, at)))
        return costs[at]

    def measure_head(self, start: int, enough: float) -> float:
        """Nats of the first HEAD characters from `start` on, layout not counted: all, or `enough` of them."""
        told, counted = 0.0, 0
        for at in range(start, len(self._text)):
            if counted == HEAD or told >= enough:
                break
            if self._text[at] not in WHITE_SPACE:
                counted += 1
                told += self._cost(at)
        return told

    def goes_round(self, size: int) -> bool:
        """Does what comes say the last `size` characters of the window twice, as far as it is known, but for layout?"""
        ahead = squeeze(self._text[len(self.window) :])
        size = len(squeeze(self.window[-size:]))
        again = ahead[size : 2 * size]
        return len(again) >= min(size, HEAD) > 0 and ahead.startswith(again)

    def measure_again(self, again: int, size: int) -> float:
        """By how many nats `size` characters behind the window are likelier if the first `again` are an echo.

        Nothing where what stands behind the echo was not due either: then it is the text that is new.
        """
        literal = self.measure(len(self.window), size)
        after = Meter(self._model, self._text[len(self.window) + again :], {})
        behind_echo = after.measure(len(self.window), size - again)
        return literal - behind_echo if behind_echo <= DUE * (size - again) else 0.0


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
    head = min(1.0, meter.measure_head(len(window), UNEXPECTED) / UNEXPECTED)
    for at, size in enumerate(ordered):
        shorter = ordered[at - 1] if at else 0
        counted = size - shorter if shorter >= size / 2 else size
        most = meter.most_told(size)
        told = min(most, meter.measure(len(window) - counted, counted))
        if meter.goes_round(size):
            evidence[size] = min(told, BRACKETS)
            continue
        quarter = told / IN_CIRCLES
        due = max(quarter, min(most, TWICE * told)) if at_once and (told < most or head < 1.0) else quarter
        new = meter.measure(len(window), min(size, BEGINNING), due)
        if told == most and head == 1.0 and new >= quarter:
            evidence[size] = most  # often, and then a few characters of the new text tell enough
            continue
        at_least = min(new, most, TWICE * told) if at_once else 0.0
        evidence[size] = max(min(told, IN_CIRCLES * new) * head, at_least)
        if at_once and meter.measure(len(window), min(size, HEAD), NOT_DUE) >= NOT_DUE:
            least = SHORT_AGAIN if to_the_letter else LONG_AGAIN
            evidence[size] = max(evidence[size], min(most, _not_due(meter, size, least)))
    return evidence


def _not_due(meter: Meter, size: int, least: int) -> float:
    """What an echo of `least` characters or more tells whose beginning was not due.

    That is what comes, and more where it is too long to be chance.
    """
    said = squeeze(meter.window[-size:])
    new = meter.measure(len(meter.window), size)
    if len(said) >= LONG_AGAIN:
        return NOT_DUE + new
    return new if least < LONG_AGAIN and size >= least and len(said) >= least // 2 else 0.0


def _telling_first(text: str, start: int, stop: int) -> Iterator[int]:
    """The places from `start` to `stop`: first those at which words begin, then the next ones; keys come last."""
    keys = [key.span() for key in _KEY.finditer(text, start, stop)]
    words: list[tuple[int, int]] = []
    for word in _WORD.finditer(text, start, stop):
        begin, end = word.span()
        if not any(one <= begin < other for one, other in keys):
            words.append((begin, end))
            yield begin
    longest = max((end - begin for begin, end in words), default=0)
    for into_word in range(1, longest):
        for begin, end in words:
            if begin + into_word < end:
                yield begin + into_word
    at = start
    for begin, end in [*words, (stop, stop)]:
        yield from range(at, begin)
        at = end


def _probability(model: Model, text: str, at: int) -> float:
    """How likely the character at `at` is, for a model that knows the window and what stands in front of `at`."""
    char = text[at]
    begin = max(0, at - FAR_BACK)
    p = model.frequency(char)
    behind: list[int] = []  # the latest places behind the context
    last = at  # none of an earlier place is known
    for order in ORDERS:
        if at - begin < order:
            break
        context = text[at - order : at]
        behind = [place for place in behind if place - order >= begin and text[place - order : place] == context]
        while last >= order and len(behind) < _SAMPLES:
            last = text.rfind(context, begin, last - 1) + order
            if last >= order:
                behind.append(last)
        if not behind:
            break
        hits = 0
        for place in behind:
            hits += text[place] == char
        p = (hits + _TRUST * p) / (len(behind) + _TRUST)
    return p

"""How much can items tell that come twice at a seam, where there are few that they could be?

Rule: characters overstate the surprise of numbers and literals; each item counts by how often it stands around there.
Where all of them are common, flags or digits, a run that comes twice by chance is a matter of time: then it takes
more of them to make an echo, as one that is kept adds items, and data that is dropped for one is lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import Final

from jsonseam import lexemes

ENOUGH: Final = 24.0  # nats of a text: more evidence changes no decision
LONG_TEXT: Final = 40.0  # nats of one that was compared, not measured
BRACKETS: Final = 2.0  # brackets and space that come again are hardly ever an echo
SHORT_TEXT: Final = 400  # characters; more hold enough items of any kind
CHANCE: Final = 4.0  # nats: how many times likelier than not an echo of common items has to be
COMMON: Final = 3  # times that a number stands there
LONG_ITEM: Final = 7  # characters
A_DIGIT: Final = 1.0  # nats that each of them tells, at least
KINDS: Final = 16  # of items, were all as common as these: up to so many are few
_ITEM: Final = re.compile(r"-?[0-9][0-9.eE+-]*|[a-z]+")
_KNOWN: Final = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null|\b[tfn][a-z]{0,3}\Z")


class Chance:
    """The end of a document, and how often each item stands there, which is counted once.

    `in_string`: it ends inside a string.
    """

    __slots__ = ("_counts", "_in_string", "_told", "_window")

    def __init__(self, window: str, *, in_string: bool) -> None:
        self._window, self._in_string = window, in_string
        self._counts: Counter[str] | None = None
        self._told: dict[int, float] = {}

    def most_told(self, size: int) -> float:
        """The most nats that the last `size` characters can tell, of what they are: brackets, or items.

        Cost: those characters, and the window the first time.
        """
        if size not in self._told:
            self._told[size] = self._most_told(size)
        return self._told[size]

    def _most_told(self, size: int) -> float:
        text = self._window[-size:]
        if not any(map(str.isalnum, text)) and not (self._in_string and "\\" in text):
            return BRACKETS
        if self._in_string or '"' in text or size > SHORT_TEXT:
            return ENOUGH
        items = _items(text, begins_inside=self._window[-size - 1 : -size].isalpha())
        if self._counts is None:
            self._counts = Counter(map(_whole, _KNOWN.findall(self._window)))
        known = self._counts.total()
        told = sum(_tells(item, self._counts[item], known) for item in items)
        return max(BRACKETS, told - CHANCE) if _are_common(items, self._counts, told) else BRACKETS + told


def _tells(item: str, count: int, known: int) -> float:
    """What an item tells that stands `count` times among `known` ones; a long one that came once is one of many."""
    told = log((known + 1) / (count + 0.5))
    return max(told, A_DIGIT * len(item)) if count <= 1 and len(item) >= LONG_ITEM else told


def _are_common(items: Sequence[str], counts: Counter[str], told: float) -> bool:
    """Are these items of few kinds, which come again and again?"""
    if all(item in lexemes.LITERALS for item in items):
        return True
    come_again = 2 * len(counts) <= counts.total() or all(counts[item] >= COMMON for item in items)
    return come_again and told <= log(KINDS) * len(items)


def _items(text: str, *, begins_inside: bool) -> list[str]:
    """The items of a text. The end of a literal with which it begins is none: nothing else could follow there."""
    words = _ITEM.findall(text)
    return [_whole(word) for word in (words[1:] if begins_inside and text[0].isalpha() else words)]


def _whole(word: str) -> str:
    """The literal that a word is, or begins as."""
    return lexemes.literal_begun(word) or word

"""How much can items tell that come twice at a seam, where there are few that they could be?

Rule: characters overstate the surprise of numbers and literals; each item counts by how often it stands around there.
Where all of them are common, flags or digits, a run that comes twice by chance is a matter of time: then it takes
more of them to make an echo, as one that is kept adds items, and data that is dropped for one is lost.
"""

from __future__ import annotations

import re
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
KINDS: Final = 16  # of items, were all as common as these: up to so many are few
_ITEM: Final = re.compile(r"-?[0-9][0-9.eE+-]*|[a-z]+")
_KNOWN: Final = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null|\b[tfn][a-z]{0,3}\Z")


def most_told(window: str, size: int, *, in_string: bool) -> float:
    """The most nats that the last `size` characters of the window can tell, of what they are: brackets, or items.

    `in_string`: the window ends inside a string. Cost: the window, once.
    """
    text = window[-size:]
    if not any(map(str.isalnum, text)) and not (in_string and "\\" in text):
        return BRACKETS
    if in_string or '"' in text or size > SHORT_TEXT:
        return ENOUGH
    items = _items(text, begins_inside=window[-size - 1 : -size].isalpha())
    known = [_whole(word) for word in _KNOWN.findall(window)]
    counts = [known.count(item) for item in items]
    told = sum(log((len(known) + 1) / (count + 0.5)) for count in counts)
    return max(BRACKETS, told - CHANCE) if _are_common(items, known, told) else BRACKETS + told


def _are_common(items: Sequence[str], known: Sequence[str], told: float) -> bool:
    """Are these items of few kinds, which come again and again?"""
    if all(item in lexemes.LITERALS for item in items):
        return True
    come_again = 2 * len(set(known)) <= len(known) or all(known.count(item) >= COMMON for item in items)
    return come_again and told <= log(KINDS) * len(items)


def _items(text: str, *, begins_inside: bool) -> list[str]:
    """The items of a text. The end of a literal with which it begins is none: nothing else could follow there."""
    words = _ITEM.findall(text)
    return [_whole(word) for word in (words[1:] if begins_inside and text[0].isalpha() else words)]


def _whole(word: str) -> str:
    """The literal that a word is, or begins as."""
    return lexemes.literal_begun(word) or word

"""The finished items that stand behind the seam, in an array that is open there.

Rule: what follows shows what an item looks like as well as what came before it. A row that is cut off is the first one
of its table as often as not, and then nothing else can tell how long it is meant to be.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from jsonseam.grammar import Token
from jsonseam.lexemes import CLOSER_OF, OPENER_OF

MOST: Final = 240  # tokens behind the seam that are looked at
ITEMS: Final = 8
LONGEST: Final = 1024  # characters of an item
UNKNOWN: Final = object()  # an item that is too long to be read, or is none


def behind_container(text: str, tokens: Sequence[Token], level: int) -> list[Any]:
    """The items that follow the container at depth `level`, which is open in front of the seam, once it is closed."""
    for at, token in enumerate(tokens[:MOST]):
        if token.depth == level + 1 and token.kind in OPENER_OF:
            return list(_items(text, tokens, at + 1))
    return []


def behind_token(text: str, tokens: Sequence[Token], at: int) -> list[Any]:
    """The items that follow the scalar token at the index `at` in its array."""
    return list(_items(text, tokens, at + 1))


def value_at(text: str, tokens: Sequence[Token], at: int, *, most: int = MOST) -> Any:
    """The value that begins at a token, if it is a short one, and whole; else UNKNOWN."""
    end = _end_of(tokens, at, most)
    return UNKNOWN if end is None else _read(text, tokens[at].start, tokens[end].end)


def _items(text: str, tokens: Sequence[Token], at: int) -> Iterator[Any]:
    """The first whole items of an array from the token `at` on, those that are short."""
    count = 0
    while at < len(tokens) and count < ITEMS and tokens[at].kind not in OPENER_OF:
        end = _end_of(tokens, at, MOST)
        if end is None:
            return
        value = _read(text, tokens[at].start, tokens[end].end)
        if value is not UNKNOWN:
            count += 1
            yield value
        at = end + 1


def _end_of(tokens: Sequence[Token], at: int, most: int) -> int | None:
    """The last token of what begins at the token `at`; None if it is not among the next ones."""
    first = tokens[at]
    if first.kind not in CLOSER_OF:
        return at
    inside = first.depth + 1
    for end in range(at + 1, min(at + most, len(tokens))):
        token = tokens[end]
        if token.depth == inside and token.kind in OPENER_OF:
            return end
    return None


def _read(text: str, start: int, end: int) -> Any:
    if end - start > LONGEST:
        return UNKNOWN
    try:
        return json.loads(text[start:end])
    except ValueError:
        return UNKNOWN  # a comma, too

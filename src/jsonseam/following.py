"""The finished items that stand behind the seam, in an array that is open there.

Rule: what follows shows what an item looks like as well as what came before it. A row that is cut off is the first one
of its table as often as not, and then nothing else can tell how long it is meant to be.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from jsonseam import lexemes
from jsonseam.grammar import Token

MOST: Final = 240  # tokens behind the seam that are looked at
ITEMS: Final = 8
LONGEST: Final = 1024  # characters of an item
CLOSERS: Final = ("}", "]")
UNKNOWN: Final = object()  # an item that is too long to be read, or is none


def behind_container(text: str, tokens: Sequence[Token], level: int) -> list[Any]:
    """The items that follow the container at depth `level`, which is open in front of the seam, once it is closed."""
    for at, token in enumerate(tokens[:MOST]):
        if token.depth == level + 1 and token.kind in CLOSERS:
            return list(_items(text, tokens, at + 1, level))
    return []


def behind_token(text: str, tokens: Sequence[Token], at: int) -> list[Any]:
    """The items that follow the scalar token at the index `at` in its array."""
    return list(_items(text, tokens, at + 1, tokens[at].depth))


def value_at(text: str, tokens: Sequence[Token], at: int, *, most: int = MOST) -> Any:
    """The container that begins at a token, if it is a short one, and whole; else UNKNOWN."""
    end = _end_of(tokens, at, most)
    if end is None or tokens[end].end - tokens[at].start > LONGEST:
        return UNKNOWN
    return _read(text[tokens[at].start : tokens[end].end])


def _items(text: str, tokens: Sequence[Token], at: int, depth: int) -> Iterator[Any]:
    """The first whole items from the token `at` on, as far as they are short."""
    count = 0
    while at < len(tokens) and count < ITEMS and tokens[at].depth >= depth:
        token = tokens[at]
        if token.depth == depth and token.kind in CLOSERS:
            return
        end: int | None = at
        if token.kind in ("{", "["):
            value, end = value_at(text, tokens, at), _end_of(tokens, at, MOST)
        elif token.kind in (",", ":"):
            value = UNKNOWN
        else:
            value = lexemes.scalar_value(text[token.start : token.end])
        if value is not UNKNOWN:
            count += 1
            yield value
        if end is None:
            return
        at = end + 1


def _end_of(tokens: Sequence[Token], at: int, most: int) -> int | None:
    """The token that closes the container that begins at the token `at`."""
    inside = tokens[at].depth + 1
    last = min(at + most, len(tokens))
    return next((i for i in range(at + 1, last) if tokens[i].depth == inside and tokens[i].kind in CLOSERS), None)


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return UNKNOWN

"""The rest of an inner container in one of its own: [{...}, {...}], or "rows": [{...}, or {"rows": [{...}.

Rule: it is opened again where its key is the one that is open there; or, without a key, where the items in it are like
the items of the open array, and the array that they stand in is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from jsonseam import lexemes
from jsonseam.grammar import STRING, Expect
from jsonseam.lexemes import OPENER_OF
from jsonseam.sides import OPENERS, Entry, Held, Piece

A_KEY: Final = 5.0  # nats that an open key tells that is said again in front of a container of the same kind
FITS: Final = 10.0  # nats that it tells that an item is like its siblings, and the array around it is not
FITS_ONE: Final = 4.0  # the same, where there is only one of them
WRAPPED: Final = 6.0  # nats against an object around the data that the document knows nothing of
CLOSES_ALL: Final = 7.0  # nats that it tells that an answer closes all it opened: one that goes on is seldom cut there
SIBLINGS: Final = 8
DEEPEST: Final = 3  # levels of arrays in arrays that are compared


def inner_starts(held: Held, piece: Piece) -> Iterator[Entry]:
    """Entries into open containers other than the root. Cost: the depth, and a few siblings where arrays are open."""
    tokens = piece.tokens
    first = tokens[0].kind
    key = 0 if first == STRING else 1 if first == "{" else None
    if key is not None and (kind := piece.value_of_key(key)) in OPENERS:
        name = lexemes.scalar_value(piece.word(key))
        for level in range(len(held.frames) - 2, -1 if key == 0 else 0, -1):
            if held.frames[level] == "{" and held.steps[level] == name and held.frames[level + 1] == kind:
                yield Entry(key + 3, A_KEY, level + 1)
                return
    if first == "[" and len(tokens) > 1:
        yield from _regrouped(held, piece)


def _regrouped(held: Held, piece: Piece) -> Iterator[Entry]:
    """Where the array that the piece begins with may be an open one."""
    innermost = len(held.frames) - 1
    if held.frames[innermost] == "[" and not held.in_string and _count_alike(held, innermost, piece, 0):
        return  # it is an item like the others
    for level in range(innermost, -1 if piece.wrapping >= WRAPPED else 0, -1):
        if held.frames[level] != "[":
            continue
        alike = _count_alike(held, level, piece, 1)
        if alike:
            yield Entry(1, (FITS if alike > 1 else FITS_ONE) + CLOSES_ALL * _closes_all(piece), level)
            return
        if not _finished(held, level) and _fits_open_item(held, level, piece):
            yield Entry(1, 0.0, level)


def _closes_all(piece: Piece) -> bool:
    """Does the piece close all that it opens, and end with that?"""
    last = piece.tokens[-1]
    return piece.whole and last.kind in OPENER_OF and last.depth <= 0 and not piece.text[last.end :].strip()


def fits_open_array(held: Held, piece: Piece, at: int) -> bool:
    """Are the items of the array that begins at the token `at` like those of an open one?"""
    levels = range(len(held.frames) - 1, -1, -1)
    return any(held.frames[level] == "[" and _count_alike(held, level, piece, at + 1) for level in levels)


def _fits_open_item(held: Held, level: int, piece: Piece) -> bool:
    """Is the item that is cut off in the array like the first one of the piece, or is there none?"""
    if level < len(held.frames) - 1:
        return _is_like(held.nodes[level + 1], piece, 1)
    kind = piece.tokens[1].kind
    return not held.partial or (kind not in OPENERS and (kind == STRING) == held.in_string)


def _count_alike(held: Held, level: int, piece: Piece, at: int) -> int:
    """How many of the last finished items of an open array are like what begins at the token `at`."""
    return sum(_is_like(item, piece, at) for item in _finished(held, level))


def _finished(held: Held, level: int) -> list[Any]:
    """The last finished items of an open array, of those that tell anything."""
    items: Sequence[Any] = held.nodes[level]
    if level < len(held.frames) - 1:
        finished = list(items[-SIBLINGS - 1 : -1])
    else:
        finished = [*items[-SIBLINGS:], *_scalar_at_end(held)]
    return [item for item in finished if item is not None]


def _scalar_at_end(held: Held) -> list[Any]:
    """The finished scalar that ends what is held: it is no item yet."""
    word = held.window.words[-1] if held.window.words and held.expect is Expect.COMMA and not held.partial else ""
    return [lexemes.scalar_value(word)] if word and word[0] not in "{}[],:" else []


def _is_like(item: Any, piece: Piece, at: int) -> bool:
    """Is an item of the kind of what begins at the token `at`: an object with its first key, an array of the like?"""
    for _ in range(DEEPEST):
        if at >= len(piece.tokens):
            return True
        kind = piece.tokens[at].kind
        is_empty = at + 1 >= len(piece.tokens) or piece.tokens[at + 1].kind in OPENER_OF
        if isinstance(item, dict):
            return kind == "{" and (is_empty or not item or lexemes.scalar_value(piece.word(at + 1)) in item)
        if not isinstance(item, list):
            return kind not in OPENERS and isinstance(item, str) == (kind == STRING)
        if kind != "[":
            return False
        if is_empty or not item:
            return True
        item, at = item[0], at + 1
    return True

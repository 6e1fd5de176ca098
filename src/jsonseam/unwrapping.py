"""The data inside of an object of its own: {"result": {...}}, {"continuation": [...]}, the arguments of a tool call.

Rule: what begins there as the document did, or with an item like those of an open array, may be the data, and what
stands around it only its wrapping. The seam must find more of it said again, or nothing else that it could be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jsonseam import lexemes
from jsonseam.grammar import STRING, Token, lex
from jsonseam.regrouping import WRAPPED, fits_open_array
from jsonseam.sides import OPENERS, Held, Piece
from jsonseam.standalone import stands_alone

MOST: Final = 24  # tokens of a fragment in which such a place is looked for
HEAD: Final = 256  # characters with which the document begins
ALIKE: Final = 3  # tokens with which it must begin there again


def inner_data(held: Held, piece: Piece) -> Iterator[tuple[int, float]]:
    """Places behind keys of the piece at which data may begin, with what it costs to believe it. Cost: a few tokens."""
    if piece.first not in OPENERS or not held.frames or (held.frames[0] == "[" and stands_alone(held, piece)):
        return  # an array that is now an object's may be the document that it was meant to be (`restarting.py`)
    tokens = piece.tokens[:MOST]
    head: list[str] | None = None
    for at in range(2, len(tokens)):
        if tokens[at].kind not in OPENERS or tokens[at - 1].kind != ":":
            continue
        if head is None:
            head = _head(held)
            if piece.words(0, ALIKE) == head or _opens_path(held, piece):
                return  # it is the document, or the way to where it is open, with nothing around it
        if piece.words(at, ALIKE) == head or (at == 3 and tokens[at].kind == "[" and fits_open_array(held, piece, at)):
            yield tokens[at].start, WRAPPED
            return


def _opens_path(held: Held, piece: Piece) -> bool:
    """Is the first key of the piece the one at which the document is open, with a container of the same kind?"""
    if held.frames[:2] != ["{", piece.value_of_key(1)] or piece.tokens[1].kind != STRING:
        return False
    return bool(lexemes.scalar_value(piece.word(1)) == held.steps[0])


def _head(held: Held) -> list[str]:
    """The first tokens of the document; none if there are not enough."""
    text = held.past.head if held.past is not None else held.document.part(0, HEAD)
    tokens: Sequence[Token] = lex(text, 0, most=ALIKE)[0]
    return [text[token.start : token.end] for token in tokens] if len(tokens) == ALIKE else [""]

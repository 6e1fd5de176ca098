"""The path opened again: {"sections": [{"elements": [{"items": [ in front of the rest.

Rule: an entry is a place in the fragment that stands inside the same open containers as the end of what is held.
On the way there the fragment may say finished members again, as they were; one that differs is no path reopened.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jsonseam import lexemes
from jsonseam.grammar import STRING
from jsonseam.sides import Held, Piece

A_STEP = 4.0  # nats that a name of the path, at its place, is worth
A_MEMBER = 6.0  # nats that a finished member, said again as it was, is worth


class Entry(NamedTuple):
    """The token at which the path is entered, the evidence so far (nats), and the open container it is in."""

    token: int
    gain: float
    level: int


def entries(held: Held, piece: Piece) -> Iterator[Entry]:
    """The places where the fragment stands inside open containers of the document, outermost first."""
    tokens, frames = piece.tokens, held.frames
    if not tokens or not frames or tokens[0].kind != frames[0]:
        return
    index, gain = 1, 1.0
    for level, frame in enumerate(frames):
        inner = frames[level + 1] if level + 1 < len(frames) else None
        if frame == "[":
            yield Entry(index, gain, level)
            gain += 1.0
        else:
            found = _open_member(held, piece, index, level)
            if found is None:
                return
            index, repeated = found
            gain += A_STEP + A_MEMBER * repeated
            if inner is None or index + 2 >= len(tokens) or piece.value_of_key(index) != inner:
                yield Entry(index, gain, level)
                return
            index += 2
        if inner is None or index >= len(tokens) or tokens[index].kind != inner:
            return
        index += 1


def _open_member(held: Held, piece: Piece, index: int, level: int) -> tuple[int, int] | None:
    """The key at which the open object is open, or a new one if nothing in it is; and the members said again before."""
    node = held.nodes[level]
    open_key = held.steps[level] if level < len(held.steps) else None
    repeated = 0
    while index + 1 < len(piece.tokens) and piece.tokens[index].kind == STRING:
        key = lexemes.scalar_value(piece.word(index))
        if key == open_key:
            return index, repeated
        if key not in node:
            return (index, repeated) if level == len(held.frames) - 1 and open_key is None else None
        behind = piece.behind_value(index + 2)
        if behind is None or not piece.says(index + 2, behind, node[key]):
            return None
        repeated += 1
        index = behind + 1 if behind < len(piece.tokens) and piece.tokens[behind].kind == "," else behind
    return None

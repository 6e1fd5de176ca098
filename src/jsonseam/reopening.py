"""The path opened again: {"sections": [{"elements": [{"items": [ in front of the rest.

Rule: an entry is a place in the fragment that stands inside the same open containers as the end of what is held.
On the way there the fragment may say finished members again, as they were; one that differs is no path reopened.
"""

from __future__ import annotations

from jsonseam import lexemes
from jsonseam.grammar import STRING
from jsonseam.regrouping import inner_starts
from jsonseam.sides import Entry, Held, Piece

A_STEP = 4.0  # nats that a name of the path, at its place, is worth
A_MEMBER = 6.0  # nats that a finished member, said again as it was, is worth


def entries(held: Held, piece: Piece) -> tuple[list[Entry], bool]:
    """The places where the fragment stands inside open containers of the document, outermost first.

    And whether the fragment ends on the way: then more of it must tell where it leads.
    """
    tokens, frames = piece.tokens, held.frames
    if not tokens or not frames:
        return [], False
    found, leads_on = _inside(held, piece, Entry(1, 1.0, 0)) if tokens[0].kind == frames[0] else ([], False)
    for start in inner_starts(held, piece):
        more, is_open = _inside(held, piece, start)
        found += more
        leads_on = leads_on or is_open
    return found, leads_on


def _inside(held: Held, piece: Piece, start: Entry) -> tuple[list[Entry], bool]:
    """The same from a first entry on, at which the fragment stands inside an open container."""
    tokens, frames = piece.tokens, held.frames
    found: list[Entry] = []
    index, gain = start.token, start.gain
    for level in range(start.level, len(frames)):
        frame = frames[level]
        inner = frames[level + 1] if level + 1 < len(frames) else None
        if frame == "[":
            found.append(Entry(index, gain, level))
            gain += 1.0
        else:
            member = _open_member(held, piece, index, level)
            if member is None:
                return found, False
            index, repeated = member
            if index + 1 >= len(tokens):
                return found, piece.whole
            gain += A_STEP + A_MEMBER * repeated
            if inner is None or index + 2 >= len(tokens) or piece.value_of_key(index) != inner:
                found.append(Entry(index, gain, level))
                return found, piece.whole and inner is not None and index + 2 >= len(tokens)
            index += 2
        if inner is None or index >= len(tokens) or tokens[index].kind != inner:
            return found, piece.whole and index >= len(tokens)
        index += 1
    return found, piece.whole and index >= len(tokens)


def _open_member(held: Held, piece: Piece, index: int, level: int) -> tuple[int, int] | None:
    """The key at which the open object is open, or a new one if nothing in it is; and the members said again before.

    Where the fragment ends before that, the last key.
    """
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
        if behind is None:
            return len(piece.tokens), repeated
        if not piece.says(index + 2, behind, node[key]):
            return None
        repeated += 1
        index = behind + 1 if behind < len(piece.tokens) and piece.tokens[behind].kind == "," else behind
    return (len(piece.tokens), repeated) if index + 1 >= len(piece.tokens) else None

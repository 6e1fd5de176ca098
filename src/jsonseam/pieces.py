"""The pieces of a fragment: it, from each place on where its data may begin.

Rule: what can be read as JSON where it stands wraps nothing behind it.
"""

from __future__ import annotations

from jsonseam import comments, lead_ins
from jsonseam.ahead import read_ahead
from jsonseam.sides import Held, Piece, piece_from
from jsonseam.unwrapping import inner_data


def list_pieces(held: Held, fragment: str, literal_fault: int | None) -> list[Piece]:
    """The fragment from each place on where its data may begin, the first time as it came.

    `literal_fault` is the character of the fragment at which the literal join stops being JSON, None if it does
    not: only what stands there or before can be wrapping. What goes on from one place as JSON does not wrap a
    later one.
    """
    pieces: list[Piece] = []
    read_to = 0
    behind = comments.ends(held.comment, fragment)
    for start, wrapping in lead_ins.data_starts(
        fragment,
        literal_fault,
        in_string=held.in_string,
        behind_comment=behind,
        in_thought=comments.is_thought(held.comment),
        known=held.window.text,
        raw_lines=held.raw_lines,
    ):
        if start < read_to or (held.in_string and wrapping >= lead_ins.IN_PROSE and '"' not in fragment[start:]):
            continue  # the inside of a string behind prose, and nothing that closes it: prose, all of it
        if start and not fragment[start:].strip():
            continue
        pieces.append(piece_from(held, fragment, start, wrapping))
        if start and not held.in_string:
            _, seam, reading = read_ahead(held, fragment, held.size, start)
            if reading.tokens:
                read_to = start + reading.tokens[-1].end - seam
    wrapped = [inner for piece in pieces for inner in inner_data(held, piece)]
    known = {piece.start for piece in pieces}
    return pieces + [piece_from(held, fragment, start, cost) for start, cost in wrapped if start not in known]

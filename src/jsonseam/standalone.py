"""A document of its own, in a fragment that begins while a string is open.

Rule: what opens a container in front of a quote and reads as JSON from there to the end needs no string around it;
inside one, its first quote would have to be mended. It goes on with the string only where that holds JSON already.
"""

from __future__ import annotations

from typing import Final

from jsonseam.grammar import read
from jsonseam.sides import Held, Piece

HORIZON: Final = 4096  # characters that are read
FEWEST_TOKENS: Final = 3


def stands_alone(held: Held, piece: Piece) -> bool:
    """Is the piece a document, or the beginning of one, where the open string would not take it as it is?"""
    if not held.in_string or piece.first not in ("{", "[") or _holds_json(held.partial):
        return False
    text = piece.text[piece.start : piece.start + HORIZON]
    reading = read(text)
    if reading.fault is not None or len(reading.tokens) < FEWEST_TOKENS or '"' not in text:
        return False
    behind = text[reading.end :].lstrip(" \t\r") if reading.end is not None else ""
    return behind[:1] in ("", "\n")


def _holds_json(partial: str) -> bool:
    return '\\"' in partial or "{" in partial or "[" in partial

"""A document of its own, in a fragment that begins while a string is open.

Rule: a fragment that opens a container, holds a quote, and reads as JSON to its end is a document. As the text of the
open string its first quote would have to be mended; only where that string holds JSON already may it go on with it.
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

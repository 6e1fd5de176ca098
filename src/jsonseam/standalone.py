"""A document of its own, in a fragment that begins while a string is open, or a key without its value.

Rule: a fragment that opens a container, holds a quote, and reads as JSON to its end is a document. As the text of the
open string its first quote would have to be mended; only where that string holds JSON already may it go on with it. It
goes on with an open key unless that had values of another kind so far.
"""

from __future__ import annotations

from typing import Final

from jsonseam.grammar import Expect, read
from jsonseam.lexemes import scalar_value
from jsonseam.sides import Held, Piece

HORIZON: Final = 4096  # characters that are read
FEWEST_TOKENS: Final = 3
FEW: Final = 8  # items in front of the open one


def stands_alone(held: Held, piece: Piece) -> bool:
    """Is the piece a document, or the beginning of one, where the open string would not take it as it is?"""
    if piece.first not in ("{", "["):
        return False
    if _holds_json(held.partial) if held.in_string else not _has_other_values(held, piece.first):
        return False
    text = piece.text[piece.start : piece.start + HORIZON]
    reading = read(text)
    if reading.fault is not None or len(reading.tokens) < FEWEST_TOKENS or '"' not in text:
        return False
    behind = text[reading.end :].lstrip(" \t\r") if reading.end is not None else ""
    return behind[:1] in ("", "\n")


def _holds_json(partial: str) -> bool:
    return '\\"' in partial or "{" in partial or "[" in partial


def _has_other_values(held: Held, opener: str) -> bool:
    """Is a key open that has values in earlier items of its array, and none that this opens?"""
    if held.partial or held.last not in ('"', ":") or len(held.nodes) < 2 or not isinstance(held.nodes[-2], list):
        return False
    key, kind = _open_key(held), dict if opener == "{" else list
    known = [item[key] for item in held.nodes[-2][-FEW - 1 : -1] if isinstance(item, dict) and key in item]
    return bool(known) and not any(isinstance(value, kind) for value in known)


def _open_key(held: Held) -> object:
    """The key that awaits its value, or its colon; None if the last token is no key."""
    if held.expect is Expect.VALUE and held.last == ":":
        return held.steps[-1]
    return scalar_value(held.window.words[-1]) if held.expect is Expect.COLON else None

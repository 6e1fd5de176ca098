"""One way to join a fragment, and when two tokens say the same.

A way is three numbers and a text: shorten what is held to `cut` characters, put `insert` behind it, and go on with
the fragment from its character `skip`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from jsonseam import lexemes
from jsonseam.records import SeamKind

_NEVER_ESCAPED: Final = re.compile(r"[ A-Za-z0-9]")


@dataclass(frozen=True, slots=True)
class Way:
    """`gain`: nats of evidence; `cost`: nats against it before anything is known; `lost`: held data given up;
    `wrapping`: what it costs to believe that the fragment's beginning is no data."""

    kind: SeamKind
    cut: int
    skip: int
    reason: str
    gain: float = 0.0
    cost: float = 0.0
    insert: str = ""
    detail: str = ""
    lost: float = 0.0
    wrapping: float = 0.0


def same_token(a: str, b: str) -> bool:
    """Equal tokens; strings may be escaped in different ways."""
    if a == b:
        return True
    return a[0] == b[0] == '"' and ("\\" in a or "\\" in b) and lexemes.scalar_value(a) == lexemes.scalar_value(b)


def begins(partial: str, word: str) -> bool:
    """Is `partial`, an unfinished token, a beginning of `word`?"""
    if word.startswith(partial):
        return True
    if not (partial[0] == word[:1] == '"') or ("\\" not in partial and "\\" not in word):
        return False
    inside = partial[1:]
    decided = lexemes.decided_part(inside)
    begun = lexemes.decode_inside(inside[:decided])
    said = word[1:-1] if word.endswith('"') and len(word) > 1 else word[1:]
    said = lexemes.decode_inside(said[: lexemes.decided_part(said)])
    if decided < len(inside) and _NEVER_ESCAPED.match(said, len(begun)):
        return False
    return said.startswith(begun)

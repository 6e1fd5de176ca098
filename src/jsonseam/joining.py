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

IN_ONE_STRING: Final = "one-string"  # the detail of a way that takes a fragment for the JSON string that it is
_NEVER_ESCAPED: Final = re.compile(r"[ A-Za-z0-9]")


@dataclass(slots=True)
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

    def wrapped(self, wrapping: float) -> Way:
        """The same behind wrapping that it costs so much to believe in."""
        cost = self.cost + wrapping
        return Way(
            self.kind, self.cut, self.skip, self.reason, self.gain, cost, self.insert, self.detail, self.lost, wrapping
        )


def same_token(a: str, b: str) -> bool:
    """Equal tokens; strings may be escaped in different ways."""
    if a == b:
        return True
    return a[0] == b[0] == '"' and ("\\" in a or "\\" in b) and lexemes.scalar_value(a) == lexemes.scalar_value(b)


def begins(partial: str, word: str) -> bool:
    """Is `partial`, an unfinished token, a beginning of `word`, in whatever way strings are escaped?"""
    if word.startswith(partial):
        return True
    if not _may_be_escaped(partial, word):
        return False
    return _decided(word[:-1] if word.endswith('"') and len(word) > 1 else word).startswith(_decided(partial))


def plainly_begins(partial: str, word: str) -> bool:
    """`begins`, as nearly everybody escapes: a half escape is not the beginning of a letter, a digit or a space."""
    if not begins(partial, word):
        return False
    if word.startswith(partial) or not _may_be_escaped(partial, word):
        return True
    half_escape = lexemes.decided_part(partial[1:]) < len(partial) - 1
    return not (half_escape and _NEVER_ESCAPED.match(_decided(word), len(_decided(partial))))


def _may_be_escaped(partial: str, word: str) -> bool:
    """Are both strings, one of them with an escape in it?"""
    return partial[0] == word[:1] == '"' and ("\\" in partial or "\\" in word)


def _decided(begun: str) -> str:
    """What a string that is begun stands for so far."""
    inside = begun[1:]
    return lexemes.decode_inside(inside[: lexemes.decided_part(inside)])

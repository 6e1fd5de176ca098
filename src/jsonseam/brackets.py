"""Do the closers of a text fit its openers, and how far?

Rule: the brackets alone are looked at first, those in strings with them, which costs next to nothing. Only where they
tell nothing are strings stepped over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from jsonseam import lexemes

# The next bracket, over whole strings and whatever else is none.
_NEXT_BRACKET: Final = re.compile(r'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+([{}\[\]])', re.DOTALL)
_NO_BRACKETS: Final = bytes(sorted(set(range(256)) - set(b"{}[]")))
_MOST_LAYERS: Final = 32  # brackets in brackets that are looked through at once


def end_of_fitting_items(text: str, frames: Sequence[str]) -> int:
    """How much of `text` is items whose tokens fit their neighbours and whose closers fit what is open.

    `text` begins between two tokens, inside of `frames`. All of it, if it ends as an item may begin: behind a comma
    or a colon.
    """
    end = lexemes.end_of_right_items(text)
    closer = _wrong_closer(text, frames, end)
    if closer is not None:
        return len(text[:closer].rstrip(lexemes.WHITE_SPACE))
    return len(text) if lexemes.BEGUN_ITEM.fullmatch(text, end) else end


def brackets_of(text: str) -> bytes:
    """The brackets of `text`, those in strings with them."""
    return text.encode().translate(None, _NO_BRACKETS)


def without_pairs(brackets: bytes) -> bytes:
    """The brackets that do not come in pairs; of very deep ones some are left."""
    for _ in range(_MOST_LAYERS):
        fewer = brackets.replace(b"{}", b"").replace(b"[]", b"")
        if len(fewer) == len(brackets):
            break
        brackets = fewer
    return brackets


def _wrong_closer(text: str, frames: Sequence[str], end: int) -> int | None:
    """The first closer in text[:end] that does not fit what is open, which is `frames` where the text begins.

    None if there is none; and none is looked for where the brackets, those in strings with them, come in pairs.
    Cost: the text.
    """
    left = without_pairs(brackets_of(text[:end]))
    closers = left.rstrip(b"{[")
    if len(closers) <= len(frames) and all(
        lexemes.OPENER_OF.get(chr(closer)) == frame for closer, frame in zip(closers, reversed(frames), strict=False)
    ):
        return None
    opened: list[str] = []
    below = len(frames)
    at = 0
    while match := _NEXT_BRACKET.match(text, at, end):
        bracket, at = match[1], match.end()
        if bracket in "{[":
            opened.append(bracket)
            continue
        if opened:
            opener = opened.pop()
        elif below:
            below -= 1
            opener = frames[below]
        else:
            return None
        if opener != lexemes.OPENER_OF.get(bracket):
            return at - 1
    return None

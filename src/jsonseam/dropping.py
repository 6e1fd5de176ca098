"""Dropping: text that fits nowhere, and commas and colons that are too many, go at once, each with a record of its own.

Rule: what is dropped is kept one by one, so that it stays dropped where the text behind it has not come yet; a mend of
its own for each would read what stands before them again.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from jsonseam.beginnings import colon_end
from jsonseam.drafting import Draft
from jsonseam.reader import Reader
from jsonseam.spelling import COMMAS

_STRAY = re.compile(r"[^\s\"'`“”„{}\[\],:;]*+")


def stray_end(reader: Reader, begin: int) -> int:
    """Where the stray word at `begin` ends, which is one character on at least."""
    return max(begin + 1, reader.run(_STRAY, begin))


def drop_words(reader: Reader, draft: Draft, begin: int, end: int, next_end: Callable[[int], int]) -> None:
    """Words that fit nowhere, as far as the line goes: what stands on the next one may be a remark.

    The first of them lies between `begin` and `end`; `next_end` tells where one at a place ends: there, if it is data.
    """
    while end > begin:
        draft.drop("stray-text", begin, end)
        draft.keep()
        begin = reader.space(end)
        is_word = reader.char(begin).isalpha() and "\n" not in reader.text[end:begin]
        end = next_end(begin) if is_word else begin


def drop_commas(reader: Reader, draft: Draft, begin: int) -> None:
    """The comma at `begin`, and all that follow it."""
    while (first := reader.char(begin)) != "" and first in COMMAS:
        draft.drop("double-comma", begin, begin + 1)
        draft.keep()
        begin = reader.space(begin + 1)


def drop_colons(reader: Reader, draft: Draft, begin: int) -> None:
    """The colon at `begin`, and all that follow it."""
    while (end := colon_end(reader, begin)) > begin and reader.char(begin) != "-":
        draft.drop("double-colon", begin, end)
        draft.keep()
        begin = reader.space(end)

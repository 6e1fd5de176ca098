"""Beginnings: what begins at a place of a text, going by its next token or two.

Rule: nothing is asked about the open containers; whether what begins at the place fits into them is for `foresight` to
say. A token that the final text breaks off is taken for the one that it may become. A string that is crossed on the way
may have WINDOW characters, a bare name or scalar LONGEST_NAME.
"""

from __future__ import annotations

import re

from jsonseam.lexemes import CLOSER_OF
from jsonseam.reader import Reader
from jsonseam.spelling import CLOSING, COLONS, COMMAS, QUOTES, literal_meant, number_meant

WINDOW = 512
LONGEST_NAME = 64

_PLAIN_TEXT = re.compile(r'(?:[^"\\\n]++|\\[^\n]?+)*+')
_OTHER_TEXT = {
    quote: re.compile(rf"(?:[^\\\n{re.escape(closing)}]++|\\[^\n]?+)*+") for quote, closing in CLOSING.items()
}
NAME = re.compile(r"[\w$.\-]*+")
SCALAR = re.compile(r"[\w.+\-]*+")
_END_OF_BLOCKS = re.compile(r"[\s;)}\]]*+")


def past_prefix(reader: Reader, at: int) -> int:
    """Where the quote is, if at `at` is a letter that Python may put before one; `at` itself, if not."""
    first = reader.char(at)
    if first == "" or first not in "uUbBrRfF":
        return at
    mark = reader.char(at + 1)
    return at + 1 if mark != "" and mark in QUOTES else at


def colon_end(reader: Reader, at: int) -> int:
    """Where the colon at `at`, in whatever spelling, ends; `at` if there is none."""
    first = reader.char(at)
    if first == "" or first not in COLONS or first == ">":
        return at
    if first == "-":
        return at + 2 if reader.char(at + 1) == ">" else at
    second = reader.char(at + 1)
    return at + 2 if second and (first + second) in ("=>", ":=", "==") else at + 1


def text_end(reader: Reader, at: int) -> int:
    """Behind the string whose opening quote is at `at`; -1 if it is longer than the window or than its line."""
    opener = reader.text[at]
    pattern = _PLAIN_TEXT if opener == '"' else _OTHER_TEXT[opener]
    end = reader.run(pattern, at + 1, WINDOW)
    follower = reader.char(end)
    if follower == "":
        return end
    return end + 1 if end - at <= WINDOW and follower in CLOSING[opener] else -1


def is_named(reader: Reader, at: int) -> bool:
    """Is the string at `at` followed by a colon? One that is longer than the window is not."""
    end = text_end(reader, at)
    return end > 0 and reader.char(reader.gap(end)) == ":"


def pair_begins(reader: Reader, at: int) -> bool:
    """Does the mark at `at` open a key, with its colon and the beginning of a value behind it?"""
    end = text_end(reader, at)
    if end < 0:
        return False
    begin = reader.gap(end)
    behind = colon_end(reader, begin)
    return behind > begin and value_begins(reader, reader.gap(behind))


def bare_pair_begins(reader: Reader, at: int) -> bool:
    """Is there a bare key at `at`, a colon, and anything behind it? That is enough where a bare value is in front."""
    begin = reader.gap(at)
    end = reader.run(NAME, begin, LONGEST_NAME)
    colon = reader.gap(end)
    return end > begin and colon_end(reader, colon) > colon and reader.char(colon_end(reader, colon)) != "/"


def key_begins(reader: Reader, at: int, *, colon: bool) -> bool:
    """Is there a quoted key at `at`, and a colon behind it; or, unless `colon` must be there, a value?"""
    end = text_end(reader, at)
    if end < 0:
        return not colon
    begin = reader.gap(end)
    return reader.char(begin) == "" or colon_end(reader, begin) > begin or (not colon and value_begins(reader, begin))


def named_value_begins(reader: Reader, at: int) -> bool:
    """Is there a bare key at `at`, a colon, and the beginning of a value?"""
    end = reader.run(NAME, at, LONGEST_NAME)
    if end == at:
        return False
    begin = reader.gap(end)
    if reader.char(begin) == "":
        return True
    behind = colon_end(reader, begin)
    return behind > begin and value_begins(reader, reader.gap(behind))


def bare_member_begins(reader: Reader, at: int) -> bool:
    """Is there a quoted key, one bare word without a colon between them, and then a comma, a closer or the end?"""
    key = reader.gap(at)
    mark = reader.char(key)
    end = text_end(reader, key) if mark != "" and mark in QUOTES else -1
    if end < 0:
        return False
    word = reader.gap(end)
    behind = reader.run(NAME, word, LONGEST_NAME)
    follower = reader.char(reader.gap(behind))
    return behind > word > end and (follower in "}]" or follower in COMMAS)


def lone_string_begins(reader: Reader, at: int) -> bool:
    """Is there a quoted string at `at`, and behind it a comma or a closer, as in a set?"""
    end = text_end(reader, at) if reader.text[at] in QUOTES else -1
    follower = reader.char(reader.gap(end)) if end > 0 else "?"
    return follower == "" or follower in "}]" or follower in COMMAS


def scalar_begins(reader: Reader, at: int) -> bool:
    """Is there a number or a literal at `at`, and behind it a comma, a closer, an opener or the end of the line?"""
    end = reader.run(SCALAR, at, LONGEST_NAME)
    token = reader.text[at:end]
    if not is_scalar(token):
        return False
    begin = reader.gap(end)
    follower = reader.char(begin)
    if follower == "" or follower in "]}" or follower in COMMAS or "\n" in reader.text[end:begin]:
        return True
    return begin > end and follower in "{["


def value_begins(reader: Reader, at: int) -> bool:
    """Does a value begin at `at`: an opener, a quotation mark (perhaps behind a prefix), a number or a literal?"""
    first = reader.char(at)
    if first == "" or first in "{[" or first in QUOTES or past_prefix(reader, at) > at:
        return True
    token = reader.text[at : reader.run(SCALAR, at, LONGEST_NAME)]
    return is_scalar(token)


def container_begins(reader: Reader, at: int) -> bool:
    """Does the opener at `at` open a container, going by what stands behind it?"""
    begin = reader.gap(at + 1)
    first = reader.char(begin)
    if first == "" or first == CLOSER_OF[reader.text[at]]:
        return True
    if reader.text[at] == "{":
        return first in QUOTES or named_value_begins(reader, begin)
    return value_begins(reader, begin)


def is_scalar(token: str) -> bool:
    """Is it a number or a literal, in whatever spelling?"""
    return literal_meant(token) is not None or number_meant(token) is not None


def ends_code(reader: Reader, at: int) -> bool:
    """Does a statement end at `at`, and its block, in front of a mark that ends a string? return "x"; }" """
    if reader.text[at] != ";":
        return False
    end = reader.run(_END_OF_BLOCKS, at + 1)
    return end > at + 1 and reader.char(end) == '"' and reader.char(reader.space(end + 1)) in ",}]"

"""Wording: text without quotes where a value or a key stands. A number, a literal, or words that become a string.

A number or a literal ends where white space, a comma, a closer or a quote may follow it. On the same line, words
behind it make words of it: `None of them`, `2 apples`, `2024-01-05` are strings, as nothing delivered is lost.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from jsonseam.beginnings import bare_member_begins, bare_pair_begins, colon_end, is_named, past_prefix, value_begins
from jsonseam.foresight import Foresight
from jsonseam.frames import Stack
from jsonseam.lexemes import CLOSER_OF, OPENER_OF
from jsonseam.reader import Reader
from jsonseam.spelling import (
    COMMAS,
    QUOTES,
    cut_literal_meant,
    escaped,
    integer_is_too_long,
    is_cut_number,
    is_strict_number,
    literal_meant,
    number_meant,
    typed_scalar_meant,
)

LONGEST = 4096
"""Characters of bare words that become one string."""
LONGEST_KEY = 80
"""Characters of several bare words that become one key."""
LONGEST_PARENTHESIS = 2048

_TOKEN = re.compile(r"[\w.+\-]*+")
_NAME = re.compile(r"[^\s:=：,;，{}\[\]\"'`“”]*+")
_NAMES = re.compile(r"(?:[\w$.\-]++(?: (?=[\w$.\-]|\Z))?+)*+")
_ITEM = re.compile(r"[^,;\]}\n(]*+")
_PROSE = re.compile(r"[^{\[]*+")
_LINE = re.compile(r"[^\n]*+")
_INSIDE = re.compile(r"[^()\n]*+")


class Word(NamedTuple):
    """The text up to `end` means `strict`; `kind` names the fault, "" if there is none.

    Not `finished` where the final text ends in it. What is no value (a prefix, stray text) stands for nothing.
    """

    kind: str
    end: int
    strict: str
    finished: bool = True
    is_value: bool = True


def read_bare(reader: Reader, foresight: Foresight, stack: Stack, begin: int) -> Word:
    """What the bare text at `begin` means as a value. Cost: its length, and a look ahead at each comma in it."""
    text = reader.text
    end = reader.run(_TOKEN, begin)
    token = text[begin:end]
    cut = end == reader.size
    if past_prefix(reader, begin) > begin:
        return Word("string-prefix", begin + 1, "", is_value=False)
    if integer_is_too_long(token):
        return Word("huge-integer", end, f'"{token}' if cut else f'"{token}"', not cut)
    if cut and is_cut_number(token):
        return Word("", end, token, finished=False)
    if cut and token and (meant := cut_literal_meant(token)) is not None:
        return _word("literal", end, token, meant, finished=False)
    if not _may_end(reader, foresight, begin, end):
        return _words(reader, foresight, stack, begin)
    if is_strict_number(token):
        return Word("", end, token)
    if (meant := literal_meant(token)) is not None:
        return _word("literal", end, token, meant)
    if (meant := number_meant(token)) is not None:
        return _word("number-style", end, token, meant)
    return _words(reader, foresight, stack, begin)


def read_bare_key(reader: Reader, begin: int) -> Word:
    """The bare key at `begin`; or, as no value, the stray text there: a word that no colon and no value follows."""
    name_end = end = reader.run(_NAMES, begin, LONGEST_KEY)
    follower = reader.gap(end)
    named = colon_end(reader, follower) > follower
    if not named:
        name_end = end = reader.run(_NAME, begin, LONGEST)
    if (mark := reader.char(end)) != "" and mark in QUOTES:
        end += 1
        named = False
    if not named:
        follower = reader.gap(end)
        named = colon_end(reader, follower) > follower
    first = reader.char(follower)
    if end == begin or (first != "" and not named):
        stands_alone = begin < end == name_end and (
            not is_named(reader, follower) if first in QUOTES else first in ",}" or value_begins(reader, follower)
        )
        if not stands_alone:
            return Word("stray-text", max(end, begin + 1), "", is_value=False)
    name = escaped(reader.text[begin:name_end])
    cut = end == reader.size
    return Word("bare-key", end, f'"{name}' if cut else f'"{name}"', not cut)


def word_for_key(reader: Reader, at: int) -> Word | None:
    """The bare key, or the stray text, that stands at `at`, where a key should be; None if neither does."""
    first = reader.text[at]
    if first in "{}[]:" or first in QUOTES:
        return None
    return read_bare_key(reader, at)


def parenthesis_end(reader: Reader, at: int) -> int:
    """Behind the parenthesis that closes the one at `at`, on the same line; or one character on."""
    depth, end, stop = 1, at + 1, at + LONGEST_PARENTHESIS
    if stop < reader.size and reader.text.find(")", at, stop) < 0:
        reader.visits += LONGEST_PARENTHESIS
        return at + 1
    while depth and end < stop:
        end = reader.run(_INSIDE, end, stop - end)
        first = reader.char(end)
        if first not in ("(", ")"):
            break
        depth += 1 if first == "(" else -1
        end += 1
    return at + 1 if depth else end


def _word(kind: str, end: int, token: str, meant: str, *, finished: bool = True) -> Word:
    return Word("" if token == meant else kind, end, meant, finished)


def _may_end(reader: Reader, foresight: Foresight, begin: int, end: int) -> bool:
    """May the number or literal text[begin:end] end there?"""
    behind = reader.space(end)
    first = reader.char(behind)
    if first == "" or first in "]}" or first in COMMAS or first in QUOTES or reader.gap_fault(behind) is not None:
        return True
    if behind == end:
        return first in "{[" and is_strict_number(reader.text[begin:end])
    if first in "{[" or "\n" in reader.text[end:behind] or is_strict_number(reader.text[begin:end]):
        return True
    return foresight.bare_item_fits(behind)


def _words(reader: Reader, foresight: Foresight, stack: Stack, begin: int) -> Word:
    """Words up to where an item may end. Outside of the root, words before an opener are prose, no value."""
    text, inside = reader.text, stack.top()
    end = unmatched = begin
    while True:
        end = reader.run(_ITEM, end, LONGEST) if inside else reader.run(_PROSE, end)
        first = reader.char(end)
        if first == "":
            break
        if not inside:
            return Word("stray-text", end, "", is_value=False)
        if first == "\n" or end - begin >= LONGEST:
            break
        if first == "(":
            behind = parenthesis_end(reader, end) if end >= unmatched else end + 1
            unmatched = end + LONGEST_PARENTHESIS if behind == end + 1 else unmatched
            end = behind
        elif first in "]}" and _closes_inner(reader, begin, end, inside):
            end += 1
        elif end > begin and (first in "]}" or inside == "[" or foresight.item_fits(end + 1, stack)
                              or bare_pair_begins(reader, end + 1) or bare_member_begins(reader, end + 1)):  # fmt: skip
            break
        else:
            end += 1
    if first == "":
        return Word("bare-word", reader.size, '"' + escaped(text[begin:]), finished=False)
    words = text[begin:end].rstrip()
    if (typed := typed_scalar_meant(words)) is not None:
        return Word("typed-scalar", begin + len(words), typed)
    kept = words[:-1] if words.endswith('"') and words.count('"') % 2 else words
    return Word("bare-word" if kept == words else "unopened-string", begin + len(words), f'"{escaped(kept)}"')


def _closes_inner(reader: Reader, begin: int, at: int, inside: str) -> bool:
    """Does the closer at `at` close what the words from `begin` on opened, and one more on the line the container?"""
    closer = reader.text[at]
    if reader.text.count(OPENER_OF[closer], begin, at) <= reader.text.count(closer, begin, at):
        return False
    return CLOSER_OF[inside] != closer or reader.text.find(closer, at + 1, reader.run(_LINE, at + 1, LONGEST)) >= 0

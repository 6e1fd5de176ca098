"""A remark at the end of an answer that was cut: "(continued)", "... [truncated]", "</s>", a sentence of its own.

Rule: a remark stands between two tokens and cannot be the token that is due there. Nothing inside of it could be one
either: it holds no brace, and a quote only where it is a sentence. And nothing of the answer follows it. Text of which
all this is true is no data, however it reads.
"""

from __future__ import annotations

import re
from typing import Final

from jsonseam import envelope
from jsonseam.lexemes import LITERALS, WHITE_SPACE

NOTHING: Final = -1
LONGEST: Final = 512  # characters of a remark; text that is longer is mended as data

_MARKS: Final = "(（【<*_.…"
_DOTS = r"(?:\.{3,}|…)"
_WORDS = r"[^\"{}()（）\[\]【】<>\n]"
_NAMED = rf"(?=[^)）\]】>]*[^\W\d_]){_WORDS}"
_IN_BRACKETS = rf"\({_NAMED}+\)|（{_NAMED}+）|\[{_NAMED}+\]|【{_NAMED}+】|\({_DOTS}\)|\[{_DOTS}\]"
_IN_MARKS = (
    rf"{_IN_BRACKETS}|<!--{_NAMED}+-->|<[/|]?{_NAMED}+>|(?P<around>\*{{1,3}}|_{{1,3}})(?:{_IN_BRACKETS})(?P=around)"
    rf"|(?P<mark>\*{{1,3}}|_{{1,3}})[^\W\d_][^\"{{}}\[\]*_\n]*(?P=mark)"
)
_PART: Final = re.compile(rf"\s*(?:(?P<marked>{_IN_MARKS})|{_DOTS}|(?:```|~~~)(?=\s|\Z))")
_TUPLE: Final = re.compile(r"[(（][^)）]*,")  # in an array, it may be an item as Python writes it
_QUOTES_OR_BRACES: Final = re.compile(r'["{}]')
_BRACES: Final = re.compile(r"[{}]")
_BLANK_LINE: Final = re.compile(r"\n[ \t\r]*\n[ \t\r]*\Z")
_RULE: Final = re.compile(r"-{3,}[ \t]*\n\s*")
_ITEM_DUE: Final = frozenset(",{[:")
_NEVER_VALUES: Final = frozenset("<.…")
# What is open or due, or ends a finished value: of literals the last letter.
_MAY_STAND_BEFORE: Final = _ITEM_DUE | frozenset('}]"0123456789el')


def remark_starts(text: str, fault: int, last: str, *, final: bool) -> int | None:
    """Where a remark begins that takes up the rest of the answer; NOTHING if it is none; None while undecided.

    `text` is not JSON at `fault`; `last` is the significant character in front of it. Cost: at most LONGEST.
    """
    start = fault
    while start and (text[start - 1].isalpha() or text[start - 1] == "-"):  # "Now" is no NaN, and --- no number
        start -= 1
    if text[start:fault] in LITERALS:
        start = fault
    before = text[:start].rstrip(WHITE_SPACE)
    gap = text[len(before) : start]
    behind_what = before[-1:] or last
    if behind_what == "" or behind_what not in _MAY_STAND_BEFORE or len(text) - start > LONGEST:
        return NOTHING
    remark = text[start:]
    if rule := _RULE.match(remark):
        remark = remark[rule.end() :]
    apart = _BLANK_LINE.search(gap) is not None
    spoken = apart and envelope.begins_sentence(remark)
    marked = remark[:1] in _MARKS or (remark[:1] == "[" and behind_what not in _ITEM_DUE)
    if behind_what in "{[:":  # (a, b) may be a value, as Python writes it
        marked = remark[:1] in _NEVER_VALUES or (marked and apart)
    never = _BRACES if spoken and behind_what != '"' else _QUOTES_OR_BRACES  # a mark in a string may have ended it
    if not (marked or spoken) or never.search(remark):
        return NOTHING
    if not final:
        return None
    fits = (marked and _is_marked(remark)) or (spoken and envelope.is_sentence(remark))
    if not fits or (behind_what in _ITEM_DUE and _TUPLE.match(remark)):
        return NOTHING
    return len(before)


def _is_marked(remark: str) -> bool:
    """Is it all in marks, one behind the other, dots and a fence between them, and perhaps a sentence of its own?"""
    at, is_marked = 0, False
    while part := _PART.match(remark, at):
        at, is_marked = part.end(), is_marked or part["marked"] is not None
    rest = remark[at:]
    alone = rest[: len(rest) - len(rest.lstrip())].count("\n") > 1
    return is_marked and (not rest.strip() or (alone and envelope.is_sentence(rest)))

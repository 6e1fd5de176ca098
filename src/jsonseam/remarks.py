"""A remark at the end of an answer that was cut: "(continued)", "... [truncated]", "</s>", a sentence of its own.

Rule: a remark stands between two tokens and cannot be the token that is due there, or behind half a literal, number or
key and cannot be the rest of it. Nothing inside of it could be a token: it holds no brace, and a quote only where
it is a sentence. And nothing of the answer follows it. Text of which all this is true is no data, however it reads.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from jsonseam import envelope
from jsonseam.lexemes import LITERALS, WHITE_SPACE, blank_escapes, literal_begun, open_quote

NOTHING: Final = -1
LONGEST: Final = 512  # characters of a remark; text that is longer is mended as data

_MARKS: Final = "(（【<*_.…=~#"
_NAMES: Final = ("data:", "Human:", "User:", "---", "--")
_DOTS = r"(?:\.{3,}|…)"
_WORDS = r"[^\"{}()（）\[\]【】<>\n]"
_NAMED = rf"(?=[^)）\]】>]*[^\W\d_]){_WORDS}"
_IN_BRACKETS = rf"\({_NAMED}+\)|（{_NAMED}+）|\[{_NAMED}+\]|【{_NAMED}+】|\({_DOTS}\)|\[{_DOTS}\]"
_IN_MARKS = (
    rf"{_IN_BRACKETS}|\(\d{{1,4}}\s?/\s?\d{{1,4}}\)|\[[^\W\d_][^{{}}\[\]\n]*[.!?]\]|<!--{_NAMED}+-->|<[/|]?{_NAMED}+>|(?P<around>\*{{1,3}}|_{{1,3}})(?:{_IN_BRACKETS})(?P=around)"
    rf"|(?P<mark>\*{{1,3}}|_{{1,3}})[^\W\d_][^\"{{}}\[\]*_\n]*(?P=mark)"
)
_RULED = r"(?P<rule>[-=*_~#]{2,80}+)[ ]?[^\W_][^\W_ ]*+(?:[ ]{1,2}[^\W_]++){0,12}[ ]?(?P=rule)"  # --- truncated ---
_COUNTED = rf"{_DOTS}[ \t]*[^\W_][^\"{{}}\[\]<>:,.…\n]{{0,60}}(?:{_DOTS})?(?=\s*\Z)"  # ... and 12 more
_ONLY_DOTS: Final = re.compile(rf"\s*{_DOTS}\s*")
_TUPLE: Final = re.compile(r"[(（\[][^)）\]]*,")  # in an array, it may be an item as Python writes it
_SPOKEN_IN_BRACKETS: Final = re.compile(r"\[[^\W\d_][\w']*[ .]")
_QUOTES_OR_BRACES: Final = re.compile(r'["{}]')
_BRACES: Final = re.compile(r"[{}]")
_BLANK_LINE: Final = re.compile(r"\n[ \t\r]*\n[ \t\r]*\Z")
_RULE: Final = re.compile(r"-{3,}[ \t]*\n\s*")
_ITEM_DUE: Final = frozenset(",{[:")
_VALUE_DUE: Final = frozenset(",[:")
_NEVER_VALUES: Final = frozenset("<.…")
_HALF: Final = re.compile(
    r"(?P<dots>(?<=\d)(?=\.{3}|…))|(?P<number>(?<=\d)(?:\.(?!\.)|[eE][+-]?)(?![\w$]|\.\d))|(?P<literal>[a-z]{1,4})(?![\w$-])|-(?![\w$-]|\.\d)"
)
# What is open or due, or ends a finished value: of literals the last letter.
_MAY_STAND_BEFORE: Final = _ITEM_DUE | frozenset('}]"0123456789el')


@cache
def _part() -> re.Pattern[str]:
    """Compiled when it is first asked for: most documents never do, and it takes milliseconds."""
    return re.compile(
        rf"\s*(?:(?P<marked>{_IN_MARKS}|{_RULED}|{_COUNTED}|data:[ \t]*(?=\[)|(?:Human|User):[ \t]*\Z)|{_DOTS}"
        r"|[`~]{3,}(?=\s|\Z))"
    )


def remark_starts(text: str, fault: int, last: str, *, in_object: bool, final: bool) -> int | None:
    """Where a remark begins that takes up the rest of the answer; NOTHING if it is none; None while undecided.

    `text` is not JSON at `fault`; `last` is the significant character in front of it, and `in_object` tells what it
    stands in. Cost: at most LONGEST, and the text up to the fault.
    """
    half = _behind_half(text, fault, last, in_object=in_object)
    if half:
        return _remark_behind_half(text, half, final=final)
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
    marked = remark[:1] in _MARKS or remark[:1] == "[" or remark.startswith(_NAMES)
    if behind_what == ":":  # on its line, (a) may be the value, as Python writes it, and [a]
        marked = remark[:1] in _NEVER_VALUES or (marked and "\n" in gap)
    says = spoken or _SPOKEN_IN_BRACKETS.match(remark)
    never = _BRACES if says and behind_what != '"' else _QUOTES_OR_BRACES  # a mark in a string may have ended it
    if not (marked or spoken) or never.search(remark):
        return NOTHING
    if not final:
        return None
    fits = (marked and _is_marked(remark)) or (spoken and envelope.is_sentence(remark))
    if not fits or (behind_what in _ITEM_DUE and _TUPLE.match(remark)):
        return NOTHING
    return len(before)


def _behind_half(text: str, fault: int, last: str, *, in_object: bool) -> int:
    """Where half a literal, number or key ends at the fault, which nothing goes on with; 0 if none does."""
    if text[fault : fault + 1] == "\n" and in_object and (key := open_quote(blank_escapes(text[:fault]))) >= 0:
        return fault if (text[:key].rstrip()[-1:] or last) in ("{", ",") else 0
    start = fault
    while start and (text[start - 1].isalpha() or text[start - 1] in ".+-"):
        start -= 1
    half = _HALF.match(text, start)
    if half is not None and half["dots"] is not None:
        return start
    if half is None or half.end() < fault:
        return 0
    if half["number"]:
        return half.end()
    is_due = (text[:start].rstrip(WHITE_SPACE)[-1:] or last) in _VALUE_DUE
    return half.end() if is_due and (half["literal"] is None or literal_begun(half["literal"])) else 0


def _remark_behind_half(text: str, at: int, *, final: bool) -> int | None:
    """`remark_starts` behind half a token, which ends at `at`: there, only what cannot be its rest is a remark."""
    remark = text[at:]
    gap = remark[: len(remark) - len(remark.lstrip())]
    spoken = _BLANK_LINE.search(gap) is not None and envelope.begins_sentence(remark.lstrip())
    marked = remark.lstrip()[:1] in _MARKS or remark.lstrip()[:1] == "["
    if len(remark) > LONGEST or not (marked or spoken) or _QUOTES_OR_BRACES.search(remark):
        return NOTHING
    if not final:
        return None
    fits = (marked and (_is_marked(remark) or _ONLY_DOTS.fullmatch(remark))) or (
        spoken and envelope.is_sentence(remark)
    )
    return at if fits else NOTHING


def _is_marked(remark: str) -> bool:
    """Is it all in marks, one behind the other, dots and a fence between them, and perhaps a sentence of its own?"""
    at, is_marked = 0, False
    while part := _part().match(remark, at):
        at, is_marked = part.end(), is_marked or part["marked"] is not None
    rest = remark[at:]
    alone = rest[: len(rest) - len(rest.lstrip())].count("\n") > 1
    return is_marked and (not rest.strip() or (alone and envelope.is_sentence(rest)))

"""The spelling of JSON: patterns for tokens that are whole, unfinished or wrong. The only file on `regex`.

The dialect is RFC 8259 plus the three numbers that Python's json reads and writes (NaN, Infinity, -Infinity).
Every repetition is possessive, so each pattern is linear in what it reads. The patterns that run over whole
texts use `re` (twice as fast here); `regex` is for what only it can do, telling an unfinished token from a bad one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from json.scanner import make_scanner
from typing import Any, Final

WHITE_SPACE: Final = " \t\r\n"  # all that JSON allows between two tokens
WHITE_SPACE_BYTES: Final = WHITE_SPACE.encode()
SPACES: Final = r"[ \t\r\n]*+"  # the pattern of any number of these
_PLAIN: Final = r'[^"\\\x00-\x1f]*+'
_BODY: Final = rf'{_PLAIN}(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{{4}}){_PLAIN})*+'  # faster than one choice that is repeated
_STRING: Final = rf'"{_BODY}"'
_NUMBER: Final = r"-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+"
_LITERAL: Final = r"true|false|null|NaN|-?Infinity"

# The number of the group that matched is the kind of the token.
PUNCTUATION: Final = 1
STRING: Final = 2
LITERAL: Final = 3
NUMBER: Final = 4
TOKEN: Final = re.compile(rf"{SPACES}(?:([{{}}\[\],:])|({_STRING})|({_LITERAL})|({_NUMBER}))")
_SPACES_AT: Final = re.compile(SPACES)
# One item after the other, each with its key and the comma before it, as far as every token fits its neighbours.
_RIGHT_ITEMS: Final = re.compile(
    rf"""(?: {SPACES} (?:
            [}}\]] (?= {SPACES} (?: [,}}\]] | \Z ) )
          | (?: , {SPACES} )?+ (?: {_STRING} {SPACES} : {SPACES} )?+ (?:
                [{{\[] (?! {SPACES} [,:] )
              | (?: {_STRING} | {_LITERAL} | {_NUMBER} ) (?= {SPACES} (?: [,}}\]] | \Z ) ) )
        ) )*+""",
    re.VERBOSE,
)
BEGUN_ITEM: Final = re.compile(rf"{SPACES}(?:,{SPACES})?+(?:{_STRING}{SPACES}:{SPACES})?+")
# Scalars, each with a comma behind it; in an object each with its key, and then the key of one more item.
_SCALAR: Final = rf"(?:{_STRING}|{_NUMBER}|{_LITERAL})"
FINISHED_SCALAR: Final = re.compile(rf"{_SCALAR}(?={SPACES}[,}}\]])")
SCALAR_ITEMS: Final = re.compile(rf"((?:{_SCALAR}{SPACES},{SPACES})*+)")
SCALAR_MEMBERS: Final = re.compile(
    rf"((?:{_STRING}{SPACES}:{SPACES}{_SCALAR}{SPACES},{SPACES})*+)(?:({_STRING}){SPACES}:{SPACES})?+"
)
# A string, the last one perhaps unfinished, or what opens, closes or parts: for text that is known to be JSON.
STRING_OR_STRUCTURE: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[{}\[\],]', re.DOTALL)
CLOSER_OF: Final = {"{": "}", "[": "]"}
OPENER_OF: Final = {"}": "{", "]": "["}
_OPEN_STRING: Final = re.compile(rf'"{_BODY}(\\(?:u[0-9a-fA-F]{{0,3}})?\Z)?')
# Escapes that have another spelling: of what needs none, of what has a short one, with capitals.
_ODD_ESCAPE: Final = re.compile(r"\\u(?:00[0-7]|[0-9a-f]{0,3}[A-F])")
_SPELLED_RAW, _SPELLED_AS_ESCAPES, SPELLED_BOTH_WAYS = 1, 2, 3
INSIDE_TOKENS: Final = WHITE_SPACE + "0123456789+-.eEtrualsfnNIity"  # and the characters of numbers and literals
DELIMITER: Final = re.compile(r"[{}\[\],:]")
ESCAPE: Final = re.compile(r"\\.", re.DOTALL)
HIGH_SURROGATES: Final = chr(0xD800), chr(0xDBFF)  # the first and the last one
LOW_SURROGATES: Final = chr(0xDC00), chr(0xDFFF)
SURROGATE: Final = re.compile(f"[{HIGH_SURROGATES[0]}-{LOW_SURROGATES[1]}]")
ESCAPED_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_FEW_ESCAPES: Final = 4
_NUMBER_GOES_ON: Final = re.compile(r"(?:\.|[eE][+-]?)\Z")
_WHOLE_NUMBER: Final = re.compile(_NUMBER)
_BETWEEN_WORDS: Final = re.compile(r"(?<!\\)[^\\\w]")

# The inside of a string as far as it is decided: no half escape, and no high surrogate whose mate may come.
_DECIDED: Final = re.compile(
    r"""(?: [^\\]++ | \\[^u]
          | \\u(?=[0-9a-fA-F]{0,3}[^0-9a-fA-F])                      # a bad escape: nothing will finish it
          | \\u(?![dD][89abAB])[0-9a-fA-F]{4}
          | \\u[dD][89abAB][0-9a-fA-F]{2} \\u[dD][c-fC-F][0-9a-fA-F]{2}
          | \\u[dD][89abAB][0-9a-fA-F]{2} (?= [^\\] | \\[^u] | \\u[^dD] | \\u[dD][^c-fC-F])
        )*+""",
    re.VERBOSE | re.DOTALL,
)
_PAIR: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
# Text up to the first escaped surrogate that has no mate, and that one; pairs and other escapes are stepped over.
_UNTIL_LONE: Final = re.compile(
    r"""(?: [^\\]++ | \\[^u] | \\u(?![dD][89a-fA-F][0-9a-fA-F]{2})
          | \\u[dD][89abAB][0-9a-fA-F]{2} \\u[dD][c-fC-F][0-9a-fA-F]{2}
        )*+ (\\u[dD][89a-fA-F][0-9a-fA-F]{2})""",
    re.VERBOSE | re.DOTALL,
)

_FIRST_OF_SCALAR: Final = frozenset("-0123456789tfnNI")
# json's own reader: text and index to a value and its end, without the detour of `raw_decode`.
# Where a value is due and none begins it raises StopIteration(index), else what json raises.
SCAN: Final = make_scanner(json.JSONDecoder())  # type: ignore[arg-type]  # a decoder is what it is made for
_SCAN_LENIENTLY: Final = make_scanner(json.JSONDecoder(strict=False))  # type: ignore[arg-type]  # with control characters
LITERALS: Final = {"true": True, "false": False, "null": None}
_LITERAL_OF: Final = {word[0]: word for word in LITERALS}
LONGEST_INTEGER: Final = 4300  # digits that json.loads reads: the default of sys.set_int_max_str_digits
LONGEST_WORD: Final = len("-Infinity")
_is_ascii: Final = str.isascii  # for the hot path: compiled code looks a method up at every call
REPLACEMENT: Final = "\ufffd"


def behind_space(text: str, at: int) -> int:
    """Where the white space ends that stands at `at`, if there is any."""
    size = len(text)
    if at < size and text[at] == " ":
        at += 1
    if at < size and text[at] not in WHITE_SPACE:
        return at  # most often, and five times as fast as the pattern
    match = _SPACES_AT.match(text, at)
    return match.end() if match else at


def opener_behind_comma(text: str, at: int) -> int:
    """Where the opener stands, if what comes next at `at` is a comma and an opener; or else -1."""
    at = behind_space(text, at)
    if at >= len(text) or text[at] != ",":
        return -1
    at = behind_space(text, at + 1)
    return at if at < len(text) and text[at] in "{[" else -1


def literal_begun(text: str) -> str:
    """The one literal that `text` begins ("tr": "true"), or ""."""
    word = _LITERAL_OF.get(text[:1], "")
    return word if word and word.startswith(text) else ""


def is_unfinished(text: str) -> bool:
    """Can more characters make a number or a literal of `text`? True of "12.", "-" and "tr", not of "01"."""
    return text[:1] in _FIRST_OF_SCALAR and _number_or_literal().fullmatch(text, partial=True) is not None


@cache
def _number_or_literal() -> Any:
    import regex  # here, because it takes 8 ms to import, and many documents do without it

    return regex.compile(rf"{_NUMBER}|{_LITERAL}")


def unfinished_length(text: str) -> int:
    """How many characters of a bad token are the beginning of a good one: 3 of "tru!"."""
    if text[0] not in _FIRST_OF_SCALAR:
        return 0
    return next((size for size in range(len(text), 0, -1) if is_unfinished(text[:size])), 0)


def is_whole_number(text: str) -> bool:
    return _WHOLE_NUMBER.fullmatch(text) is not None


def may_go_on(text: str, end: int) -> bool:
    """Is the number that was read up to `end` all that is left of `text`, but for the beginning of a longer one?"""
    return end == len(text) or (text[end] in ".eE" and _NUMBER_GOES_ON.match(text, end) is not None)


def decided_part(inside: str) -> int:
    """How many characters of `inside`, the inside of an unfinished string, no later character can change."""
    last = inside.rfind("\\")
    if last < 0:
        return len(inside)
    escape = inside[last + 1 : last + 6]
    if escape and (escape[0] != "u" or (len(escape) > 4 and escape[1] not in "dD")):  # whole, and no half of a pair
        return len(inside)
    match = _DECIDED.match(inside)
    return match.end() if match else 0


def decode_inside(inside: str) -> str:
    """The characters that a decided part of the inside of a string stands for.

    Raw control characters and unknown escapes stay as they are, lone surrogates become U+FFFD: this is for
    looking at a string that is still growing; the faults are mended when it is read as a whole.
    """
    if "\\" in inside:
        try:
            inside = _SCAN_LENIENTLY(f'"{inside}"', 0)[0]
        except ValueError:
            inside = ESCAPE.sub(_decode_escape, inside)
    return inside if is_encodable(inside) else SURROGATE.sub(REPLACEMENT, inside)


def _decode_escape(match: re.Match[str]) -> str:
    try:
        return str(json.loads(f'"{match.group()}"'))
    except ValueError:
        return match.group()


def squeeze(text: str) -> str:
    """`text` without its white space, that inside strings left out as well. Bytes take a quarter of splitting it."""
    return text.encode(errors="surrogatepass").translate(None, WHITE_SPACE_BYTES).decode(errors="surrogatepass")


def is_encodable(text: str) -> bool:
    """Is there no surrogate in it? Five times as fast as a search for one."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_plain(text: str) -> bool:
    """Is there no surrogate and no NUL in it?"""
    return "\0" not in text and (_is_ascii(text) or is_encodable(text))


def lone_surrogate(text: str) -> re.Match[str] | None:
    """The first escaped surrogate in `text` that has no mate; its span is that of group 1."""
    begin = _behind_short_escapes(text)
    if begin < 0 or not ESCAPED_SURROGATE.search(text, begin):
        return None
    if "\\\\" not in text and not ESCAPED_SURROGATE.search(_PAIR.sub("", text)):  # four times as fast
        return None
    return _UNTIL_LONE.match(text)


def _behind_short_escapes(text: str) -> int:
    """A place in front of which all escapes are short ones; -1 if all are. A few are passed one by one."""
    at = text.find("\\")
    for _ in range(_FEW_ESCAPES):
        if at < 0 or text.startswith("u", at + 1):
            return at
        at = text.find("\\", at + 2)
    return text.find("\\u", at) if at >= 0 else -1


def is_misread(text: str) -> bool:
    """Does ijson read it otherwise than JSON says? \\f and \\v are white space to it, a lone surrogate is a "?"."""
    return "\f" in text or "\v" in text or lone_surrogate(text) is not None


def end_of_right_items(text: str) -> int:
    """Behind the last finished value, opener or closer whose tokens, and all before, fit their neighbours."""
    match = _RIGHT_ITEMS.match(text)
    return match.end() if match else 0


def blank_escapes(text: str) -> str:
    """`text`, as long as it was, with escaped quotes and backslashes blanked out: each quote that is left is real."""
    return text.replace("\\\\", "__").replace('\\"', "__") if "\\" in text else text


def words_of(text: str) -> list[str]:
    """The tokens of `text`, which is JSON, begins outside strings and ends behind a whole token.

    What stands outside strings is spaced out and split: half the time of a pattern that steps from token to token.
    """
    parts = blank_escapes(text).split('"')
    outside = '"'.join(parts[::2])
    for mark in '{}[],:"':
        outside = outside.replace(mark, f" {mark} ")
    strings: list[str] = []
    begin = 0
    for index, part in enumerate(parts):
        if index & 1:
            strings.append(text[begin - 1 : begin + len(part) + 1])
        begin += len(part) + 1
    strings.reverse()
    return [strings.pop() if word == '"' else word for word in outside.split()]


def spelled_words(words: Iterable[str]) -> list[str]:
    """Whole tokens, with the characters of a string as they are: the same for all that say the same."""
    return [f'"{json.loads(word)}"' if "\\" in word else word for word in words]


def spelling(text: str) -> int:
    """How `text` spells what can be spelled in two ways: of two texts, none says the same as a part of the other
    spelled otherwise, unless `spelling(one) | spelling(other) == SPELLED_BOTH_WAYS`.
    """
    if "\\/" in text:
        return SPELLED_BOTH_WAYS
    raw = 0 if text.isascii() else _SPELLED_RAW
    if "\\u" not in text:
        return raw
    return SPELLED_BOTH_WAYS if _ODD_ESCAPE.search(text) else raw | _SPELLED_AS_ESCAPES


def open_quote(blanked: str) -> int:
    """Where the string begins that is open at the end of a text without escapes (`blank_escapes`); -1 if none is."""
    return blanked.rfind('"') if blanked.count('"') & 1 else -1


def behind_opener_or_comma(text: str) -> int:
    """Behind the last opener or comma outside strings of `text`, which begins outside of them; 0 if there is none."""
    text = blank_escapes(text)
    quote = open_quote(text)
    end = len(text) if quote < 0 else quote
    while (at := max(text.rfind("{", 0, end), text.rfind("[", 0, end), text.rfind(",", 0, end))) >= 0:
        if not text.count('"', at, end) & 1:
            break
        end = text.rfind('"', 0, at)  # it stands in a string
    return at + 1


def scalar_value(token: str) -> object:
    """The value of a whole scalar token, as Python's json gives it. Raises `ValueError` for more than one token."""
    if token in LITERALS:
        return LITERALS[token]
    value, end = SCAN(token, 0)
    if end < len(token):
        raise ValueError("more than one token")
    return value


def open_string_fault(text: str, start: int) -> int | None:
    """Where the unfinished string that begins at `start` stops being JSON; None if it does not."""
    match = _OPEN_STRING.match(text, start)
    end = match.end() if match else start
    return None if end == len(text) else end


def end_of_string(text: str, size: int) -> str:
    """About the last `size` characters of an unfinished string, with a quote in front; no escape is split."""
    safe = _BETWEEN_WORDS.search(text, len(text) - size)
    return '"' + text[safe.start() + 1 if safe else len(text) :]

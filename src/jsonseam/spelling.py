"""Spelling: how people and other languages write what JSON writes in one way only, and what each spelling means.

Tables and pure functions on single tokens; nothing in here looks at what stands around a token.
"""

from __future__ import annotations

import re

from jsonseam.lexemes import LONGEST_INTEGER

ODD_SPACE = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\xad\u034f\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    "\u3000\ufe0f\ufeff\ufff9-\ufffb"
)
"""Inside of a character class: what looks like nothing between two tokens, but is no white space for JSON."""

# Opening quote -> every character that may close what it opened.
CLOSING: dict[str, str] = {
    '"': '"', "'": "'", "`": "`'", "´": "´", "“": "”“\"", "”": "”“\"", "„": "“”\"", "‟": "”\"",
    "‘": "’‘'", "’": "’'", "‚": "‘’'", "«": "»", "»": "«", "‹": "›", "「": "」", "＂": "＂",
}  # fmt: skip
QUOTES = "".join(CLOSING)

COMMAS = ",;，、"
COLONS = ":=：->"

LITERALS = {
    "true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null",
    "nan": "NaN", "inf": "Infinity", "infinity": "Infinity",
}  # fmt: skip

# What the shell of a database, and programs, write around a scalar to tell its type, which JSON has no place for.
_TYPES = (
    "ObjectId|ISODate|Date|Timestamp|Number(?:Long|Int|Decimal)|Decimal(?:128)?|UUID|str|String|int|float|Number|Symbol"
)
_TYPED = re.compile(
    rf"(?:new )?(?:{_TYPES})\(\s?(?:\"(?P<double>[^\"\\]*+)\"|'(?P<single>[^'\\]*+)'|(?P<number>-?[0-9.]++))\s?\)"
)

_STRICT_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+")
_CUT_NUMBER = re.compile(r"-?(?:(?:0|[1-9][0-9]*+)(?:\.|(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]*+)?+)?+)?+")
_LOOSE_NUMBER = re.compile(r"([+-]?+)([0-9][0-9_]*+)?+(?:(\.)([0-9_]*+))?+(?:[eE]([+-]?+[0-9]++))?+")
_BASED_NUMBER = re.compile(r"([+-]?+)(0[xX][0-9A-Fa-f]{1,64}+|0[bB][01]{1,64}+|0[oO][0-7]{1,64}+)")

_WORD_LEFT = re.compile(r"[A-Za-z]{1,8}(?!\w)")
_CONTROL = re.compile(r"[\x00-\x1f]")
_ESCAPED_CONTROL = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def quote_kind(quote: str) -> str:
    """The name of the fault that a string in this quote is."""
    return {"'": "single-quotes", "`": "backtick", "´": "backtick"}.get(quote, "smart-quotes")


def literal_meant(word: str) -> str | None:
    """The JSON literal (or NaN, Infinity) that a word of another language stands for; None if it is only a word."""
    if len(word) > 9:
        return None
    return LITERALS.get(word.lower())


def cut_literal_meant(word: str) -> str | None:
    """For the beginning of a literal at the end of a cut text: the same beginning, spelled as JSON spells it."""
    low = word.lower()
    for spelling, meant in LITERALS.items():
        if spelling.startswith(low):
            return meant if spelling == low else meant[: min(len(word), len(meant) - 1)]
    return None


def finishes_literal(begun: str, text: str) -> bool:
    """Does the text go on with what is left of a literal's word, begun as `begun`, or (Non|e: nul) as JSON has it?"""
    found = _WORD_LEFT.match(text)
    left = found[0].lower() if found else ""
    begins = [word.removesuffix(left) for word in LITERALS if left and word.endswith(left) and word != left]
    return any(begun.lower() == began or begun == cut_literal_meant(began) for began in begins)


def is_strict_number(token: str) -> bool:
    return _STRICT_NUMBER.fullmatch(token) is not None


def is_cut_number(token: str) -> bool:
    """Can this, at the end of a cut text, still become a strict number? A whole strict number can as well."""
    return token != "" and _CUT_NUMBER.fullmatch(token) is not None


def integer_is_too_long(token: str) -> bool:
    """True for a strict or cut integer that Python's own reader refuses because of its length."""
    return len(token) > LONGEST_INTEGER and len(token.lstrip("-")) > LONGEST_INTEGER and token.lstrip("-").isdigit()


def number_meant(token: str) -> str | None:
    """The JSON number (or NaN, Infinity) that is meant by a number in another style; None if it is none."""
    sign = "-" if token.startswith("-") else ""
    word = literal_meant(token.lstrip("+-")) if token[:1] in ("+", "-") else None
    if word in ("NaN", "Infinity"):
        return word if word == "NaN" else sign + word
    if based := _BASED_NUMBER.fullmatch(token):
        return sign + str(int(based[2], 0))
    loose = _LOOSE_NUMBER.fullmatch(token)
    if loose is None or not ((loose[2] or "") + (loose[4] or "")).replace("_", ""):
        return None
    whole = (loose[2] or "0").replace("_", "").lstrip("0") or "0"
    fraction = "." + ((loose[4] or "").replace("_", "") or "0") if loose[3] else ""
    return sign + whole + fraction + (f"e{loose[5]}" if loose[5] else "")


def typed_scalar_meant(token: str) -> str | None:
    """The JSON scalar in a call that only names its type, ISODate("2020-01-01"); None if it is something else."""
    if token[-1:] != ")" or not (typed := _TYPED.fullmatch(token)):
        return None
    number, text = typed["number"], typed["double"] if typed["single"] is None else typed["single"]
    return number_meant(number) if number is not None else f'"{escaped(text)}"'


def escaped_control(character: str) -> str:
    """The JSON escape of a control character."""
    return _ESCAPED_CONTROL.get(character) or f"\\u{ord(character):04x}"


def escaped(content: str) -> str:
    """Plain text as the inside of a JSON string."""
    if content.isidentifier():  # most often
        return content
    safe = content.replace("\\", "\\\\").replace('"', '\\"')
    return _CONTROL.sub(_escaped_control, safe)


def _escaped_control(found: re.Match[str]) -> str:
    return escaped_control(found[0])

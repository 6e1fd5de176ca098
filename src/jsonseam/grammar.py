"""The grammar of JSON as one table, and a reader that follows it token by token.

Rule 1: what may stand where is said by NEXT alone. Rule 2: the reader never guesses; it stops at the first
character that cannot be right, or at the token that the end of the text leaves unfinished, and says where.

The strict path reads with ijson, which is many times faster. This reader is for the places where ijson cannot
say what is needed: where exactly a fault lies, where the root was closed, and what a seam candidate looks like.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from jsonseam import lexemes


class Expect(IntEnum):
    """What may come next inside the innermost open container, or at the root."""

    VALUE = 0  # at the root, behind a colon, or behind a comma in an array
    FIRST_ITEM = 1  # behind [
    FIRST_KEY = 2  # behind {
    KEY = 3  # behind a comma in an object
    COLON = 4  # behind a key
    COMMA = 5  # behind a value: a comma, or the closer
    END = 6  # behind the root


SCALAR: Final = "scalar"
STRING: Final = "string"
# NEXT[expecting][kind of token] -> what is done. Kinds: the punctuation itself, "string", "scalar".
_VALUE: Final = {"{": "open", "[": "open", STRING: "value", SCALAR: "value"}
NEXT: Final[tuple[dict[str, str], ...]] = (
    _VALUE,  # Expect.VALUE
    {**_VALUE, "]": "close"},  # Expect.FIRST_ITEM
    {STRING: "key", "}": "close"},  # Expect.FIRST_KEY
    {STRING: "key"},  # Expect.KEY
    {":": "colon"},  # Expect.COLON
    {",": "comma", "]": "close", "}": "close"},  # Expect.COMMA
    {},  # Expect.END
)
NAMES: Final = {
    Expect.VALUE: "a value",
    Expect.FIRST_ITEM: "a value or ]",
    Expect.FIRST_KEY: "a key or }",
    Expect.KEY: "a key",
    Expect.COLON: "a colon",
    Expect.COMMA: "a comma or a closer",
    Expect.END: "nothing more",
}


class Token:
    """`kind` is the punctuation itself, "string" or "scalar"; `depth` counts the containers it stands in."""

    __slots__ = ("depth", "end", "is_key", "kind", "start")

    def __init__(self, kind: str, start: int, end: int, depth: int, is_key: bool) -> None:
        self.kind, self.start, self.end = kind, start, end
        self.depth, self.is_key = depth, is_key


class Reading:
    """What the reader found. Positions are offsets in the text that was read.

    `fault`: the first character that cannot be right, or None. `tail`: where the unfinished token begins, the
    length of the text where there is none. `frames`, `expect`: the state before the fault or the tail.
    `stable`: the end of the last opener or closer, or of the last scalar that a comma or a closer follows, which
    need not be the right one; behind anything else it is doubtful itself. `end`: behind the root, or None.
    """

    __slots__ = ("end", "expect", "fault", "frames", "stable", "tail", "tokens")

    def __init__(self, frames: Sequence[str], expect: Expect, at: int = 0) -> None:
        """One that begins at `at`, in this state; nothing is read yet."""
        self.tokens: list[Token] = []
        self.frames = list(frames)
        self.expect = expect
        self.fault: int | None = None
        self.tail = self.stable = at
        self.end: int | None = None


def state_behind(frames: Sequence[str], last: str) -> Expect:
    """What is expected behind the significant character `last`, the innermost open container being frames[-1]."""
    if not frames:
        return Expect.END if last else Expect.VALUE
    is_object = frames[-1] == "{"
    match last:
        case "{":
            return Expect.FIRST_KEY
        case "[":
            return Expect.FIRST_ITEM
        case ",":
            return Expect.KEY if is_object else Expect.VALUE
        case ":":
            return Expect.VALUE
    return Expect.COMMA


def read(
    text: str, frames: Sequence[str] = (), expect: Expect = Expect.VALUE, *, at: int = 0, most: int = 1 << 60
) -> Reading:
    """Read `text` from `at`, at most `most` tokens of it. Cost: linear in what is read."""
    reading = Reading(frames, expect, at)
    read_on(reading, text, most=most)
    return reading


def read_on(reading: Reading, text: str, *, most: int = 1 << 60) -> None:
    """Go on with a reading of a beginning of `text`, up to `most` tokens in all. Cost: linear in what is new."""
    if reading.fault is not None:
        return
    tokens, stack, expect, stable, at = reading.tokens, reading.frames, reading.expect, reading.stable, reading.tail
    value_end = tokens[-1].end if tokens else stable
    escapes = "\\" in text
    match_token, groups = lexemes.TOKEN.match, ("", "", STRING, SCALAR, SCALAR)
    value, key, colon, comma = Expect.VALUE, Expect.KEY, Expect.COLON, Expect.COMMA  # found once, not for each token
    fault = None
    while len(tokens) < most and expect is not Expect.END:
        match = match_token(text, at)
        if match is None:
            break
        group = match.lastindex or 0
        start, end = match.span(group)
        if group == lexemes.NUMBER and lexemes.may_go_on(text, end):
            break  # a number that the text ends with is unfinished
        kind = text[start] if group == lexemes.PUNCTUATION else groups[group]
        action = NEXT[expect].get(kind)
        if action == "close" and lexemes.CLOSER_OF[stack[-1]] != kind:
            fault, stable = start, value_end
            break
        if action is None or ((escapes or group == lexemes.NUMBER) and _is_refused(text, group, start, end)):
            fault = start
            break
        tokens.append(Token(kind, start, end, len(stack), action == "key"))
        at = end
        if action == "value":
            value_end = end
            expect = comma if stack else Expect.END
        elif action == "key":
            expect = colon
        elif action == "colon":
            expect = value
        elif action == "comma":
            stable = value_end
            expect = key if stack[-1] == "{" else value
        elif action == "open":
            stack.append(kind)
            stable = end
            expect = Expect.FIRST_KEY if kind == "{" else Expect.FIRST_ITEM
        else:
            stack.pop()
            stable = value_end = end
            expect = comma if stack else Expect.END
    reading.expect, reading.stable = expect, stable
    if fault is not None:
        reading.fault = reading.tail = fault
        return
    reading.tail = tail = lexemes.behind_space(text, at)
    if expect is Expect.END:
        reading.end = at if reading.end is None else reading.end
    elif tail < len(text) and len(tokens) < most:
        reading.fault = _fault_in_tail(text, tail, expect)


def _is_refused(text: str, group: int, start: int, end: int) -> bool:
    """Is it a token that strict reading refuses: an integer that is too long, a string with a lone surrogate?"""
    if group == lexemes.NUMBER:
        return end - start > lexemes.LONGEST_INTEGER and text[start + 1 : end].isdigit()
    if group != lexemes.STRING or text.find("\\u", start, end) < 0:
        return False
    return lexemes.lone_surrogate(text[start:end]) is not None


def _fault_in_tail(text: str, tail: int, expect: Expect) -> int | None:
    """Where the text from `tail` on, which is no whole token, stops being the beginning of one; None if it is one."""
    allowed = NEXT[expect]
    if text[tail] == '"':
        return lexemes.open_string_fault(text, tail) if STRING in allowed else tail
    if SCALAR not in allowed:
        return tail
    if lexemes.is_unfinished(text[tail:]):
        return None
    return tail + lexemes.unfinished_length(text[tail : tail + lexemes.LONGEST_WORD])


def lex(text: str, at: int = 0, *, most: int = 1 << 60) -> tuple[list[Token], int]:
    """The tokens of `text` from `at`, whatever may stand where; and where the first thing that is none begins.

    `depth` counts from 0 at `at` and may go below. A number that the text ends with is unfinished.
    """
    tokens: list[Token] = []
    return tokens, lex_on(tokens, text, at, most=most)


def lex_on(tokens: list[Token], text: str, at: int, *, most: int = 1 << 60) -> int:
    """Go on with the tokens of a beginning of `text` from `at`, up to `most` in all; where they end, as `lex` tells."""
    depth = tokens[-1].depth + (tokens[-1].kind in ("{", "[")) if tokens else 0
    match_token, kinds = lexemes.TOKEN.match, ("", "", STRING, SCALAR, SCALAR)
    while len(tokens) < most:
        match = match_token(text, at)
        if match is None:
            break
        group = match.lastindex or 0
        start, end = match.span(group)
        if group == lexemes.NUMBER and lexemes.may_go_on(text, end):
            break
        kind = text[start] if group == lexemes.PUNCTUATION else kinds[group]
        depth -= kind in ("}", "]")
        tokens.append(Token(kind, start, end, depth, False))
        depth += kind in ("{", "[")
        at = end
    return lexemes.behind_space(text, at)

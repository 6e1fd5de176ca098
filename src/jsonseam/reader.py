"""Reader: a text that may go on. Whoever looks past its end is told so, unless the text is final.

Every look is counted, so that a test can hold the whole of mending to linear time.
"""

from __future__ import annotations

import re

from jsonseam.containers import Ahead, Found
from jsonseam.lexemes import behind_space
from jsonseam.spelling import ODD_SPACE

LONGEST_COMMENT = 128
"""Characters of a comment that a look ahead crosses; a longer one ends the look."""

TOKEN_BEGINS = frozenset(
    "\"'{}[],:;=+-_$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)  # neither white space nor what `gap_fault` looks for
_LOOSE_SPACE = re.compile(rf"[ \t\n\r{ODD_SPACE}]*+")
_ODD_SPACE = re.compile(rf"[{ODD_SPACE}]*+")
_LINE = re.compile(r"[^\n\r\u2028]*+")
_NOTES = re.compile(  # the line, and those that no data begins: behind a star, or with a word that is no key
    r"[^\n\r\u2028]*+(?:\r?\n[ \t]*+(?:\*[^\n\r]*+"
    r"|(?!(?:true|false|null|None|True|False)\b)[^\W\d_][\w'’-]*+(?:\Z|[ \t]++(?=[^\s:=,;])[^\n\r]*+)))*+"
)
_DOTS = re.compile(r"[.…]*+")
_FENCE = re.compile(r"```++[\w+.-]*+")
_ESCAPED_SPACE = re.compile(r"(?:\\[nrt](?:[ \t\n\r]*+(?=\\[nrt]))?+)*+")
_BEHIND_ESCAPED_SPACE = frozenset("\"'{}[],:-0123456789")
_LITERALS = frozenset(("true", "false", "null", "True", "False", "None"))
_LETTERS = re.compile(r"[A-Za-z]*+")
_NOT_STAR = re.compile(r"[^*]*+")


class NeedMore(Exception):  # noqa: N818 - a signal between two functions, no error
    """The decision hangs on text that has not come yet."""


class Reader:
    """`text`, and whether it ends there (`final`). `visits` counts the characters looked at, however often.

    `ahead`: what whoever looked past a spot has read of it.
    """

    __slots__ = ("ahead", "final", "size", "text", "visits")

    def __init__(self, text: str, *, final: bool) -> None:
        self.text = text
        self.size = len(text)
        self.final = final
        self.visits = 0
        self.ahead: Ahead | None = None

    def char(self, at: int) -> str:
        """The character there; "" behind the end of a final text."""
        self.visits += 1
        if at < self.size:
            return self.text[at]
        if self.final:
            return ""
        raise NeedMore

    def run(self, pattern: re.Pattern[str], at: int, limit: int | None = None) -> int:
        """Where the run of `pattern` (which always matches) that begins at `at` ends, `limit` characters on at most."""
        found = pattern.match(self.text, at) if limit is None else pattern.match(self.text, at, at + limit)
        end = at if found is None else found.end()
        self.visits += end - at + 1
        if end >= self.size and not self.final:
            raise NeedMore
        return end

    def space(self, at: int) -> int:
        """Where the white space ends that stands at `at`, if there is any."""
        end = behind_space(self.text, at)
        self.visits += end - at + 1
        if end >= self.size and not self.final:
            raise NeedMore
        return end

    def know(self, at: int, found: Found) -> None:
        """Remember what was read of the text, for whoever reads it next."""
        if self.ahead is None:
            self.ahead = Ahead()
        self.ahead.add(at, found)

    def gap_fault(self, at: int, longest: int | None = None) -> tuple[str, int] | None:
        """Kind and end of what stands between two tokens at `at` and is no JSON: comment, space, dots, fence.

        None for anything else, and for a comment of more than `longest` characters.
        """
        first = self.char(at)
        if first == "" or first in TOKEN_BEGINS:
            return None
        if first == "/":
            second = self.char(at + 1)
            if second == "*":
                end = self._block_comment_end(at, longest)
            elif second == "/":
                end = self.run(_LINE, at, longest)
            else:
                return None
        elif first == "#":
            end = self.run(_LINE, at, longest)
        elif first == "…" or (first == "." and self.char(at + 1) == "." and self.char(at + 2) == "."):
            return "ellipsis", self.run(_DOTS, at)
        elif first == "`" and self.char(at + 1) == "`" and self.char(at + 2) == "`":
            if not self.final:
                raise NeedMore
            return "fence", self.run(_FENCE, at)
        elif first == "\\":
            if (escaped := self.char(at + 1)) != "" and escaped in "[]{}":
                return "bad-escape", at + 1  # as Markdown would have it
            end = self._escaped_space_end(at)
            return ("escaped-space", end) if end > at else None
        else:
            end = self.run(_ODD_SPACE, at)
            return ("odd-space", end) if end > at else None
        return None if longest is not None and end - at >= longest else ("comment", end)

    def _escaped_space_end(self, at: int) -> int:
        r"""Behind the `\n`, `\r` and `\t` at `at` that were to be white space between two tokens; or `at`."""
        end = self.run(_ESCAPED_SPACE, at)
        token = self.space(end)
        first = self.char(token)
        if first == "\\":
            self.char(token + 1)  # one more of them may come
            return at
        if first == "" or first in _BEHIND_ESCAPED_SPACE:
            return end
        return end if self.text[token : self.run(_LETTERS, token)] in _LITERALS else at

    def _block_comment_end(self, at: int, longest: int | None) -> int:
        """Behind the comment at `at`; one that is never closed ends with its line."""
        end = at + 2
        while longest is None or end - at < longest:
            end = self.run(_NOT_STAR, end, longest)
            if self.char(end) == "":
                return self.run(_NOTES, at)
            end += 1
            if self.text[end - 1] == "*" and self.char(end) == "/":
                return end + 1
        return end

    def gap(self, at: int) -> int:
        """Where the next token begins, over white space of all kinds, comments and dots; the end, if none comes."""
        while True:
            if at < self.size and self.text[at] in TOKEN_BEGINS:
                self.visits += 1
                return at
            at = self.run(_LOOSE_SPACE, at)
            fault = self.gap_fault(at, LONGEST_COMMENT)
            if fault is None:
                return at
            at = fault[1]

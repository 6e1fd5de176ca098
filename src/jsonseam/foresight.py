"""Foresight: would the text at this place fit, if the token before it ended here? Looks ahead, decides nothing.

A quotation mark inside of a string is its end if what follows fits there, by these rules (`follows`):

    role of the string    what follows the mark (behind white space and comments)          the mark is
    key                   a colon, = or =>                                                  the end
    key                   the beginning of a value (the colon is missing)                   the end
    key                   a comma with an item, closers (the value is missing)              the end
    value                 a comma, and behind it an item of the container: in an object a   the end
                          key with its colon, in an array a string that ends well, a
                          number, a literal, { or [ with fitting contents
    value                 closers, and behind them a comma with an item, or the end         the end
    value                 a colon and the beginning of a value, in an array (pairs in brackets)  the end
    value                 without a comma: a key with its colon (object), an item (array)   the end
    any                   the end of the final text                                         the end
    any                   anything else                                                     part of the text

A raw line end inside of a string is the place of a forgotten mark (`unclosed_at`) if the line ends in a comma
or in fitting closers and the next line begins with an item, or if the next line begins with a fitting closer;
and, where the next line is no key, only if the next mark would not be a good end.

Windows: a string that is crossed while looking ahead may have WINDOW characters, a longer one is taken as
fitting. What lies between two tokens is crossed whole. Each look passes two or three tokens.
"""

from __future__ import annotations

import re
from typing import Final

from jsonseam.frames import Branch, Stack
from jsonseam.lexemes import WHITE_SPACE
from jsonseam.reader import Reader
from jsonseam.spelling import CLOSER_OF, CLOSING, COLONS, COMMAS, QUOTES, literal_meant, number_meant

WINDOW = 512
BACK = 64
"""Characters looked at before a line end, for a comma and closers."""

_PLAIN_TEXT = re.compile(r'(?:[^"\\\n]++|\\[^\n]?+)*+')
_TO_QUOTE = re.compile(r'(?:[^"\\]++|\\.?+)*+', re.DOTALL)
_OTHER_TEXT = {
    quote: re.compile(rf"(?:[^\\\n{re.escape(closing)}]++|\\[^\n]?+)*+") for quote, closing in CLOSING.items()
}
_NAME = re.compile(r"[\w$.\-]*+")
_SCALAR = re.compile(r"[\w.+\-]*+")
_NO_TEXT_BEGINS: Final = WHITE_SPACE + ",]}:"
_END_OF_BLOCKS = re.compile(r"[\s;)}\]]*+")


def ends_root_string(follower: str) -> bool:
    """A string outside of all containers goes on over a mark only if a word follows it."""
    return not follower.isalnum()


class Foresight:
    """The rules above, on one text and one stack. Cost of each look: the tokens it passes."""

    __slots__ = ("_marks", "_reader", "_stack")

    def __init__(self, reader: Reader, stack: Stack) -> None:
        self._reader = reader
        self._stack = stack
        self._marks = (-1, -1, False)

    def closes_at_first_sight(self, at: int, *, key: bool) -> bool:
        """The strict path's view of a mark that ends at `at`: is the next character one that may follow a string?"""
        reader = self._reader
        follower = reader.char(reader.space(at))
        if key:
            return follower in ":"
        return follower in ",}]" if self._stack.top() else ends_root_string(follower)

    def follows(self, at: int, *, key: bool, doubtful: bool = False) -> bool:
        """Does the text at `at` fit behind a key, or behind a value? If `doubtful`, look one item further."""
        reader = self._reader
        begin = reader.gap(at)
        first = reader.char(begin)
        if first == "":
            return True
        if key:
            return self._fits_behind_key(at, begin, first)
        container = self._stack.top()
        if not container:
            return ends_root_string(first)
        if first in COMMAS:
            return not self._is_code(begin) and self.item_fits(begin + 1, self._stack, doubtful=doubtful)
        if first in "}]":
            return self._closers_fit(begin, self._stack)
        if container == "[" and first == ":":
            return self.value_begins(reader.gap(begin + 1))
        if first in QUOTES:
            if begin == at and self.closes_at_first_sight(at + 1, key=False):
                return False
            if container == "{":
                return self._key_fits(begin, colon="\n" not in reader.text[at:begin])
            return self._text_item_fits(begin, self._stack) or "\n" in reader.text[at:begin]
        if first in "{[":
            return self.contents_fit(begin)
        if container == "[":
            return begin > at and self._scalar_fits(begin)
        return "\n" in reader.text[at:begin] and self.name_fits(begin)

    def _is_code(self, at: int) -> bool:
        """Does a statement end at `at`, and its block, in front of a mark that ends a string? return "x"; }" """
        if (reader := self._reader).text[at] != ";":
            return False
        end = reader.run(_END_OF_BLOCKS, at + 1)
        return end > at + 1 and reader.char(end) == '"' and reader.char(reader.space(end + 1)) in ",}]"

    def _fits_behind_key(self, at: int, begin: int, first: str) -> bool:
        if first in "}]":
            return self._closers_fit(begin, self._stack)
        if first in COMMAS:
            return self.item_fits(begin + 1, self._stack) or self._lone_key_fits(self._reader.gap(begin + 1))
        glued = begin == at and first not in "{[" and first not in QUOTES
        if self.colon_end(begin) > begin:
            return True
        return not glued and (self.value_begins(begin) or (begin > at and self._bare_word_fits(begin)))

    def _bare_word_fits(self, at: int) -> bool:
        """One word, and behind it the next member or the end of the object: a value without quotes, in an object."""
        reader = self._reader
        end = reader.run(_NAME, at, BACK)
        behind = reader.gap(end)
        follower = reader.char(behind)
        if end == at or follower == "":
            return False
        if follower in "}]":
            return self._closers_fit(behind, self._stack)
        return follower in COMMAS and (self.item_fits(behind + 1, self._stack) or self.bare_member_fits(behind + 1))

    def bare_member_fits(self, at: int) -> bool:
        """A quoted key and one bare word, no colon between them, and behind them a comma, a closer or the end."""
        reader = self._reader
        key = reader.gap(at)
        mark = reader.char(key)
        end = self.text_end(key) if mark != "" and mark in QUOTES else -1
        if end < 0:
            return False
        word = reader.gap(end)
        behind = reader.run(_NAME, word, BACK)
        follower = reader.char(reader.gap(behind))
        return behind > word > end and (follower in "}]" or follower in COMMAS)

    def item_fits(self, at: int, stack: Stack, *, doubtful: bool = False) -> bool:
        """Is there an item of the innermost container at `at`, where a comma has been? A closer or a comma will do."""
        reader = self._reader
        begin = reader.gap(at)
        first = reader.char(begin)
        if first == "" or first in "}]" or first in COMMAS:
            return True
        if stack.top() == "{":
            if first in QUOTES:
                return self._key_fits(begin, colon=False)
            if first in "{[":
                return stack.top(1) == "[" and self.contents_fit(begin)
            return self.name_fits(begin)
        if first in "{[":
            return self.contents_fit(begin)
        begin = self.past_prefix(begin)
        return (
            self._text_item_fits(begin, stack, doubtful=doubtful)
            if reader.char(begin) in QUOTES
            else self._scalar_fits(begin)
        )

    def text_item_begins(self, at: int) -> bool:
        """In an array: a comma, a mark, and behind it the beginning of a text; less than `follows` asks for."""
        reader = self._reader
        comma = reader.gap(at)
        if self._stack.top() != "[" or reader.char(comma) != ",":
            return False
        begin = reader.gap(comma + 1)
        following = reader.char(begin + 1) if reader.char(begin) in QUOTES else " "
        return following == "" or following not in _NO_TEXT_BEGINS

    def past_prefix(self, at: int) -> int:
        """Where the quote is, if at `at` is a letter that Python may put before one; `at` itself, if not."""
        reader = self._reader
        first = reader.char(at)
        if first == "" or first not in "uUbBrRfF":
            return at
        mark = reader.char(at + 1)
        return at + 1 if mark != "" and mark in QUOTES else at

    def colon_end(self, at: int) -> int:
        """Where the colon at `at`, in whatever spelling, ends; `at` if there is none."""
        reader = self._reader
        first = reader.char(at)
        if first == "" or first not in COLONS or first == ">":
            return at
        if first == "-":
            return at + 2 if reader.char(at + 1) == ">" else at
        second = reader.char(at + 1)
        return at + 2 if second and (first + second) in ("=>", ":=", "==") else at + 1

    def opens_pair(self, at: int) -> bool:
        """Does the mark at `at` open a key, with its colon and the beginning of a value behind it?"""
        end = self.text_end(at)
        if end < 0:
            return False
        reader = self._reader
        begin = reader.gap(end)
        behind = self.colon_end(begin)
        return behind > begin and self.value_begins(reader.gap(behind))

    def opens_next_pair(self, at: int) -> bool:
        """The same, where the text before it was meant as a value of an object."""
        return self._stack.top() == "{" and self.opens_pair(at)

    def opens_next_item(self, at: int) -> bool:
        """The same, where an object of an array was closed before it, and the next one opened."""
        return self._stack.top(1) == "[" and self.opens_next_pair(at)

    def bare_pair_fits(self, at: int) -> bool:
        """Is there a bare key, a colon and anything at `at`? Enough behind a value that is bare as well."""
        reader = self._reader
        begin = reader.gap(at)
        end = reader.run(_NAME, begin, BACK)
        colon = reader.gap(end)
        return end > begin and self.colon_end(colon) > colon and reader.char(self.colon_end(colon)) != "/"

    def belongs_outside(self, at: int) -> bool:
        """Can the item at `at` only be one of the container around the innermost, whose closer is missing then?"""
        top, outer, first = self._stack.top(), self._stack.top(1), self._reader.text[at]
        if top == "[":
            return outer == "{" and first in QUOTES and self.is_named(at)
        return top == "{" and outer == "[" and first in "{[" and self.contents_fit(at)

    def is_named(self, at: int) -> bool:
        """Is the string at `at` followed by a colon? One that is longer than the window is not."""
        end = self.text_end(at)
        return end > 0 and self._reader.char(self._reader.gap(end)) == ":"

    def text_end(self, at: int) -> int:
        """Behind the string whose opening quote is at `at`; -1 if it is longer than the window or than its line."""
        reader = self._reader
        opener = reader.text[at]
        pattern = _PLAIN_TEXT if opener == '"' else _OTHER_TEXT[opener]
        end = reader.run(pattern, at + 1, WINDOW)
        follower = reader.char(end)
        if follower == "":
            return end
        return end + 1 if end - at <= WINDOW and follower in CLOSING[opener] else -1

    def unclosed_at(self, line_end: int, start: int) -> int:
        """Where a string that began at `start` was meant to end, if the raw line end is no part of it; or -1."""
        reader = self._reader
        next_line = reader.gap(line_end)
        first = reader.char(next_line)
        if first == "" or not self._stack.top():
            return -1
        text, floor = reader.text, max(start, line_end - BACK)
        content = comma = self._back(line_end, floor, " \t\r")
        with_comma = comma > floor and text[comma - 1] == ","
        if with_comma:
            content = comma - 1
        closed = 0
        while content > floor and text[content - 1] in "}]":
            content = self._back(content - 1, floor, " \t\r")
            closed += 1
        tail = text[content:comma].replace(" ", "").rstrip(",")
        if any(CLOSER_OF.get(self._stack.top(up)) != closer for up, closer in enumerate(c for c in tail if c in "}]")):
            return -1
        stack = Branch(self._stack, closed)
        if not with_comma and first in "}]":
            if CLOSER_OF.get(stack.top()) != first or not self._closers_fit(next_line, stack):
                return -1
        elif not self._line_fits(next_line, first, stack, with_comma):
            return -1
        elif stack.top() == "{" and first in QUOTES:
            return content
        return -1 if self._next_mark_closes(line_end) else content

    def _line_fits(self, at: int, first: str, stack: Stack, with_comma: bool) -> bool:
        if stack.top() == "{":
            return self._key_fits(at, colon=not with_comma) if first in QUOTES else with_comma and self.name_fits(at)
        return with_comma and first not in "}]" and first not in COMMAS and self.item_fits(at, stack)

    def _back(self, at: int, floor: int, over: str) -> int:
        text = self._reader.text
        while at > floor and text[at - 1] in over:
            at -= 1
        return at

    def _next_mark_closes(self, at: int) -> bool:
        """Is there a `"` behind `at`, within the window, that is a good end of a value?"""
        since, mark, there = self._marks
        if not since <= at <= mark:
            reader = self._reader
            mark = reader.run(_TO_QUOTE, at, 4 * WINDOW)
            there = reader.char(mark) == '"'
            self._marks = (at, mark, there)
        return there and self.follows(mark + 1, key=False)

    def _key_fits(self, at: int, *, colon: bool) -> bool:
        """A quoted key at `at`, and a colon behind it; or, unless `colon` must be there, the beginning of a value."""
        end = self.text_end(at)
        if end < 0:
            return not colon
        reader = self._reader
        begin = reader.gap(end)
        return reader.char(begin) == "" or self.colon_end(begin) > begin or (not colon and self.value_begins(begin))

    def _lone_key_fits(self, at: int) -> bool:
        """A quoted string at `at`, and behind it a comma or a closer, as in a set."""
        reader = self._reader
        end = self.text_end(at) if reader.text[at] in QUOTES else -1
        follower = reader.char(reader.gap(end)) if end > 0 else "?"
        return follower == "" or follower in "}]" or follower in COMMAS

    def name_fits(self, at: int) -> bool:
        """A bare key, a colon, and the beginning of a value."""
        reader = self._reader
        end = reader.run(_NAME, at, BACK)
        if end == at:
            return False
        begin = reader.gap(end)
        if reader.char(begin) == "":
            return True
        behind = self.colon_end(begin)
        return behind > begin and self.value_begins(reader.gap(behind))

    def _text_item_fits(self, at: int, stack: Stack, *, doubtful: bool = False) -> bool:
        """A quoted string that is a whole item of an array; or a key, where the object around goes on."""
        end = self.text_end(at)
        if end < 0:
            return True
        reader = self._reader
        begin = reader.gap(end)
        follower = reader.char(begin)
        if follower == ":":
            return stack.top(1) == "{"
        if follower == "" or follower in "]}" or follower in COMMAS:
            return not (doubtful and follower in COMMAS) or self.item_fits(begin + 1, stack)
        if begin == end:
            return reader.text.startswith('"""', at)
        return follower in QUOTES or follower in "{["

    def bare_item_fits(self, at: int) -> bool:
        """Is there an item without quotes, where a value was just finished and no comma follows it?"""
        if self._stack.top() == "{":
            return self.name_fits(at)
        reader = self._reader
        end = reader.run(_SCALAR, at, BACK)
        behind = reader.char(end)
        may_end = behind in WHITE_SPACE or behind in "]}" or behind in COMMAS or behind in QUOTES
        return may_end and self._is_scalar(reader.text[at:end])

    def _scalar_fits(self, at: int) -> bool:
        """A number or a literal, and behind it a comma, a closer or the end of the line."""
        reader = self._reader
        end = reader.run(_SCALAR, at, BACK)
        token = reader.text[at:end]
        if not self._is_scalar(token):
            return False
        begin = reader.gap(end)
        follower = reader.char(begin)
        if follower == "" or follower in "]}" or follower in COMMAS or "\n" in reader.text[end:begin]:
            return True
        return begin > end and follower in "{["

    def contents_fit(self, at: int) -> bool:
        """Does the opener at `at` open a container, going by what stands behind it?"""
        reader = self._reader
        begin = reader.gap(at + 1)
        first = reader.char(begin)
        if first == "" or first == CLOSER_OF[reader.text[at]]:
            return True
        if reader.text[at] == "{":
            return first in QUOTES or self.name_fits(begin)
        return self.value_begins(begin)

    def value_begins(self, at: int) -> bool:
        reader = self._reader
        first = reader.char(at)
        if first == "" or first in "{[" or first in QUOTES or self.past_prefix(at) > at:
            return True
        token = reader.text[at : reader.run(_SCALAR, at, BACK)]
        return self._is_scalar(token)

    @staticmethod
    def _is_scalar(token: str) -> bool:
        return literal_meant(token) is not None or number_meant(token) is not None

    def _closers_fit(self, at: int, stack: Stack) -> bool:
        """Closers from `at` on, and behind them what may follow them."""
        reader = self._reader
        closed = 0
        while reader.char(at) in ("}", "]"):
            closed += 1
            if closed > BACK or not stack.top(closed):
                return True
            at = reader.gap(at + 1)
        first = reader.char(at)
        if first == "":
            return True
        outer = Branch(stack, closed)
        if first in COMMAS:
            return self.item_fits(at + 1, outer)
        if first in "{[":
            return self.contents_fit(at)
        return first in QUOTES and self.item_fits(at, outer)

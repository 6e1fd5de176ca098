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

What begins at a place, whatever is open there, is told by `beginnings`; here it is asked whether that fits. A string
that is crossed while looking ahead may have WINDOW characters, a longer one is taken as fitting. What lies between two
tokens is crossed whole. Each look passes two or three tokens.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jsonseam.beginnings import (
    LONGEST_NAME,
    NAME,
    SCALAR,
    WINDOW,
    bare_member_begins,
    colon_end,
    container_begins,
    ends_code,
    is_named,
    is_scalar,
    key_begins,
    lone_string_begins,
    named_value_begins,
    pair_begins,
    past_prefix,
    scalar_begins,
    text_end,
    value_begins,
)
from jsonseam.frames import Branch, Stack
from jsonseam.lexemes import CLOSER_OF, WHITE_SPACE
from jsonseam.reader import Reader
from jsonseam.spelling import COMMAS, QUOTES

BACK = 64
"""Characters looked at before a line end, for a comma and closers."""
MOST_CLOSERS = 64

_TO_QUOTE = re.compile(r'(?:[^"\\]++|\\.?+)*+', re.DOTALL)
_NO_TEXT_BEGINS: Final = WHITE_SPACE + ",]}:"


def ends_root_string(follower: str) -> bool:
    """A string outside of all containers goes on over a mark only if a word follows it."""
    return not follower.isalnum()


class Foresight:
    """The rules above, on one text and one stack. Cost of each look: the tokens it passes."""

    __slots__ = ("_marks", "_reader", "_stack")

    def __init__(self, reader: Reader, stack: Stack) -> None:
        self._reader = reader
        self._stack = stack
        self._marks = (-1, -1, False)  # the next `"` behind a place, as found last: the place, the mark, is there one?

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
            return not ends_code(reader, begin) and self.item_fits(begin + 1, self._stack, doubtful=doubtful)
        if first in "}]":
            return self._closers_fit(begin, self._stack, doubtful=doubtful)
        if container == "[" and first == ":":
            return value_begins(reader, reader.gap(begin + 1))
        if first in QUOTES:
            if begin == at and self.closes_at_first_sight(at + 1, key=False):
                return False
            if container == "{":
                return key_begins(reader, begin, colon="\n" not in reader.text[at:begin])
            return self._text_item_fits(begin, self._stack) or "\n" in reader.text[at:begin]
        if first in "{[":
            return container_begins(reader, begin)
        if container == "[":
            return begin > at and scalar_begins(reader, begin)
        return "\n" in reader.text[at:begin] and named_value_begins(reader, begin)

    def ends_nothing(self, at: int) -> bool:
        """Is the mark at `at` one behind a value that no mark opened: no key or item, but what may follow a value?"""
        reader = self._reader
        follower = reader.char(reader.space(at + 1))
        if follower not in ",}]" or (follower and not self.follows(at + 1, key=False)):
            return False
        return not (is_named(reader, at) if self._stack.top() == "{" else self._text_item_fits(at, self._stack))

    def _fits_behind_key(self, at: int, begin: int, first: str) -> bool:
        """`follows` for a key: `at` is behind its mark, `begin` where the next token begins, with `first`."""
        reader = self._reader
        if first in "}]":
            return self._closers_fit(begin, self._stack)
        if first in COMMAS:
            return self.item_fits(begin + 1, self._stack) or lone_string_begins(reader, reader.gap(begin + 1))
        glued = begin == at and first not in "{[" and first not in QUOTES
        if colon_end(reader, begin) > begin:
            return True
        return not glued and (value_begins(reader, begin) or (begin > at and self._bare_word_fits(begin)))

    def _bare_word_fits(self, at: int) -> bool:
        """One word, and behind it the next member or the end of the object: a value without quotes, in an object."""
        reader = self._reader
        end = reader.run(NAME, at, LONGEST_NAME)
        behind = reader.gap(end)
        follower = reader.char(behind)
        if end == at or follower == "":
            return False
        if follower in "}]":
            return self._closers_fit(behind, self._stack)
        return follower in COMMAS and (
            self.item_fits(behind + 1, self._stack) or bare_member_begins(reader, behind + 1)
        )

    def item_fits(self, at: int, stack: Stack, *, doubtful: bool = False) -> bool:
        """Is there an item of the innermost container at `at`, where a comma has been? A closer or a comma will do."""
        reader = self._reader
        begin = reader.gap(at)
        first = reader.char(begin)
        if first == "" or first in "}]" or first in COMMAS:
            return True
        if stack.top() == "{":
            if first in QUOTES:
                return key_begins(reader, begin, colon=False)
            if first in "{[":
                return stack.top(1) == "[" and container_begins(reader, begin)
            return named_value_begins(reader, begin)
        if first in "{[":
            return container_begins(reader, begin)
        begin = past_prefix(reader, begin)
        return (
            self._text_item_fits(begin, stack, doubtful=doubtful)
            if reader.char(begin) in QUOTES
            else scalar_begins(reader, begin)
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

    def opens_next_pair(self, at: int) -> bool:
        """Does the mark at `at` open the next key of an object, where the text before it was meant as a value?"""
        return self._stack.top() == "{" and pair_begins(self._reader, at)

    def opens_next_item(self, at: int) -> bool:
        """Does it open the first key of the next object of an array, which was opened in front of it?"""
        return self._stack.top(1) == "[" and self.opens_next_pair(at)

    def belongs_outside(self, at: int) -> bool:
        """Can the item at `at` only be one of the container around the innermost, whose closer is missing then?"""
        top, outer, first = self._stack.top(), self._stack.top(1), self._reader.text[at]
        if top == "[":
            return outer == "{" and first in QUOTES and is_named(self._reader, at)
        return top == "{" and outer == "[" and first in "{[" and container_begins(self._reader, at)

    def unclosed_at(self, line_end: int, start: int, opened: dict[str, int]) -> int:
        """Where a string that began at `start` was meant to end, if the raw line end is no part of it; or -1.

        `opened`: for each closer, how many more brackets the string opened than closed in front of the line end.
        """
        reader = self._reader
        next_line = reader.gap(line_end)
        first = reader.char(next_line)
        if first == "" or not self._stack.top():
            return -1
        line = _end_of_line(reader.text, line_end, max(start, line_end - BACK), opened)
        if any(CLOSER_OF.get(self._stack.top(up)) != closer for up, closer in enumerate(line.closers)):
            return -1
        stack = Branch(self._stack, len(line.closers))
        if first in "}]" and not line.with_comma:
            fits = CLOSER_OF.get(stack.top()) == first and opened[first] <= 0 and self._closers_fit(next_line, stack)
        else:
            fits = self._line_fits(next_line, first, stack, line.with_comma)
        is_key = stack.top() == "{" and first in QUOTES
        return line.content if fits and (is_key or not self._next_mark_closes(line_end)) else -1

    def _line_fits(self, at: int, first: str, stack: Stack, with_comma: bool) -> bool:
        """Does the next line, which begins at `at`, begin with an item of the container that is open then?"""
        if stack.top() == "{":
            if first in QUOTES:
                return key_begins(self._reader, at, colon=not with_comma)
            return with_comma and named_value_begins(self._reader, at)
        return with_comma and first not in "}]" and first not in COMMAS and self.item_fits(at, stack)

    def _next_mark_closes(self, at: int) -> bool:
        """Is there a `"` behind `at`, within the window, that is a good end of a value?"""
        since, mark, there = self._marks
        if not since <= at <= mark:
            reader = self._reader
            mark = reader.run(_TO_QUOTE, at, 4 * WINDOW)
            there = reader.char(mark) == '"'
            self._marks = (at, mark, there)
        return there and self.follows(mark + 1, key=False)

    def _text_item_fits(self, at: int, stack: Stack, *, doubtful: bool = False) -> bool:
        """A quoted string that is a whole item of an array; or a key, where the object around goes on."""
        reader = self._reader
        end = text_end(reader, at)
        if end < 0:
            return True
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
            return named_value_begins(self._reader, at)
        reader = self._reader
        end = reader.run(SCALAR, at, LONGEST_NAME)
        behind = reader.char(end)
        may_end = behind in WHITE_SPACE or behind in "]}" or behind in COMMAS or behind in QUOTES
        return may_end and is_scalar(reader.text[at:end])

    def _closers_fit(self, at: int, stack: Stack, *, doubtful: bool = False) -> bool:
        """Closers from `at` on, and behind them what may follow them; if `doubtful`, no word behind the root."""
        reader = self._reader
        closed = 0
        while reader.char(at) in ("}", "]"):
            closed += 1
            if closed > MOST_CLOSERS or not stack.top(closed):
                return not (doubtful and self._word_follows(at + 1))
            at = reader.gap(at + 1)
        first = reader.char(at)
        if first == "":
            return True
        outer = Branch(stack, closed)
        if first in COMMAS:
            return self.item_fits(at + 1, outer)
        if first in "{[":
            return container_begins(reader, at)
        return first in QUOTES and self.item_fits(at, outer)

    def _word_follows(self, at: int) -> bool:
        """Does a word stand at `at`, on the same line?"""
        begin = self._reader.space(at)
        return self._reader.char(begin).isalpha() and "\n" not in self._reader.text[at:begin]


class _LineEnd(NamedTuple):
    """How a line ends: behind `content` stand `closers`, in their order, and a comma or none."""

    content: int
    closers: str
    with_comma: bool


def _end_of_line(text: str, line_end: int, floor: int, opened: dict[str, int]) -> _LineEnd:
    """How the line that ends at `line_end` ends, back to `floor`; closers of what is `opened` in it are content."""
    content = end = _back_over_space(text, line_end, floor)
    with_comma = end > floor and text[end - 1] == ","
    if with_comma:
        content = end - 1
    closers = ""
    while content > floor and (closer := text[content - 1]) in "}]" and opened[closer] + closers.count(closer) < 0:
        closers = text[content - 1] + closers
        content = _back_over_space(text, content - 1, floor)
    return _LineEnd(content, closers, with_comma)


def _back_over_space(text: str, at: int, floor: int) -> int:
    while at > floor and text[at - 1] in " \t\r":
        at -= 1
    return at

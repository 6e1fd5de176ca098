"""Quoting: one string, in whatever quotes and with whatever in it, rewritten as a strict one.

A mark that the strict path would take for the end is the end, as long as nothing in the string was faulty.
From the first fault on, a mark must also fit what follows (see `foresight`). Where a mark looked like the end and did
not fit, and neither PATIENCE further marks nor REACH characters bring a better one, it was the end after all.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jsonseam.beginnings import text_end
from jsonseam.foresight import Foresight
from jsonseam.lexemes import CLOSER_OF
from jsonseam.reader import Reader
from jsonseam.spelling import CLOSING, cut_literal_meant, escaped_control, quote_kind
from jsonseam.spots import Note, Quoted
from jsonseam.tripling import read_tripled

PATIENCE = 8
REACH = 1024

_CONTROL = re.compile(r"[\x00-\x1f]*+")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*+')
_ESCAPED = re.compile(r'(?:[^"\\\x00-\x1f”]++|\\["\\/bfnrt])*+')
_IN_QUOTES = {quote: re.compile(rf'[^"\\\x00-\x1f{re.escape(closing)}]*+') for quote, closing in CLOSING.items()}
_LOW_BEGUN = re.compile(r"(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]{0,2})?)?)?)?\Z")  # of the mate of a high surrogate
_WORD = re.compile(r"[^\W\d_]*+")
_HEX_DIGITS = frozenset("0123456789ABCDEFabcdef")
_BROKEN_OFF: Final = -1  # in the place of a code unit
_FOLDER = re.compile(r"[A-Za-z]:\\[\w.\-]")
_UNCLOSED_KEY = re.compile(r"([\w$.\-]{1,64}+)('?+)[ \t]*+:")
_COMMA_BEFORE = re.compile(r",\s{0,64}+\Z")
_NEXT_ITEM_BEFORE = re.compile(r"\}\s{0,32}+,\s{0,16}+\{\s{0,16}+\Z")


def read_string(reader: Reader, foresight: Foresight, at: int, *, key: bool) -> Quoted:
    """The string whose opening quote is at `at`. Cost: its length, and a look ahead at each mark in it."""
    opener = reader.text[at]
    if opener == '"' and (tripled := read_tripled(reader, foresight, at, key=key)):
        return tripled
    found = _String(reader, foresight, at, key).read()
    if opener == '"':
        return found
    note = Note(quote_kind(opener), 0, reader.text[at : found.end], found.strict)
    return Quoted(found.end, found.strict, [note], found.finished)


class _Doubted(NamedTuple):
    """A mark that looked like the end and did not fit what follows: where it is, and what was written before it."""

    at: int
    pieces: int
    length: int
    notes: int


class _String:
    """The string as far as it is read: up to `_at`, and written in `_pieces`, each of which stands at its `_starts`.

    `_plain` is the pattern of what is copied, `_closing` the marks that may be the end. `_marks` counts those that were
    taken for a part of the text since one was `_doubted`. `_inner_open`: the last one opened a pair inside the string.
    `_line_seen`: line ends in front of that place were looked at. `_open`: by their closers, the brackets that it
    opened and did not close, as far as they are `_counted`; `_curly_open` and `_curly_seen` are the same for “ and ”.
    """

    __slots__ = ("_at", "_begin", "_closing", "_counted", "_curly_open", "_curly_seen", "_doubted", "_foresight",
                 "_inner_open", "_key", "_length", "_line_seen", "_marks", "_notes", "_open", "_pieces", "_plain",
                 "_reader", "_starts", "_text")  # fmt: skip

    def __init__(self, reader: Reader, foresight: Foresight, at: int, key: bool) -> None:
        self._reader = reader
        self._foresight = foresight
        self._text = reader.text
        self._begin = at + 1
        self._at = at + 1
        self._key = key
        self._closing = CLOSING[reader.text[at]]
        if self._closing != '"':
            self._plain = _IN_QUOTES[reader.text[at]]
        else:
            self._plain = _PLAIN if _FOLDER.match(reader.text, at + 1) else _ESCAPED
        self._pieces = ['"']
        self._starts = [at]
        self._length = 1
        self._notes: list[Note] = []
        self._doubted: _Doubted | None = None
        self._marks = 0
        self._inner_open = False
        self._line_seen = 0
        self._counted = self._curly_seen = at + 1
        self._curly_open = 0
        self._open = dict.fromkeys(CLOSER_OF.values(), 0)

    def read(self) -> Quoted:
        """Piece by piece: plain text is copied, and each mark, escape and control character is looked at."""
        reader = self._reader
        while True:
            doubted = self._doubted
            limit = None if doubted is None else max(0, doubted.at + REACH - self._at)
            end = reader.run(self._plain, self._at, limit)
            self._copy(end)
            first = reader.char(end)
            over = first == "" and not self._doubts_a_pair()
            if doubted is not None and (over or self._marks > PATIENCE or end - doubted.at >= REACH):
                return self._close_where_doubted(doubted)
            if first == "":
                return self._done(end, finished=False)
            if first in self._closing or first == '"':
                closed = self._mark(end, first)
            elif first == "\\":
                closed = self._escape(end)
            elif first == "”":
                closed = self._curly_mark(end)
            else:
                closed = self._control(end)
            if closed is not None:
                return closed

    def _copy(self, end: int) -> None:
        if end > self._at:
            self._pieces.append(self._text[self._at : end])
            self._starts.append(self._at)
            self._length += end - self._at
            self._at = end

    def _put(self, end: int, after: str, kind: str = "") -> None:
        """Let `after` stand for the text up to `end`; a mend, if it has a kind."""
        if kind:
            self._notes.append(Note(kind, self._length, self._text[self._at : end], after))
        self._pieces.append(after)
        self._starts.append(self._at)
        self._length += len(after)
        self._at = end

    def _done(self, end: int, *, finished: bool = True, kind: str = "") -> Quoted:
        if finished:
            if kind:
                self._notes.append(Note(kind, self._length, "", '"'))
            self._pieces.append('"')
        return Quoted(end, "".join(self._pieces), self._notes, finished)

    def _mark(self, at: int, mark: str) -> Quoted | None:
        """A quotation mark: the end, or part of the text."""
        if mark in self._closing:
            if (end := self._concatenated(at, mark)) > at:
                self._put(end, "", "concatenation")
                return None
            if self._closes_inner(at) or (self._behind_inner() and self._reader.char(at + 1) == "\\"):
                self._put(at + 1, '\\"', "inner-quote")
                return None
            foresight, key = self._foresight, self._key
            at_first_sight = foresight.closes_at_first_sight(at + 1, key=key)
            if at_first_sight and not self._notes and self._closing == '"':
                return self._done(at + 1)
            if foresight.follows(at + 1, key=key, doubtful=self._inner_open) or (
                at_first_sight and not self._inner_open and not key and foresight.text_item_begins(at + 1)
            ):
                return self._done(at + 1)
            self._marks += 1
            if at_first_sight and self._doubted is None:
                self._doubted = _Doubted(at, len(self._pieces), self._length, len(self._notes))
                self._marks = 0
        if self._key and (closed := self._unclosed_key(at)) is not None:
            return closed
        if (end := self._unclosed_before_mark(at)) >= 0:
            return self._cut_back(end, end)
        if mark == '"':
            self._inner_open = self._opens_inner(at)
            self._put(at + 1, '\\"', "inner-quote")
        else:
            self._put(at + 1, mark)
        return None

    def _closes_inner(self, at: int) -> bool:
        """Is the mark the second one of a pair inside, and all that comes behind it a comma, and a word perhaps?"""
        if self._closing != '"' or self._text[at] != '"' or not self._notes:
            return False
        reader, behind = self._reader, at + 1
        if not self._key and reader.char(behind) == ",":  # "yes", and it may go on with more words
            word = reader.space(behind + 1)
            behind = reader.run(_WORD, word)
            if behind > word and cut_literal_meant(self._text[word:behind]) is not None:
                return False
        if reader.char(behind) != "":
            return False
        return self._is_inner_open(len(self._notes))

    def _behind_inner(self) -> bool:
        """Was a mark inside the string what was last mended?"""
        return bool(self._notes) and self._notes[-1].kind == "inner-quote"

    def _doubts_a_pair(self) -> bool:
        """Is the mark that may have been the end the second one of a pair inside, so that the words behind it go on?"""
        return self._closing == '"' and self._doubted is not None and self._is_inner_open(self._doubted.notes)

    def _is_inner_open(self, notes: int) -> bool:
        """Do the first so many notes leave a pair of marks inside open?"""
        return sum(note.kind == "inner-quote" for note in self._notes[:notes]) % 2 == 1

    def _concatenated(self, at: int, mark: str) -> int:
        """Behind the `" + "` that begins at `at`, if it joins two strings as a program would; or `at`."""
        reader = self._reader
        plus = reader.space(at + 1)
        if reader.char(plus) != "+" or any(note.kind != "concatenation" for note in self._notes):
            return at
        begin = reader.space(plus + 1)
        end = text_end(reader, begin) if reader.char(begin) == mark else -1
        if end < 0 or not (reader.char(reader.space(end)) == "+" or self._foresight.follows(end, key=self._key)):
            return at
        return begin + 1

    def _opens_inner(self, at: int) -> bool:
        """Is the mark at `at` the first of a pair, going by the white space around it?"""
        before = self._text[at - 1] if at > self._begin else " "
        behind = self._reader.char(at + 1)
        return (before.isspace() or before in "([{") and not behind.isspace()

    def _unclosed_before_mark(self, at: int) -> int:
        """Where the string was meant to end, if the mark at `at` opens the next key; or -1."""
        if self._key or self._behind_inner():
            return -1
        floor = max(self._begin, at - 66)
        item = _NEXT_ITEM_BEFORE.search(self._text, floor, at)
        if item is not None and self._foresight.opens_next_item(at):
            return item.start()
        comma = _COMMA_BEFORE.search(self._text, floor, at)
        if comma is None or not self._foresight.opens_next_pair(at):
            return -1
        return comma.start()

    def _unclosed_key(self, at: int) -> Quoted | None:
        """The key whose mark was forgotten, or was a single one, if its colon stands in front of `at`."""
        found = _UNCLOSED_KEY.match(self._text, self._begin)
        return self._cut_back(found.end(1), found.end(2)) if found and found.end() <= at else None

    def _curly_mark(self, at: int) -> Quoted | None:
        """A typographic mark in a string in plain quotes: its end, if none inside opens it, and what follows fits."""
        since, self._curly_seen = self._curly_seen, at + 1
        self._curly_open += self._text.count("“", since, at) + self._text.count("„", since, at)
        if not self._curly_open and self._foresight.follows(at + 1, key=self._key):
            return self._cut_back(at, at + 1)
        self._curly_open += -1 if self._curly_open else 1  # some open with this one, too
        self._copy(at + 1)
        return None

    def _escape(self, at: int) -> Quoted | None:
        """A backslash at `at`: an escape as it is, or as it was meant; or the last one of a folder."""
        reader = self._reader
        letter = reader.char(at + 1)
        if letter == "":
            self._copy(at + 1)
        elif letter == "u":
            self._unicode_escape(at)
        elif letter == '"' and self._ends_folder(at):
            self._put(at + 1, "\\\\", "bad-escape")
            return self._done(at + 2)
        elif letter in '"\\/bfnrt':
            self._copy(at + 2)
        elif letter in self._closing or letter in "'`":
            self._put(at + 2, letter, "bad-escape")
        elif letter < " " and self._escapes_line_end(at):
            self._put(at + 1, "", "bad-escape")
        else:
            self._put(at + 1, "\\\\", "bad-escape")
        return None

    def _escapes_line_end(self, at: int) -> bool:
        """Was the backslash at `at` to escape the raw control character behind it? One behind a blank is a shell's."""
        return self._plain is not _PLAIN and self._text[at - 1] not in " \t"

    def _ends_folder(self, at: int) -> bool:
        r"""Is the `\"` at `at` the end of a string like "C:\new\", whose backslashes all mean themselves?"""
        return (
            self._closing == '"'
            and _FOLDER.match(self._text, self._begin, at) is not None
            and self._foresight.follows(at + 2, key=self._key)
        )

    def _unicode_escape(self, at: int) -> None:
        """A unicode escape at `at`: a whole code unit, or a pair; a lone half becomes U+FFFD."""
        unit = self._code_unit(at)
        if unit is None:
            self._put(at + 1, "\\\\", "bad-escape")
        elif unit == _BROKEN_OFF or not 0xD800 <= unit <= 0xDFFF:
            self._copy(min(at + 6, self._reader.size))
        elif unit < 0xDC00 and self._is_low_half(at + 6):
            self._copy(min(at + 12, self._reader.size))
        else:
            self._put(at + 6, "\\ufffd", "lone-surrogate")

    def _is_low_half(self, at: int) -> bool:
        """Is the second half of a surrogate pair at `at`, or the beginning of one that the final text ends in?"""
        unit = self._code_unit(at)
        if unit == _BROKEN_OFF:
            return _LOW_BEGUN.match(self._text, at) is not None
        return unit is not None and 0xDC00 <= unit <= 0xDFFF

    def _code_unit(self, at: int) -> int | None:
        r"""The number in the `\uXXXX` at `at`; None if there is none, _BROKEN_OFF if the final text ends in it."""
        reader = self._reader
        for offset, wanted in enumerate("\\u"):
            found = reader.char(at + offset)
            if found != wanted:
                return _BROKEN_OFF if found == "" else None
        end = at + 2
        while end < at + 6 and reader.char(end) in _HEX_DIGITS:
            end += 1
        if end < at + 6:
            return _BROKEN_OFF if reader.char(end) == "" else None
        return int(self._text[at + 2 : end], 16)

    def _control(self, at: int) -> Quoted | None:
        """Control characters at `at`: part of the text, unless the line ends where the string should have."""
        end = self._reader.run(_CONTROL, at)
        line_end = self._text.find("\n", at, end)
        if line_end >= self._line_seen:
            if self._key and (closed := self._unclosed_key(self._at)) is not None:
                return closed
            if (
                not self._key
                and (cut := self._foresight.unclosed_at(line_end, self._begin, self._balance(line_end))) >= 0
            ):
                return self._cut_back(cut, cut)
            self._line_seen = self._reader.gap(line_end)
        self._put(end, "".join(map(escaped_control, self._text[at:end])), "raw-control")
        return None

    def _balance(self, end: int) -> dict[str, int]:
        """For each closer, how many more openers than closers the string has in front of `end`. Cost: what is new."""
        counted, self._counted = self._counted, end
        for opener, closer in CLOSER_OF.items():
            self._open[closer] += self._text.count(opener, counted, end) - self._text.count(closer, counted, end)
        return self._open

    def _cut_back(self, end: int, behind: int) -> Quoted:
        """Close the string at `end`. What stands behind it belongs to what follows, but for a mark, up to `behind`."""
        pieces, starts = self._pieces, self._starts
        while len(pieces) > 1 and starts[-1] >= end:
            self._length -= len(pieces.pop())
            starts.pop()
        over = starts[-1] + len(pieces[-1]) - end
        if over > 0 and self._text.startswith(pieces[-1], starts[-1]):
            pieces[-1] = pieces[-1][:-over]
            self._length -= over
        while self._notes and self._notes[-1].at >= self._length:
            self._notes.pop()
        if behind > end:
            self._notes.append(Note(quote_kind(self._text[end]), self._length, self._text[end:behind], '"'))
            return self._done(behind)
        return self._done(end, kind="unclosed-string")

    def _close_where_doubted(self, doubted: _Doubted) -> Quoted:
        self._length = doubted.length
        del self._pieces[doubted.pieces :], self._starts[doubted.pieces :], self._notes[doubted.notes :]
        return self._done(doubted.at + 1)

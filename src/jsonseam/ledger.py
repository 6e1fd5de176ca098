"""The text of the document as it was taken: settled pieces, their length, and marks to find a place again.

Rule: a mark is an offset at which a settled piece begins, so a reader can start there outside any string. There
is one about every four kilobytes, so that a place is found by reading about as much, however long the document is.
A mark costs the depth, so where more than four thousand containers are open, marks are as far apart as there are open
ones.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from jsonseam.lexemes import WHITE_SPACE
from jsonseam.past import Past

MARK_EVERY: Final = 4096  # characters


class Mark(NamedTuple):
    """A place to start reading at: the openers of the containers open there, and the last significant character."""

    offset: int
    frames: str
    last: str


class Counted(NamedTuple):
    """How many values were finished when the document had `size` characters, of which `last` was significant."""

    size: int
    values: int
    last: str


# Shared by all ledgers that are short: where thousands wait, each byte counts. The type is a sequence, because compiled
# code makes a new object of a tuple each time that it hands one on.
_FIRST_PIECE: Final = (0, 0)
_AT_START: Final[Sequence[Mark]] = (Mark(0, "", ""),)
_NOTHING_COUNTED: Final[Sequence[Counted]] = (Counted(0, 0, ""),)


class Ledger:
    """`size` is in characters; `last` is the last significant character, "" where there is none yet.

    `next_mark` is the size from which on the next mark is due. `counted`: what `tally.py` found out. `past`: what is
    known of the text that was forgotten, which is none unless `forget` was asked for; offsets go on to count it.
    """

    __slots__ = ("_held", "_marks", "_packed", "_seek", "_whole", "counted", "last", "next_mark", "past", "size")

    def __init__(self) -> None:
        self._held: list[str] = []
        self._whole = 0  # how many of these, from the first on, are joined for good
        self._packed: str | bytes = ""  # what stands in front of `_held` while it is parked
        self._marks: Sequence[Mark] = _AT_START  # a list of its own as soon as there is another mark
        self._seek = _FIRST_PIECE  # a piece, by its number, and the offset at which it begins
        self.counted: Sequence[Counted] = _NOTHING_COUNTED  # as with the marks
        self.size = 0
        self.next_mark = MARK_EVERY
        self.last = ""
        self.past: Past | None = None

    @property
    def begins(self) -> int:
        """Where the text begins that is held."""
        return self.past.size if self.past else 0

    @property
    def text(self) -> str:
        """All of it that is held. Pieces are joined once and stay joined."""
        if len(self._pieces) > 1:
            self._pieces[:] = ["".join(self._pieces)]
            self._rewind()
        self._whole = len(self._pieces)
        return self._pieces[0] if self._pieces else ""

    @property
    def _pieces(self) -> list[str]:
        if self._packed:
            packed, self._packed = self._packed, ""
            self._held.insert(0, packed if isinstance(packed, str) else packed.decode(errors="surrogatepass"))
            self._whole += 1
            self._rewind()
        return self._held

    def _rewind(self) -> None:
        self._seek = (0, self.begins) if self.past else _FIRST_PIECE

    def park(self) -> None:
        """Hold the text in one piece, as bytes where they take half as much: one 😀 makes four of each character.

        Whoever looks at it wakes it.
        """
        text = self.text
        packed = text.encode(errors="surrogatepass")
        self._packed = packed if 2 * len(packed) <= sys.getsizeof(text) else text
        self._held, self._whole = [], 0
        self._marks = tuple(self._marks)

    def _own_marks(self) -> list[Mark]:
        if not isinstance(self._marks, list):
            self._marks = list(self._marks)
        return self._marks

    def count(self, counted: Counted) -> None:
        """Remember what was found out of the text up to here."""
        if isinstance(self.counted, list):
            self.counted.append(counted)
        else:
            self.counted = [*self.counted, counted]

    def mark(self, frames: list[str]) -> None:
        """Remember that the next piece begins here, inside the containers whose openers are `frames`.

        The pieces since the last mark become one: it takes less memory, and less time to go through them.
        """
        pieces, whole = self._held, self._whole
        if len(pieces) - whole > 1:
            pieces[whole:] = ["".join(pieces[whole:])]
            if self._seek[0] > whole:
                self._rewind()
        self._whole = len(pieces)
        self._own_marks().append(Mark(self.size, sys.intern("".join(frames)), self.last))
        self.next_mark = _behind(self._marks[-1])

    def add(self, piece: str) -> None:
        """Take a settled piece, which is not empty."""
        self._held.append(piece)
        self.size += len(piece)
        last = piece[-1]
        if last in WHITE_SPACE:
            last = piece.rstrip(WHITE_SPACE)[-1:] or self.last
        self.last = last

    def _last_significant(self) -> str:
        for piece in reversed(self._pieces):
            stripped = piece.rstrip(WHITE_SPACE)
            if stripped:
                return stripped[-1]
        return self._marks[0].last

    def cut(self, size: int) -> str:
        """Shorten to `size` characters; return what was cut off. Cost: what is cut off, and one piece."""
        cut: list[str] = []
        while self.size > size:
            piece = self._pieces.pop()
            self.size -= len(piece)
            if self.size < size:
                keep = size - self.size
                self._pieces.append(piece[:keep])
                piece = piece[keep:]
                self.size = size
            cut.append(piece)
        self._seek = (0, self.begins)
        self._whole = min(self._whole, len(self._pieces))
        while self._marks[-1].offset > size:
            self._own_marks().pop()
        if isinstance(self.counted, list):
            while self.counted[-1].size > size:
                self.counted.pop()
        self.next_mark = _behind(self._marks[-1])
        self.last = self._last_significant()
        return "".join(reversed(cut))

    def head(self, size: int) -> str:
        """The first `size` characters (at most HEAD of them). Cost: what is returned, and the number of its pieces."""
        return self.past.head[:size] if self.past else self.part(0, size)

    def part(self, offset: int, size: int) -> str:
        """At most `size` characters from `offset` on, if that is held. Cost: what is returned, if asked in order."""
        number, here = self._find(offset)
        found: list[str] = []
        while size > 0 and number < len(self._pieces):
            found.append(self._pieces[number][here : here + size])
            size -= len(found[-1])
            number += 1
            here = 0
        return found[0] if len(found) == 1 else "".join(found)

    def goes_on(self, text: str, offset: int) -> bool:
        """Is this what is held from `offset` on? Cost: as `part`; nothing is copied where one piece has all of it."""
        number, begins = self._seek
        pieces = self._pieces
        if begins <= offset and number < len(pieces) and pieces[number].startswith(text, offset - begins):
            return True  # most often
        number, here = self._find(offset)
        while number < len(pieces):
            piece = pieces[number]
            room = len(piece) - here
            if room >= len(text):
                return piece.startswith(text, here)
            if not piece.endswith(text[:room], here):
                return False
            text = text[room:]
            number += 1
            here = 0
        return not text

    def _find(self, offset: int) -> tuple[int, int]:
        """The number of the piece that has the character at `offset`, and where in it.

        Cost: none if asked in order, or else the number of pieces from the last place that was asked for, or from
        the nearer end.
        """
        pieces = self._pieces
        number, begins = self._seek
        if offset - self.begins < abs(offset - begins):
            number, begins = 0, self.begins
        if self.size - offset < abs(offset - begins):
            number, begins = len(pieces), self.size
        while number and begins > offset:
            number -= 1
            begins -= len(pieces[number])
        while number < len(pieces) and begins + len(pieces[number]) <= offset:
            begins += len(pieces[number])
            number += 1
        self._seek = number, begins
        return number, offset - begins

    def since(self, offset: int) -> str:
        """The text from `offset` on. Cost: what is returned, and the number of its pieces."""
        need, pieces = self.size - offset, []
        for piece in reversed(self._pieces):
            if need <= 0:
                break
            pieces.append(piece[max(0, len(piece) - need) :])
            need -= len(piece)
        return "".join(reversed(pieces))

    def forget(self, offset: int, frames: str) -> None:
        """Hold no text in front of `offset`, which lies right behind a finished value or an opener.

        `frames`: the openers of the containers open there. Cost: the text that is held.
        """
        begins, text = self.begins, self.text
        if offset <= begins:
            return
        gone = text[: offset - begins]
        last = gone.rstrip(WHITE_SPACE)[-1:] or self._marks[0].last
        self._pieces[:] = [text[offset - begins :]]
        self._whole = 1
        self.past = self.past or Past()
        self.past.add(gone)
        self._seek = (0, self.begins)
        self._own_marks()[: bisect_right(self._marks, offset, key=_offset_of)] = [Mark(offset, frames, last)]

    def state(self) -> dict[str, Any]:
        """Plain JSON, for a checkpoint of what cannot be read again from the document's text."""
        return {
            "text": self.text,
            "marks": [list(mark) for mark in self._marks],
            "counted": [list(counted) for counted in self.counted],
            "past": self.past.state() if self.past else None,
        }

    @classmethod
    def resume(cls, state: dict[str, Any]) -> Ledger:
        ledger = cls()
        ledger._marks = [Mark(*mark) for mark in state["marks"]]
        ledger.counted = [Counted(*counted) for counted in state["counted"]]
        ledger.past = Past.resume(state["past"]) if state["past"] else None
        ledger.size = ledger.begins
        ledger._seek = (0, ledger.begins)
        ledger.last = ledger._marks[0].last
        if state["text"]:
            ledger.add(state["text"])
            ledger._whole = 1
        ledger.next_mark = _behind(ledger._marks[-1])
        return ledger

    def mark_before(self, offset: int) -> Mark:
        """The last mark before `offset`, or the one at the start of the document."""
        return self._marks[max(0, bisect_left(self._marks, offset, key=_offset_of) - 1)]


def _behind(mark: Mark) -> int:
    """Where the next mark is due."""
    return mark.offset + max(MARK_EVERY, len(mark.frames))


def _offset_of(mark: Mark) -> int:
    return mark.offset

"""All the ways in which one fragment could join what is held. Nothing is decided here.

Each way comes with the evidence for it: the information (in nats) of the text that it explains as a repetition,
and what such a join costs before anything is known. A way that is not offered cannot be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jsonseam import echoes, lexemes
from jsonseam.chance import ENOUGH
from jsonseam.distant import restarts
from jsonseam.faraway import elements
from jsonseam.grammar import Expect
from jsonseam.halves import halves
from jsonseam.joining import Way
from jsonseam.reopening import entries
from jsonseam.restarting import NOTHING_NEW
from jsonseam.sides import Entry, Held, Piece

LEAST_ALIKE: Final = {"{": 4, "[": 2}  # tokens that an item said again in other words begins with as it did
MOST_ALIKE: Final = 20.0  # nats that such a beginning tells
MOST_LOST: Final = 40.0  # nats of held text that gives way: data is not given up for a guess
# Nats against a way, before anything is known.
ONE_COMMA: Final = 1.0  # a comma or colon more or less, where that alone makes it JSON
NEXT_VALUE: Final = 2.0  # the next value, where an unfinished token is held
NEXT_NUMBER: Final = 5.0  # and that value is a number: its digits may go on with the held one
NEW_ITEMS: Final = 4.0  # the path opened again around new items
BEHIND_NUMBER: Final = 9.0  # and that where the number at the end may not be whole
REWORDED: Final = 6.0  # an item said again in other words
FIRST_TOKEN: Final = Entry(0, 0.0, -1)  # of the piece: no path is opened in front of what is said again


class Choices:
    """Every way in which one piece could join what is held. What it takes to find them is worked out once."""

    __slots__ = ("_entries", "_held", "_piece", "_restarts")

    def __init__(self, held: Held, piece: Piece) -> None:
        self._held, self._piece = held, piece
        self._entries: tuple[list[Entry], bool] | None = None
        self._restarts: list[Way] | None = None

    def may_be_echo(self) -> bool:
        """Is all of the piece so far something that is held? Then more of it must tell where the news begin."""
        held, piece = self._held, self._piece
        return (
            piece.text[piece.start :] in held.window.text
            or echoes.runs_in(held, piece)
            or self.entries()[1]
            or any(way.detail == NOTHING_NEW for way in self.restarts())
        )

    def entries(self) -> tuple[list[Entry], bool]:
        if self._entries is None:
            self._entries = entries(self._held, self._piece)
        return self._entries

    def restarts(self) -> list[Way]:
        """The document said again, or an element that began in front of the window."""
        if self._restarts is None:
            held, piece = self._held, self._piece
            self._restarts = list(restarts(held, piece))
            if held.offset and piece.first in ("{", "["):
                for entry in (FIRST_TOKEN, *self.entries()[0]):
                    self._restarts += elements(held, piece, entry)
        return self._restarts

    def ways(self) -> Iterator[Way]:
        """The literal join first. Cost: the window and a bounded part of the fragment."""
        wrapping = self._piece.wrapping
        for way in self._all():
            yield way.wrapped(wrapping) if wrapping else way

    def _all(self) -> Iterator[Way]:
        held, piece = self._held, self._piece
        yield Way("continue", held.size, piece.start, "it goes on at the very character")
        yield from _separators(held, piece)
        yield from halves(held, piece)
        yield from echoes.to_the_letter(held, piece)
        yield from echoes.token_by_token(held, piece, FIRST_TOKEN)
        yield from _reworded(held, piece, FIRST_TOKEN)
        certain = False  # then an inner entry can say nothing else again
        for entry in self.entries()[0]:
            if not certain:
                again = list(echoes.token_by_token(held, piece, entry))
                certain = any(way.gain >= ENOUGH + entry.gain for way in again)
                yield from again
                yield from _reworded(held, piece, entry)
            yield from _appended(held, piece, entry)
        yield from self.restarts()


def _separators(held: Held, piece: Piece) -> Iterator[Way]:
    """A comma said twice, not said at all, or said before a closer."""
    first = piece.first
    if held.in_string or not first:
        return
    if held.partial or held.expect is Expect.COMMA:
        yield from _without_comma(held, piece)
    elif held.last in (",", ":") and first == held.last:
        skip = piece.text.index(first, piece.start) + 1
        said_twice = f"the {'comma' if first == ',' else 'colon'} is said twice"
        yield Way("overlap", held.size, skip, said_twice, cost=ONE_COMMA)
    elif held.last == "," and first in "}]":
        cut = held.offset + held.window.end_of(len(held.window.words) - 2)
        dropped = "a closer follows the comma, so the comma is dropped"
        yield Way("continue", cut, piece.start, dropped, cost=ONE_COMMA, detail="dropped-comma")


def _without_comma(held: Held, piece: Piece) -> Iterator[Way]:
    """The next value behind a held one, or behind what may be one: a number, or the beginning of a literal."""
    first = piece.first
    if held.partial:
        begins_value = first in '{["tfn-' or first.isdigit()
        cost = NEXT_NUMBER if first.isdigit() else NEXT_VALUE
    else:
        begins_value = first in '{["-' or first.isalnum()
        cost = ONE_COMMA
    if begins_value:
        reason = "it goes on with the next value, without the comma"
        yield Way("continue", held.size, piece.start, reason, cost=cost, insert=",")


def _appended(held: Held, piece: Piece, entry: Entry) -> Iterator[Way]:
    """The path opened again around new items: nothing of what is held is open deeper than the path leads."""
    finished = not held.partial or lexemes.is_whole_number(held.partial.rstrip())
    if entry.level != len(held.frames) - 1 or not finished or entry.token >= len(piece.tokens):
        return
    insert = "" if held.last in ("{", "[", ",") and not held.partial else ","
    yield Way(
        "reopen",
        held.size,
        piece.tokens[entry.token].start,
        "the path is opened again, around new items",
        gain=entry.gain,
        cost=BEHIND_NUMBER if held.partial else NEW_ITEMS,
        insert=insert,
        detail="new-items",
    )


def _reworded(held: Held, piece: Piece, entry: Entry) -> Iterator[Way]:
    """The cut-off item said again, beginning alike but going on otherwise; the cut-off one gives way."""
    if entry.token >= len(piece.tokens):
        return
    kind = piece.tokens[entry.token].kind
    least = LEAST_ALIKE.get(kind, 0)
    words = piece.words(entry.token, least)
    if not least or len(words) < least or held.window.lacks(words) or not held.window.may_say("".join(words)):
        return
    levels = [entry.level] if entry.token else range(len(held.frames) - 2, -1, -1)
    for level in levels:
        if not 0 <= level < len(held.frames) - 1 or held.frames[level] != "[" or held.frames[level + 1] != kind:
            continue
        opener = held.opener_of(level + 1)
        if opener is None:
            continue
        same = _count_same(held.window.spelled, opener, piece.spelled, entry.token)
        if same < least:
            continue
        if echoes.says_to_the_end(held, piece, entry.token, opener) is not None:
            return  # it is said again as it was, to the end
        start, common = held.offset + held.window.start_of(opener), held.offset + held.window.end_of(opener + same - 1)
        meter = piece.meter(held)
        yield Way(
            "reopen" if entry.token else "resume",
            start,
            piece.tokens[entry.token].start,
            "the cut-off element is said again in other words, which take its place",
            gain=min(MOST_ALIKE, meter.measure(start - held.offset, common - start, MOST_ALIKE) + entry.gain),
            cost=REWORDED,
            detail="reworded",
            lost=REWORDED + meter.measure(common - held.offset, held.size - common, MOST_LOST),
        )
        return


def _count_same(known: Sequence[str], at: int, said: Sequence[str], index: int) -> int:
    """How many tokens are the same in both, from these on."""
    most = min(len(known) - at, len(said) - index)
    return next((count for count in range(most) if known[at + count] != said[index + count]), most)

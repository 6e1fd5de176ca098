"""The two sides of a seam, as far as a decision may look at them: what is held, and one fragment.

Rule: nothing here is changed by looking, and all of it is bounded: a window of the document and as many tokens of
the fragment as could match it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from jsonseam import lexemes
from jsonseam.grammar import Expect, Reading, Token, lex_on, state_behind
from jsonseam.lexemes import OPENER_OF
from jsonseam.past import Past
from jsonseam.surprise import MOST, Meter, Model
from jsonseam.window import Window

OPENERS: Final = frozenset("{[")
UNREAD: Final = object()
FEW: Final = 64  # tokens of a fragment that are read at once
# The unfinished text in front of a place, and the state in front of that.
State = tuple[str, list[str], Expect]
Place = tuple[int, int, str]  # where what is held is cut, where the fragment goes on, and what is put between the two


class Text(Protocol):
    """Text to be read in parts. Offsets and sizes are in characters."""

    @property
    def size(self) -> int: ...

    def part(self, offset: int, size: int) -> str:
        """At most `size` characters from `offset` on."""

    def goes_on(self, text: str, offset: int) -> bool:
        """Is `text` what stands there from `offset` on?"""

    def boundary_before(self, offset: int) -> int:
        """A place before `offset`, as near as is known, at which a reader can start between two tokens."""


class Known(Text, Protocol):
    """The text of a document."""

    def finishes_more_than(self, values: int) -> bool:
        """Are more values finished in it than that, scalars and containers that closed?"""

    def opened_at(self, level: int) -> int | None:
        """Where the open container begins that stands in `level` others; None if that is too far back, or not held."""


class Held:
    """What a seam decision may look at. Offsets are in characters of the document's text.

    `window` is the end of the text, from `offset` on; `expect` is the state in front of its last, unfinished token.
    `front`: the significant character in front of the window. `frames`, `nodes` and `steps` are the open containers
    without what is not settled; `settled` is where in the window that begins, and the state there. `document` is the
    text from the start, for what says it again; `past`: what is known of the part of it that is no longer held.
    `shortened`: the window is the end of one long string. `comment`: what was delivered ends in it. `raw_lines`: line
    breaks stand in its strings as they are.

    `model` and `states` keep what was worked out elsewhere: what each character tells, and where a reader stands in
    front of a cut. `pieces`, `readings` and `oddness` keep that of the one fragment in front of which this was looked
    at, of which more may come.
    """

    __slots__ = ("comment", "document", "expect", "frames", "front", "in_string", "last", "model", "nodes", "oddness",
                 "offset", "partial", "past", "pieces", "raw_lines", "readings", "settled", "shortened", "size",
                 "states", "steps", "window")  # fmt: skip

    def __init__(
        self,
        *,
        window: Window,
        offset: int,
        front: str,
        frames: Sequence[str],
        nodes: Sequence[Any],
        steps: Sequence[str | int],
        expect: Expect,
        settled: tuple[int, Expect],
        last: str,
        shortened: bool,
        past: Past | None,
        document: Known,
    ) -> None:
        self.window, self.offset, self.front = window, offset, front
        self.frames, self.nodes, self.steps, self.expect = frames, nodes, steps, expect
        self.settled, self.last, self.shortened = settled, last, shortened
        self.past, self.document = past, document
        self.comment, self.raw_lines = "", False
        self.size = offset + len(window.text)
        self.partial = window.partial
        self.in_string = self.partial.startswith('"')
        self.model = Model(window.text, in_string=self.in_string)
        self.states: dict[int, State] = {}
        self.readings: dict[Place, Reading] = {}
        self.oddness: dict[Place, float] = {}
        self.pieces: dict[int, Piece] = {}

    def opener_of(self, level: int) -> int | None:
        """The token at which an open container begins; None before the window."""
        at = level - len(self.frames) + len(self.window.openers)
        return self.window.openers[at] if at >= 0 else None

    def state_before(self, token: int) -> tuple[list[str], Expect]:
        """The state in which a reader stands in front of a token. Cost: the tokens behind it."""
        words, frames = self.window.words, list(self.frames)
        for word in reversed(words[token:]):
            if word in OPENER_OF:
                frames.append(OPENER_OF[word])
            elif word in OPENERS:
                frames.pop()
        if words[token : token + 1] == [":"]:
            return frames, Expect.COLON
        return frames, state_behind(frames, words[token - 1][-1] if token else self.front)


class Piece:
    """A fragment from one place on where its data may begin, as so many tokens as could say what is held, and more.

    `whole`: these are all. `wrapping`: nats against believing that it begins there.
    """

    __slots__ = ("_ahead", "_meter", "_spelled", "start", "tail", "text", "tokens", "whole", "wrapping")

    def __init__(self, start: int) -> None:
        self.start = self.tail = start
        self.text, self.wrapping, self.whole = "", 0.0, True
        self.tokens: list[Token] = []
        self._spelled: list[str] = []
        self._meter: Meter | None = None
        self._ahead: dict[int, float] = {}

    def grow(self, held: Held, text: str) -> None:
        """The fragment came to be `text`."""
        self.text, self._meter = text, None
        most = FEW
        self.tail = lex_on(self.tokens, text, self.tail, most=most)
        if len(self.tokens) >= most:
            most += len(held.window.words)
            self.tail = lex_on(self.tokens, text, self.tail, most=most)
        self.whole = len(self.tokens) < most

    @property
    def spelled(self) -> list[str]:
        """Its tokens; those that say the same are the same."""
        known = self._spelled
        if len(known) < len(self.tokens):
            known += lexemes.spelled_words(self.words(len(known), len(self.tokens)))
        return known

    def meter(self, held: Held) -> Meter:
        """What the characters of the window tell, and the first ones of this piece behind it."""
        if self._meter is None:
            ahead = self.text[self.start : self.start + MOST]
            self._meter = Meter(held.model, ahead, self._ahead)
        return self._meter

    @property
    def first(self) -> str:
        return self.text[self.start : self.start + 64].lstrip()[:1]

    @property
    def closes_root(self) -> bool:
        """Is it, as far as it is looked at, a whole document?"""
        return bool(self.tokens) and self.tokens[-1].depth == 0 and self.tokens[-1].kind in ("}", "]")

    def word(self, index: int) -> str:
        token = self.tokens[index]
        return self.text[token.start : token.end]

    def words(self, index: int, most: int) -> list[str]:
        """At most so many tokens as they stand, from `index` on."""
        return [self.text[token.start : token.end] for token in self.tokens[index : index + most]]

    def tokens_from(self, index: int) -> str:
        """The text of its tokens from `index` on."""
        return self.text[self.tokens[index].start : self.tokens[-1].end] if index < len(self.tokens) else ""

    def said_from(self, index: int) -> str:
        """The same, with the unfinished token behind them if these are all."""
        return self.text[self.tokens[index].start :] if self.whole else self.tokens_from(index)

    def value_of_key(self, index: int) -> str:
        """The kind of the value that follows the key at `index`; "" if there is none."""
        behind_colon = index + 2
        has_value = behind_colon < len(self.tokens) and self.tokens[index + 1].kind == ":"
        return self.tokens[behind_colon].kind if has_value else ""

    def behind_value(self, index: int) -> int | None:
        """The token behind the value that begins at the token `index`; None if the value is not finished here."""
        if index >= len(self.tokens):
            return None
        first = self.tokens[index]
        if first.kind not in ("{", "["):
            return index + 1
        for at in range(index + 1, len(self.tokens)):
            if self.tokens[at].depth == first.depth and self.tokens[at].kind in ("}", "]"):
                return at + 1
        return None

    def says(self, index: int, behind: int, value: Any) -> bool:
        """Do the tokens from `index` up to `behind` spell `value`?"""
        return bool(self.value(index, behind) == value)

    def value(self, index: int, behind: int) -> Any:
        """The value that the tokens from `index` up to `behind` spell; UNREAD if they spell none."""
        try:
            said, end = lexemes.SCAN(self.text, self.tokens[index].start)
        except (StopIteration, ValueError, RecursionError):
            return UNREAD
        return said if end == self.tokens[behind - 1].end else UNREAD


class Entry(NamedTuple):
    """A token of the fragment that stands in an open container, with the evidence so far (nats), and its level."""

    token: int
    gain: float
    level: int


def piece_from(held: Held, text: str, start: int, wrapping: float) -> Piece:
    """The fragment from `start` on, of which a beginning may be known."""
    piece = held.pieces.get(start)
    if piece is None:
        piece = held.pieces[start] = Piece(start)
    piece.grow(held, text)
    piece.wrapping = wrapping
    return piece

"""The two sides of a seam, as far as a decision may look at them: what is held, and one fragment.

Rule: nothing here is changed by looking, and all of it is bounded: a window of the document and as many tokens of
the fragment as could match it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from jsonseam.grammar import Expect, Reading, lex
from jsonseam.past import Past
from jsonseam.surprise import MOST, Meter

# The unfinished text in front of a place, and the state in front of that.
State = tuple[str, list[str], Expect]


class Known(Protocol):
    """The text of a document, to be read in parts. Offsets and sizes are in characters."""

    @property
    def size(self) -> int: ...

    def finishes_more_than(self, values: int) -> bool:
        """Are more values finished in it than that, scalars and containers that closed?"""

    def part(self, offset: int, size: int) -> str:
        """At most `size` characters from `offset` on."""

    def boundary_before(self, offset: int) -> int:
        """A place before `offset`, as near as is known, at which a reader can start between two tokens."""

    def opened_at(self, level: int) -> int | None:
        """Where the open container begins that stands in `level` others; None if that is too far back, or not held."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a seam decision may look at. Offsets are in characters of the document's text.

    `window` is the end of the text, from `offset` on, with its `reading`: `entry` is the state in which it begins,
    `expect` the one behind it. `frames`, `nodes` and `steps` are the open containers without what is not settled;
    `settled` is where in the window that begins, and the state there. `document` is the text from the start, for
    what says it again; `past`: what is known of the part of it that is no longer held. `shortened`: the window is the
    end of one long string. `words`: its tokens, spelled. `costs` and `states` keep what was worked out: what each
    character tells, and where a reader stands in front of a cut.
    """

    window: str
    offset: int
    reading: Reading
    frames: Sequence[str]
    nodes: Sequence[Any]
    steps: Sequence[str | int]
    expect: Expect
    entry: tuple[Sequence[str], Expect]
    settled: tuple[int, Expect]
    last: str
    shortened: bool
    past: Past | None
    document: Known = field(repr=False)
    words: Sequence[str] = field(repr=False)
    costs: dict[int, float] = field(default_factory=dict, repr=False)
    states: dict[int, State] = field(default_factory=dict, repr=False)

    @property
    def size(self) -> int:
        return self.offset + len(self.window)

    @property
    def partial(self) -> str:
        """The unfinished token at the end."""
        return self.window[self.reading.tail :]

    @property
    def in_string(self) -> bool:
        return self.partial.startswith('"')

    def openers(self) -> list[int | None]:
        """Where each open container begins; None before the window."""
        depth = len(self.frames)
        starts: list[int | None] = [None] * depth
        for token in self.reading.tokens:
            if token.kind in ("{", "[") and token.depth < depth:
                starts[token.depth] = self.offset + token.start
        return starts


class Piece:
    """A fragment from one place on where its data may begin, as at most `most` tokens; `whole`: these are all.

    `wrapping`: nats against believing that it begins there.
    """

    __slots__ = ("_meter", "start", "tail", "text", "tokens", "whole", "wrapping")

    def __init__(self, text: str, start: int, most: int, wrapping: float) -> None:
        self.text, self.start, self.wrapping = text, start, wrapping
        self.tokens, self.tail = lex(text, start, most=most)
        self.whole = len(self.tokens) < most
        self._meter: Meter | None = None

    def meter(self, held: Held) -> Meter:
        """What the characters of the window tell, and the first ones of this piece behind it."""
        if self._meter is None:
            ahead = self.text[self.start : self.start + MOST]
            self._meter = Meter(held.window, ahead, held.costs, in_string=held.in_string)
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
        try:
            said = json.loads(self.text[self.tokens[index].start : self.tokens[behind - 1].end])
            return bool(said == value)
        except (ValueError, RecursionError):
            return False

"""An open container said again that began in front of the window: a long element, cut off and started again.

Rule: where it begins in the document is looked for only if the fragment says its first item or member; then it is
compared to the letter, or token by token, as a document that is started again is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from jsonseam import lexemes
from jsonseam.chance import LONG_TEXT
from jsonseam.grammar import STRING
from jsonseam.joining import Way
from jsonseam.records import SeamKind
from jsonseam.repeating import Repeat
from jsonseam.restarting import NOTHING_NEW
from jsonseam.sides import Entry, Held, Piece, Text

AGAINST: Final = 4.0  # nats against such a join, before anything is known
MOST_LEVELS: Final = 64  # open containers that are looked at, innermost first
ELEMENT_AGAIN: Final = "the cut-off element is said again, from its beginning far back"
NOT_AS_FAR: Final = "the cut-off element is said again, not as far as it got"


@dataclass(frozen=True, slots=True)
class Rest:
    """A document from `offset` on, read as a text of its own."""

    document: Text
    offset: int

    @property
    def size(self) -> int:
        return self.document.size - self.offset

    def part(self, offset: int, size: int) -> str:
        return self.document.part(self.offset + offset, size)

    def goes_on(self, text: str, offset: int) -> bool:
        return self.document.goes_on(text, self.offset + offset)

    def boundary_before(self, offset: int) -> int:
        return max(0, self.document.boundary_before(self.offset + offset) - self.offset)


def elements(held: Held, piece: Piece, entry: Entry) -> Iterator[Way]:
    """At most one way. Cost: the fragment, and as much of the document as it says again."""
    if entry.token >= len(piece.tokens):
        return
    for level in _levels(held, piece, entry):
        offset = held.document.opened_at(level)
        if offset is None:
            continue
        start = piece.tokens[entry.token].start
        again = Repeat()
        again.take(piece.text[start:], Rest(held.document, offset), final=True)
        kind: SeamKind = "reopen" if entry.token else "resume"
        gain = LONG_TEXT + entry.gain
        if again.goes_further:
            cut, skip = offset + again.known, start + again.said
            yield Way(kind, cut, skip, ELEMENT_AGAIN, gain=gain, cost=AGAINST, detail="element")
            return
        if again.end != "apart":
            skip = len(piece.text)
            yield Way(kind, held.size, skip, NOT_AS_FAR, gain=gain, cost=AGAINST, detail=NOTHING_NEW)
            return


def _levels(held: Held, piece: Piece, entry: Entry) -> Iterator[int]:
    """The open items in front of the window that the piece begins to say, at the entry."""
    depth = len(held.frames)
    inside = [entry.level + 1] if entry.token else range(depth - 1, max(0, depth - 1 - MOST_LEVELS), -1)
    kind = piece.tokens[entry.token].kind
    for level in inside:
        is_item = level < depth and held.frames[level] == kind and held.frames[level - 1] == "["
        if is_item and _says_first(held.nodes[level], piece, entry.token) and level < depth - len(held.window.openers):
            yield level  # the last: so many open containers begin in front of the window


def _says_first(node: Any, piece: Piece, at: int) -> bool:
    """Do the tokens behind the opener `at` say the first member or item of what it may be?"""
    first = next(iter(node), None)
    if isinstance(node, dict):
        if at + 1 >= len(piece.tokens) or piece.tokens[at + 1].kind != STRING:
            return False
        if lexemes.scalar_value(piece.word(at + 1)) != first:
            return False
        at, first = at + 2, node[first]
    behind = piece.behind_value(at + 1)
    return behind is None or piece.says(at + 1, behind, first)

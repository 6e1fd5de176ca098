"""The document said again from its first character, when the text of its beginning is no longer held.

Rule: text that is no longer held cannot be compared, but it is known again by its digests. A fragment that says all of
it again is compared from there on with what is held. One that differs, or does not get that far, is reported and
changes nothing, because what was handed off cannot be taken back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from jsonseam import restarting
from jsonseam.chance import LONG_TEXT
from jsonseam.joining import Way
from jsonseam.lexemes import squeeze
from jsonseam.past import Past, place_behind
from jsonseam.repeating import Repeat
from jsonseam.restarting import ALL_OF_IT, NOTHING_ELSE, NOTHING_NEW, RESTART, REWRITING
from jsonseam.sides import Held, Piece

ENOUGH_ALIKE: Final = 2  # tokens at the beginning
NO_NEWS: Final = "the document is started again, not as far as it got, as its digests tell"
FURTHER: Final = "the document is started again and gets further, as its digests tell"
REWRITTEN: Final = "the document is started again in other words; what was handed off cannot give way to them"


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of the document, read as a text of its own."""

    text: str

    @property
    def size(self) -> int:
        return len(self.text)

    def part(self, offset: int, size: int) -> str:
        return self.text[offset : offset + size]

    def goes_on(self, text: str, offset: int) -> bool:
        return self.text.startswith(text, offset)

    def boundary_before(self, offset: int) -> int:
        return 0


def restarts(held: Held, piece: Piece) -> Iterator[Way]:
    """At most one way. Cost: the fragment, and as much of the document as is held and said again."""
    past = held.past
    if past is None:
        yield from restarting.restarts(held, piece)
    elif piece.first in ("{", "[") and piece.first == past.head.lstrip()[:1]:
        yield from _known_again(held, past, piece)


def _known_again(held: Held, past: Past, piece: Piece) -> Iterator[Way]:
    """The one way, if the piece begins with the document: by how far its digests know what is said."""
    alike = _repeat(piece, piece.start, Passage(past.head))
    words = [token for token in piece.tokens if token.end <= piece.start + alike.said]
    if len(words) < ENOUGH_ALIKE:
        return
    told, all_of_it = restarting.evidence(piece, words), len(piece.text)
    no_news = Way("restart", held.size, all_of_it, NO_NEWS, gain=told + NOTHING_ELSE, cost=RESTART, detail=NOTHING_NEW)
    lost = restarting.lost_with(past.head[alike.known :], piece.text[piece.start + alike.said :], alike)
    rewritten = Way(
        "restart", held.size, all_of_it, REWRITTEN, gain=told, cost=REWRITING, detail="rewritten-shorter", lost=lost
    )
    said = squeeze(piece.text[piece.start :])
    if not past.knows(said):
        yield rewritten
        return
    if len(said) <= past.squeezed:
        yield no_news
        return
    begins = place_behind(piece.text, piece.start, past.squeezed)
    again = _repeat(piece, begins, Passage(held.document.part(past.size, held.size - past.size)))
    if again.goes_further:
        cut, skip = past.size + again.known, begins + again.said
        yield Way("restart", cut, skip, FURTHER, gain=LONG_TEXT * ALL_OF_IT, cost=RESTART)
    else:
        yield rewritten if again.end == "apart" else no_news


def _repeat(piece: Piece, start: int, passage: Passage) -> Repeat:
    """How far the piece, from `start` on, says a passage of the document."""
    repeat = Repeat()
    repeat.take(piece.text[start:], passage, final=True)
    return repeat

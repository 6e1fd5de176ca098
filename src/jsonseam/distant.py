"""The document said again from its first character, when the text of its beginning is no longer held.

Rule: what is not held cannot be compared, but known by its digests. What is said again up to where the text is held
is compared from there on; what differs, or does not get that far, is told and changes nothing, because what was handed
off cannot be taken back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jsonseam import restarting
from jsonseam.joining import Candidate
from jsonseam.past import Past, place_behind, squeeze
from jsonseam.restarting import ALL_OF_IT, Again
from jsonseam.sides import Held, Piece
from jsonseam.surprise import ENOUGH

ENOUGH_ALIKE: Final = 2  # tokens at the beginning
NOTHING_NEW: Final = "the document is started again, not as far as it got, as its digests tell"
FURTHER: Final = "the document is started again and gets further, as its digests tell"
REWRITTEN: Final = "the document is started again in other words; what was handed off cannot give way to them"


def restarts(held: Held, piece: Piece) -> Iterator[Candidate]:
    """At most one candidate. Cost: the fragment, and as much of the document as is held and said again."""
    past = held.past
    if past is None:
        yield from restarting.restarts(held, piece)
    elif piece.first in ("{", "[") and piece.first == past.head.lstrip()[:1]:
        yield from _known_again(held, past, piece)


def _known_again(held: Held, past: Past, piece: Piece) -> Iterator[Candidate]:
    said, head = squeeze(piece.text[piece.start :]), Again(piece, past.head)
    if head.same < ENOUGH_ALIKE:
        return
    nothing_new = Candidate(
        "restart", held.size, len(piece.text), NOTHING_NEW, head.evidence + 20, 4.0, "", "nothing-new"
    )
    rewritten = Candidate("restart", held.size, len(piece.text), REWRITTEN, head.evidence, 7.0, "", "rewritten-shorter")
    if not past.knows(said):
        yield rewritten
        return
    if len(said) <= past.squeezed:
        yield nothing_new
        return
    again = Again(piece, held.whole(), place_behind(piece.text, piece.start, past.squeezed))
    if again.ends_inside:
        yield nothing_new
    elif again.goes_further:
        cut, skip = again.news()
        yield Candidate("restart", past.size + cut, skip, FURTHER, ENOUGH * ALL_OF_IT, 4.0)
    else:
        yield rewritten

"""The document said again from its first character: as far as it got, not as far, or in other words.

Rule: a restart never shrinks what is held. One that goes further goes on behind it; one that differs takes its place
only if it finishes at least as many values, and what gives way is kept in the report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jsonseam import envelope, rewording
from jsonseam.chance import LONG_TEXT
from jsonseam.grammar import SCALAR, STRING, Token, lex
from jsonseam.joining import Way
from jsonseam.repeating import Repeat
from jsonseam.sides import Held, Piece
from jsonseam.standalone import stands_alone

ALL_OF_IT: Final = 2.5  # all that is held, said again, tells more than any path that is opened again in it
A_VALUE: Final = 3.0  # nats that a value tells which is said again
A_TOKEN: Final = 0.3  # and that any token tells
MOST: Final = 18.0  # nats that all of them tell, at most
ANOTHER_VALUE: Final = 1.0  # nats against another value in the place of a held one: it may be the same in other words
NOTHING_ELSE: Final = 20.0  # nats more where all of the fragment is said again
RESTART: Final = 4.0  # nats against a restart, before anything is known
REWRITING: Final = 7.0  # and against one in other words
MOST_LOST: Final = 15.0  # nats against what is lost, at most
LEAD: Final = 64  # characters of space in front of the document, at most, behind which its opener is looked for
ANOTHER: Final = 10.0  # nats against a document that has nothing to do with the one that is held
ANOTHER_DOCUMENT: Final = "it is a document of its own, with which the open string or key cannot go on"
WRAPPED: Final = "the document is written again inside of another one"
NOTHING_NEW: Final = "nothing-new"
NOT_AS_FAR: Final = "the document is started again, not as far as it got"
FURTHER: Final = "the document is started again and gets further"


def restarts(held: Held, piece: Piece) -> Iterator[Way]:
    """At most two ways. Cost: the fragment, and as much of the document as it says again."""
    alone = stands_alone(held, piece)
    if piece.first not in ("{", "[") or piece.first != held.document.part(0, LEAD).lstrip()[:1]:
        if alone and (held.in_string or piece.closes_root):  # under a key, one that is cut may as well be its value
            yield Way("rejected", held.size, len(piece.text), ANOTHER_DOCUMENT, cost=ANOTHER)
        if alone and (wrapped := _wrapped(held, piece)):
            gain = min(LONG_TEXT, ALL_OF_IT * evidence(piece, wrapped))
            yield Way("restart", 0, piece.start, WRAPPED, gain, 4.0)
        return
    again = Repeat()
    again.take(piece.text[piece.start :], held.document, final=True)
    said = [token for token in piece.tokens if token.end <= piece.start + again.said]
    only_wrapping = again.end == "apart" and envelope.is_empty(again.rest)
    if again.end == "" or only_wrapping or (again.end == "beyond" and not again.held):
        if len(said) >= 2:
            yield no_news(held.size, len(piece.text), evidence(piece, said) + NOTHING_ELSE)
    elif again.end == "beyond":
        if held.offset:  # where the window holds it all, the alignment of its tokens tells
            yield news(again.known, piece.start + again.said)
    elif len(said) >= 2 or alone:
        yield _rewritten(held, piece, said, again)


def begins_again(held: Held, pieces: Sequence[Piece]) -> int | None:
    """Where in a fragment the document is said again, so far without an end; None if it is not."""
    if held.past is not None:
        return None  # its beginning is not held, so nothing could be compared as it streams by
    for piece in pieces:
        if any(way.detail == NOTHING_NEW for way in restarts(held, piece)):
            return piece.start
    return None


def no_news(size: int, skip: int, gain: float) -> Way:
    """All that the fragment says up to character `skip` is held already: it changes nothing."""
    return Way("restart", size, skip, NOT_AS_FAR, gain=gain, cost=RESTART, detail=NOTHING_NEW)


def news(cut: int, skip: int) -> Way:
    """It goes on at character `skip` of the fragment, behind the first `cut` characters of what is held."""
    return Way("restart", cut, skip, FURTHER, gain=LONG_TEXT * ALL_OF_IT, cost=RESTART)


def evidence(piece: Piece, said: Sequence[Token]) -> float:
    """What it tells, in nats, that these tokens are said again: values tell, keys and brackets hardly do."""
    values = sum(token.kind in (STRING, SCALAR) for token in said) - _keys(piece.tokens[: len(said) + 1])
    return min(A_VALUE * values + A_TOKEN * len(said), MOST)


def _rewritten(held: Held, piece: Piece, said: Sequence[Token], again: Repeat) -> Way:
    """The document again in other words.

    It takes the place of what is held only if it says all of that at its place, or if it finishes as many values and
    either begins alike or is whole. What only the one has that is not kept is lost, and weighs against this way.
    """
    reason = "the document is written again in other words, "
    known = held.document.part(again.known, rewording.COMPARED)
    parting = rewording.compare(known, piece.text[piece.start + again.said :])
    gain = evidence(piece, said)
    is_same = not parting.other and (parting.says_all or parting.all_said)
    if is_same:
        gain = min(LONG_TEXT, ALL_OF_IT * (gain + A_VALUE * parting.same))
    covers = parting.says_all and parting.same > parting.other
    related = len(said) > 1 or piece.closes_root
    if covers or (related and _finishes_as_much(held, piece)):
        reason += "and gets further"
        lost = min(MOST_LOST, A_VALUE * rewording.count_gone(known, parting) + ANOTHER_VALUE * parting.other)
        return Way("restart", 0, piece.start, reason, gain=gain, cost=REWRITING, detail="rewritten", lost=lost)
    reason += "not as far as it got"
    lost = min(MOST_LOST, A_VALUE * parting.new + ANOTHER_VALUE * parting.other)
    return Way(
        "restart", held.size, len(piece.text), reason, gain=gain, cost=REWRITING, detail="rewritten-shorter", lost=lost
    )


def lost_with(known: str, said: str, repeat: Repeat) -> float:
    """Nats against dropping a text that says the document again and then something else: what only that text has."""
    if repeat.end != "apart":
        return 0.0
    parting = rewording.compare(known, said)
    return min(MOST_LOST, A_VALUE * parting.new + ANOTHER_VALUE * parting.other)


def _wrapped(held: Held, piece: Piece) -> Sequence[Token]:
    """The tokens of the piece that say all finished items of what is held, inside of another; none if it does not."""
    opener = held.opener_of(1) if len(held.frames) > 1 else len(held.words)
    if held.offset or opener is None:
        return []
    items = held.spelled[1:opener]
    while items[-1:] == [","]:
        items = items[:-1]
    said = piece.spelled
    begins = (at for at in range(len(said) - len(items) + 1) if items and said[at : at + len(items)] == items)
    at = next(begins, None)
    return [] if at is None else piece.tokens[at : at + len(items)]


def _finishes_as_much(held: Held, piece: Piece) -> bool:
    said, _ = lex(piece.text, piece.start)
    return not held.document.finishes_more_than(_count_finished(piece.text, said, len(held.frames)))


def _cut(text: str, token: Token) -> str:
    return text[token.start : token.end]


def _count_finished(text: str, tokens: Sequence[Token], depth: int) -> int:
    """Values that a text finishes, a key that comes twice counted once; containers only from `depth` on."""
    count = 0
    keys: list[set[str]] = [set()]
    for token, behind in zip(tokens, [*tokens[1:], None], strict=True):
        if token.kind in ("{", "["):
            keys.append(set())
        elif token.kind in ("}", "]"):
            count += token.depth >= depth
            if len(keys) > 1:
                keys.pop()
        elif token.kind == STRING and behind is not None and behind.kind == ":":
            count -= _cut(text, token) in keys[-1]
            keys[-1].add(_cut(text, token))
        elif token.kind in (STRING, SCALAR):
            count += 1
    return count


def _keys(tokens: Sequence[Token]) -> int:
    return sum(token.kind == ":" for token in tokens)

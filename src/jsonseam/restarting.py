"""The document said again from its first character: as far as it got, not as far, or in other words.

Rule: a restart never shrinks what is held. One that goes further goes on behind it; one that differs takes its place
only if it finishes at least as many values, and what gives way is kept in the report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jsonseam.grammar import SCALAR, STRING, Token, lex
from jsonseam.joining import Way, begins, same_token
from jsonseam.sides import Held, Piece
from jsonseam.surprise import ENOUGH

ALL_OF_IT: Final = 2.5  # all that is held, said again, tells more than any path that is opened again in it
A_VALUE: Final = 3.0  # nats
A_TOKEN: Final = 0.3
MOST: Final = 18.0


def restarts(held: Held, piece: Piece) -> Iterator[Way]:
    """At most one candidate. Cost: the fragment, and as much of the document as it says again."""
    whole = held.whole()
    if piece.first not in ("{", "[") or piece.first != whole.lstrip()[:1]:
        return
    again = _Again(piece, whole)
    if again.is_nothing_new:
        reason = "the document is started again, not as far as it got"
        yield Way("restart", held.size, len(piece.text), reason, again.evidence + 20, 4.0, detail="nothing-new")
    elif held.offset and again.goes_further:  # where the window holds it all, the alignment of its tokens tells
        cut, skip = again.news()
        reason = "the document is started again and gets further"
        yield Way("restart", cut, skip, reason, ENOUGH * ALL_OF_IT, 4.0)
    elif again.same >= 2:
        yield _rewritten(held, piece, again)


class _Again:
    """Two texts from their first token on: how far the fragment says what the document says."""

    __slots__ = ("known", "known_tail", "piece", "said", "same", "tail", "whole")

    def __init__(self, piece: Piece, whole: str) -> None:
        self.piece, self.whole = piece, whole
        self.said, self.tail = lex(piece.text, piece.start)
        self.known, self.known_tail = lex(whole, most=len(self.said) + 1)
        self.same = 0
        for said, known in zip(self.said, self.known, strict=False):
            if not same_token(_cut(piece.text, said), _cut(whole, known)):
                break
            self.same += 1

    @property
    def evidence(self) -> float:
        """Nats: values tell, keys and brackets hardly do."""
        tokens = self.said[: self.same]
        values = sum(token.kind in (STRING, SCALAR) for token in tokens) - _keys(self.said[: self.same + 1])
        return min(A_VALUE * values + A_TOKEN * self.same, MOST)

    @property
    def is_nothing_new(self) -> bool:
        """The fragment ends inside what is held."""
        if self.same < max(2, len(self.said)):
            return False
        rest = self.piece.text[self.tail :]
        more = (
            self.whole[self.known_tail :] if self.same == len(self.known) else _cut(self.whole, self.known[self.same])
        )
        return not rest or bool(more and begins(rest, more))

    @property
    def goes_further(self) -> bool:
        """All that is held is said again, and the unfinished token at its end, if there is one, is gone on with."""
        if self.same < len(self.known):
            return False
        partial = self.whole[self.known_tail :]
        next_end = self.said[self.same].end if self.same < len(self.said) else len(self.piece.text)
        return not partial or begins(partial, self.piece.text[self._next_start : next_end])

    @property
    def _next_start(self) -> int:
        return self.said[self.same].start if self.same < len(self.said) else self.tail

    def news(self) -> tuple[int, int]:
        """Where to cut what is held, and where in the fragment the news begin."""
        if self.whole[self.known_tail :]:
            return self.known_tail, self._next_start
        return len(self.whole), self.said[self.same - 1].end


def _rewritten(held: Held, piece: Piece, again: _Again) -> Way:
    """The same document in other words: it takes the place of what is held only if it finishes as much."""
    reason = "the document is written again in other words, "
    if _count_finished(piece.text, again.said, len(held.frames)) >= held.closed:
        reason += "and gets further"
        return Way("restart", 0, piece.start, reason, again.evidence, 7.0, detail="rewritten")
    reason += "not as far as it got"
    return Way("restart", held.size, len(piece.text), reason, again.evidence, 7.0, detail="rewritten-shorter")


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

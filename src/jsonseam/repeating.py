"""The document said again from its beginning, compared as it streams by: nothing is held but an unfinished token.

Rule: as long as the text is the same to the letter, only the place in the document moves. Where the letters differ,
tokens are compared, whatever their layout and escapes, from the last place at which both sides stand between two.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from jsonseam.backlog import Backlog
from jsonseam.grammar import Token, lex
from jsonseam.joining import begins, same_token
from jsonseam.sides import Known

SLICE: Final = 4096  # characters that are compared at once
_SPACE: Final = " \t\r\n"


class Repeat:
    """How far a text says the document again that began with the document's first token.

    `known` characters of the document are said again by `said` characters of the text; `rest` is what came behind.
    `end`: "" while it stands inside what is held, "beyond" once all of that was said, "apart" where it says anything
    else; then `rest` is not compared any more.
    """

    __slots__ = ("_even", "_rest", "end", "known", "said")

    def __init__(self) -> None:
        self.known = self.said = 0
        self.end: Literal["", "beyond", "apart"] = ""
        self._even = 0  # a place in the document at which both sides stood between two tokens
        self._rest = Backlog()

    @property
    def rest(self) -> str:
        return self._rest.text

    @property
    def held(self) -> int:
        """Characters of the text that are held."""
        return self._rest.size

    @property
    def goes_further(self) -> bool:
        """Is all of the document said again, and something behind it?"""
        return self.end == "beyond" and self.held > 0

    def take(self, text: str, document: Known, *, final: bool = False) -> None:
        """Compare more of the text. Cost: the text, where the letters are the same that of comparing them."""
        rest = self._rest
        for at in range(0, len(text), SLICE):
            rest.add(text[at : at + SLICE])
            if not self.end and rest.due:
                self._step(document)
        if final and not self.end:
            self._step(document)
        if self.end == "beyond" and not self._inside_token(document):
            layout = len(rest.text) - len(rest.text.lstrip(_SPACE))
            self.said += layout
            rest.add(rest.take()[layout:])

    def _step(self, document: Known) -> None:
        left = self._compare(self._rest.take(), document)
        self._rest.add(left)
        self._rest.retry_at = 2 * len(left)  # an unfinished token is read again when it has doubled

    def _inside_token(self, document: Known) -> bool:
        """Does what is held end in an unfinished token? Then layout behind it counts."""
        base = document.boundary_before(document.size)
        there = document.part(base, document.size - base)
        return lex(there)[1] < len(there)

    def _compare(self, text: str, document: Known) -> str:
        """Go on as far as the text says what is held; return what is left of it."""
        there = document.part(self.known, len(text))
        if text.startswith(there):
            self.known += len(there)
            self.said += len(there)
            if self.known == document.size:
                self.end = "beyond"
            return text[len(there) :]
        base = max(self._even, document.boundary_before(self.known))
        again = document.part(base, self.known - base)
        self.known, self.said = base, self.said - len(again)
        return self._compare_tokens(again + text, document)

    def _compare_tokens(self, text: str, document: Known) -> str:
        """The same, token by token; text and document stand between two tokens."""
        said, tail = lex(text)
        there, known, known_tail = self._known_tokens(len(said) + 1, len(text), document)
        same = 0
        for one, other in zip(said, known, strict=False):
            if not same_token(_cut(text, one), _cut(there, other)):
                break
            same += 1
        word = _cut(text, said[same]) if same < len(said) else text[tail:]
        start = said[same].start if same < len(said) else tail
        used, upto = (said[same - 1].end, known[same - 1].end) if same else (0, 0)
        if same < len(known):
            unfinished = same == len(said) and (not word or begins(word, _cut(there, known[same])))
            self.end = "" if unfinished else "apart"
        else:  # all whole tokens of the document are said
            used, upto = self._compare_last(word, there[known_tail:], same < len(said), (used, start), known_tail)
        self.known += upto
        self.said += used
        self._even = self.known
        return text[used:]

    def _compare_last(
        self, word: str, partial: str, whole: bool, places: tuple[int, int], tail: int
    ) -> tuple[int, int]:
        """The unfinished token at the end of the document: where the text goes on behind it, and the document ends.

        `places`: behind the text's last token that was compared, and where its `word` begins.
        """
        behind, start = places
        if not partial:
            self.end = "beyond"
            return behind, tail
        if word.startswith(partial):
            self.end = "beyond"
            return start + len(partial), tail + len(partial)
        if not word or (not whole and begins(word, partial)):
            return behind, tail
        self.end = "beyond" if begins(partial, word) else "apart"
        return start, tail

    def _known_tokens(self, most: int, size: int, document: Known) -> tuple[str, list[Token], int]:
        """At least `most` tokens of the document, or all there are; the text they stand in, and its tail."""
        size += 64
        while True:
            there = document.part(self.known, size)
            tokens, tail = lex(there, most=most)
            if len(tokens) >= most or len(there) < size:
                return there, tokens, tail
            size *= 2

    def take_rest(self) -> str:
        """Hand out what was not compared; it is held here no more."""
        return self._rest.take()

    def state(self) -> list[Any]:
        """Plain JSON, for a checkpoint."""
        return [self.known, self.said, self._even, self.end, self.rest, self._rest.retry_at]

    @classmethod
    def resume(cls, state: list[Any]) -> Repeat:
        repeat = cls()
        repeat.known, repeat.said, repeat._even, repeat.end, rest, retry_at = state
        repeat._rest = Backlog(retry_at)
        repeat._rest.add(rest)
        return repeat


def _cut(text: str, token: Token) -> str:
    return text[token.start : token.end]

"""The document said again from its beginning, compared as it streams by: nothing is held but an unfinished token.

Rule: as long as the text is the same to the letter, only the place in the document moves. Where the letters differ,
stretches are compared, whatever their layout and escapes (`stretches.py`), and token by token what is left of them,
from the last place at which both sides stand between two tokens.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, Final, Literal

from jsonseam.backlog import Backlog
from jsonseam.grammar import lex
from jsonseam.joining import begins, same_token
from jsonseam.ledger import Ledger
from jsonseam.lexemes import WHITE_SPACE
from jsonseam.sides import Text
from jsonseam.stretches import Stretch

SLICE: Final = 4096  # characters that are compared at once; in another layout as many are waited for
SHORT: Final = 512  # characters that are compared token by token at once: a stretch of the document costs more to read
_PUNCTUATION: Final = frozenset("{}[],:")
_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
# A string, the last one perhaps unfinished; a number or literal; a punctuation mark.
_WORD: Final = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[^\s"{}\[\],:]++|[{}\[\],:]', re.DOTALL)


class Repeat:
    """How far a text says the document again that began with the document's first token.

    `known` characters of the document are said again by `said` characters of the text; `rest` is what came behind.
    `end`: "" while it stands inside what is held, "beyond" once all of that was said, "apart" where it says anything
    else; then `rest` is not compared any more.
    """

    __slots__ = ("_even", "_rest", "_stretch", "end", "known", "said")

    def __init__(self) -> None:
        self.known = self.said = 0
        self.end: Literal["", "beyond", "apart"] = ""
        self._even = 0  # a place in the document at which both sides stood between two tokens
        self._rest = Backlog()
        self._stretch = Stretch(0)

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

    def passes(self, text: str, document: Ledger) -> bool:
        """Is it settled text to the letter, or too little to compare yet? Then it is taken. Cost: the text."""
        rest, known = self._rest, self.known + len(text)
        if self.end or known >= document.size:
            return False
        size = rest.size + len(text)
        if rest.retry_at <= SLICE and size < rest.retry_at:
            rest.add(text)
            return True
        if size > len(text) or not document.goes_on(text, self.known):
            return False
        self.known = known
        self.said += len(text)
        return True

    def take(self, text: str, document: Text, *, final: bool = False) -> None:
        """Compare more of the text. Cost: the text, where the letters are the same that of comparing them."""
        rest = self._rest
        for at in range(0, len(text), SLICE):
            rest.add(text[at : at + SLICE])
            is_last = final and at + SLICE >= len(text)
            if not self.end and rest.due and not is_last:
                self._step(document, final=False)
        if final and not self.end:
            self._step(document, final=True)
        if self.end == "beyond" and not self._inside_token(document):
            layout = len(rest.text) - len(rest.text.lstrip(WHITE_SPACE))
            self.said += layout
            rest.add(rest.take()[layout:])

    def _step(self, document: Text, *, final: bool) -> None:
        left = self._compare(self._rest.take(), document, final=final)
        self._rest.add(left)
        self._rest.retry_at = 2 * len(left)  # an unfinished token is read again when it has doubled
        if self.known == self._even and self._is_far(document):
            self._rest.retry_at = max(SLICE, self._rest.retry_at)

    def _is_far(self, document: Text) -> bool:
        """Is the end of the document not to be reached soon?"""
        return document.size - self.known > SLICE

    def _inside_token(self, document: Text) -> bool:
        """Does what is held end in an unfinished token? Then layout behind it counts."""
        base = document.boundary_before(document.size)
        there = document.part(base, document.size - base)
        return lex(there)[1] < len(there)

    def _compare(self, text: str, document: Text, *, final: bool) -> str:
        """Go on as far as the text says what is held; return what is left of it."""
        there = text[: document.size - self.known]
        if document.goes_on(there, self.known):
            self.known += len(there)
            self.said += len(there)
            if self.known == document.size:
                self.end = "beyond"
            return text[len(there) :]
        if self.known > self._even:
            base = max(self._even, document.boundary_before(self.known))
            again = document.part(base, self.known - base)
            self.known, self.said = base, self.said - len(again)
            text = again + text
        if final and len(text) < SHORT:
            return self._compare_tokens(text, document)
        text, may_go_on = self._compare_stretch(text, document)
        return text if may_go_on and not final and self._is_far(document) else self._compare_tokens(text, document)

    def _compare_stretch(self, text: str, document: Text) -> tuple[str, bool]:
        """Go on as far as it is the same for certain. What is left, and whether that may turn out to be the same."""
        if self._stretch.at != self.known:
            self._stretch = Stretch(self.known)
        used, may_go_on = self._stretch.follow(text, document)
        self.known = self._even = self._stretch.at
        self.said += used
        return text[used:], may_go_on

    def _compare_tokens(self, text: str, document: Text) -> str:
        """Go on word by word; text and document stand between two words. Return what is left of the text."""
        said, word = _whole_words(text)
        there, known, partial = self._known_words(len(said) + 1, len(text), document)
        same = _count_same(said, known)
        used, start = _behind_words(text, same)
        upto, _ = _behind_words(there, same)
        if same < len(known):
            unfinished = same == len(said) and (not word or begins(word, known[same]))
            self.end = "" if unfinished else "apart"
        else:  # all whole words of the document are said
            whole = same < len(said)
            end = len(there) - len(partial)
            used, upto = self._compare_last(said[same] if whole else word, partial, (used, start, end), whole=whole)
        self.known += upto
        self.said += used
        self._even = self.known
        return text[used:]

    def _compare_last(self, word: str, partial: str, places: tuple[int, int, int], *, whole: bool) -> tuple[int, int]:
        """The unfinished token at the end of the document: where the text goes on behind it, and the document ends.

        `places`: behind the text's last word that was compared, where its `word` begins, where `partial` begins.
        """
        behind, start, end = places
        if not partial:
            self.end = "beyond"
            return behind, end
        if word.startswith(partial):
            self.end = "beyond"
            return start + len(partial), end + len(partial)
        if not word or (not whole and begins(word, partial)):
            return behind, end
        self.end = "beyond" if begins(partial, word) else "apart"
        return start, end

    def _known_words(self, most: int, size: int, document: Text) -> tuple[str, list[str], str]:
        """At least `most` whole words of the document, or all there are; the text, and the unfinished one behind."""
        size += 64
        while True:
            there = document.part(self.known, size)
            words, partial = _whole_words(there)
            if len(words) >= most or len(there) < size:
                return there, words, partial
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


def _whole_words(text: str) -> tuple[list[str], str]:
    """The words of a text, and the one at its end that may go on."""
    words = _WORD.findall(text)
    if not words or words[-1] in _PUNCTUATION or not text.endswith(words[-1]) or _STRING.fullmatch(words[-1]):
        return words, ""
    last = words.pop()
    return words, last


def _count_same(said: list[str], known: list[str]) -> int:
    """How many words two lists have in common, from the first on."""
    most = min(len(said), len(known))
    if said[:most] == known[:most]:
        return most
    return next((at for at in range(most) if not _is_same(said[at], known[at])), most)


def _is_same(said: str, known: str) -> bool:
    try:
        return same_token(said, known)
    except ValueError:
        return False  # a word that is no JSON says nothing again


def _behind_words(text: str, count: int) -> tuple[int, int]:
    """Where the first `count` words of a text end, and where the next one begins."""
    places = [match.span() for match in islice(_WORD.finditer(text), max(0, count - 1), count + 1)]
    end = places.pop(0)[1] if count else 0
    return end, places[0][0] if places else len(text)

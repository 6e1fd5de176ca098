"""The end of what is held as tokens: what the beginning of a fragment may say again.

Rule: what costs more than a glance is worked out when it is first asked for, and kept; and it is asked of text, which C
searches, whether tokens stand there at all, before they are told apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from jsonseam import lexemes


class Window:
    """The last characters of a document. Offsets are in characters of its `text`, which begins between two tokens.

    The last, unfinished token, `partial`, begins at `tail`.
    """

    __slots__ = ("_openers", "_spelled", "_spelling", "_squeezed", "_starts", "_words", "partial", "tail", "text")

    def __init__(self, text: str, tail: int) -> None:
        self.text, self.tail, self.partial = text, tail, text[tail:]
        self._words: list[str] | None = None
        self._spelled: list[str] | None = None
        self._squeezed: tuple[str, str] | None = None
        self._spelling: int | None = None
        self._openers: list[int] | None = None
        self._starts: list[int] = []  # of the last tokens, the very last one first

    @property
    def words(self) -> list[str]:
        """The tokens of the window as they stand."""
        if self._words is None:
            self._words = lexemes.words_of(self.text[: self.tail])
        return self._words

    @property
    def spelled(self) -> list[str]:
        """The tokens of the window; those that say the same are the same."""
        if self._spelled is None:
            self._spelled = lexemes.spelled_words(self.words) if "\\" in self.text else self.words
        return self._spelled

    def lacks(self, words: Sequence[str]) -> bool:
        """Does one of these tokens stand nowhere in the window, in whatever spelling?"""
        return any(word not in self.text for word in words) and self._are_in_one_spelling("".join(words))

    def may_say(self, text: str) -> bool:
        """Could these tokens stand in the window? Never False where they do, in whatever layout and spelling.

        Either may end in an unfinished token.
        """
        return not self._are_in_one_spelling(text) or lexemes.squeeze(text) in self.squeezed[1]

    def may_end_in(self, tokens: str, first: Sequence[str]) -> bool:
        """Could the window end in a beginning of these tokens? The `first` ones are given one by one as well."""
        if not self._are_in_one_spelling(tokens) or self._ends_in_few_of(first):
            return True
        if self.lacks(first):
            return False
        said, begun, squeezed = lexemes.squeeze(tokens), lexemes.squeeze("".join(first)), self.squeezed[0]
        at = squeezed.find(begun, max(0, len(squeezed) - len(said)))
        while at >= 0:
            if said.startswith(squeezed[at:]):
                return True
            at = squeezed.find(begun, at + 1)
        return False

    def _ends_in_few_of(self, first: Sequence[str]) -> bool:
        """Does the window end in the first one of these tokens, or the first two, or three?"""
        known = self.text[: self.tail].rstrip()
        for most in range(len(first)):
            rest = known
            for word in reversed(first[: most + 1]):
                if not rest.endswith(word):
                    break
                rest = rest[: -len(word)].rstrip()
            else:
                return True
        return False

    @property
    def squeezed(self) -> tuple[str, str]:
        """The window's whole tokens without white space, and the same with the unfinished one."""
        if self._squeezed is None:
            whole = lexemes.squeeze(self.text[: self.tail])
            self._squeezed = whole, whole + lexemes.squeeze(self.partial)
        return self._squeezed

    def _are_in_one_spelling(self, tokens: str) -> bool:
        """Is what the window says of these tokens spelled as they are?"""
        if self._spelling is None:
            self._spelling = lexemes.spelling(self.text)
        return self._spelling | lexemes.spelling(tokens) != lexemes.SPELLED_BOTH_WAYS

    def start_of(self, token: int) -> int:
        """Where in the window a token begins. Cost: the tokens behind it, once."""
        starts, words = self._starts, self.words
        at = starts[-1] if starts else self.tail
        for index in range(len(words) - 1 - len(starts), token - 1, -1):
            at = self.text.rindex(words[index], 0, at)  # nothing but space stands behind it
            starts.append(at)
        return starts[len(words) - 1 - token]

    def end_of(self, token: int) -> int:
        """Where in the window a token ends; 0 for one in front of it."""
        return self.start_of(token) + len(self.words[token]) if token >= 0 else 0

    @property
    def openers(self) -> list[int]:
        """The tokens at which the open containers begin, outermost first; those before the window are missing."""
        if self._openers is None:
            found: list[int] = []
            words, closed = self.words, 0
            for at in range(len(words) - 1, -1, -1):
                word = words[at]
                if len(word) > 1:
                    continue
                if word in ("}", "]"):
                    closed += 1
                elif word in ("{", "["):
                    if closed:
                        closed -= 1
                    else:
                        found.append(at)
            self._openers = found[::-1]
        return self._openers

"""Feeding an accumulator from the pieces of an input, and keeping what is needed to show its seams."""

from __future__ import annotations

from collections.abc import Iterable

from jsonseam import Accumulator, Expected
from jsonseam.cli_excerpt import HEAD, Excerpt, take_excerpt
from jsonseam.cli_input import Piece


class Gathering:
    """`fragments` counts those that have begun; `excerpts` holds the text around each seam, where `explain` asks."""

    def __init__(self, accumulator: Accumulator, *, explain: bool = False, expect: Expected = "anything") -> None:
        self.fragments = 0
        self.excerpts: dict[int, Excerpt] = {}
        self._accumulator = accumulator
        self._explain = explain
        self._expect = expect
        self._head = ""

    def take(self, pieces: Iterable[Piece]) -> None:
        """Feed them; the last fragment stays open. Raises what `Accumulator.feed` raises."""
        for piece in pieces:
            while self.fragments <= piece.fragment:
                if self.fragments:
                    self.end_fragment()
                self.fragments += 1
                self._accumulator.expect(self._expect)
            self._accumulator.feed(piece.text)
            if self._explain and len(self._head) < HEAD:
                text = piece.text if isinstance(piece.text, str) else piece.text.decode("utf-8", "replace")
                self._head += text[: HEAD - len(self._head)]

    def end_fragment(self) -> None:
        """The last fragment is over. Raises what `Accumulator.end_fragment` raises."""
        head, self._head = self._head, ""
        seam = self._accumulator.end_fragment().seam
        if self._explain and seam is not None:
            self.excerpts[seam.fragment] = take_excerpt(seam, self._accumulator.text, head)

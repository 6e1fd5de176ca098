"""Chunks as callers give them: cleaned, taken in, and behind each portion what is certain is handed over.

Rule: nothing of a chunk is lost, whatever is raised on the way. This is the innermost room that a caller's every call
runs through, and compiled where rooms are; so `accumulator.py`, which stays Python, does nothing for each chunk.
"""

from __future__ import annotations

from typing import Final

from jsonseam import keeping
from jsonseam.cleaning import Cleaner
from jsonseam.intake import Intake
from jsonseam.records import JsonValue, Seam

PORTION: Final = 1 << 14  # characters or bytes of a chunk, between which items are handed over


class Delivery:
    """The intake of one document, and what makes clean text of the chunks for it."""

    __slots__ = ("cleaner", "intake")

    def __init__(self, cleaner: Cleaner, intake: Intake) -> None:
        self.cleaner, self.intake = cleaner, intake

    def feed(self, chunk: str | bytes | bytearray | memoryview) -> None:
        """Take a piece of the current answer. Cost: the piece."""
        if self.intake.parser.handoff is None:
            self._take(chunk)
        else:
            self._feed_and_hand_over(chunk)

    def _take(self, chunk: str | bytes | bytearray | memoryview) -> None:
        text, stains = self.cleaner.clean(chunk)
        if self.cleaner.late is not None:
            self.intake.take_late(*self.cleaner.take_late())
        self.intake.take(text, stains)

    def _feed_and_hand_over(self, chunk: str | bytes | bytearray | memoryview) -> None:
        for at in range(0, len(chunk), PORTION):
            self._take(chunk[at : at + PORTION])
            try:
                self.hand_over()
            except BaseException:  # of a callback: whoever stops this would not give the chunk again
                self._take(chunk[at + PORTION :])
                raise

    def hand_over(self, *, at_seam: bool = False) -> None:
        """Hand over the items that are certain; when the root is closed, all of them are."""
        parser = self.intake.parser
        if parser.handoff is not None:
            keeping.look(parser, parser.handoff, at_seam=at_seam)
            parser.handoff.deliver()

    def end(self, *, last: bool = False) -> Seam | None:
        """The answer is over, and with the `last` one all of them; how it was joined."""
        joined = self.intake.end(last=last)
        self.cleaner.start_fragment()
        self.hand_over(at_seam=True)
        return joined

    def end_all(self) -> None:
        """No answer comes any more: decide what was held back."""
        over = self.cleaner.over
        take = self.intake.take_late if over else self.intake.take
        take(*self.cleaner.flush())
        if not over or self.intake.undecided:
            self.end(last=True)

    @property
    def settled(self) -> bool:
        """Is nothing held back that the end of the answer would decide?"""
        return self.cleaner.idle and not self.intake.undecided

    def value(self) -> JsonValue:
        """The live tree, with the unfinished value in it. Cost: what came since the last look."""
        parser = self.intake.parser
        parser.show()
        holder = parser.tree.holder
        return holder[0] if holder else self.intake.waiting_scalar()

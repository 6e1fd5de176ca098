"""Outlet: what of a growing document may be sent to a streaming client, who can never be made to give it back.

Rule 1: while a seam is undecided nothing is sent; the accumulator holds that text itself. Rule 2: only what is sound
(strict JSON as far as it goes) is sent, and the last `hold` characters of that wait until more stands behind them, or
the document is complete: a mend may still write them anew (a quote that was meant as text). Rule 3: where text is
taken back all the same, what the client has is the document: `taken_back` says so, and the conversation goes on from
there. A seam alone was never seen to do it: what it puts in place of the cut-off text begins with that very text.
"""

from __future__ import annotations

from typing import Final

from .sound import Sound

_MARK_EVERY: Final = 2048  # characters


class Outlet:
    """Follows one document's text. Costs the piece; where text was written anew (`changed`), a look at all of it.

    `size` is how many characters were sent, `held` how many of the text were not.
    """

    __slots__ = ("_hold", "_marks", "_pieces", "_sound", "held", "size", "taken_back")

    def __init__(self, hold: int) -> None:
        self._hold = hold
        self._pieces: list[str] = []
        self._sound = Sound()
        self._marks = [Sound()]  # places to read from again where text behind what was sent is written anew
        self.size = 0
        self.held = 0
        self.taken_back = False

    @property
    def sent(self) -> str:
        """All that was sent."""
        self._pieces[:] = ["".join(self._pieces)]
        return self._pieces[0]

    def flow(self, text: str, *, final: bool, changed: bool) -> str:
        """What is to be sent now of the document's text. `final`: nothing can take back any of it.

        `changed`: a seam or a repair came since the last time, so that earlier text may not be what it was.
        """
        if not self._stands(text, final=final, all_of_it=changed or final):
            self.taken_back = True
        if self.taken_back:
            return ""
        if changed:
            self._sound = self._marks[0].copy()
        end = len(text) if final else self._sound.advance(text) - self._hold
        news = text[self.size : end] if end > self.size else ""
        if news:
            self._pieces.append(news)
            self.size += len(news)
            self._mark()
        self.held = max(0, len(text) - self.size)
        return news

    def go_on_from_sent(self) -> str:
        """What the client has is the document from now on; returns it."""
        self.taken_back = False
        self.held = 0
        self._sound, self._marks = Sound(), [Sound()]
        return self.sent

    def _mark(self) -> None:
        """Keep the last mark in what was sent, and those behind it."""
        if self._sound.end - self._marks[-1].end >= _MARK_EVERY:
            self._marks.append(self._sound.copy())
        while len(self._marks) > 1 and self._marks[1].end <= self.size:
            del self._marks[0]

    def _stands(self, text: str, *, final: bool, all_of_it: bool) -> bool:
        """Does the text still begin with what was sent? While a spot is being mended it may be shorter for a while."""
        if len(text) < self.size:
            return not final and self.sent.startswith(text)
        if all_of_it:
            return text.startswith(self.sent)
        last = self._pieces[-1] if self._pieces else ""
        return text.startswith(last, self.size - len(last))

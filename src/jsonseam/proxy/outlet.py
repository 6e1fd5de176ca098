"""Outlet: what of a growing document may be sent to a streaming client, who can never be made to give it back.

Rule 1: while a seam is undecided nothing is sent; the accumulator holds that text itself. Rule 2: the last `hold`
characters wait until more stands behind them, or the document is complete: a mend may still write them anew (an
unescaped quote, a missing comma). Rule 3: where text is taken back all the same, what the client has is the document:
`taken_back` says so, and the conversation goes on from there. A seam alone was never seen to do it: what it puts in
place of the cut-off text begins with that very text.
"""

from __future__ import annotations


class Outlet:
    """Follows one document's text. Costs the piece; where text was written anew (`changed`), a look at all of it.

    `size` is how many characters were sent, `held` how many of the text were not.
    """

    __slots__ = ("_hold", "_pieces", "held", "size", "taken_back")

    def __init__(self, hold: int) -> None:
        self._hold = hold
        self._pieces: list[str] = []
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
        end = len(text) if final else len(text) - self._hold
        news = text[self.size : end] if end > self.size else ""
        if news:
            self._pieces.append(news)
            self.size += len(news)
        self.held = max(0, len(text) - self.size)
        return news

    def go_on_from_sent(self) -> str:
        """What the client has is the document from now on; returns it."""
        self.taken_back = False
        self.held = 0
        return self.sent

    def _stands(self, text: str, *, final: bool, all_of_it: bool) -> bool:
        """Does the text still begin with what was sent? While a spot is being mended it may be shorter for a while."""
        if len(text) < self.size:
            return not final and self.sent.startswith(text)
        if all_of_it:
            return text.startswith(self.sent)
        last = self._pieces[-1] if self._pieces else ""
        return text.startswith(last, self.size - len(last))

"""One pass over the text as it comes: what is settled, and what is the unfinished tail.

Settled text ends right behind a delimiter that stands outside strings. So the tail is at most one token and the
space around it, and a closed string stays in the tail until its successor is seen: one that closes in the wrong
place ("he said "no" twice") can still be read otherwise.
Each character is looked at once, by C code: quote parity by counting, the last delimiter by one backward search.
"""

from __future__ import annotations

from typing import Final

from jsonseam.lexemes import DELIMITER, INSIDE_TOKENS, blank_escapes

NEAR_STRINGS: Final = 4  # strings from the end that are looked behind one by one


class Scanner:
    """Holds the tail, of `held` characters; `fresh` is the newest piece of it, which is all of it mostly.

    `quotes` counts those that came, escaped ones left out.
    """

    __slots__ = ("_odd", "_older", "fresh", "held", "in_string", "quotes")

    def __init__(self) -> None:
        self.fresh = ""
        self._older: list[str] = []  # the pieces before it
        self.held = 0
        self.in_string = False
        self.quotes = 0
        self._odd = False  # inside a string, the text so far ends in a backslash that escapes what comes

    @property
    def tail(self) -> str:
        """The unfinished token. Joining the pieces is paid once for each piece."""
        if self._older:
            self.fresh = self._joined_with_older(self.fresh)
        return self.fresh

    def _joined_with_older(self, text: str) -> str:
        """The older pieces with `text` behind them; they are held no more."""
        older = self._older
        older.append(text)
        joined = "".join(older)
        older.clear()
        return joined

    def park(self) -> None:
        """Hold the tail in one piece."""
        _ = self.tail

    def take_tail(self) -> str:
        """Empty the scanner: give back the tail and forget it."""
        tail = self.tail
        self.fresh = ""
        self.held = 0
        self.in_string = self._odd = False
        return tail

    def since(self, offset: int) -> str:
        """The tail from its character `offset` on. Cost: what is returned."""
        need = self.held - offset - len(self.fresh)
        if need <= 0:
            return self.fresh[-need:]
        if not offset:
            return self.tail
        pieces = [self.fresh]
        for part in reversed(self._older):
            pieces.append(part[max(0, len(part) - need) :])
            need -= len(part)
            if need <= 0:
                break
        return "".join(reversed(pieces))

    def push(self, text: str) -> str:
        """Take a piece of text; return what is settled by it, which may be nothing."""
        view, quotes, end = text, text.count('"'), 0
        if self._odd or "\\" in text:
            if quotes or text.endswith("\\"):
                view = self._without_escapes(text)
                quotes = view.count('"')
            else:
                self._odd = False  # what is escaped is no quote
        in_string = self.in_string
        if quotes or not (in_string or text.isspace()):  # layout, as long as chunks are, is no rare one
            if quotes & 1:
                self.in_string = in_string = not in_string
            self.quotes += quotes
            end = view.rfind('"') if in_string else len(view)
            if end > 1 and view[end - 1] == " ":  # mostly there is one behind a comma or a colon, and no more
                end -= 1
            if end and view[end - 1] not in "{}[],:":
                end = len(view[:end].rstrip(INSIDE_TOKENS))
                if end and view[end - 1] not in "{}[],:":
                    end = _last_delimiter(view, end)
        if not end:
            if self.held:
                self._older.append(self.fresh)
            self.fresh = text
            self.held += len(text)
            return ""
        settled = self.fresh + text[:end]
        self.fresh = text[end:]
        self.held = len(self.fresh)
        return self._joined_with_older(settled) if self._older else settled

    def _without_escapes(self, text: str) -> str:
        """`text` with each escape that matters blanked out, so that every quote left is a real one; same length."""
        view = "_" + text[1:] if self._odd and text.startswith(('"', "\\")) else text
        view = blank_escapes(view)
        self._odd = view.endswith("\\")
        return view


def _last_delimiter(view: str, end: int) -> int:
    """Behind the last delimiter outside strings among the first `end` characters, which end outside; 0: none."""
    for _ in range(NEAR_STRINGS):
        if end <= 0 or view[end - 1] in "{}[],:":
            return end
        if view[end - 1] == '"':
            opening = view.rfind('"', 0, end - 1)  # if there is none, the string was open before
            end = len(view[:opening].rstrip(INSIDE_TOKENS)) if opening > 0 else 0
        else:
            end = 1 + max(map(view[:end].rfind, '{}[],:"'))
    return _last_delimiter_far_back(view[:end])


def _last_delimiter_far_back(view: str) -> int:
    """`_last_delimiter` of text without one near its end, as where a quote is missing. Cost: the text, in C."""
    pieces = view.split('"')
    outside = pieces[::-2]
    first = DELIMITER.search(found := '"'.join(outside))
    if first is None:
        return 0
    strings = found.count('"', 0, first.start())
    behind = len(view) - sum(map(len, pieces[len(pieces) - 2 * strings :])) - 2 * strings
    piece = outside[strings]
    return behind - len(piece) + 1 + max(map(piece.rfind, "{}[],:"))

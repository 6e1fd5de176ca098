"""One pass over the text as it comes: what is settled, and what is the unfinished tail.

Settled text ends right behind a delimiter that stands outside strings. So the tail is at most one token and the
space around it, and a closed string stays in the tail until its successor is seen: one that closes in the wrong
place ("he said "no" twice") can still be read otherwise.
Each character is looked at once, by C code: quote parity by counting, the last delimiter by one backward search.
"""

from __future__ import annotations

from jsonseam.lexemes import DELIMITER, INSIDE_TOKENS, blank_escapes

NEAR_STRINGS = 4  # strings from the end that are looked behind one by one


class Scanner:
    """Holds the tail, of `held` characters. `quotes` counts those that came, escaped ones left out."""

    __slots__ = ("_odd", "held", "in_string", "parts", "quotes")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.held = 0
        self.in_string = False
        self.quotes = 0
        self._odd = False  # inside a string, the text so far ends in a backslash that escapes what comes

    @property
    def tail(self) -> str:
        """The unfinished token. Joining the pieces is paid once for each piece."""
        if len(self.parts) > 1:
            self.parts[:] = ["".join(self.parts)]
        return self.parts[0] if self.parts else ""

    def park(self) -> None:
        """Hold the tail in one piece, in a list no longer than it must be."""
        _ = self.tail
        self.parts = self.parts[:]

    def take_tail(self) -> str:
        """Empty the scanner: give back the tail and forget it."""
        tail = self.tail
        self.parts.clear()
        self.held = 0
        self.in_string = self._odd = False
        return tail

    def since(self, offset: int) -> str:
        """The tail from its character `offset` on. Cost: what is returned."""
        if not offset:
            return self.tail
        need, pieces = self.held - offset, []
        for part in reversed(self.parts):
            if len(part) >= need:
                pieces.append(part[len(part) - need :])
                break
            pieces.append(part)
            need -= len(part)
        return "".join(reversed(pieces))

    def push(self, text: str) -> str:
        """Take a piece of text; return what is settled by it, which may be nothing."""
        view = self._without_escapes(text) if self._odd or "\\" in text else text
        quotes, in_string, end = view.count('"'), self.in_string, 0
        if quotes or not in_string:
            if quotes & 1:
                self.in_string = in_string = not in_string
            self.quotes += quotes
            end = len((view[: view.rfind('"')] if in_string else view).rstrip(INSIDE_TOKENS))
            if end and view[end - 1] not in "{}[],:":
                end = _last_delimiter(view, end)
        if not end:
            self.parts.append(text)
            self.held += len(text)
            return ""
        settled, rest = text[:end], text[end:]
        if self.held:
            self.parts.append(settled)
            settled = "".join(self.parts)
            self.parts.clear()
        self.held = len(rest)
        if rest:
            self.parts.append(rest)
        return settled

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
    """The same for text without delimiters near its end, as where a quote is missing. Cost: the text, in C."""
    pieces = view.split('"')
    outside = pieces[::-2]
    first = DELIMITER.search(found := '"'.join(outside))
    if first is None:
        return 0
    strings = found.count('"', 0, first.start())
    behind = len(view) - sum(map(len, pieces[len(pieces) - 2 * strings :])) - 2 * strings
    piece = outside[strings]
    return behind - len(piece) + 1 + max(map(piece.rfind, "{}[],:"))

"""One pass over the text as it comes: what is settled, and what is the unfinished tail.

Settled text ends right behind a delimiter that stands outside strings. So the tail is at most one token and the
space around it, and a closed string stays in the tail until its successor is seen: one that closes in the wrong
place ("he said "no" twice") can still be read otherwise.
Each character is looked at once, by C code: quote parity by counting, the last delimiter by one backward search.
"""

from __future__ import annotations

from jsonseam import lexemes


class Scanner:
    """Holds the tail. `seen` counts the characters visited, so that a test can show that the work is linear."""

    __slots__ = ("_odd", "held", "in_string", "parts", "seen", "strings")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.held = 0
        self.in_string = False
        self.seen = 0
        self.strings = 0.0  # how many strings there were; half of one is open
        self._odd = False  # inside a string, the text so far ends in a backslash that escapes what comes

    @property
    def tail(self) -> str:
        """The unfinished token. Joining the pieces is paid once for each piece."""
        if len(self.parts) > 1:
            self.parts[:] = ["".join(self.parts)]
        return self.parts[0] if self.parts else ""

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
        self.seen += len(text)
        view = text
        if self._odd or "\\" in text:
            view = self._without_escapes(text)
        quotes = view.count('"')
        if not quotes and self.in_string:
            self.parts.append(text)
            self.held += len(text)
            return ""
        if quotes & 1:
            self.in_string = not self.in_string
        end = _settled_end(view, quotes, self.in_string)
        self.strings += quotes / 2
        if end < 0:
            self.parts.append(text)
            self.held += len(text)
            return ""
        settled = text[:end]
        if self.parts:
            self.parts.append(settled)
            settled = "".join(self.parts)
            self.parts.clear()
        rest = text[end:]
        self.held = len(rest)
        if rest:
            self.parts.append(rest)
        return settled

    def _without_escapes(self, text: str) -> str:
        """`text` with each escape blanked out, so that every quote left in it is a real one; same length."""
        view = lexemes.ESCAPE.sub("__", "_" + text[1:] if self._odd else text)
        self._odd = view.endswith("\\")
        return view


def _settled_end(view: str, quotes: int, in_string: bool) -> int:
    """Where the settled part of a piece of text ends, -1 if nothing in it settles anything."""
    end = len(view)
    if quotes:
        last = view.rfind('"')
        if not in_string:
            match = lexemes.UNTIL_LAST_DELIMITER.match(view, last + 1)
            if match:
                return match.end()
            last = view.rfind('"', 0, last)  # the quote that opened the string which closed last
        if last < 0:
            return -1
        end = last
    match = lexemes.UNTIL_LAST_DELIMITER.match(view, view.rfind('"', 0, end) + 1, end)
    return match.end() if match else -1

"""Sound: how far a text is the beginning of strict JSON, and may be cut there. Pure; its tables are the grammar.

The accumulator's text ends with the unfinished token as it came, which a mend may write anew: `'a`, `Tru`, `"b" "c`. A
client must not get that. Rule: tokens are sound once they are finished and follow from what stands before them; of an
open string all whole characters are. What is not sound stays where it is until the text there has changed.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final


class Expect(Enum):
    VALUE = auto()
    VALUE_OR_END = auto()
    KEY = auto()
    KEY_OR_END = auto()
    COLON = auto()
    COMMA_OR_END = auto()
    NOTHING = auto()


_VALUES: Final = frozenset({Expect.VALUE, Expect.VALUE_OR_END})
_KEYS: Final = frozenset({Expect.KEY, Expect.KEY_OR_END})
_OPENED: Final = {"{": Expect.KEY_OR_END, "[": Expect.VALUE_OR_END}
_CLOSES: Final = {"}": "{", "]": "["}
_MAY_CLOSE: Final = frozenset({Expect.VALUE_OR_END, Expect.KEY_OR_END, Expect.COMMA_OR_END})
_BEHIND_COMMA: Final = {"{": Expect.KEY, "[": Expect.VALUE}

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'[^"\\\x00-\x1f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_SCALAR: Final = re.compile(
    r"(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|NaN|-?Infinity)(?=[ \t\r\n,\]}])"
)


class Sound:
    """Follows one text as it grows. `end` is how far it is sound; costs what is new."""

    __slots__ = ("_expect", "_in_string", "_stack", "end")

    def __init__(self) -> None:
        self._stack: list[str] = []
        self._expect = Expect.VALUE
        self._in_string = False
        self.end = 0

    def copy(self) -> Sound:
        """The same place, to come back to. Costs the open containers."""
        other = Sound()
        other._stack, other._expect = self._stack.copy(), self._expect
        other._in_string, other.end = self._in_string, self.end
        return other

    def advance(self, text: str) -> int:
        """The end in a text that goes on behind what was seen to be sound."""
        while self.end < len(text) and (self._string(text) if self._in_string else self._token(text)):
            pass
        return self.end

    def _string(self, text: str) -> bool:
        """Go on in a string. False where it can go no further now."""
        while match := _STRING.match(text, self.end):
            self.end = match.end()
        if not text.startswith('"', self.end):
            return False
        self.end += 1
        self._in_string = False
        self._expect = Expect.COLON if self._expect in _KEYS else self._behind_value()
        return True

    def _token(self, text: str) -> bool:
        space = _SPACE.match(text, self.end)
        start = space.end() if space else self.end
        sign = text[start : start + 1]
        if sign == '"' and self._expect in _VALUES | _KEYS:
            self._in_string = True
        elif sign in _OPENED and self._expect in _VALUES:
            self._stack.append(sign)
            self._expect = _OPENED[sign]
        elif sign in _CLOSES and self._expect in _MAY_CLOSE and self._stack[-1:] == [_CLOSES[sign]]:
            self._stack.pop()
            self._expect = self._behind_value()
        elif sign == ":" and self._expect is Expect.COLON:
            self._expect = Expect.VALUE
        elif sign == "," and self._expect is Expect.COMMA_OR_END:
            self._expect = _BEHIND_COMMA[self._stack[-1]]
        elif self._expect in _VALUES and (scalar := _SCALAR.match(text, start)):
            self._expect = self._behind_value()
            self.end = scalar.end()
            return True
        else:
            return False
        self.end = start + 1
        return True

    def _behind_value(self) -> Expect:
        return Expect.COMMA_OR_END if self._stack else Expect.NOTHING

"""A caller of `mend_text` as small as can be: a strict scanner that hands over what it cannot read.

It does what the accumulator does, without its speed: it keeps what was delivered since the last finished value
or opener, reads that strictly, and lets a fault be mended. A closed string counts as finished when the character
behind it is one that may follow a string.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from jsonseam.foresight import ends_root_string
from jsonseam.mending import mend_text
from jsonseam.spots import Spot

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"')
_CUT_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*(?:\\(?:u[0-9A-Fa-f]{0,3})?)?\Z')
_WORD = re.compile(r"[^\s{}\[\]:,\"]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LITERALS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|.)", re.DOTALL)


def has_lone_surrogate(token: str) -> bool:
    """Is half of a surrogate pair in this string, as an escape, without the other half right behind it?"""
    high_ends = -1
    for found in _ESCAPE.finditer(token):
        unit = int(found[1] or "0", 16)
        if high_ends >= 0 and not (found.start() == high_ends and 0xDC00 <= unit <= 0xDFFF):
            return True
        if high_ends < 0 and 0xDC00 <= unit <= 0xDFFF:
            return True
        high_ends = found.end() if 0xD800 <= unit <= 0xDBFF else -1
    return high_ends >= 0


class Wait(Exception):  # noqa: N818 - a signal
    """What is held may still become strict JSON."""


class Fault(Exception):  # noqa: N818 - a signal
    """What is held is no strict JSON."""


@dataclass
class Driver:
    """`text` is strict and read; `held` comes behind it and is not finished."""

    text: list[str] = field(default_factory=list)
    frames: str = ""
    after_value: bool = False
    held: str = ""
    spots: list[Spot] = field(default_factory=list)
    calls: int = 0
    seen: int = 0
    fed: int = 0

    @property
    def closed(self) -> bool:
        return self.after_value and not self.frames

    def feed(self, chunk: str) -> None:
        self.held += chunk
        self.fed += len(chunk)
        self._go(final=False)

    def end(self) -> Any:
        """The value, when the text is over and what is open is closed."""
        self._go(final=True)
        return json.loads(self.completed())

    def completed(self) -> str:
        text = "".join(self.text) + ("" if self.closed else self.held)
        return text + completion(text)

    def _go(self, *, final: bool) -> None:
        self.seen = 0 if final else self.seen
        if final:
            self._read_on(final=False)
        self._read_on(final=final)

    def _read_on(self, *, final: bool) -> None:
        while self.held and not self.closed:
            try:
                self._read()
                continue
            except Wait:
                if not final:
                    return
            except Fault:
                if not final and len(self.held) < 2 * self.seen:
                    return
            result = mend_text(self.held, self.frames, self.after_value, final=final)
            self.calls += 1
            assert self.calls <= 2 * self.fed + 10, "the same spot is mended over and over"
            self.spots += result.spots
            for spot in result.spots:
                assert result.strict[spot.at : spot.at + len(spot.after)] == spot.after
            if final and not (self.after_value and not self.frames):
                assert result.used == len(self.held) or completion("".join(self.text) + result.strict) == "", result
            if not result.used and not final:
                self.seen = len(self.held)
                return
            self.seen = 0
            if final:
                self.text.append(result.strict)
                self.held = ""
                return
            if result.strict == self.held[: result.used]:
                self.seen = len(self.held)
                return
            self.held = result.strict + self.held[result.used :]

    def _read(self) -> None:
        """Take tokens up to the next finished value or opener; Wait, or Fault."""
        at, held = 0, self.held
        top = self.frames[-1:]
        state = "after" if self.after_value else {"{": "first key", "[": "first"}.get(top, "value")
        while True:
            at = _SPACE.match(held, at).end()
            if at == len(held):
                raise Wait
            first = held[at]
            if state == "after" and first == ",":
                state, at = ("key" if top == "{" else "value"), at + 1
            elif first in "}]" and state in ("after", "first", "first key"):
                if {"{": "}", "[": "]"}[top] != first:
                    raise Fault
                self._take(at + 1, self.frames[:-1], True)
                return
            elif state in ("first key", "key"):
                if first != '"':
                    raise Fault
                at = self._string(at, ":")
                state = "colon"
            elif state == "colon":
                if first != ":":
                    raise Fault
                state, at = "value", at + 1
            elif state not in ("value", "first"):
                raise Fault
            elif first in "{[":
                self._take(at + 1, self.frames + first, False)
                return
            elif first == '"':
                self._take(self._string(at, ",}]" if top else ""), self.frames, True)
                return
            else:
                end = _WORD.match(held, at).end()
                if end == len(held):
                    raise Wait
                token = held[at:end]
                number = _NUMBER.fullmatch(token)
                if (not number and token not in _LITERALS) or len(token) > 4300:
                    raise Fault
                self._take(end, self.frames, True)
                return

    def _string(self, at: int, followers: str) -> int:
        found = _STRING.match(self.held, at)
        if found is None:
            raise Wait if _CUT_STRING.match(self.held, at) else Fault
        if has_lone_surrogate(found[0]):
            raise Fault
        behind = _SPACE.match(self.held, found.end()).end()
        if behind == len(self.held):
            raise Wait
        if not (self.held[behind] in followers if followers else ends_root_string(self.held[behind])):
            raise Fault
        return found.end()

    def _take(self, end: int, frames: str, after_value: bool) -> None:
        self.text.append(self.held[:end])
        self.held, self.frames, self.after_value = self.held[end:], frames, after_value


def completion(text: str) -> str:
    """What closes a legal prefix of a JSON document, in the plainest way: numbers stay, literals are spelled out."""
    stack: list[str] = []
    at, state = 0, "value"
    while (at := _SPACE.match(text, at).end()) < len(text):
        first = text[at]
        if first in "{[":
            stack.append("}" if first == "{" else "]")
            state, at = ("first key" if first == "{" else "first"), at + 1
        elif first in "}]":
            assert state in ("after", "first", "first key"), (state, text[max(0, at - 50) : at + 20])
            assert stack.pop() == first
            state, at = "after", at + 1
        elif first == ",":
            assert state == "after", (state, text[max(0, at - 50) : at + 20])
            state, at = ("key" if stack[-1] == "}" else "value"), at + 1
        elif first == ":":
            assert state == "colon", (state, text[max(0, at - 50) : at + 20])
            state, at = "value", at + 1
        else:
            assert state in ("first", "value", "key", "first key"), (state, text[max(0, at - 50) : at + 20])
            role = "key" if "key" in state else "value"
            state = "colon" if role == "key" else "after"
            if first == '"':
                found = _STRING.match(text, at)
                if found is None:
                    cut = _CUT_STRING.match(text, at)
                    assert cut, text[at : at + 50]
                    hanging = re.search(r"(?<!\\)(?:\\\\)*(\\(?:u.{0,3})?)\Z", text[at:], re.DOTALL)
                    missing = {0: "", 1: "\\"}.get(len(hanging[1]), "0" * (6 - len(hanging[1]))) if hanging else ""
                    return missing + '"' + _rest(state, stack)
                at = found.end()
            else:
                end = _WORD.match(text, at).end()
                token = text[at:end]
                if end == len(text) and token not in _LITERALS and not _NUMBER.fullmatch(token):
                    whole = [w for w in _LITERALS if w.startswith(token)]
                    more = whole[0][len(token) :] if whole else "0"
                    assert whole or _NUMBER.fullmatch(token + "0"), token
                    return more + _rest(state, stack)
                assert token in _LITERALS or _NUMBER.fullmatch(token), token
                at = end
    return _rest(state, stack)


def _rest(state: str, stack: list[str]) -> str:
    start = {"colon": ": null", "value": " null", "key": '"": null'}.get(state, "")
    return start + "".join(reversed(stack))


def drive(text: str, chunk: int) -> Driver:
    driver = Driver()
    for at in range(0, len(text), chunk):
        driver.feed(text[at : at + chunk])
    return driver

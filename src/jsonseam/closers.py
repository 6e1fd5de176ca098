"""Closers: a closer does not fit the container that is open. Was it one too many, the wrong one, or is one missing?

Three readings are tried on the text that follows, token by token, side by side: drop it, change it, insert the
closers that are missing before it. A reading is out at the first token that it cannot place; the one that lasts
longest is taken. Where two last as long, or WINDOW characters did not part them, the one is taken in whose container
the next key is likely; and where that does not tell, the order of READINGS decides.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from jsonseam.containers import STOPPED, read_value
from jsonseam.frames import Stack
from jsonseam.lexemes import CLOSER_OF, SPACES, opener_behind_comma
from jsonseam.reader import Reader
from jsonseam.spelling import CLOSING, QUOTES

WINDOW = 1 << 16
DEEPEST = 8
"""Containers that one closer may close at once."""

READINGS = ("insert", "change", "drop")

_TEXT = {
    quote: re.compile(rf"(?:[^\\{re.escape(closing)}]++|\\.?+)*+", re.DOTALL) for quote, closing in CLOSING.items()
}
_SCALAR = re.compile(r"[\w.+\-]*+")
_KEY_BEHIND = re.compile(rf'{SPACES},{SPACES}(?:\{{{SPACES})?+"([^"\\]*+)"{SPACES}:')
_RIGHT_SCALAR = r'(?:"[^"\\\n]*+"|[\w.+\-]++)'
# The next token, where it is right as far as can be seen.
_RIGHT_TOKEN = re.compile(rf"{SPACES}(?:([{{}}\[\],])|{_RIGHT_SCALAR}{SPACES}(?:(:)(?=[^=])|(?=[,}}\]])))")
# Scalars that are right in the same way, each with its comma: all that a container may take without a change in it.
_RIGHT_RUN = {
    "{": re.compile(rf"(?:{SPACES}{_RIGHT_SCALAR}{SPACES}:(?=[^=]){SPACES}{_RIGHT_SCALAR}{SPACES},)*+"),
    "[": re.compile(rf"(?:{SPACES}{_RIGHT_SCALAR}{SPACES},)*+"),
}
_ITEM, _VALUE, _AFTER, _DONE, _OUT = range(5)


class CloserReading(NamedTuple):
    """How a closer is meant: "insert" so many before it, or "change" it to the one that fits, or "drop" it."""

    name: str
    insert: int = 0


_DROP, _CHANGE = CloserReading("drop"), CloserReading("change")
_INSERT = [CloserReading("insert", up) for up in range(DEEPEST + 1)]


class _Trial:
    """One reading, as far as the text went: the open container's opener `top`, and what may stand there.

    `_left`: how far up the container is that the reading leaves open.
    """

    __slots__ = ("_left", "_popped", "_stack", "reading", "state", "top")

    def __init__(self, reading: CloserReading, stack: Stack, popped: int) -> None:
        self.reading = reading
        self._stack = stack
        self._popped = popped
        self.top = stack.top(popped)
        self._left = popped
        self.state = _AFTER if self.top else _DONE

    def expects(self, key: str) -> bool:
        """Is the key likely in the container that the reading leaves open, or if it is an array in its objects?"""
        return key in self._stack.likely_keys(self._left)

    def takes(self, token: str, named: bool, paired: bool) -> bool:
        """Place one token; the containers that are opened from here on are followed outside of the trials."""
        if self.state == _DONE:
            return False
        self.state = _state_behind(self.top, self.state, token, named, paired)
        if self.state == _OUT:
            return False
        if token in "}]":
            self._popped += 1
            self.top = self._stack.top(self._popped)
            if not self.top:
                self.state = _DONE
        return True


def _state_behind(top: str, state: int, token: str, named: bool, paired: bool) -> int:
    """What may stand in the container behind one token: an opener (and all up to its closer), a closer (then it is
    the container around), a comma, or "s" for a scalar.

    `named`: a colon is behind it; `paired`: the beginning of a value is. Faults that say nothing about closers
    (commas and colons that are missing or too many, a string that was not closed before a key) are let pass.
    """
    if token == ",":
        return _ITEM
    if token in "}]":
        return _AFTER if CLOSER_OF[top] == token else _OUT
    if top == "{" and state != _VALUE:
        return _VALUE if token == "s" and (named or paired) else _OUT
    if named:
        return _OUT if top == "[" else _VALUE
    return _AFTER


def read_closer(reader: Reader, stack: Stack, at: int) -> CloserReading:
    """How the closer at `at`, which does not fit, is meant."""
    closer = reader.text[at]
    trials = [_Trial(_DROP, stack, 0), _Trial(_CHANGE, stack, 1)]
    for up in range(1, DEEPEST + 1):
        if CLOSER_OF.get(stack.top(up)) == closer:
            trials.append(_Trial(_INSERT[up], stack, up + 1))
            break
    trials = _lasting(trials, _Tokens(reader, at + 1))
    trials = [trial for trial in trials if trial.state == _DONE] or trials
    if len(trials) > 1 and (key := _KEY_BEHIND.match(reader.text, at + 1)):
        trials = [trial for trial in trials if trial.expects(key[1])] or trials
    best = trials[0]
    for trial in trials[1:]:
        if _order(trial.reading) < _order(best.reading):
            best = trial
    return best.reading


def _order(reading: CloserReading) -> tuple[bool, int]:
    return reading.insert > 1, READINGS.index(reading.name)


def _lasting(trials: list[_Trial], tokens: _Tokens) -> list[_Trial]:
    """The one trial that lasts longest, or those that last as long.

    A container that was opened by a token is the same in all trials that took it: it is followed once.
    """
    inner: list[str] = []
    state = _AFTER
    arrays = False
    while True:
        if inner:
            tokens.pass_run(inner[-1], state)
        elif arrays:
            tokens.pass_run("[", _AFTER)
        token = tokens.next()
        if token == "":
            return trials
        named, paired = tokens.named, tokens.paired
        if inner:
            state = _state_behind(inner[-1], state, token, named, paired)
            if state == _OUT:
                return trials
            if token in "}]":
                inner.pop()
        else:
            lasting = [trial for trial in trials if trial.takes(token, named, paired)]
            if len(lasting) <= 1:
                return lasting or trials
            trials = lasting
            arrays = {trial.top for trial in trials} == {"["}
        if token in "{[":
            inner.append(token)
            state = _ITEM


class _Tokens:
    """What is behind a closer, up to the window's end. What is no token is passed over.

    A container that is right and whole is told as a scalar: every reading that takes it takes what is in it.
    """

    __slots__ = ("_at", "_end", "_faulty_upto", "_reader", "named", "paired")

    def __init__(self, reader: Reader, at: int) -> None:
        self._reader = reader
        self._at = at
        self._end = at + WINDOW
        self._faulty_upto = at
        self.named = self.paired = False

    def pass_run(self, top: str, state: int) -> None:
        """Pass items that are right, in a container in which that changes nothing."""
        if top == "{" and state != _ITEM:
            return
        text, at = self._reader.text, self._at
        begin = at
        if not text.startswith(",", at):  # behind a value, where no run begins
            run = _RIGHT_RUN[top].match(text, at, max(at, self._end))
            at = run.end() if run else at
        while top == "[" and at < self._end:
            opener = opener_behind_comma(text, at)
            if opener < self._faulty_upto:
                break
            behind = self._container_end(opener)
            if not behind:
                break
            at = behind
        self._reader.visits += at - begin
        self._at = at

    def next(self) -> str:
        """The next token: a bracket, a comma, or "s" for a scalar; "" behind the last."""
        reader = self._reader
        text, end = reader.text, self._end
        while self._at < end:
            at = self._at
            right = _RIGHT_TOKEN.match(text, at)
            if right is not None:
                self._at = right.end()
                reader.visits += self._at - at
                token = right[1] or "s"
                self.named, self.paired = right[2] is not None, False
                if token in "{[" and self._at > self._faulty_upto:
                    behind = self._container_end(self._at - 1)
                    if behind:
                        self._at = behind
                        return "s"
                return token
            at = reader.gap(at)
            first = reader.char(at)
            if first == "":
                return ""
            if first in "{}[],":
                self._at = at + 1
                self.named = self.paired = False
                return first
            behind = _text_end(reader, at, end) if first in QUOTES else reader.run(_SCALAR, at, WINDOW)
            if behind == at:
                self._at = at + 1
                continue
            at = reader.gap(behind)
            follower = reader.char(at)
            self.named = follower != "" and follower in ":="
            self.paired = follower != "" and (follower in "{[" or follower in QUOTES or follower.isalnum())
            self._at = at + self.named
            return "s"
        return ""

    def _container_end(self, at: int) -> int:
        """Behind the container at `at`, if it is strict JSON; if not, 0, and how far it is right is remembered."""
        reader = self._reader
        found = read_value(reader.text, at)
        reader.know(at, found)
        value, end = found
        reader.visits += end - at
        if value is not STOPPED:
            return end
        self._faulty_upto = max(end, at + 1)
        return 0


def _text_end(reader: Reader, at: int, stop: int) -> int:
    """Behind a string, taking a mark for its end where something follows that may stand behind a string."""
    opener = reader.text[at]
    end = at + 1
    while end < stop:
        end = reader.run(_TEXT[opener], end, WINDOW)
        if reader.char(end) == "":
            return end
        end += 1
        follower = reader.char(reader.gap(end))
        if follower == "" or follower in ",:}]=" or follower in "{[" or follower in QUOTES:
            break
    return end

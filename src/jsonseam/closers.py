"""Closers: a closer does not fit the container that is open. Was it one too many, the wrong one, or is one missing?

Three readings are tried on the text that follows, token by token, side by side: drop it, change it, insert the
closers that are missing before it. A reading is out at the first token that it cannot place; the one that lasts
longest is taken. Where two last as long, or WINDOW characters did not part them, the order of READINGS decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from jsonseam.reader import Branch, Reader, Stack
from jsonseam.spelling import CLOSER_OF

WINDOW = 1 << 14
DEEPEST = 8
"""Containers that one closer may close at once."""

READINGS = ("insert", "change", "drop")

_TEXT = re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL)
_SCALAR = re.compile(r"[\w.+\-]*+")
_FIRST, _NEXT, _VALUE, _AFTER, _DONE = range(5)


@dataclass(frozen=True, slots=True)
class Reading:
    """`insert` closers go in before the closer; `keep` it, or not; or `change` it to the one that fits."""

    name: str
    insert: int = 0


@dataclass(slots=True)
class _Trial:
    reading: Reading
    stack: Branch
    state: int = field(default=_AFTER)

    def takes(self, token: str, named: bool) -> bool:
        """Place one token: an opener, a closer, a comma, or "s" for a scalar (`named`: with a colon behind it)."""
        top, state = self.stack.top(), self.state
        if state == _DONE:
            return False
        if token in "}]":
            if CLOSER_OF[top] != token or state == _VALUE:
                return False
            self.stack.pop()
            self.state = _AFTER if self.stack.top() else _DONE
            return True
        if token == ",":
            self.state = _NEXT
            return state == _AFTER
        if state == _AFTER:
            return False
        if top == "{" and state != _VALUE:
            self.state = _VALUE
            return named
        if named:
            return False
        self.state = _AFTER
        if token in "{[":
            self.stack.push(token)
            self.state = _FIRST
        return True


def read_closer(reader: Reader, stack: Stack, at: int, *, first: bool) -> Reading:
    """How the closer at `at`, which does not fit, is meant. `first`: nothing stands in the open container yet."""
    closer = reader.text[at]
    trials = [_Trial(Reading("drop"), Branch(stack, 0), _FIRST if first else _AFTER)]
    changed = _Trial(Reading("change"), Branch(stack, 1))
    trials.append(changed)
    missing = next((up for up in range(1, DEEPEST + 1) if CLOSER_OF.get(stack.top(up)) == closer), 0)
    if missing:
        trials.append(_Trial(Reading("insert", missing), Branch(stack, missing + 1)))
    for trial in trials:
        if not trial.stack.top():
            trial.state = _DONE
    for token, named in _tokens(reader, at + 1):
        lasting = [trial for trial in trials if trial.takes(token, named)]
        if len(lasting) == 1:
            return lasting[0].reading
        if not lasting:
            break
        trials = lasting
    trials = [trial for trial in trials if trial.state == _DONE] or trials
    return min(trials, key=lambda trial: (trial.reading.insert > 1, READINGS.index(trial.reading.name))).reading


def _tokens(reader: Reader, at: int) -> Iterator[tuple[str, bool]]:
    """The tokens behind a closer, as far as they are plain; ends without a word at anything else."""
    end = at + WINDOW
    while at < end:
        at = reader.gap(at)
        first = reader.char(at)
        if first == "":
            return
        if first in "{}[],":
            yield first, False
            at += 1
            continue
        behind = at
        if first == '"':
            behind = reader.run(_TEXT, at + 1, WINDOW)
            if reader.char(behind) != '"':
                return
            behind += 1
        else:
            behind = reader.run(_SCALAR, at, WINDOW)
            if behind == at:
                return
        at = reader.gap(behind)
        named = reader.char(at) == ":"
        yield "s", named
        at += named

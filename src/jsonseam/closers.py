"""Closers: a closer does not fit the container that is open. Was it one too many, the wrong one, or is one missing?

Three readings are tried on the text that follows, token by token, side by side: drop it, change it, insert the
closers that are missing before it. A reading is out at the first token that it cannot place; the one that lasts
longest is taken. Where two last as long, or WINDOW characters did not part them, the order of READINGS decides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from jsonseam.frames import Branch, Stack
from jsonseam.reader import Reader
from jsonseam.spelling import CLOSER_OF, CLOSING, QUOTES

WINDOW = 1 << 16
DEEPEST = 8
"""Containers that one closer may close at once."""

READINGS = ("insert", "change", "drop")

_TEXT = {
    quote: re.compile(rf"(?:[^\\{re.escape(closing)}]++|\\.?+)*+", re.DOTALL) for quote, closing in CLOSING.items()
}
_SCALAR = re.compile(r"[\w.+\-]*+")
# The next token, where it is right as far as can be seen.
_RIGHT_TOKEN = re.compile(
    r'[ \t\r\n]*+(?:([{}\[\],])|(?:"[^"\\\n]*+"|[\w.+\-]++)[ \t\r\n]*+(?:(:)(?=[^=])|(?=[,}\]])))'
)
_ITEM, _VALUE, _AFTER, _DONE = range(4)
_read_container = json.JSONDecoder().raw_decode


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

    def takes(self, token: str, named: bool, paired: bool) -> bool:
        """Place one token: an opener, a closer, a comma, or "s" for a scalar.

        `named`: a colon is behind it; `paired`: the beginning of a value is. Faults that say nothing about closers
        (commas and colons that are missing or too many, a string that was not closed before a key) are let pass.
        """
        top, state = self.stack.top(), self.state
        if state == _DONE:
            return False
        if token in "}]":
            if CLOSER_OF[top] != token:
                return False
            self.stack.pop()
            self.state = _AFTER if self.stack.top() else _DONE
        elif token == ",":
            self.state = _ITEM
        elif top == "{" and state != _VALUE:
            self.state = _VALUE
            return token == "s" and (named or paired)
        elif top == "[" and named:
            return False
        elif token == "s":
            self.state = _VALUE if named else _AFTER
        else:
            self.stack.push(token)
            self.state = _ITEM
        return True


def read_closer(reader: Reader, stack: Stack, at: int) -> Reading:
    """How the closer at `at`, which does not fit, is meant."""
    closer = reader.text[at]
    trials = [_Trial(Reading("drop"), Branch(stack, 0))]
    changed = _Trial(Reading("change"), Branch(stack, 1))
    trials.append(changed)
    missing = next((up for up in range(1, DEEPEST + 1) if CLOSER_OF.get(stack.top(up)) == closer), 0)
    if missing:
        trials.append(_Trial(Reading("insert", missing), Branch(stack, missing + 1)))
    for trial in trials:
        if not trial.stack.top():
            trial.state = _DONE
    for token in _tokens(reader, at + 1):
        lasting = [trial for trial in trials if trial.takes(*token)]
        if len(lasting) == 1:
            return lasting[0].reading
        if not lasting:
            break
        trials = lasting
    trials = [trial for trial in trials if trial.state == _DONE] or trials
    return min(trials, key=lambda trial: (trial.reading.insert > 1, READINGS.index(trial.reading.name))).reading


def _tokens(reader: Reader, at: int) -> Iterator[tuple[str, bool, bool]]:
    """What is behind a closer, as arguments of `takes`, up to the window's end. What is no token is passed over.

    A container that is right and whole is told as a scalar: every reading that takes it takes what is in it.
    """
    end = at + WINDOW
    faulty_upto = at
    while at < end:
        right = _RIGHT_TOKEN.match(reader.text, at)
        if right is not None:
            reader.visits += right.end() - at
            at = right.end()
            token = right[1] or "s"
            if token in "{[" and at > faulty_upto:
                behind = _container_end(reader, at - 1)
                if behind > 0:
                    token, at = "s", behind
                else:
                    faulty_upto = -behind
            yield token, right[2] is not None, False
            continue
        at = reader.gap(at)
        first = reader.char(at)
        if first == "":
            return
        if first in "{}[],":
            yield first, False, False
            at += 1
            continue
        behind = _text_end(reader, at, end) if first in QUOTES else reader.run(_SCALAR, at, WINDOW)
        if behind == at:
            at += 1
            continue
        at = reader.gap(behind)
        follower = reader.char(at)
        named = follower != "" and follower in ":="
        yield "s", named, follower != "" and (follower in "{[" or follower in QUOTES or follower.isalnum())
        at += named


def _container_end(reader: Reader, at: int) -> int:
    """Behind the container at `at`, if it is strict JSON; if not, how far it is, as a negative number."""
    try:
        _, end = _read_container(reader.text, at)
    except json.JSONDecodeError as error:
        end = -max(error.pos, at + 1)
    except (ValueError, RecursionError):  # a huge integer; or too deep, and then each one in it would be, too
        end = -(at + WINDOW)
    reader.visits += abs(end) - at
    return end


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

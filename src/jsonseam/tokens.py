"""Settled text in, typed events out. The only file on ijson.

The backend is pinned to yajl2_c, because which one ijson would take depends on machine and environment. A
coroutine that has faulted is dead and cannot say where; one that is dropped is closed here, so that no backend
complains. A new one is primed with the openers of the stack and goes on as if it had read the whole document.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterable
from types import ModuleType
from typing import Any, Final

import ijson
from ijson.common import JSONError

from jsonseam import lexemes
from jsonseam.grammar import Token

Event = tuple[str, Any]


class Fault(Exception):  # noqa: N818 - a signal between rooms; it never reaches a caller
    """ijson did not take the text. What is wrong, and where, the grammar reader finds out."""


def _backend() -> ModuleType:
    try:
        module: ModuleType = ijson.get_backend("yajl2_c")
    except ImportError:
        warnings.warn(
            "jsonseam: ijson's C backend (yajl2_c) is missing here; the pure-Python one is used, which gives the "
            "same documents about 20 times slower. Install an ijson wheel for this platform.",
            RuntimeWarning,
            stacklevel=2,
        )
        module = ijson.get_backend("python")
    return module


BACKEND = _backend()


class Tokenizer:
    """One live ijson coroutine. `idle`: there is none, `prime` before the next `send`."""

    __slots__ = ("_coroutine", "_events", "_take", "idle")

    def __init__(self) -> None:
        self._events: Any = None
        self._coroutine: Any = None
        self._take: Any = None  # its method `send`
        self.idle = True

    def prime(self, openers: str) -> None:
        """Start a new coroutine in the state behind `openers`. Cost: 6 microseconds and the depth."""
        if self._events is None:
            self._events = ijson.sendable_list()
        self._coroutine = BACKEND.basic_parse_coro(self._events, use_float=True)
        self._take = self._coroutine.send
        self.idle = False
        if openers:
            self._take(openers.encode())

    def send(self, text: str) -> list[Event]:
        """The events of `text`, which follows what was sent before. The list is valid until the next call.

        Raises `Fault`, after which the tokenizer is idle; no event of `text` was given.
        """
        events: list[Event] = self._events
        events.clear()
        if lexemes.is_misread(text):
            self.drop()
            raise Fault
        try:
            self._take(text.encode())
        except (JSONError, UnicodeError, ValueError, SystemError, StopIteration) as error:
            self.drop()
            raise Fault from error
        return events

    def __del__(self) -> None:
        self.drop()

    def drop(self) -> None:
        """Forget the coroutine (3 to 4 kB); the next `send` primes a new one."""
        self._events = None  # the events of the last send hold their strings
        if not self.idle:
            self.idle = True
            with contextlib.suppress(JSONError, RuntimeError, StopIteration, ValueError):
                self._coroutine.close()
            self._coroutine = self._take = None


IDLE: Final = Tokenizer()
"""The tokenizer of every parser that has nothing to send; it is never primed."""


def frames_to_openers(frames: Iterable[str], last: str) -> str:
    """Text that brings a new coroutine into a state: the open containers, and what stands before `last`.

    An open object is entered by a key, an open container behind a value by `null` (a number would go on).
    """
    out: list[str] = []
    for frame in frames:
        if out and out[-1] == "{":
            out.append('"":')
        out.append(frame)
    if last == ",":
        out.append('"":null,' if out[-1] == "{" else "null,")
    elif last == ":":
        out.append('"":')
    elif last not in "{[" and out:
        out.append('"":null' if out[-1] == "{" else "null")
    return "".join(out)


def events_of(text: str, tokens: Iterable[Token]) -> list[Event]:
    """The events of tokens that the grammar reader found in `text`."""
    events: list[Event] = []
    for token in tokens:
        match token.kind:
            case "{":
                events.append(("start_map", None))
            case "[":
                events.append(("start_array", None))
            case "}":
                events.append(("end_map", None))
            case "]":
                events.append(("end_array", None))
            case "string" | "scalar":
                kind = "map_key" if token.is_key else "string"
                events.append((kind, lexemes.scalar_value(text[token.start : token.end])))
    return events

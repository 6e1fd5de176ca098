"""States: what a run may be doing, what may follow what, and what a driver can be told to do.

The table NEXT is the truth; a signal that is not in it is a mistake of the driver, and raises.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from .model import Request
from .result import Result


class State(Enum):
    ASK = auto()  # the next piece of the document is to be asked for
    ANSWER = auto()  # it is coming in
    DEFINE = auto()  # the KPIs are to be asked for
    DEFINITION = auto()  # they are coming in
    STOPPED = auto()


class Signal(Enum):
    CALLED = auto()
    CUT = auto()  # the first answer is over, the document is not, and nobody has said what to count
    JOINED = auto()  # an answer is over, and the document goes on
    DEFINED = auto()  # it is settled what is counted
    REFUSED = auto()  # it is not, and is asked for once more
    STOP = auto()


NEXT: dict[State, dict[Signal, State]] = {
    State.ASK: {Signal.CALLED: State.ANSWER, Signal.STOP: State.STOPPED},
    State.ANSWER: {Signal.CUT: State.DEFINE, Signal.JOINED: State.ASK, Signal.STOP: State.STOPPED},
    State.DEFINE: {Signal.CALLED: State.DEFINITION, Signal.STOP: State.STOPPED},
    State.DEFINITION: {Signal.REFUSED: State.DEFINE, Signal.DEFINED: State.ASK, Signal.STOP: State.STOPPED},
    State.STOPPED: {},
}


class ProtocolError(RuntimeError):
    """The driver did something that the loop is not ready for."""


@dataclass(frozen=True, slots=True)
class Call:
    """Call the model; hand every piece to `receive`, then `end`, or the exception to `fail`."""

    request: Request


@dataclass(frozen=True, slots=True)
class Save:
    """Write `snapshot(loop)` behind this version, then say `saved`. Without a store: say `saved`."""

    run_id: str
    version: int


@dataclass(frozen=True, slots=True)
class Append:
    """Keep this piece of the answer that is coming in behind this version."""

    run_id: str
    version: int
    text: str


@dataclass(frozen=True, slots=True)
class Stop:
    result: Result


Action = Call | Save | Stop


def follow(state: State, signal: Signal) -> State:
    """The state after a signal. Raises ProtocolError where the table has none."""
    try:
        return NEXT[state][signal]
    except KeyError:
        raise ProtocolError(f"{signal.name} while in {state.name}") from None

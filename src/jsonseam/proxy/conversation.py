"""Conversation: the rounds of one client request, as far as they are about the document. No socket is known here.

The gateway's loop says whether there is another round and what it costs; this file says which answers count as cut,
which finish reason the client gets, and tells whoever listens what happened.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final, Protocol

from jsonseam import Accumulator, Seam
from jsonseam.gateway.budget import Reason
from jsonseam.gateway.events import Event
from jsonseam.gateway.loop import Loop
from jsonseam.gateway.model import INTERRUPTED, Chunk, Request
from jsonseam.gateway.prefill import PrefillEcho
from jsonseam.gateway.states import Call, Save
from jsonseam.gateway.task import Task

from .answers import CUT, Frame, counted, sum_usage
from .asking import Asked
from .follow_up import Continuing
from .switches import Switch

_GIVEN_UP: Final = "length"
_AROUND: Final = 80  # characters of the document that are shown on each side of a seam
_HEAD: Final = 400  # characters of an answer that are remembered, to show what a seam dropped


@dataclass(frozen=True, slots=True)
class SeamSeen:
    """A seam was decided. `before` and `after` are the document's text around it, `dropped` what was left out."""

    seam: Seam
    before: str
    dropped: str
    after: str


class Listener(Protocol):
    """Hears what happens in a conversation. It must be quick, and must not raise."""

    def tell(self, conversation: Conversation, event: Event | SeamSeen) -> None: ...

    def moved(self, conversation: Conversation) -> None: ...

    def over(self, conversation: Conversation) -> None: ...


@dataclass(slots=True)
class _Round:
    """One answer: `finish` is None while nothing was said of it."""

    seams_before: int = 0
    echo: PrefillEcho | None = None
    finish: str | None = None
    usage: Frame | None = None
    head: str = ""
    characters: int = 0
    broken: bool = False


@dataclass(slots=True)
class Conversation:
    """`held` is how many characters are here and not at the client, set by whoever sends them."""

    asked: Asked
    switch: Switch
    listeners: tuple[Listener, ...] = ()
    clock: Callable[[], float] = monotonic
    held: int = 0
    put_back: int = 0
    loop: Loop = field(init=False)
    rounds: list[_Round] = field(init=False)
    _seams_told: int = 0
    _earlier: tuple[Seam, ...] = ()  # of a document that was put back
    _public: bool = False
    _over: bool = False

    def __post_init__(self) -> None:
        self.loop = Loop(Task("", kpis=()), limits=self.switch.limits, prompts=Continuing(), clock=self.clock)
        for kpi in self.switch.kpis:
            self.accumulator.add_kpi(kpi)
        self.rounds = []

    # ------------------------------------------------------------ what is asked
    @property
    def accumulator(self) -> Accumulator:
        return self.loop.accumulator

    @property
    def text(self) -> str:
        """The document so far, cut as it is."""
        return self.accumulator.text

    @property
    def complete(self) -> bool:
        return self.accumulator.complete

    @property
    def seams(self) -> tuple[Seam, ...]:
        return (*self._earlier, *self.accumulator.seams)

    @property
    def seam_open(self) -> bool:
        """Is it undecided how the answer that is coming in joins what is held?"""
        if not self.loop.listening or len(self.rounds) < 2:
            return False
        turn = self.rounds[-1]
        return turn.characters > 0 and len(self.accumulator.seams) == turn.seams_before

    @property
    def undecided(self) -> int:
        """Characters of the answer that is coming in which are held because of its seam."""
        return self.rounds[-1].characters if self.seam_open else 0

    @property
    def reason(self) -> str:
        return str(self.loop.reason or ("Complete" if self.complete else "The model stopped"))

    @property
    def crossed_a_limit(self) -> bool:
        """Is the document too deep or too large to be put together? Then what came of it is all there is."""
        return self.loop.reason in (Reason.DOCUMENT_LIMIT, Reason.MALFORMED)

    @property
    def usage(self) -> Frame | None:
        """All rounds added up, None where the upstream told none."""
        return sum_usage(turn.usage for turn in self.rounds if turn.usage is not None)

    @property
    def finish(self) -> str:
        """The last finish reason; `length` only where the document stayed incomplete, and never where it did not."""
        last = self.rounds[-1].finish if self.rounds else None
        if self.complete:
            return "stop" if last is None or last in CUT else last
        if self.crossed_a_limit or (len(self.rounds) > 1 and last == "stop" and not self.asked.stops):
            return _GIVEN_UP
        return _GIVEN_UP if last is None or last in CUT else last

    @property
    def wants_more(self) -> bool:
        """Is the last answer cut? The parser knows, except where `stop` may be what the client asked for."""
        if self.loop.listening or self.complete or self.accumulator.status == "empty" or self.loop.reason is not None:
            return False
        last = self.rounds[-1]
        if last.finish is None or last.finish in CUT or last.broken:
            return True
        return last.finish == "stop" and (self.asked.json or len(self.rounds) > 1) and not self.asked.stops

    # ------------------------------------------------------------ what is reported
    def next_request(self) -> Request | None:
        """The next round, the first one too; None where the budget is spent."""
        while True:
            action = self.loop.next()
            if isinstance(action, Save):
                self.loop.saved(action.version)
                continue
            self._tell()
            if not isinstance(action, Call):
                return None
            self.rounds.append(_Round(len(self.accumulator.seams)))
            return action.request

    def prefilled(self, held: str, *, echoes: bool) -> None:
        """The answer that comes now was asked to go on exactly behind `held`; `echoes`: it may say that again first."""
        self.rounds[-1].echo = PrefillEcho(held, echoes=echoes)

    def hear(self, text: str) -> None:
        """A piece of the answer."""
        turn = self.rounds[-1]
        self._feed(turn.echo.feed(text) if turn.echo else text)
        self._tell()

    def end_round(self, finish: str | None, usage: Frame | None) -> None:
        """The answer is over."""
        turn = self.rounds[-1]
        turn.finish, turn.usage = finish, usage
        if turn.echo:
            self._feed(turn.echo.end())
        if self.loop.listening:
            self.loop.receive(Chunk("", finish, counted(usage)))
        if self.loop.listening:
            self.loop.end()
        self._tell()

    def _feed(self, text: str) -> None:
        turn = self.rounds[-1]
        turn.characters += len(text)
        if len(turn.head) < _HEAD:
            turn.head = (turn.head + text)[:_HEAD]
        if text and self.loop.listening:
            self.loop.receive(Chunk(text, prefilled=turn.echo is not None))

    def break_off(self, error: BaseException, usage: Frame | None = None) -> None:
        """The call failed, perhaps in the middle of the answer; what came of it stands."""
        turn = self.rounds[-1]
        turn.finish, turn.usage, turn.broken = INTERRUPTED, usage, True
        if turn.echo:
            self._feed(turn.echo.end())
        if self.loop.listening:
            self.loop.fail(error)
        self._tell()

    def run_out_of_time(self) -> None:
        self.loop.interrupt(Reason.TIME)
        self._tell()

    def put_back_to(self, text: str) -> None:
        """The document is `text` from now on, because that is what the client has; the next round goes on from there.

        Too many in a row end it, as answers without any data do.
        """
        self.put_back += 1
        self.rounds[-1].broken = True
        if self.loop.listening:
            self.loop.end()
        self._earlier, self._seams_told = self.seams, 0
        sound = Accumulator(kpis=self.switch.kpis)
        sound.add(text)
        self.loop.accumulator, self.loop.measure = sound, None
        if self.loop.reason is not None:
            self.loop.take_over()
        if self.put_back >= self.switch.limits.rejected:
            self.loop.interrupt(Reason.REJECTED)
        self._tell()

    def close(self) -> None:
        """Nothing more comes; said once, whatever happened."""
        if self._public and not self._over:
            self._over = True
            self.held = 0
            for listener in self.listeners:
                listener.over(self)

    # ------------------------------------------------------------ who listens
    def _tell(self) -> None:
        """Nobody hears of an answer in which no document has begun."""
        self._public = self._public or self.accumulator.status != "empty"
        if not self._public:
            return
        happened: list[Event | SeamSeen] = [*self.loop.events(), *self._new_seams()]
        for listener in self.listeners:
            for event in happened:
                listener.tell(self, event)
            listener.moved(self)

    def _new_seams(self) -> list[SeamSeen]:
        seams = self.accumulator.seams
        if len(seams) <= self._seams_told:
            return []
        new, self._seams_told = seams[self._seams_told :], len(seams)
        text = self.text
        return [seen(seam, text, self.rounds[-1].head) for seam in new]


def seen(seam: Seam, text: str, head: str) -> SeamSeen:
    """A seam with the document's text on each side; `head` is the beginning of the answer."""
    at = seam.offset
    after = "" if seam.kind == "rejected" else text[at : at + _AROUND]
    dropped = head[: min(seam.dropped, 2 * _AROUND)]
    more = " […]" if seam.dropped > len(dropped) else ""
    return SeamSeen(seam, text[max(0, at - _AROUND) : at], dropped + more, after)


def told(conversation: Conversation) -> dict[str, Any]:
    """What a client is told of it, in headers or in a comment."""
    return {
        "rounds": len(conversation.rounds),
        "seams": ",".join(seam.kind for seam in conversation.seams) or "none",
        "complete": "true" if conversation.complete else "false",
        "reason": conversation.reason.replace(" ", "-").lower(),
    }

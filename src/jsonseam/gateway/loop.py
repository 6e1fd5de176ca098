"""Loop: what to do next, and nothing of how it is done. It calls no model, opens no file and knows no thread.

A driver asks `next()` and does what it says: `Call` a model and hand its pieces to `receive`, `Save` the snapshot,
or `Stop`. What may follow what is in the table of `states`.
"""

from __future__ import annotations

import logging
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from time import monotonic
from typing import Any

from jsonseam import Accumulator, Document, JsonSeamError, Kpi, LimitExceeded, MalformedError, NoDocumentError

from .budget import Limits, Reason, exhausted
from .context import read_context
from .definition import Definition, Refused
from .events import Asked, Broken, Event, Joined, KpisDefined, KpisRefused, Received, RolledBack, Stopped
from .ledger import Ledger
from .model import Chunk, Request
from .progress import Figures, Measure
from .prompts import Prompts
from .result import KpiStanding, Result
from .states import Action, Append, Call, ProtocolError, Save, Signal, State, Stop, follow
from .task import Task

log = logging.getLogger(__name__)


class Loop:
    """One run. Each answer costs what it brings, plus one copy of the document where it is saved or may be undone."""

    def __init__(
        self,
        task: Task,
        *,
        limits: Limits | None = None,
        prompts: Prompts | None = None,
        run_id: str | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.id = run_id or uuid.uuid4().hex
        self.task = task
        self.limits = limits or Limits()
        self.prompts = prompts or Prompts()
        self.state = State.ASK
        self.version = 0
        self.accumulator = Accumulator(kpis=task.kpis or (), **task.parsing)
        self.ledger = Ledger()
        self.measure: Measure | None = None
        self.reason: Reason | None = None
        self.error: BaseException | None = None
        self._clock = clock
        self._since = clock()
        self._first = self.prompts.first(task.prompt, task.schema)
        self._definition = Definition(task, self.prompts)
        self._before: dict[str, Any] | None = None  # the accumulator before the answer that is coming in
        self._heard: list[str] = []  # of the definition
        self._pieces = 0  # with text in them, of the answer that is coming in
        self._finish_reason: str | None = None
        self._counted = False
        self._unsaved = True
        self._events: deque[Event] = deque()

    # ------------------------------------------------------------ what the driver asks
    def next(self) -> Action:
        """What to do now. Raises ProtocolError while an answer is coming in."""
        if self.listening:
            raise ProtocolError("an answer is coming in: end(), fail() or interrupt() first")
        if self.state is not State.STOPPED:
            reason = exhausted(self.limits, self.ledger.spent(self.seconds))
            if reason is not None:
                self._stop(reason)
        if self._unsaved:
            return Save(self.id, self.version)
        if self.state is State.STOPPED:
            result = self.result()
            self._events.append(Stopped(self.id, result.reason, result))
            return Stop(result)
        request = self._answer_request() if self.state is State.ASK else self._definition_request()
        self._called()
        self._events.append(Asked(self.id, request.purpose, self.ledger.calls))
        log.info("run %s: call %d (%s)", self.id, self.ledger.calls, request.purpose)
        return Call(request)

    def events(self) -> Iterator[Event]:
        """What happened since this was asked last."""
        while self._events:
            yield self._events.popleft()

    @property
    def listening(self) -> bool:
        """Is an answer coming in? When this turns False, the rest of it is not wanted."""
        return self.state in (State.ANSWER, State.DEFINITION)

    @property
    def seconds(self) -> float:
        """Wall time of the run, until it stopped."""
        running = self.state is not State.STOPPED
        return self.ledger.seconds + (self._clock() - self._since if running else 0.0)

    @property
    def seconds_left(self) -> float | None:
        """Until the time limit; None without one."""
        return None if self.limits.seconds is None else max(0.0, self.limits.seconds - self.seconds)

    # ------------------------------------------------------------ what the driver reports
    def receive(self, chunk: Chunk) -> Append | None:
        """A piece of the answer. Returns what is to be kept of it, if anything."""
        self._need_listening()
        self._finish_reason = chunk.finish_reason or self._finish_reason
        self.ledger.retries += chunk.retries
        if chunk.usage is not None:
            self._counted = True
            self.ledger.count(chunk.usage)
        if not chunk.text:
            return None
        if self.state is State.DEFINITION:
            self._heard.append(chunk.text)
            return None
        append = Append(self.id, self.version, chunk.text)
        if chunk.prefilled:
            self.accumulator.expect("continue")
        self._feed(chunk.text)
        return append

    def end(self) -> None:
        """The answer is over. What finish_reason says of it is not asked: the parser knows."""
        self._need_listening()
        if not self._counted:
            self.ledger.uncounted += 1
        if self.state is State.DEFINITION:
            self._take_definition("".join(self._heard))
        else:
            self._join()

    def fail(self, error: BaseException) -> None:
        """The call failed, retries and all. What came before the failure counts as an answer that was cut."""
        self._need_listening()
        log.warning("run %s: the call failed: %s", self.id, type(error).__name__)
        self.ledger.retries += getattr(error, "retries", 0)
        if self.state is State.DEFINITION:
            self.ledger.uncounted += not self._counted
            self._count_growth(f"the call for KPIs failed ({type(error).__name__})")
        elif self._pieces:
            self._events.append(Broken(self.id, error))
            self.end()
        else:
            self.error = error
            self._stop(Reason.MODEL_FAILED)

    def interrupt(self, reason: Reason = Reason.CANCELLED) -> None:
        """Stop here, with what came so far. Does nothing to a run that has stopped."""
        if self.state is State.STOPPED:
            return
        self.ledger.uncounted += self.listening and not self._counted
        if self.state is State.ANSWER:
            self._join(interrupted=reason)
        else:
            self._stop(reason)

    def saved(self, version: int) -> None:
        """The run is written down in this version, or there is no store and nothing to write."""
        self.version = version
        self._unsaved = False

    def result(self) -> Result:
        """The result as of now, also in the middle of a run. Costs one copy of the text."""
        document = self._document()
        values = self.accumulator.kpis
        ledger = self.ledger
        return Result(
            id=self.id,
            value=document.value,
            text=document.text,
            complete=self.accumulator.complete,
            reason=self.reason or Reason.RUNNING,
            iterations=ledger.iterations,
            calls=ledger.calls,
            kpis=tuple(
                KpiStanding(kpi.id, kpi.path, kpi.target, values.get(kpi.id, 0), kpi.description) for kpi in self.kpis
            ),
            seams=document.seams,
            repairs=document.repairs,
            unsafe=document.unsafe,
            usage=ledger.usage,
            uncounted=ledger.uncounted,
            retries=ledger.retries,
            seconds=self.seconds,
            progress="kpis" if self.kpis else "growth",
            notes=tuple(ledger.notes),
            error=self.error,
        )

    def _document(self) -> Document:
        try:
            return self.accumulator.finish()
        except NoDocumentError:
            return Document(None, "", False)
        except MalformedError:  # strict: what stands before the fault is still a document
            return replace(self._before_the_fault().finish(), seams=self.accumulator.seams)

    def _before_the_fault(self) -> Accumulator:
        sound = Accumulator(kpis=self.kpis, **self.task.parsing)
        sound.add(self.accumulator.text)
        return sound

    @property
    def kpis(self) -> tuple[Kpi, ...]:
        """The counters that are watched."""
        return self.measure.kpis if self.measure is not None else self.task.kpis or ()

    # ------------------------------------------------------------ after another process
    def take_over(self) -> None:
        """Go on with a run that was stopped: what its last answers were like no longer counts against it."""
        if self.accumulator.status == "malformed" and self.task.parsing.get("strict"):
            self.accumulator = self._before_the_fault()
        self.state, self.reason = self._open_state(), None
        self._since = self._clock()
        self.ledger.rejected, self.ledger.again = 0, False

    def replay(self, pieces: Iterable[str]) -> None:
        """Pieces of an answer that came in when nobody could end it: they count as an answer that was cut."""
        self._answer_request()
        self._called()
        for text in pieces:
            if self.listening:
                self._feed(text)
        if self.listening:
            self.end()

    # ------------------------------------------------------------ the answers for the document
    def _answer_request(self) -> Request:
        self._before = self.accumulator.checkpoint()
        self._pieces, self._finish_reason = 0, None
        task = self.task
        if self.accumulator.status == "empty":
            return Request(self._first, max_tokens=task.max_tokens, schema=task.schema, options=task.options)
        return Request(
            self.prompts.go_on(self._first, read_context(self.accumulator)),
            purpose="continue",
            prefill=self.accumulator.text,
            prefill_messages=self._first,
            max_tokens=task.max_tokens,
            schema=task.schema,
            options=task.options,
        )

    def _feed(self, text: str) -> None:
        self._pieces += 1
        self.ledger.characters += len(text)
        try:
            self.accumulator.feed(text)
        except (LimitExceeded, MalformedError) as error:
            self._stop_at_fault(error)
            return
        self._events.append(Received(self.id, text, self.ledger.characters, self.accumulator.kpis))
        allowed = self.limits.characters
        if allowed is not None and self.ledger.characters >= allowed and not self.accumulator.complete:
            self.interrupt(Reason.CHARACTERS)

    def _join(self, interrupted: Reason | None = None) -> None:
        """Close the fragment, judge it, and settle what comes next."""
        try:
            step = self.accumulator.end_fragment()
        except (LimitExceeded, MalformedError) as error:
            self._stop_at_fault(error)
            return
        ledger = self.ledger
        ledger.iterations += 1
        ledger.closed = self.accumulator.closed
        nothing = self.accumulator.status == "empty" or (step.seam is not None and step.seam.kind == "rejected")
        ledger.rejected = ledger.rejected + 1 if nothing else 0
        verdict = "Rejected" if nothing else self._judge()
        seen = self.accumulator.kpis
        self._events.append(Joined(self.id, ledger.iterations, step.seam, self._finish_reason, seen, verdict))
        log.info("run %s: answer %d: %s", self.id, ledger.iterations, verdict)
        if verdict == Reason.BACKWARDS:
            self._roll_back()
        elif verdict in (Reason.COMPLETE, Reason.NO_PROGRESS):
            self._stop(Reason(verdict))
        elif not nothing:
            ledger.again = False
        if self.state is State.STOPPED:
            return
        if interrupted is not None:
            self._stop(interrupted)
        else:
            self._enter(Signal.CUT if self._open_state() is State.DEFINE else Signal.JOINED)

    def _judge(self) -> str:
        figures = Figures.of(self.accumulator, self.ledger.closed)
        if self.measure is not None:
            verdict, self.measure = self.measure.judge(figures, self.accumulator, self.limits.stalled)
            return verdict
        if self.accumulator.complete:
            return Reason.COMPLETE
        if self.task.kpis is not None:
            self.measure = Measure(self.task.kpis, figures)
        return "Cut"

    def _roll_back(self) -> None:
        """Take the answer out again: what stood before it is the better document, even where the run ends here."""
        assert self._before is not None
        self.accumulator = Accumulator.resume(self._before)
        asks_again = not self.ledger.again
        self._events.append(RolledBack(self.id, self.ledger.iterations, asks_again))
        self.ledger.notes.append(f"answer {self.ledger.iterations} was taken out again: {Reason.BACKWARDS}")
        if asks_again:
            self.ledger.again = True
        else:
            self._stop(Reason.BACKWARDS)

    # ------------------------------------------------------------ the definition of the KPIs
    def _definition_request(self) -> Request:
        self._heard = []
        return self._definition.request(self.accumulator)

    def _take_definition(self, answer: str) -> None:
        found = self._definition.take(answer, self.accumulator)
        if not isinstance(found, Refused):
            for kpi in found:
                self.accumulator.add_kpi(kpi)
            self._settle(found)
            self._events.append(KpisDefined(self.id, found, self.accumulator.kpis))
        elif self._definition.over:
            self._count_growth(f"the model's KPIs cannot be used ({found.reason})")
        else:
            self._events.append(KpisRefused(self.id, found.reason, last=False))
            self._enter(Signal.REFUSED)

    def _count_growth(self, why: str) -> None:
        self.ledger.notes.append(f"{why}: progress is the growth of delivered items")
        log.warning("run %s: no KPIs; progress is the growth of delivered items", self.id)
        self._events.append(KpisRefused(self.id, why, last=True))
        self._settle(())

    def _settle(self, kpis: tuple[Kpi, ...]) -> None:
        self.measure = Measure(kpis, Figures.of(self.accumulator, self.ledger.closed))
        self._enter(Signal.DEFINED)

    # ------------------------------------------------------------ states
    def _open_state(self) -> State:
        """Where a run stands that goes on: is there something to be counted, and nobody has said what?"""
        undefined = self.measure is None and self.task.kpis is None and self.accumulator.status != "empty"
        return State.DEFINE if undefined else State.ASK

    def _called(self) -> None:
        self._enter(Signal.CALLED)
        self.ledger.calls += 1
        self._counted = False

    def _enter(self, signal: Signal) -> None:
        self.state = follow(self.state, signal)
        self._unsaved = self._unsaved or signal is not Signal.CALLED

    def _stop(self, reason: Reason) -> None:
        seconds = self.seconds
        self._enter(Signal.STOP)
        self.ledger.seconds = seconds
        self.reason = reason
        log.info("run %s: stopped: %s", self.id, reason)

    def _stop_at_fault(self, error: JsonSeamError) -> None:
        self.error = error
        self._stop(Reason.DOCUMENT_LIMIT if isinstance(error, LimitExceeded) else Reason.MALFORMED)

    def _need_listening(self) -> None:
        if not self.listening:
            raise ProtocolError(f"nothing is coming in while in {self.state.name}")

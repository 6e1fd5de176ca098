"""The accumulator: one live parser state over all answers. It wires the rooms in the order that feed() calls them.

    chunk -> cleaning -> how does this fragment begin? -> scanner -> tokens -> structure -> counters
                         (envelope, seam)                  |
                                                           a fault: mending, and on behind it

Rule: this file decides nothing, and does nothing for each chunk. It holds the counters and tells callers what there
is; `delivery.py` takes the chunks, `intake.py` moves one fragment's text through the phases, `parser.py` holds the
live state.
"""

from __future__ import annotations

import types
from collections.abc import AsyncIterable, Generator, Iterable, Mapping
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

from jsonseam import keeping
from jsonseam.changes import Journal
from jsonseam.checkpoint import seal, unseal
from jsonseam.cleaning import Cleaner
from jsonseam.counters import Counter, Kpi, read_all
from jsonseam.delivery import Delivery
from jsonseam.doubt import check_expected, check_on_doubt
from jsonseam.errors import KpiError, NoDocumentError, StateError
from jsonseam.finishing import Finished, close
from jsonseam.handoff import Callback, Handoff
from jsonseam.intake import Intake
from jsonseam.parser import SLICE, Parser
from jsonseam.records import Change, Document, Expected, JsonValue, OnDoubt, Repair, Seam, Status, Step
from jsonseam.report import Report
from jsonseam.standing import Limits

ONE_CHUNK = (str, bytes, bytearray, memoryview)  # the types of what `feed` takes


class Accumulator:
    """Puts one JSON document together from the answers of a model, chunk by chunk, fragment by fragment.

    `kpis`: counters to keep (`add_kpi` adds more later). `strict`: raise `MalformedError` at the first character
    that is not JSON, instead of mending it. Limits: `max_depth` open containers (json.loads refuses about 1,000),
    `max_size` characters of the document, `max_held` characters held back (one unfinished token, an undecided
    seam). Crossing one raises `LimitExceeded`; what was delivered before is still there.

    `on_doubt` decides a seam that is in doubt (`Seam.sure` below 0.9), and no other. "best": the join that is believed
    most. "literal": the one that keeps the most of what was delivered, and adds the least. "echo": the one that takes
    what comes twice for a repetition. A function: it gets the candidates, best first, and gives back one of them or its
    index. It is asked when the fragment is over, and by a `finish()` before that.

    `handoff`: paths, as KPIs have them, and for each a callback. The closed items (or members) of the containers that
    a path leads to go to `callback(item, pointer)` and leave the tree, each once and in the order of the document,
    when nothing can take them back any more: when 4,096 to about 30,000 characters lie behind them, or the root is
    closed, or `hand_off` says that no more text comes. As much of the text is held, so memory stays flat. Raises
    `HandoffError` for a path that cannot be read or leads into the items of another.

    Cost: a chunk costs what it is long, whatever the document is. A seam costs a window of 4,096 characters and
    a bounded part of the fragment.
    """

    __slots__ = ("_counters", "_delivery")

    def __init__(
        self,
        kpis: Iterable[Kpi] = (),
        *,
        strict: bool = False,
        max_depth: int = 512,
        max_size: int = 1 << 28,
        max_held: int = 1 << 24,
        on_doubt: OnDoubt = "best",
        handoff: Mapping[str, Callback] | None = None,
    ) -> None:
        limits = _limits(max_depth, max_size, max_held)
        self._delivery = Delivery(Cleaner(), Intake(limits, strict=strict, on_doubt=check_on_doubt(on_doubt)))
        self._counters: tuple[Counter, ...] = ()
        for kpi in kpis:
            self.add_kpi(kpi)
        if handoff is not None:
            keeping.hand_off_from(self._parser, Handoff(handoff, self._counters))

    # ------------------------------------------------------------ delivery
    def feed(self, chunk: str | bytes | bytearray | memoryview) -> None:
        """Take a piece of the current answer; pieces join literally. Cost: the piece.

        Raises `LimitExceeded`, if strict `MalformedError`, and what a callback of `handoff` raises; the chunk is
        taken in all the same then, and the item that was called with counts as handed over.
        """
        self._delivery.feed(chunk)

    def hand_off(self) -> None:
        """No more text comes: hand over every item that is closed. What is open stays in `value`.

        Text that comes all the same goes on behind what is there; no seam takes back what was handed over.
        """
        handoff = self._parser.handoff
        if handoff is not None:
            keeping.let_all_go(self._parser, handoff)
            handoff.deliver()

    def expect(self, what: Expected) -> None:
        """Tell what the model was asked for in the fragment that begins now; the next one is "anything" again.

        "continue": to go on at the very character, as with a prefill. "overlap": to repeat the end first. "element":
        to say the cut-off item again. A join of that kind is then believed more easily, yet not against the grammar.
        Raises `ChoiceError` for another word.
        """
        self._intake.opening.expected = check_expected(what)

    def end_fragment(self) -> Step:
        """The answer is over; what comes next is a continuation.

        Raises what `feed` raises, what an `on_doubt` function raises, and `ChoiceError` for what it answers: then the
        fragment is still open, and this can be called again.
        """
        return Step(self._delivery.end(), self.complete, self.status, self.kpis)

    def add(self, fragment: str | bytes | bytearray | memoryview, *, expect: Expected | None = None) -> Step:
        """`feed` and `end_fragment`, after `expect` if that is given."""
        if expect is not None:
            self.expect(expect)
        self.feed(fragment)
        return self.end_fragment()

    async def aadd(self, chunks: AsyncIterable[str | bytes | bytearray | memoryview]) -> Step:
        """`add` for an answer that streams in: feed its chunks, with a turn for other tasks behind every slice.

        A slice is 8,192 characters or bytes, so a large chunk does not hold the event loop up. Cancelled, it feeds
        what is left of the chunk that it has, in one go, and leaves the fragment open: nothing that `chunks` gave is
        lost, and `feed`, `aadd` or `end_fragment` may go on. Raises what `feed` raises, and what `chunks` raises.
        """
        async for chunk in chunks:
            for at in range(0, len(chunk), SLICE):
                self.feed(chunk[at : at + SLICE])
                try:
                    await _turn()
                except BaseException:  # whoever stops this here would not give the chunk again
                    self.feed(chunk[at + SLICE :])
                    raise
        return self.end_fragment()

    def park(self) -> None:
        """Make it small while nothing comes: what ijson holds (3 to 4 kB) goes; the next chunk makes it anew.

        Text that one wide character makes four bytes a character (😀 does) is held as UTF-8 until somebody looks at
        it, or a seam does. Worth it from about a second of waiting on; nothing else changes. Cost: that of a look at
        `text`, and 10 microseconds at the next chunk.
        """
        self._intake.opening.park()
        self._parser.park()

    def add_kpi(self, kpi: Kpi) -> None:
        """Count one more; what is there already counts. Raises `KpiError` if the id is taken."""
        if any(counter.kpi.id == kpi.id for counter in self._counters):
            raise KpiError(f"there is a KPI {kpi.id!r} already", expected="an id of its own")
        self._counters = (*self._counters, Counter(kpi))
        if self._parser.handoff is not None:
            self._parser.handoff.counters = self._counters

    # ------------------------------------------------------------ what is there
    @property
    def complete(self) -> bool:
        """The root was closed by delivered text; never True because of a repair."""
        return self._parser.tree.done and not self._report.closed_by_repair

    @property
    def status(self) -> Status:
        """empty: no document has begun. malformed: what was delivered was not JSON as it stood, mended or not.

        Otherwise complete, or partial: cut, and right so far.
        """
        if self._report.malformed:
            return "malformed"
        if self.complete:
            return "complete"
        return "partial" if self._parser.size or self._intake.waiting_scalar() else "empty"

    @property
    def value(self) -> JsonValue:
        """The tree that is being built, with the unfinished string in it; None before it has begun. Cost: O(1).

        It is live: it grows with the next chunk. The unfinished token costs what came since the last look.
        """
        return self._delivery.value()

    def changes(self) -> list[Change]:
        """What is new in `value` since the last call, for `replay`; the first call gives all of it.

        From the first call on, what comes is written down until the next. Cost: what came since then. Items that
        are handed off stay in what was told; so the first call must come before the first of them leaves, or
        `StateError` is raised.
        """
        parser = self._parser
        if parser.journal is None:
            if parser.tree.left:
                raise StateError("items have been handed off already", expected="a first call of changes before that")
            parser.journal = Journal(parser.tree, parser.view)
        parser.show()
        return parser.journal.look(parser.tree, parser.view, self._intake.waiting_scalar())

    @property
    def text(self) -> str:
        """The document's text so far, mends and seams applied, cut as it is.

        Cost: nothing if nothing came since the last look, or else one copy of it (a millisecond for some megabytes).
        Where items are handed off, it is the end of it, at least a window of 4,096 characters.
        """
        return self._parser.text

    @property
    def kpis(self) -> dict[str, float]:
        """The current value of every KPI, by id. Cost: the number of KPIs."""
        self._parser.show()
        view = self._parser.view
        open_leaf = view.shown and not view.finished
        return read_all(self._counters, self._parser.tree, leaf_shown=view.shown, leaf_open=open_leaf)

    @property
    def closed(self) -> int:
        """Values that are finished so far: scalars, and containers that closed. It grows when anything was delivered.

        Cost: the text that came since the last look.
        """
        return self._parser.finished_values

    @property
    def path(self) -> str:
        """JSON Pointer of the value that is being written, or of the innermost open container."""
        return self._intake.path

    @property
    def depth(self) -> int:
        """Open containers."""
        return self._parser.tree.depth

    @property
    def seams(self) -> tuple[Seam, ...]:
        """How each fragment but the first was joined, in their order."""
        return self._report.seams

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What was mended, cleaned or taken off so far; `finish` adds what it takes to close the document."""
        return tuple(self._report.in_order(self._report.repairs))

    def finish(self) -> Document:
        """The document, closed if it was cut. It can be called at any time, and changes nothing.

        Raises `NoDocumentError` if no document has begun, and while text is held undecided what `end_fragment` would
        raise for it. Cost: the document, if it is not complete.
        """
        return self._document() if self._delivery.settled else self._ended_copy()._document()

    def _document(self) -> Document:
        parser = self._parser
        if self.complete:
            end: Finished | None = Finished(self.text, parser.tree.holder[0], parser.size, repairs=[], unsafe=[])
        else:
            end = close(parser)
        if end is None:
            raise NoDocumentError("no JSON document has begun", expected="text that holds a JSON value")
        begins = parser.ledger.begins
        standing = self._report.within_closed(end.text, begins, end.delivered)
        repairs = (*self._report.in_order(standing), *end.repairs)
        doubts = tuple(dict.fromkeys((*self._report.doubts, *end.unsafe)))
        seams = tuple(replace(seam, offset=min(seam.offset, end.delivered)) for seam in self.seams)
        return Document(
            end.value,
            end.text,
            self.complete,
            seams=seams,
            repairs=repairs,
            unsafe=doubts,
            kpis=self.kpis,
            begins=begins,
        )

    # ------------------------------------------------------------ checkpoints
    def checkpoint(self) -> dict[str, Any]:
        """The whole state as plain JSON, for another process. Cost: the document, or what is held of it."""
        kpis = [asdict(counter.kpi) for counter in self._counters]
        state = {"kpis": kpis, "cleaner": list(self._delivery.cleaner.pending), **self._intake.state(), "handoff": {}}
        if self._parser.handoff is not None:
            state.update(keeping.state_of(self._parser, self._parser.handoff))
        return seal(state)

    @classmethod
    def resume(
        cls,
        checkpoint: Mapping[str, Any],
        *,
        on_doubt: OnDoubt | None = None,
        handoff: Mapping[str, Callback] | None = None,
    ) -> Accumulator:
        """Go on where `checkpoint()` was taken. Raises `StateError` for what is not a whole checkpoint.

        Functions are no part of a checkpoint. `on_doubt` takes the place of the one that was given there; where that
        was a function, it must be given again. `handoff`: callbacks for the same paths in the same order.
        """
        state = unseal(checkpoint)
        paths = state["handoff"].get("paths", [])
        if list(handoff or ()) != paths:
            raise StateError("the checkpoint hands off by other paths", expected=f"callbacks for {paths}")
        return cls._resumed(state, on_doubt, handoff)

    @classmethod
    def _resumed(
        cls, state: dict[str, Any], on_doubt: OnDoubt | None, handoff: Mapping[str, Callback] | None
    ) -> Accumulator:
        try:
            self = cls(Kpi(**kpi) for kpi in state["kpis"])
            intake = Intake.resume(state, None if on_doubt is None else check_on_doubt(on_doubt))
            self._delivery = Delivery(Cleaner.resume(*state["cleaner"]), intake)
            if handoff is not None:
                keeping.restore(self._parser, Handoff(handoff, self._counters), state["handoff"])
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise StateError(f"the checkpoint cannot be read ({error!r})", expected="a checkpoint as given") from error
        return self

    def _ended_copy(self) -> Accumulator:
        """A copy of this in which the answer is over; nothing is handed off by it."""
        callbacks = dict.fromkeys(self._parser.handoff.paths, _no_callback) if self._parser.handoff else None
        copy = Accumulator._resumed(unseal(self.checkpoint()), self._intake.opening.on_doubt, callbacks)
        if copy._parser.handoff is not None:
            copy._parser.handoff.frozen = True
        copy._delivery.end_all()
        return copy

    # ------------------------------------------------------------ shorthand
    @property
    def _intake(self) -> Intake:
        return self._delivery.intake

    @property
    def _parser(self) -> Parser:
        return self._intake.parser

    @property
    def _report(self) -> Report:
        return self._intake.report


@lru_cache(maxsize=16)
def _limits(max_depth: int, max_size: int, max_held: int) -> Limits:
    """The limits; all accumulators with the same ones share one object."""
    return Limits(max_depth, max_size, max_held)


def _no_callback(item: JsonValue, pointer: str) -> None:
    """What stands in the place of a caller's callback in a copy that hands nothing off."""


@types.coroutine
def _turn() -> Generator[None]:
    """Let the event loop run other tasks: asyncio.sleep(0), without importing asyncio for those who do not use it."""
    yield


def join(
    fragments: Iterable[str | bytes | bytearray | memoryview],
    *,
    kpis: Iterable[Kpi] = (),
    expect: Expected = "anything",
    on_doubt: OnDoubt = "best",
    strict: bool = False,
) -> Document:
    """One document out of whole answers, in their order. `expect` is for each of them but the first.

    Raises `NoDocumentError`, `LimitExceeded`, `ChoiceError`, `MalformedError` if strict, and `TypeError` for one answer
    that is in no list. Cost: the answers, and a seam for each.
    """
    if isinstance(fragments, ONE_CHUNK):
        raise TypeError("join() takes a list of answers, not one answer: join([answer])")
    accumulator = Accumulator(kpis, strict=strict, on_doubt=on_doubt)
    for fragment in fragments:
        accumulator.add(fragment, expect=expect)
    return accumulator.finish()

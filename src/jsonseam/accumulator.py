"""The accumulator: one live parser state over all answers. It wires the rooms in the order that feed() calls them.

    chunk -> cleaning -> how does this fragment begin? -> scanner -> tokens -> structure -> counters
                         (envelope, seam)                  |
                                                           a fault: mending, and on behind it

Rule 1: inside a fragment chunks join literally; only where a fragment begins is anything compared or decided.
Rule 2: where in a fragment the text stands is one of four phases, and `_take` is the only place that changes
hands between them:

    OPENING   the beginning is held until it is decided where the data begins and how it joins what is held
    BODY      strict text on its way into the tree
    MENDING   text that is not JSON is held until it can be decided what was meant
    BEHIND    behind the closed root, or behind the fence that closes this fragment: no data any more
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from enum import Enum
from typing import Any

from jsonseam import envelope, grammar, seam
from jsonseam.backlog import Backlog
from jsonseam.checkpoint import seal, unseal
from jsonseam.cleaning import Cleaner, Stain
from jsonseam.completion import guess_scalar
from jsonseam.counters import Counter, Kpi, read_all
from jsonseam.errors import KpiError, LimitExceeded, MalformedError, NoDocumentError, StateError
from jsonseam.mending import mend_text
from jsonseam.parser import Finished, Halt, Limits, Parser, value_of
from jsonseam.records import Document, JsonValue, Repair, Seam, Status, Step
from jsonseam.report import Report
from jsonseam.structure import pointer
from jsonseam.surprise import WINDOW

PIECE = 1 << 15  # characters that are taken at a time, so that what stands behind a mend is not copied for each mend
LOOK_AT_ONCE = 64  # characters of a first answer up to which each new one may begin the document


class Phase(Enum):
    OPENING = "opening"
    BODY = "body"
    MENDING = "mending"
    BEHIND = "behind"


class Accumulator:
    """Puts one JSON document together from the answers of a model, chunk by chunk, fragment by fragment.

    `kpis`: counters to keep (`add_kpi` adds more later). `strict`: raise `MalformedError` at the first character
    that is not JSON, instead of mending it. Limits: `max_depth` open containers (json.loads refuses about 1,000),
    `max_size` characters of the document, `max_held` characters held back (one unfinished token, an undecided
    seam). Crossing one raises `LimitExceeded`; what was delivered before is still there.

    Cost: a chunk costs what it is long, whatever the document is. A seam costs a window of 4,096 characters and
    a bounded part of the fragment.
    """

    def __init__(
        self,
        kpis: Iterable[Kpi] = (),
        *,
        strict: bool = False,
        max_depth: int = 512,
        max_size: int = 1 << 28,
        max_held: int = 1 << 24,
    ) -> None:
        self._strict = strict
        self._parser = Parser(Limits(max_depth, max_size, max_held))
        self._cleaner = Cleaner()
        self._counters: list[Counter] = []
        for kpi in kpis:
            self.add_kpi(kpi)
        self._phase = Phase.OPENING
        self._fragment = 0
        self._backlog = Backlog()  # OPENING: the beginning of the fragment; MENDING: the faulty spot
        self._behind: list[str] = []
        self._report = Report()

    # ------------------------------------------------------------ delivery
    def feed(self, chunk: str | bytes | bytearray | memoryview) -> None:
        """Take a piece of the current answer; pieces join literally. Cost: the piece.

        Raises `LimitExceeded`, and, if strict, `MalformedError`.
        """
        text, stains = self._cleaner.clean(chunk)
        for at in range(0, len(text), PIECE):
            end = at + PIECE if at + PIECE < len(text) else len(text) + 1
            self._take(text[at:end], [stain._replace(at=stain.at - at) for stain in stains if at <= stain.at < end])
        if stains and not text:
            self._take(text, stains)

    def end_fragment(self) -> Step:
        """The answer is over; what comes next is a continuation. Raises what `feed` raises."""
        self._end_text()
        if self._phase is Phase.BEHIND and not self._parser.tree.done:
            self._join_behind_fence()
        step_seam = self._report_behind()
        self._fragment += 1
        self._cleaner.start_fragment()
        self._backlog = Backlog()
        self._phase = Phase.BEHIND if self._parser.tree.done else Phase.OPENING
        return Step(step_seam, self.complete, self.status, self.kpis, self._parser.tree.closed)

    def add(self, fragment: str | bytes | bytearray | memoryview) -> Step:
        """`feed` and `end_fragment`."""
        self.feed(fragment)
        return self.end_fragment()

    def add_kpi(self, kpi: Kpi) -> None:
        """Count one more; what is there already counts. Raises `KpiError` if the id is taken."""
        if any(counter.kpi.id == kpi.id for counter in self._counters):
            raise KpiError(f"there is a KPI {kpi.id!r} already", expected="an id of its own")
        self._counters.append(Counter(kpi))

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
        return "partial" if self._parser.size or self._waiting_scalar() else "empty"

    @property
    def value(self) -> JsonValue:
        """The tree that is being built, with the unfinished string in it; None before it has begun. Cost: O(1).

        It is live: it grows with the next chunk. The unfinished token costs what came since the last look.
        """
        self._parser.show()
        holder = self._parser.tree.holder
        return holder[0] if holder else self._waiting_scalar()

    @property
    def text(self) -> str:
        """The document's text so far, mends and seams applied, cut as it is. Cost: what came since the last look."""
        return self._parser.text

    @property
    def kpis(self) -> dict[str, float]:
        """The current value of every KPI, by id. Cost: the number of KPIs."""
        self._parser.show()
        return read_all(self._counters, self._parser.tree, self._parser.view)

    @property
    def path(self) -> str:
        """JSON Pointer of the value that is being written, or of the innermost open container."""
        return pointer(self._parser.steps())

    @property
    def depth(self) -> int:
        """Open containers."""
        return self._parser.tree.depth

    @property
    def seams(self) -> tuple[Seam, ...]:
        return tuple(self._report.seams)

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What was mended, cleaned or taken off so far; `finish` adds what it takes to close the document."""
        return tuple(self._report.repairs)

    def finish(self) -> Document:
        """The document, closed if it was cut. It can be called at any time, and changes nothing.

        Raises `NoDocumentError` if no document has begun. Cost: the document, if it is not complete.
        """
        if self._phase in (Phase.OPENING, Phase.MENDING) and self._backlog.size or not self._parser.reads_so_far():
            return self._ended_copy()._document()
        return self._document()

    def _document(self) -> Document:
        if self.complete:
            end, value = Finished(self.text, self._parser.size, [], []), self._parser.tree.holder[0]
        else:
            end = self._parser.finished()
            if not end.text.strip():
                raise NoDocumentError("no JSON document has begun", expected="text that holds a JSON value")
            value = value_of(end.text)
        repairs = (*self._report.within(end.delivered), *end.repairs)
        doubts = (*self._report.doubts, *end.unsafe)
        seams = tuple(replace(seam, offset=min(seam.offset, end.delivered)) for seam in self.seams)
        return Document(value, end.text, self.complete, seams, repairs, doubts, self.kpis)

    # ------------------------------------------------------------ checkpoints
    def checkpoint(self) -> dict[str, Any]:
        """The whole state as plain JSON, for another process. Cost: the document."""
        limits = self._parser.limits
        return seal(
            {
                "limits": [limits.max_depth, limits.max_size, limits.max_held],
                "strict": self._strict,
                "kpis": [asdict(counter.kpi) for counter in self._counters],
                "text": self._parser.text,
                "cleaner": list(self._cleaner.pending),
                "phase": self._phase.value,
                "fragment": self._fragment,
                "backlog": [self._backlog.text, self._backlog.retry_at],
                "behind": "".join(self._behind),
                "report": self._report.state(),
            }
        )

    @classmethod
    def resume(cls, checkpoint: Mapping[str, Any]) -> Accumulator:
        """Go on where `checkpoint()` was taken. Raises `StateError` for what is not a whole checkpoint."""
        state = unseal(checkpoint)
        try:
            depth, size, held = state["limits"]
            self = cls((Kpi(**kpi) for kpi in state["kpis"]), strict=state["strict"], max_depth=depth, max_size=size,
                       max_held=held)
            self._parser.restore(state["text"])
            self._cleaner = Cleaner.resume(*state["cleaner"])
            self._phase, self._fragment = Phase(state["phase"]), state["fragment"]
            self._backlog = Backlog(state["backlog"][1])
            self._backlog.add(state["backlog"][0])
            self._behind = [state["behind"]] if state["behind"] else []
            self._report = Report.resume(state["report"])
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise StateError(f"the checkpoint cannot be read ({error!r})", expected="a checkpoint as given") from error
        return self

    def _ended_copy(self) -> Accumulator:
        copy = Accumulator.resume(self.checkpoint())
        text, stains = copy._cleaner.flush()
        copy._take(text, stains)
        copy.end_fragment()
        return copy

    def _waiting_scalar(self) -> JsonValue:
        """A root that is no container is believed when the fragment is over; until then this is what it looks like."""
        if self._phase is not Phase.OPENING or self._parser.size or self._fragment:
            return None
        return guess_scalar(self._backlog.text)

    # ------------------------------------------------------------ the phases
    def _take(self, text: str, stains: list[Stain]) -> None:
        """Hand text on from phase to phase until it is used or held."""
        self._report.delivered_text(text, stains)
        while text:
            match self._phase:
                case Phase.BODY:
                    text = self._read(text)
                case Phase.OPENING:
                    self._backlog.add(text)
                    text = self._open(final=False)
                case Phase.MENDING:
                    self._backlog.add(text)
                    text = self._mend(final=False)
                case Phase.BEHIND:
                    self._behind.append(text)
                    text = ""
        if self._report.stains and self._phase in (Phase.BODY, Phase.BEHIND):
            self._report.place_stains(self._parser.size)
        if self._backlog.size > self._parser.limits.max_held:
            raise self._parser.limit("max_held", "more text is held back than allowed")

    def _end_text(self) -> None:
        """The fragment brings no more text: what is held back must be decided now."""
        text = self._open(final=True) if self._phase is Phase.OPENING else ""
        while text or self._phase is Phase.MENDING:
            match self._phase:
                case Phase.MENDING:
                    self._backlog.add(text)
                    text = self._mend(final=True)
                case Phase.BEHIND:
                    self._behind.append(text)
                    text = ""
                case _:
                    text = self._read(text)
        if self._phase is Phase.BODY:
            self._settle_tail()

    def _settle_tail(self) -> None:
        """A seam needs a tail that is the beginning of a token: take off a fence, mend what is malformed."""
        parser = self._parser
        fence = envelope.FENCE_AT_END.search(parser.scanner.tail)
        if fence:
            self._report.removed("fence", parser.cut(parser.ledger.size + fence.start()), parser.size)
        if parser.reads_so_far():
            return
        self._backlog.add(self._fault(Halt("fault", parser.take_unsettled(), parser.size, "JSON")))
        self._behind.append(self._mend(final=True))

    def _open(self, *, final: bool) -> str:
        """Decide how this fragment begins, if that is possible yet; return what is to be read literally."""
        return self._join(final=final) if self._parser.size else self._begin(final=final)

    def _begin(self, *, final: bool) -> str:
        """Find the beginning of the document in the first fragment that holds one."""
        backlog = self._backlog
        if not (backlog.due or final):
            return ""
        start = envelope.find_document(backlog.text, final=final)
        if start is None:
            backlog.retry_at = backlog.size + 1 if backlog.size < LOOK_AT_ONCE else 2 * backlog.size
            return ""
        text = backlog.take()
        if start == envelope.NOTHING:
            self._phase = Phase.BEHIND
            return text
        self._report.removed("lead-in", text[:start], 0)
        return self._go_on_with(text[start:])

    def _join(self, *, final: bool) -> str:
        """Decide the seam. Tries are made at fixed lengths, so that the decision does not depend on the chunks."""
        backlog = self._backlog
        backlog.retry_at = max(backlog.retry_at, seam.FIRST_TRY)
        held = None
        while backlog.due or final:
            held = held or self._parser.side(WINDOW)
            last = not backlog.due
            decision = seam.decide(held, backlog.text[: backlog.retry_at], final=last)
            if decision is not None:
                return self._apply(decision, backlog.take())
            backlog.retry_at *= 2
        return ""

    def _apply(self, decision: seam.Decision, fragment: str) -> str:
        """Carry out a seam decision; return what of the fragment is to be read literally."""
        chosen, parser = decision.candidate, self._parser
        replaced = parser.cut(chosen.cut) if chosen.cut < parser.size else ""
        self._report.taken_back(parser.size)
        if seam.splits_number(chosen, replaced, parser.scanner.tail, fragment):
            self._report.doubts.append(pointer(parser.steps()))
        inserted = chosen.insert
        if inserted:
            self._read(inserted)
        self._report.seams.append(
            Seam(self._fragment, chosen.kind, parser.size, pointer(parser.steps()), chosen.skip, chosen.reason,
                 decision.sure, chosen.detail, inserted, replaced)
        )
        rest = fragment[chosen.skip :]
        if decision.rejected:
            self._phase = Phase.BEHIND
            self._report.removed("rejected", fragment, parser.size)
            return ""
        return self._go_on_with(rest)

    def _go_on_with(self, text: str) -> str:
        self._phase = Phase.BODY
        self._report.align(len(text), self._parser.size)
        return text

    def _read(self, text: str) -> str:
        """Strict text; return what the next phase must take."""
        halt = self._parser.read(text)
        if halt is None:
            return ""
        if halt.kind == "end":
            self._phase = Phase.BEHIND
            return halt.rest
        return self._fault(halt)

    def _fault(self, halt: Halt) -> str:
        """The strict path stopped: at the fence that closes the fragment, or at text that must be mended."""
        self._backlog.take()
        self._backlog.retry_at = 1
        self._phase = Phase.MENDING
        self._report.reopen(self._parser.size, len(halt.rest))
        if self._strict and self._parser.find_fence(halt.rest, final=False) == envelope.NOTHING:
            self._backlog.add(halt.rest)
            self._report.malformed = True
            raise MalformedError("the text is not JSON", offset=halt.offset, path=self.path, expected=halt.expected)
        return halt.rest

    def _mend(self, *, final: bool) -> str:
        """Make strict JSON of the faulty spot, if it can be decided yet; return what stands behind it."""
        backlog, parser = self._backlog, self._parser
        if not (backlog.due or final):
            return ""
        text, tree = backlog.text, parser.tree
        fence = parser.find_fence(text, final=final)
        if fence is None:
            backlog.retry_at = backlog.size + 1
            return ""
        if fence >= 0:
            backlog.take()
            self._go_on_with(text)
            parser.read(text[:fence])
            self._phase = Phase.BEHIND
            return text[fence:]
        self._report.malformed = True
        if self._strict:
            raise MalformedError("the text is not JSON", offset=parser.size, path=self.path, expected="JSON")
        after_value = parser.ledger.last not in ("", "{", "[")
        mended = mend_text(text, "".join(tree.frames()), after_value, final=final)
        if not final and not mended.spots:
            backlog.retry_at = backlog.size + max(1, backlog.size // 2)
            return ""
        backlog.take()
        self._report.mended(text, mended, parser.size, tree.steps())
        rest = text[mended.used :]
        self._phase = Phase.BODY
        left = self._read_mended(mended.strict, parser.size)
        if self._phase is Phase.BEHIND:
            last = mended.spots[-1] if mended.spots else None
            self._report.closed_by_repair = last is not None and last.at + len(last.after) >= len(mended.strict.rstrip())
        self._report.align(len(rest), parser.size)
        return left + rest

    def _read_mended(self, strict: str, offset: int) -> str:
        left = self._read(strict)
        if self._phase is Phase.MENDING:
            raise MalformedError("the text could not be mended", offset=offset, path=self.path, expected="JSON")
        return left

    # ------------------------------------------------------------ behind the data
    def _join_behind_fence(self) -> None:
        """A fence closed the answer before the document was: data behind it is one more fragment, a remark is none."""
        text = "".join(self._behind)
        if envelope.is_remark(text):
            return
        self._behind.clear()
        self._phase = Phase.OPENING
        self._backlog.add(text)
        self._end_text()

    def _report_behind(self) -> Seam | None:
        """Report what stood behind the data; give back how this fragment was joined."""
        text = "".join(self._behind)
        self._behind.clear()
        remark = envelope.is_remark(text)
        joined = next((seam for seam in reversed(self._report.seams) if seam.fragment == self._fragment), None)
        if joined is None and self._fragment and self._parser.tree.done:
            joined = Seam(self._fragment, "rejected", self._parser.size, "", len(text), "the document was complete")
            self._report.seams.append(joined)
        if not (joined is not None and joined.kind == "rejected" and not self._parser.tree.done):
            self._report.removed("remark" if remark else "surplus", text, self._parser.size)
        return joined


def join(fragments: Iterable[str | bytes]) -> Document:
    """One document out of whole answers, in their order. Raises `NoDocumentError`, `LimitExceeded`."""
    accumulator = Accumulator()
    for fragment in fragments:
        accumulator.add(fragment)
    return accumulator.finish()

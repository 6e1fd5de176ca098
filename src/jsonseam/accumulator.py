"""The accumulator: one live parser state over all answers. It wires the rooms in the order that feed() calls them.

    chunk -> cleaning -> how does this fragment begin? -> scanner -> tokens -> structure -> counters
                         (envelope, seam)                  |
                                                           a fault: mending, and on behind it

Rule: this file decides nothing. It holds the limits, the counters and the fragments' order; `intake.py` moves one
fragment's text through the phases, `parser.py` holds the live state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from jsonseam.checkpoint import seal, unseal
from jsonseam.cleaning import Cleaner
from jsonseam.completion import Finished
from jsonseam.counters import Counter, Kpi, read_all
from jsonseam.doubt import check_expected, check_on_doubt
from jsonseam.errors import KpiError, NoDocumentError, StateError
from jsonseam.intake import Intake
from jsonseam.parser import Limits, Parser, value_of
from jsonseam.records import Document, Expected, JsonValue, OnDoubt, Repair, Seam, Status, Step
from jsonseam.report import Report


class Accumulator:
    """Puts one JSON document together from the answers of a model, chunk by chunk, fragment by fragment.

    `kpis`: counters to keep (`add_kpi` adds more later). `strict`: raise `MalformedError` at the first character
    that is not JSON, instead of mending it. Limits: `max_depth` open containers (json.loads refuses about 1,000),
    `max_size` characters of the document, `max_held` characters held back (one unfinished token, an undecided
    seam). Crossing one raises `LimitExceeded`; what was delivered before is still there.

    `on_doubt` decides a seam that is in doubt (`Seam.sure` below 0.9), and no other. "best": the join that is believed
    most. "literal": the one that keeps the most of what was delivered. "echo": the one that takes what comes twice
    for a repetition. A function: it gets the candidates, best first, and gives back one of them or its index. It is
    asked when the fragment is over, and by a `finish()` before that.

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
        on_doubt: OnDoubt = "best",
    ) -> None:
        limits = Limits(max_depth, max_size, max_held)
        self._intake = Intake(limits, strict=strict, on_doubt=check_on_doubt(on_doubt))
        self._cleaner = Cleaner()
        self._counters: list[Counter] = []
        for kpi in kpis:
            self.add_kpi(kpi)

    # ------------------------------------------------------------ delivery
    def feed(self, chunk: str | bytes | bytearray | memoryview) -> None:
        """Take a piece of the current answer; pieces join literally. Cost: the piece.

        Raises `LimitExceeded`, and, if strict, `MalformedError`.
        """
        text, stains = self._cleaner.clean(chunk)
        if self._cleaner.late is not None:
            self._intake.take_late(*self._cleaner.take_late())
        self._intake.take(text, stains)

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
        joined = self._intake.end()
        self._cleaner.start_fragment()
        return Step(joined, self.complete, self.status, self.kpis, self._parser.finished_values)

    def add(self, fragment: str | bytes | bytearray | memoryview, *, expect: Expected | None = None) -> Step:
        """`feed` and `end_fragment`, after `expect` if that is given."""
        if expect is not None:
            self.expect(expect)
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
        return "partial" if self._parser.size or self._intake.waiting_scalar() else "empty"

    @property
    def value(self) -> JsonValue:
        """The tree that is being built, with the unfinished string in it; None before it has begun. Cost: O(1).

        It is live: it grows with the next chunk. The unfinished token costs what came since the last look.
        """
        parser = self._intake.parser
        parser.show()
        holder = parser.tree.holder
        return holder[0] if holder else self._intake.waiting_scalar()

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
        return self._intake.path

    @property
    def depth(self) -> int:
        """Open containers."""
        return self._parser.tree.depth

    @property
    def seams(self) -> tuple[Seam, ...]:
        """How each fragment but the first was joined, in their order."""
        return tuple(self._report.seams)

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What was mended, cleaned or taken off so far; `finish` adds what it takes to close the document."""
        return tuple(self._report.repairs)

    def finish(self) -> Document:
        """The document, closed if it was cut. It can be called at any time, and changes nothing.

        Raises `NoDocumentError` if no document has begun. Cost: the document, if it is not complete.
        """
        return self._ended_copy()._document() if self._intake.undecided or not self._cleaner.idle else self._document()

    def _document(self) -> Document:
        if self.complete:
            end, value = Finished(self.text, self._parser.size, [], []), self._parser.tree.holder[0]
        else:
            end = self._parser.finished()
            if not end.text.strip():
                raise NoDocumentError("no JSON document has begun", expected="text that holds a JSON value")
            value = value_of(end.text)
        repairs = (*self._report.within(end.delivered), *end.repairs)
        doubts = tuple(dict.fromkeys((*self._report.doubts, *end.unsafe)))
        seams = tuple(replace(seam, offset=min(seam.offset, end.delivered)) for seam in self.seams)
        return Document(value, end.text, self.complete, seams, repairs, doubts, self.kpis)

    # ------------------------------------------------------------ checkpoints
    def checkpoint(self) -> dict[str, Any]:
        """The whole state as plain JSON, for another process. Cost: the document."""
        return seal(
            {
                "kpis": [asdict(counter.kpi) for counter in self._counters],
                "cleaner": list(self._cleaner.pending),
                **self._intake.state(),
            }
        )

    @classmethod
    def resume(cls, checkpoint: Mapping[str, Any], *, on_doubt: OnDoubt | None = None) -> Accumulator:
        """Go on where `checkpoint()` was taken. Raises `StateError` for what is not a whole checkpoint.

        `on_doubt` takes the place of the one that was given there. A function is not in a checkpoint: where it was
        one, it must be given again.
        """
        state = unseal(checkpoint)
        try:
            self = cls(Kpi(**kpi) for kpi in state["kpis"])
            self._cleaner = Cleaner.resume(*state["cleaner"])
            self._intake = Intake.resume(state, None if on_doubt is None else check_on_doubt(on_doubt))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise StateError(f"the checkpoint cannot be read ({error!r})", expected="a checkpoint as given") from error
        return self

    def _ended_copy(self) -> Accumulator:
        copy = Accumulator.resume(self.checkpoint(), on_doubt=self._intake.opening.on_doubt)
        over = copy._cleaner.over
        take = copy._intake.take_late if over else copy._intake.take
        take(*copy._cleaner.flush())
        if not over or copy._intake.undecided:
            copy.end_fragment()
        return copy

    # ------------------------------------------------------------ shorthand
    @property
    def _parser(self) -> Parser:
        return self._intake.parser

    @property
    def _report(self) -> Report:
        return self._intake.report


def join(
    fragments: Iterable[str | bytes | bytearray | memoryview],
    *,
    kpis: Iterable[Kpi] = (),
    expect: Expected = "anything",
    on_doubt: OnDoubt = "best",
    strict: bool = False,
) -> Document:
    """One document out of whole answers, in their order. `expect` is for each of them but the first.

    Raises `NoDocumentError`, `LimitExceeded`, `ChoiceError`, and `MalformedError` if strict.
    """
    accumulator = Accumulator(kpis, strict=strict, on_doubt=on_doubt)
    for fragment in fragments:
        accumulator.add(fragment, expect=expect)
    return accumulator.finish()

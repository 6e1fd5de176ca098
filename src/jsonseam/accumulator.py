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

from collections.abc import Iterable
from enum import Enum
from typing import Any

from jsonseam import envelope, grammar, seam
from jsonseam.cleaning import Cleaner, Stain
from jsonseam.counters import Counter, Kpi, read_all
from jsonseam.errors import JsonSeamError, LimitExceeded, MalformedError, NoDocumentError
from jsonseam.mending import Mended, mend_text
from jsonseam.parser import Halt, Limits, Parser
from jsonseam.records import Document, JsonValue, Repair, Seam, Status, Step
from jsonseam.sides import Held
from jsonseam.structure import pointer
from jsonseam.surprise import WINDOW


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
        self._counters = [Counter(kpi) for kpi in kpis]
        self._phase = Phase.OPENING
        self._fragment = 0
        self._held = ""  # OPENING: the beginning of the fragment; MENDING: the faulty spot
        self._retry_at = 0  # held characters at which the next try to decide is worth its cost
        self._stains: list[Stain] = []  # what was cleaned in the held text
        self._behind: list[str] = []
        self._seams: list[Seam] = []
        self._repairs: list[Repair] = []
        self._doubts: list[str] = []
        self._malformed = False
        self._closed_by_repair = False

    # ------------------------------------------------------------ delivery
    def feed(self, chunk: str | bytes | bytearray | memoryview) -> None:
        """Take a piece of the current answer; pieces join literally. Cost: the piece.

        Raises `LimitExceeded`, and, if strict, `MalformedError`.
        """
        text, stains = self._cleaner.clean(chunk)
        if text or stains:
            self._take(text, stains)

    def end_fragment(self) -> Step:
        """The answer is over; what comes next is a continuation. Raises what `feed` raises."""
        if self._phase is Phase.OPENING:
            self._decide_opening(final=True)
        if self._phase is Phase.MENDING:
            self._mend(final=True)
        if self._phase is Phase.BODY:
            self._settle_tail()
        self._report_behind()
        self._fragment += 1
        self._cleaner.start_fragment()
        self._phase = Phase.BEHIND if self._parser.tree.done else Phase.OPENING
        return Step(self._seam_of(self._fragment - 1), self.complete, self.status, self.kpis, self._parser.tree.closed)

    def add(self, fragment: str | bytes | bytearray | memoryview) -> Step:
        """`feed` and `end_fragment`."""
        self.feed(fragment)
        return self.end_fragment()

    def add_kpi(self, kpi: Kpi) -> None:
        """Count one more; what is there already counts. Raises `KpiError` if the id is taken."""
        if any(counter.kpi.id == kpi.id for counter in self._counters):
            raise KpiError(f"there is a KPI {kpi.id!r} already", expected="an id of its own")
        self._counters.append(Counter(kpi))

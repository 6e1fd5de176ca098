"""Progress: did this answer bring the document forward? The rule of the plan on KPIs, or on growth without them.

Pure on what it is shown; it remembers only the last good figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from jsonseam import Accumulator, Kpi, judge_progress

from .budget import Reason
from .places import Cursor, Place, stand
from .task import kpi_of, kpi_plain

ADVANCED = "Progress"
STALLED = "Stalled"  # text came, no KPI is up, but one can still move from where the text stands


@dataclass(frozen=True, slots=True)
class Figures:
    """What is compared: the KPIs, closed items, and characters of the document without the white space at its end."""

    kpis: Mapping[str, float]
    closed: int
    characters: int

    @classmethod
    def of(cls, accumulator: Accumulator, closed: int) -> Figures:
        return cls(dict(accumulator.kpis), closed, len(accumulator.text.rstrip()))

    def grown_since(self, before: Figures) -> bool:
        return self.closed > before.closed or self.characters > before.characters


@dataclass(frozen=True, slots=True)
class Measure:
    """How progress is measured in this run, and the figures of the last answer that counted."""

    kpis: tuple[Kpi, ...]
    last: Figures
    stalled: int = 0

    def judge(self, now: Figures, accumulator: Accumulator, stalls_allowed: int) -> tuple[str, Measure]:
        """The verdict, and the measure to go on with: the reasons of the plan, "Progress" or "Stalled"."""
        verdict = self._verdict(now, accumulator, stalls_allowed)
        if verdict == Reason.BACKWARDS:
            return verdict, self
        return verdict, replace(self, last=now, stalled=self.stalled + 1 if verdict == STALLED else 0)

    def _verdict(self, now: Figures, accumulator: Accumulator, stalls_allowed: int) -> str:
        if not self.kpis:
            if accumulator.complete:
                return Reason.COMPLETE
            return ADVANCED if now.grown_since(self.last) else Reason.NO_PROGRESS
        targets = {kpi.id: kpi.target for kpi in self.kpis}
        _, reason = judge_progress(self.last.kpis, now.kpis, targets, complete=accumulator.complete)
        if reason != Reason.NO_PROGRESS or self.stalled >= stalls_allowed or not now.grown_since(self.last):
            return reason
        return STALLED if any(can_move(kpi, accumulator) for kpi in self.kpis) else reason

    def plain(self) -> dict[str, Any]:
        return {
            "kpis": [kpi_plain(kpi) for kpi in self.kpis],
            "last": [dict(self.last.kpis), self.last.closed, self.last.characters],
            "stalled": self.stalled,
        }

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Measure:
        kpis, closed, characters = plain["last"]
        return cls(tuple(map(kpi_of, plain["kpis"])), Figures(kpis, closed, characters), plain["stalled"])


def can_move(kpi: Kpi, accumulator: Accumulator) -> bool:
    """Can the text that comes next bring this KPI up? Not if what it counts is closed."""
    cursor = Cursor.of(accumulator.path, accumulator.depth)
    return stand(accumulator.value, cursor, kpi.path).place in (Place.OPEN, Place.TO_COME)

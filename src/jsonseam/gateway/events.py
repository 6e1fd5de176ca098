"""Events: what a run tells while it goes on. Frozen records; whoever listens cannot change the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jsonseam import Kpi, Seam

from .budget import Reason
from .model import Purpose
from .result import Result


@dataclass(frozen=True, slots=True)
class Asked:
    """The model was called; `call` counts from 1."""

    run_id: str
    purpose: Purpose
    call: int


@dataclass(frozen=True, slots=True)
class Received:
    """A piece of the document came in. `characters` of all pieces so far, `kpis` as they stand."""

    run_id: str
    text: str
    characters: int
    kpis: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class KpisDefined:
    """The counters that are watched from now on; `values` as they stand."""

    run_id: str
    kpis: tuple[Kpi, ...]
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class KpisRefused:
    """The model's definition cannot be used. `last`: from now on delivered items are counted instead."""

    run_id: str
    reason: str
    last: bool


@dataclass(frozen=True, slots=True)
class Joined:
    """An answer is over. `seam` is how it was joined, None for the first one; `verdict` is the progress rule's word."""

    run_id: str
    iteration: int
    seam: Seam | None
    finish_reason: str | None
    kpis: Mapping[str, float]
    verdict: str


@dataclass(frozen=True, slots=True)
class Broken:
    """The call failed in the middle of an answer; what came before is kept."""

    run_id: str
    error: BaseException


@dataclass(frozen=True, slots=True)
class RolledBack:
    """A KPI went backwards: the answer was taken out again."""

    run_id: str
    iteration: int
    asks_again: bool


@dataclass(frozen=True, slots=True)
class Stopped:
    """The last event of a run."""

    run_id: str
    reason: Reason
    result: Result


Event = Asked | Received | KpisDefined | KpisRefused | Joined | Broken | RolledBack | Stopped

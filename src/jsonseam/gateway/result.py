"""Result: what a run comes back with, whole or partial. Frozen; nothing in here decides anything."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from jsonseam import JsonSeamError, Repair, Seam

from .budget import Reason
from .model import Usage

Parsed = TypeVar("Parsed", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class KpiStanding:
    """One counter at the end of the run, with what it was to reach."""

    id: str
    path: str
    target: float | None
    value: float
    description: str = ""

    @property
    def reached(self) -> bool:
        return self.target is not None and self.value >= self.target


@dataclass(frozen=True, slots=True)
class Result:
    """The document that a run put together, and how.

    `complete`: the root was closed by delivered text. `reason` says why the run ended; it is "Complete" as well
    where every KPI is reached and the text is still open. `value` is None and `text` empty where no document began.
    `iterations` are the answers for the document, `calls` all calls, the KPI definition counted in; `retries` are
    failures of transport and count apart. `usage` is summed over all calls; `uncounted` is how many of them came
    without a figure. `progress` tells whether KPIs or the growth of delivered items were watched, `notes` what the
    caller should know, in sentences.
    """

    id: str
    value: Any
    text: str
    complete: bool
    reason: Reason
    iterations: int
    calls: int
    kpis: tuple[KpiStanding, ...] = ()
    seams: tuple[Seam, ...] = ()
    repairs: tuple[Repair, ...] = ()
    unsafe: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    uncounted: int = 0
    retries: int = 0
    seconds: float = 0.0
    progress: Literal["kpis", "growth"] = "growth"
    notes: tuple[str, ...] = ()
    error: BaseException | None = field(default=None, compare=False)

    def parse(self, model: type[Parsed]) -> Parsed:
        """The value as a pydantic model. Raises ResultError, which carries this result, where the run did not end
        with "Complete" or the value does not fit."""
        if self.reason is not Reason.COMPLETE:
            raise ResultError(f"the document is not complete: {self.reason}", self) from self.error
        try:
            return model.model_validate(self.value)
        except ValidationError as error:
            raise ResultError(f"the document is not a {model.__name__}: {error}", self) from error


class ResultError(JsonSeamError):
    """The document is not what was asked for. `result` has all that was delivered."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result

"""Definition: the model says once how progress is to be counted; nothing it says is believed unchecked.

An answer that cannot be used is refused with the reason and asked for once more. After that the run counts delivered
items instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from jsonseam import Accumulator, JsonSeamError, Kpi, join

from .context import read_context
from .model import Message, Request
from .places import Cursor, Place, stand
from .prompts import Prompts
from .task import Task

MOST = 12  # KPIs that are taken
ASKED = 5  # KPIs that are asked for
AGAIN = 1  # and after a refusal: a small model is more likely to get one right than five


class KpiEntry(BaseModel):
    """One KPI as the model gives it; the names of the plan, and the short ones."""

    model_config = ConfigDict(populate_by_name=True, str_strip_whitespace=True)

    id: str = Field(min_length=1, max_length=200)
    description: str = ""
    path: str = Field(
        min_length=1,
        max_length=1_000,
        validation_alias=AliasChoices("jsonPath", "path"),
        serialization_alias="jsonPath",
    )
    target: float = Field(
        gt=0,
        allow_inf_nan=False,
        validation_alias=AliasChoices("targetValue", "target"),
        serialization_alias="targetValue",
    )


class KpiAnswer(BaseModel):
    kpis: list[KpiEntry] = Field(min_length=1, max_length=MOST)


def answer_schema(most: int) -> dict[str, Any]:
    """What a server with a grammar is asked to hold the model to: `most` entries at most."""
    types = {"id": "string", "description": "string", "jsonPath": "string", "targetValue": "number"}
    types["currentValue"] = "number"
    entry = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in types.items()},
        "required": list(types),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"kpis": {"type": "array", "minItems": 1, "maxItems": most, "items": entry}},
        "required": ["kpis"],
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a definition cannot be used, in words that the model can act on."""

    reason: str


class Definition:
    """The talk about KPIs, without the talking: give `request` to a model, and `take` its answer; twice at most."""

    __slots__ = ("_asked", "_prompts", "_refusals", "_task")

    def __init__(self, task: Task, prompts: Prompts) -> None:
        self._task = task
        self._prompts = prompts
        self._asked: tuple[Message, ...] = ()
        self._refusals = 0

    @property
    def over(self) -> bool:
        """Has the model been refused twice? Then it is not asked again."""
        return self._refusals > 1

    def request(self, accumulator: Accumulator) -> Request:
        """What to ask now: for the KPIs, or, after a refusal, once more with the reason."""
        if not self._asked:
            self._asked = self._prompts.define(self._task.prompt, read_context(accumulator))
        return Request(
            self._asked,
            purpose="kpis",
            max_tokens=self._task.definition_tokens,
            schema=answer_schema(AGAIN if self._refusals else ASKED),
            options=self._task.options,
        )

    def take(self, answer: str, accumulator: Accumulator) -> tuple[Kpi, ...] | Refused:
        """The KPIs of the answer, or why they cannot be used."""
        found = read_definition(answer, accumulator)
        if isinstance(found, Refused):
            self._refusals += 1
            self._asked = self._prompts.define_again(self._asked, answer, found.reason)
        return found


def read_definition(answer: str, accumulator: Accumulator) -> tuple[Kpi, ...] | Refused:
    """The KPIs of a model's answer, checked against what was delivered. The accumulator is not changed.

    Costs the answer, and for each KPI the length of its path.
    """
    entries = _entries(answer)
    if isinstance(entries, Refused):
        return entries
    faults = _repeated_ids(entries)
    kpis = []
    for entry in entries:
        try:
            kpi = Kpi(id=entry.id, path=entry.path, target=entry.target, description=entry.description)
            Accumulator(kpis=[kpi])
        except JsonSeamError as error:
            faults.append(f"{entry.id}: {error}")
            continue
        kpis.append(kpi)
        cursor = Cursor.of(accumulator.path, accumulator.depth)
        standing = stand(accumulator.value, cursor, kpi.path)
        if standing.place is Place.CONTRADICTION:
            faults.append(f"{kpi.id}: the path {kpi.path} contradicts what was delivered: {standing.why}")
    if not faults and _nothing_left(kpis, accumulator):
        faults.append("every targetValue is reached already, but the document was cut off and is not finished")
    return Refused("; ".join(faults)) if faults else tuple(kpis)


def _entries(answer: str) -> list[KpiEntry] | Refused:
    try:
        document = join([answer])
    except JsonSeamError:
        return Refused("there is no JSON object in it")
    if not document.complete:
        return Refused("the JSON object is not finished; keep it short")
    given = {"kpis": document.value} if isinstance(document.value, list) else document.value
    try:
        return KpiAnswer.model_validate(given).kpis
    except ValidationError as error:
        faults = (f"{'.'.join(map(str, fault['loc'])) or 'answer'}: {fault['msg']}" for fault in error.errors()[:8])
        return Refused("; ".join(faults))


def _repeated_ids(entries: list[KpiEntry]) -> list[str]:
    counted = Counter(entry.id for entry in entries)
    return [f"the id {name!r} is there {count} times" for name, count in counted.items() if count > 1]


def _nothing_left(kpis: list[Kpi], accumulator: Accumulator) -> bool:
    """Would these KPIs end the run although the document is cut? Counted on a copy: a refusal leaves no trace."""
    trial = Accumulator.resume(accumulator.checkpoint())
    for kpi in kpis:
        trial.add_kpi(kpi)
    values = trial.kpis
    return all(kpi.target is not None and values[kpi.id] >= kpi.target for kpi in kpis)


def describe_kpis(kpis: Iterable[Kpi], values: Mapping[str, float]) -> list[dict[str, Any]]:
    """The KPIs as the plan writes them, with their current values."""
    return [
        {
            "id": kpi.id,
            "description": kpi.description,
            "jsonPath": kpi.path,
            "targetValue": kpi.target,
            "currentValue": values.get(kpi.id, 0),
        }
        for kpi in kpis
    ]

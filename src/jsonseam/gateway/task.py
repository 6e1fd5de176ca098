"""Task: what is asked of the model. Plain values, so that a run can be saved with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jsonseam import Kpi


@dataclass(frozen=True, slots=True)
class Task:
    """One document that is wanted.

    `kpis` are the counters of the caller, and then the model is not asked for any; None lets the model define them
    once the first answer comes back cut; an empty tuple counts delivered items. `max_tokens` is for each answer,
    `definition_tokens` for the definition. `options` go to the model as they are, `parsing` to the
    accumulator (strict, max_depth, max_size, max_held). `about` is the caller's own, plain JSON: it is kept with the
    run, and nobody looks at it.
    """

    prompt: str
    schema: Mapping[str, Any] | None = None
    kpis: tuple[Kpi, ...] | None = None
    max_tokens: int | None = None
    definition_tokens: int | None = 1_000
    options: Mapping[str, Any] = field(default_factory=dict)
    parsing: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """As plain JSON."""
        kpis = None if self.kpis is None else [kpi_plain(kpi) for kpi in self.kpis]
        return {
            "prompt": self.prompt,
            "schema": None if self.schema is None else dict(self.schema),
            "kpis": kpis,
            "max_tokens": self.max_tokens,
            "definition_tokens": self.definition_tokens,
            "options": dict(self.options),
            "parsing": dict(self.parsing),
            "about": dict(self.about),
        }

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Task:
        kpis = plain["kpis"]
        return cls(**{**plain, "kpis": None if kpis is None else tuple(kpi_of(kpi) for kpi in kpis)})


def kpi_plain(kpi: Kpi) -> dict[str, Any]:
    return {"id": kpi.id, "path": kpi.path, "target": kpi.target, "description": kpi.description}


def kpi_of(plain: Mapping[str, Any]) -> Kpi:
    return Kpi(**plain)

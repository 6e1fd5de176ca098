"""How a conversation is read: its KPIs and the accumulator's options, as plain JSON beside its snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from jsonseam import Accumulator, Kpi


@dataclass(frozen=True, slots=True)
class Settings:
    """`options` are the keywords of `Accumulator`: strict, max_depth, max_size, max_held."""

    kpis: tuple[Kpi, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def accumulator(self) -> Accumulator:
        """A new one. Raises KpiError, and TypeError for an option that there is not."""
        return Accumulator(self.kpis, **self.options)

    def plain(self) -> dict[str, Any]:
        return {"kpis": [asdict(kpi) for kpi in self.kpis], "options": dict(self.options)}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Settings:
        return cls(tuple(Kpi(**kpi) for kpi in plain["kpis"]), dict(plain["options"]))

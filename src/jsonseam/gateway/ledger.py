"""Ledger: what a run has counted so far. Only sums; it decides nothing and goes into a saved run as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .budget import Spent
from .model import Usage


@dataclass(slots=True)
class Ledger:
    """`rejected` and `again` are about the last answers: rejected ones in a row, and whether one is asked for anew
    because a KPI went backwards. `seconds` of wall time were spent in processes that worked on the run before."""

    calls: int = 0
    iterations: int = 0
    characters: int = 0
    rejected: int = 0
    again: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    uncounted: int = 0
    retries: int = 0
    seconds: float = 0.0
    closed: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def usage(self) -> Usage:
        return Usage(self.prompt_tokens, self.completion_tokens)

    def count(self, usage: Usage) -> None:
        self.prompt_tokens += usage.prompt_tokens
        self.completion_tokens += usage.completion_tokens

    def spent(self, seconds: float) -> Spent:
        return Spent(self.calls, seconds, self.usage.total_tokens, self.characters, self.rejected)

    def plain(self, seconds: float) -> dict[str, Any]:
        kept = {name: getattr(self, name) for name in self.__slots__}
        return {**kept, "notes": list(self.notes), "seconds": seconds}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Ledger:
        return cls(**{**plain, "notes": list(plain["notes"])})

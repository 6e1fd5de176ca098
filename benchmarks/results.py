"""What was measured, as plain data that is written beside the plots and read again by the table.

Rule: nothing is computed when it is read but medians and ratios, and nothing is left out in silence: a peer that was
not measured has its reason.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import measuring

FILE = "results.json"


@dataclass
class Row:
    """One case: seconds of each peer in each round, and why there are none of the others."""

    workload: str
    group: str
    size: int  # characters of the document as it was
    case: str
    seconds: dict[str, list[float]]
    reasons: dict[str, str]
    notes: dict[str, str] = field(default_factory=dict)

    def ratio(self, peer: str, to: str = "jsonseam") -> float | None:
        """Times as long as `to` it takes."""
        if not (self.seconds.get(peer) and self.seconds.get(to)):
            return None
        return measuring.ratio(self.seconds[peer], self.seconds[to])

    def median(self, peer: str) -> float | None:
        return measuring.median(self.seconds[peer]) if self.seconds.get(peer) else None


@dataclass
class Fact:
    """A figure that is not a comparison of times: bytes held, memory of a long stream, the time of an import."""

    workload: str
    what: str
    value: float
    unit: str
    note: str = ""


@dataclass
class Results:
    machine: dict[str, str]
    versions: dict[str, str]
    missing: dict[str, str] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    interrupted: bool = False

    def save(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        data = asdict(self)
        for row in data["rows"]:
            row["seconds"] = {name: [float(f"{one:.5g}") for one in all] for name, all in row["seconds"].items()}
        path = folder / FILE
        path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return path


def load(folder: Path) -> Results:
    """What `save` wrote there."""
    data: dict[str, Any] = json.loads((folder / FILE).read_text(encoding="utf-8"))
    data["rows"] = [Row(**row) for row in data["rows"]]
    data["facts"] = [Fact(**fact) for fact in data["facts"]]
    return Results(**data)

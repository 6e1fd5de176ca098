"""Records: what a caller reads. Frozen, made of plain values, and nothing in here decides anything."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

JsonValue = Any
Status = Literal["empty", "partial", "complete", "malformed"]
Expected = Literal["anything", "continue", "overlap", "element"]
SeamKind = Literal["continue", "overlap", "resume", "reopen", "restart", "rejected"]


@dataclass(frozen=True, slots=True)
class Seam:
    """How one fragment was joined to what was held. Lengths are in characters.

    `fragment` counts from 0, so the first continuation is 1. `offset` is where in `Document.text` the first
    character that was taken from the fragment stands. `dropped` counts the characters of the fragment that
    were not taken, because they repeat what was held or wrap it; `replaced` is held text that the fragment
    sent again in other words, and that gave way to it. `inserted` was put between the two (a comma).
    `sure` is the share, from 0 to 1, of the belief that this was the right join, against the other candidates.
    """

    fragment: int
    kind: SeamKind
    offset: int
    path: str
    dropped: int
    reason: str
    sure: float = 1.0
    detail: str = ""
    inserted: str = ""
    replaced: str = ""


@dataclass(frozen=True, slots=True)
class Repair:
    """One spot where `Document.text` is not what was delivered.

    `Document.text[offset : offset + len(after)] == after`; `before` is the delivered text that `after` stands
    for. `path` is the JSON Pointer of the value, or of the container, in which the spot lies.
    """

    kind: str
    offset: int
    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Step:
    """Where the document stands when a fragment is over.

    `seam` is how the fragment was joined, None for the first one.
    """

    seam: Seam | None
    complete: bool
    status: Status
    kpis: dict[str, float]


@dataclass(frozen=True, slots=True)
class Document:
    """One document, put together. `json.loads(text) == value`, always.

    `complete`: the root was closed by delivered text. `unsafe`: JSON Pointers of values that the cut may have
    shortened, or that were dropped because of it.
    """

    value: JsonValue
    text: str
    complete: bool
    seams: tuple[Seam, ...] = ()
    repairs: tuple[Repair, ...] = ()
    unsafe: tuple[str, ...] = ()
    kpis: dict[str, float] = field(default_factory=dict)

    def report(self) -> dict[str, Any]:
        """Everything but the value and the text, as plain JSON."""
        return {
            "complete": self.complete,
            "seams": [asdict(seam) for seam in self.seams],
            "repairs": [asdict(repair) for repair in self.repairs],
            "unsafe": list(self.unsafe),
            "kpis": dict(self.kpis),
        }

"""Records: what a caller reads. Frozen, made of plain values, and nothing in here decides anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

JsonValue = Any
Status = Literal["empty", "partial", "complete", "malformed"]
Expected = Literal["anything", "continue", "overlap", "element"]
ChangeKind = Literal["set", "grow", "remove"]
SeamKind = Literal["continue", "overlap", "resume", "reopen", "restart", "rejected"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way in which a fragment could have been joined to what was held.

    The first `skip` characters of the fragment are not taken, the last `replaced` characters of what was held
    give way, and `insert` is put between the two. `score` is in nats: by as much as it is higher than another one,
    by so much this way is the more believed. `against` says why what it comes to is not JSON, and is empty if it
    is. `reason` says what the model would have done.
    """

    kind: SeamKind
    skip: int
    replaced: int
    insert: str
    score: float
    against: str
    reason: str

    @property
    def legal(self) -> bool:
        """Is what it comes to JSON, as far as the decision looked?"""
        return not self.against


# What to do where the evidence does not decide: the word for it, or a function from the candidates, of which the
# first is the one that is believed most, to one of them or its index.
OnDoubt = Literal["best", "literal", "echo"] | Callable[[Sequence[Candidate]], Candidate | int]


@dataclass(frozen=True, slots=True)
class Seam:
    """How one fragment was joined to what was held. Lengths are in characters.

    `fragment` counts from 0, so the first continuation is 1. `offset` is where in `Document.text` the first
    character that was taken from the fragment stands. `dropped` counts the characters of the fragment that
    were not taken, because they repeat what was held or wrap it; `replaced` is held text that the fragment
    sent again in other words, and that gave way to it. `inserted` was put between the two (a comma). `detail` is a word
    for the variety of the kind (token, element, reworded, ...), empty where there is but one.
    `sure` is the share, from 0 to 1, of the belief that this was the right join, against the other candidates;
    below 0.9 it is in doubt. `candidates`: the few best, each of which comes to another document; the first is the
    one that was chosen. `seen`: how many characters of the fragment there were when it was decided.
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
    candidates: tuple[Candidate, ...] = ()
    seen: int = 0


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
class Change:
    """One step from the value as it was to the value as it is, at the JSON Pointer `path` (RFC 6901).

    set: `value` stands there now; at an index that is the length of the array it is appended. grow: `value` is text
    that the string there ends with now, behind what it was. remove: a seam or a mend took the value back.
    """

    path: str
    kind: ChangeKind
    value: JsonValue = None


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
    """One document, put together. `json.loads(text) == value`, unless items were handed off.

    Then `value` is what was not handed off, and `text` the delivered text from its character `begins` on, which is
    a window: offsets count from the beginning of the document all the same.
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
    begins: int = 0

    def report(self) -> dict[str, Any]:
        """Everything but the value and the text, as plain JSON."""
        return {
            "complete": self.complete,
            "seams": [{**asdict(seam), "candidates": list(map(asdict, seam.candidates))} for seam in self.seams],
            "repairs": [asdict(repair) for repair in self.repairs],
            "unsafe": list(self.unsafe),
            "kpis": dict(self.kpis),
        }

"""What a batch came to, in figures that can be added up in any order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

MOST_ERRORS: Final = 5  # that are kept in words


@dataclass(frozen=True, slots=True)
class Summary:
    """`rows` are answers, the others conversations, but for `seams` and `repairs`: counts by their kind.

    `complete` + `incomplete` + `errors` == `conversations`. `examples`: the first errors, by name of conversation.
    `partitions` files make the output, and `skipped` of them were finished before this run.
    """

    rows: int = 0
    conversations: int = 0
    complete: int = 0
    incomplete: int = 0
    errors: int = 0
    seams: dict[str, int] = field(default_factory=dict)
    repairs: dict[str, int] = field(default_factory=dict)
    examples: tuple[tuple[str, str], ...] = ()
    partitions: int = 0
    skipped: int = 0

    def with_document(self, rows: int, document: Mapping[str, Any]) -> Summary:
        """With one more row of the output, made from `rows` answers."""
        error = document["error"]
        one = Summary(
            rows=rows,
            conversations=1,
            complete=int(document["complete"]),
            incomplete=int(error is None and not document["complete"]),
            errors=int(error is not None),
            seams=_counted(seam["kind"] for seam in document["seams"]),
            repairs=_counted(repair["kind"] for repair in document["repairs"]),
            examples=() if error is None else ((document["conversation"] or "", error),),
        )
        return self + one

    def __add__(self, other: Summary) -> Summary:
        return Summary(
            rows=self.rows + other.rows,
            conversations=self.conversations + other.conversations,
            complete=self.complete + other.complete,
            incomplete=self.incomplete + other.incomplete,
            errors=self.errors + other.errors,
            seams=_added(self.seams, other.seams),
            repairs=_added(self.repairs, other.repairs),
            examples=tuple(sorted((*self.examples, *other.examples))[:MOST_ERRORS]),
            partitions=self.partitions + other.partitions,
            skipped=self.skipped + other.skipped,
        )

    def state(self) -> dict[str, Any]:
        """As plain JSON."""
        return asdict(self)

    @classmethod
    def resume(cls, state: Mapping[str, Any]) -> Summary:
        examples = tuple((name, error) for name, error in state["examples"])
        return cls(**{**state, "examples": examples})


def _counted(kinds: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for kind in kinds:
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {kind: one.get(kind, 0) + other.get(kind, 0) for kind in sorted({*one, *other})}

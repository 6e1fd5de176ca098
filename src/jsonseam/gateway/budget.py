"""Budget: when to stop although the document is not finished. One named reason each; pure, and it reads no clock."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MOST_CALLS: Final = 100


class Reason(StrEnum):
    """Why a run ended. The first three are the words of the progress rule, to the letter."""

    COMPLETE = "Complete"
    NO_PROGRESS = "No progress"
    BACKWARDS = "KPI went backwards"
    REJECTED = "Rejected in a row"
    CALLS = "Call limit"
    TIME = "Time limit"
    TOKENS = "Token limit"
    CHARACTERS = "Character limit"
    DOCUMENT_LIMIT = "Document limit"
    MALFORMED = "Malformed"
    CANCELLED = "Cancelled"
    MODEL_FAILED = "Model failed"
    RUNNING = "Running"  # only in a result that is asked for before the end


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may spend; None is no limit.

    `rejected`: fragments in a row in which there was no data. `calls`: calls to the model, the one that defines
    the KPIs and those that were rejected counted in, retries of the transport not. `seconds`: wall time of the
    run, in all the processes that worked on it. `tokens`: prompt and completion of all calls, as the provider
    counts them. `characters`: what the model sent for the document, repeats counted in. `stalled`: fragments in
    a row that may bring text but no KPI up, as long as a KPI can still move from where the text stands (its own
    item is being written, or its place is still to come); 0 is the progress rule to the letter.
    """

    rejected: int = 3
    calls: int | None = MOST_CALLS
    seconds: float | None = None
    tokens: int | None = None
    characters: int | None = None
    stalled: int = 3


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has spent so far, in the units of `Limits`."""

    calls: int = 0
    seconds: float = 0.0
    tokens: int = 0
    characters: int = 0
    rejected: int = 0


def exhausted(limits: Limits, spent: Spent) -> Reason | None:
    """The limit that leaves no room for another call, or None."""
    if spent.rejected >= limits.rejected:
        return Reason.REJECTED
    for reason, used, allowed in (
        (Reason.TIME, spent.seconds, limits.seconds),
        (Reason.CALLS, spent.calls, limits.calls),
        (Reason.TOKENS, spent.tokens, limits.tokens),
        (Reason.CHARACTERS, spent.characters, limits.characters),
    ):
        if allowed is not None and used >= allowed:
            return reason
    return None

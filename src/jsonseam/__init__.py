"""jsonseam puts a JSON document together from the truncated answers of a language model.

    acc = jsonseam.Accumulator()
    for answer in answers:
        acc.add(answer)
    document = acc.finish()      # value, text, complete, seams, repairs, unsafe

Read `accumulator.py` first; it calls the other rooms in order.
"""

from jsonseam.accumulator import Accumulator, join
from jsonseam.counters import Kpi, Verdict, judge_progress
from jsonseam.errors import (
    ChoiceError,
    JsonSeamError,
    KpiError,
    LimitExceeded,
    MalformedError,
    NoDocumentError,
    StateError,
)
from jsonseam.records import Candidate, Document, Expected, OnDoubt, Repair, Seam, Step

__all__ = [
    "Accumulator",
    "Candidate",
    "ChoiceError",
    "Document",
    "Expected",
    "JsonSeamError",
    "Kpi",
    "KpiError",
    "LimitExceeded",
    "MalformedError",
    "NoDocumentError",
    "OnDoubt",
    "Repair",
    "Seam",
    "StateError",
    "Step",
    "Verdict",
    "join",
    "judge_progress",
]

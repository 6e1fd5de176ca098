"""jsonseam puts a JSON document together from the truncated answers of a language model.

    acc = jsonseam.Accumulator()
    for answer in answers:
        acc.add(answer)
    document = acc.finish()      # value, text, complete, seams, repairs, unsafe

Read `accumulator.py` first; it calls the other rooms in order.
"""

from typing import Final

from jsonseam import delivery
from jsonseam.accumulator import Accumulator, join
from jsonseam.changes import replay
from jsonseam.counters import Kpi, Verdict, judge_progress
from jsonseam.errors import (
    ChoiceError,
    HandoffError,
    JsonSeamError,
    KpiError,
    LimitExceeded,
    MalformedError,
    NoDocumentError,
    StateError,
)
from jsonseam.mojibake import mend_mojibake
from jsonseam.records import Candidate, Change, Document, Expected, OnDoubt, Repair, Seam, Step
from jsonseam.stream import items

COMPILED: Final = not str(delivery.__file__).endswith(".py")  # is it mypyc's code that runs, or Python's?

__all__ = [
    "COMPILED",
    "Accumulator",
    "Candidate",
    "Change",
    "ChoiceError",
    "Document",
    "Expected",
    "HandoffError",
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
    "items",
    "join",
    "judge_progress",
    "mend_mojibake",
    "replay",
]

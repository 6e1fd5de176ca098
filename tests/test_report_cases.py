"""Cases from public reports (`data/reports.jsonl` and the two beside it): the value, and all that must be told.

`expect` in a case: `complete`, `value` (null with an `error`: no document), `alt` (other values that can be
defended), `error` (what must be told), `unsafe` (pointers that must be named), `counts` (items of an array that
delivered text started and closed). A case of low confidence may come to an alt, and then its doubt must be told.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import jsonseam
from tests.helpers import DATA, deliver

FILES = ("reports.jsonl", "more_reports.jsonl", "field_reports.jsonl")
CASES = [json.loads(line) for name in FILES for line in (DATA / name).read_text("utf-8").splitlines()]
DOUBT = 0.9


class Run:
    """One case, delivered as it says: `document` is None where there was none, and `error` why."""

    def __init__(self, case: dict[str, Any]) -> None:
        pointers = case["expect"].get("counts", {})
        kpis = [jsonseam.Kpi(f"at {pointer}", pointer[1:].replace("/", ".") or "$") for pointer in pointers]
        self.accumulator = jsonseam.Accumulator(kpis)
        self.closed: list[int] = []  # behind each answer
        for fragment in case["fragments"]:
            self.accumulator.feed(fragment)
            if case.get("boundary") != "chunk":
                self.end_fragment()
        if case.get("boundary") == "chunk":
            self.end_fragment()
        self.document: jsonseam.Document | None = None
        self.error: jsonseam.JsonSeamError | None = None
        try:
            self.document = self.accumulator.finish()
        except jsonseam.JsonSeamError as error:
            self.error = error

    def end_fragment(self) -> None:
        self.accumulator.end_fragment()
        self.closed.append(self.accumulator.closed)

    @property
    def value(self) -> Any:
        return None if self.document is None else self.document.value

    def seams(self, kind: str) -> list[jsonseam.Seam]:
        return [seam for seam in self.accumulator.seams if seam.kind == kind]

    def repairs(self, kind: str) -> list[jsonseam.Repair]:
        return [] if self.document is None else [one for one in self.document.repairs if one.kind == kind]

    def doubts(self) -> list[Any]:
        """All that tells a caller that it may have been otherwise."""
        document = self.document
        if document is None:
            return [self.error]
        told = [seam for seam in document.seams if seam.sure < DOUBT or seam.kind == "rejected"]
        return [*told, *document.unsafe, *document.repairs]


# the name of an error in a case -> is it told?
TOLD: dict[str, Callable[[Run], object]] = {
    "refusal-fragment": lambda run: run.seams("rejected") or [s for s in run.accumulator.seams if s.sure < DOUBT],
    "unusable-fragment": lambda run: run.seams("rejected") and run.repairs("rejected"),
    "extra-document": lambda run: run.repairs("surplus"),
    "no-document": lambda run: isinstance(run.error, jsonseam.NoDocumentError),
    "no-progress": lambda run: run.closed[-1] == run.closed[-2],
}


def same(a: Any, b: Any) -> bool:
    """Equal as JSON: 1 and 1.0 are one number, True and 1 are not, and the order of keys counts."""
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_reported_case(case: dict[str, Any]) -> None:
    expect, run = case["expect"], Run(case)
    preferred = same(run.value, expect["value"])
    alternatives = [one for one in expect.get("alt", []) if same(run.value, one)]
    assert preferred or alternatives, f"{run.value!r}: {case['why']}"
    assert run.accumulator.complete == expect["complete"]
    assert "error" not in expect or TOLD[expect["error"]](run)
    if run.document is not None:
        assert set(expect.get("unsafe", ())) <= set(run.document.unsafe)
        assert len(set(run.document.unsafe)) == len(run.document.unsafe)
    if preferred:
        for pointer, counts in expect.get("counts", {}).items():
            closed = run.accumulator.kpis[f"at {pointer}"]
            begun = run.accumulator.path.startswith(f"{pointer}/{int(closed)}")
            assert (closed + begun, closed) == (counts["started"], counts["closed"])


# Text that is taken as it came, though it may be garbled: there is nothing that would be told.
AS_IT_CAME = {"mojibake-and-clean-accents"}


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES if case["confidence"] == "low"])
def test_what_is_not_certain_is_told(case: dict[str, Any]) -> None:
    assert bool(Run(case).doubts()) == (case["id"] not in AS_IT_CAME)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_reported_case_in_single_characters(case: dict[str, Any]) -> None:
    if case.get("boundary") == "chunk":
        case = {**case, "fragments": ["".join(case["fragments"])]}
    whole = deliver([fragment] for fragment in case["fragments"])
    assert whole.told() == deliver(list(fragment) for fragment in case["fragments"]).told()


def test_every_error_of_the_file_is_known() -> None:
    assert {case["expect"]["error"] for case in CASES if "error" in case["expect"]} == set(TOLD)

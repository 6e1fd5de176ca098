"""JSONTestSuite: what must be accepted is what json.loads gives; what must not is mended with a report, or refused."""

from __future__ import annotations

import json

import pytest

import jsonseam
from tests.helpers import DATA, check

FILES = sorted((DATA / "JSONTestSuite").glob("*.json"))
DEEP = {"n_structure_100000_opening_arrays.json", "n_structure_open_array_object.json"}


def of_kind(letters: str) -> list[str]:
    return [path.name for path in FILES if path.name[0] in letters]


def test_the_suite_is_all_here() -> None:
    assert [len(of_kind(kind)) for kind in "yni"] == [95, 188, 35]


@pytest.mark.parametrize("name", of_kind("y"))
def test_accepted(name: str) -> None:
    data = (DATA / "JSONTestSuite" / name).read_bytes()
    value = json.loads(data)
    outcome = check(data, value)
    assert outcome.document is not None
    assert outcome.document.repairs == ()
    may_be_cut = isinstance(value, (int, float)) and data[-1:].isdigit()
    assert outcome.status == ("partial" if may_be_cut else "complete")
    assert outcome.document.unsafe == (("",) if may_be_cut else ())


@pytest.mark.parametrize("name", of_kind("ni"))
def test_nothing_but_our_errors_escapes(name: str) -> None:
    """Any other exception, a difference between two deliveries, or a false report fails inside `check`."""
    data = (DATA / "JSONTestSuite" / name).read_bytes()
    outcome = check(data)
    if outcome.error is None:
        assert outcome.document is not None
        accepted = _accepted_by_json(data)
        told = bool(outcome.document.repairs) or outcome.status != "complete"
        assert accepted or told, f"{data[:60]!r} became {outcome.value!r} without a word"
    elif name in DEEP:
        assert isinstance(outcome.error, jsonseam.LimitExceeded)


@pytest.mark.parametrize("name", of_kind("n"))
def test_strict_refuses_or_tells_that_it_is_cut(name: str) -> None:
    data = (DATA / "JSONTestSuite" / name).read_bytes()
    outcome = check(data, strict=True)
    if outcome.error is None:
        assert outcome.document is not None
        told = bool(outcome.document.repairs) or outcome.status != "complete"
        assert _accepted_by_json(data) or told, f"{data[:60]!r} became {outcome.value!r} without a word"


def _accepted_by_json(data: bytes) -> bool:
    try:
        json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return True

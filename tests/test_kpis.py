"""KPIs: the dialect of their paths, what is counted, and the rule that judges progress."""

from __future__ import annotations

import json
from typing import Any

import pytest

import jsonseam
from jsonseam import Kpi, judge_progress
from tests.helpers import check

DOCUMENT = {
    "title": "naïve 😀",
    "total": 12.5,
    "done": True,
    "none": None,
    "a b": {"x.y": [1, 2]},
    "sections": [
        {"rows": [1, 2, 3], "elements": [{"items": ["a", "b"]}, {"items": ["c"]}], "n": 4},
        {"elements": [{"items": []}, {"text": "long"}], "n": 5, "rows": "no list"},
        [],
        "text",
    ],
}

# path | value
COUNTED: list[tuple[str, float]] = [
    ("sections", 4),
    ("$.sections", 4),
    ("$", 6),
    ("sections[0]", 3),
    ("sections[0].rows", 3),
    ("sections[0].elements[1].items", 1),
    ("$.sections[0].elements[0].items", 2),
    ("$['sections'][0]['rows']", 3),
    ('$["a b"]["x.y"]', 2),
    ("sections[0].rows[2]", 3),
    ("title", 7),
    ("total", 12.5),
    ("done", 1),
    ("none", 0),
    ("sections[*].rows", 3 + 7),
    ("sections[*].n", 9),
    ("sections[*].elements", 4),
    ("sections[*].elements[*].items", 3),
    ("sections[*].elements[*].items[*]", 3),
    ("sections[0].rows[*]", 6),
    ("sections[*]", 3 + 3 + 0 + 4),
    # nothing there, or of another kind
    ("missing", 0),
    ("in.not.true", 0),
    ("sections[9].rows", 0),
    ("sections.rows", 0),
    ("title[0]", 0),
    ("total.x", 0),
    ("title[*]", 0),
    ("none.x[3]", 0),
]


@pytest.mark.parametrize(("path", "value"), COUNTED)
def test_what_is_counted(path: str, value: float) -> None:
    import json

    document = check(json.dumps(DOCUMENT), DOCUMENT, kpis=[Kpi("it", path, target=10)]).document
    assert document is not None
    assert document.kpis == {"it": value}


REFUSED = [
    "",
    " ",
    "$..rows",
    "sections[-1]",
    "sections[0:2]",
    "sections[?(@.x)]",
    "sections[0,1]",
    "sections.*",
    "a[",
    "sections[*",
    "^.a",
    "@.a",
    "a b c",
    "sections[x]",
    "sections['a','b']",
    "$.a.~",
    "a..b",
    "[",
    "a]b",
]


@pytest.mark.parametrize("path", REFUSED)
def test_what_is_refused_says_what_is_allowed(path: str) -> None:
    with pytest.raises(jsonseam.KpiError) as caught:
        Kpi("it", path)
    assert "[*]" in str(caught.value)
    assert "indices from 0" in caught.value.expected
    assert repr(path) in str(caught.value)


# delivered | path | value
STRANGE_NUMBERS: list[tuple[str, str, float]] = [
    ("[1e400]", "$[0]", 1e200),
    ("[-1e400, 1e400, 2]", "$[*]", 2),
    ("[1" + "0" * 400 + ", 1.5]", "$[*]", 1e200),
    ("[-1" + "0" * 400 + "]", "$[0]", -1e200),
    ("[NaN, 3]", "$[*]", 3),
    ("[NaN]", "$[0]", 0),
    ("[Infinity]", "$[0]", 1e200),
    ("[12345678901234567890]", "$[0]", 12345678901234567890),
]


@pytest.mark.parametrize(("delivered", "path", "value"), STRANGE_NUMBERS)
def test_whatever_is_counted_is_a_number_that_json_can_spell(delivered: str, path: str, value: float) -> None:
    accumulator = jsonseam.Accumulator([Kpi("n", path)])
    assert accumulator.add(delivered).kpis == {"n": value}
    told = json.loads(json.dumps([accumulator.finish().report(), accumulator.checkpoint()], allow_nan=False))
    assert jsonseam.Accumulator.resume(told[1]).kpis == told[0]["kpis"] == {"n": value}


# fragments whose last string, although it has its quote, becomes another one | value of $[*]
GROWN: list[tuple[list[str], float]] = [
    (['["he said "no" twice", "b"]'], 18 + 1),
    (['["one", "tw"', 'o", "x"]'], 3 + 4 + 1),
    (['["one", "tw', 'o", "x"]'], 3 + 3 + 1),
    (["['one', 'two' or three', 4]"], 3 + 13 + 4),
]


@pytest.mark.parametrize("hands_off", [False, True])
@pytest.mark.parametrize(("fragments", "value"), GROWN)
def test_a_sum_is_the_same_however_often_it_is_looked_at(fragments: list[str], value: float, hands_off: bool) -> None:
    handoff = {"nowhere": lambda item, pointer: None} if hands_off else None
    accumulator = jsonseam.Accumulator([Kpi("n", "$[*]")], handoff=handoff)
    for fragment in fragments:
        for mark in fragment:
            accumulator.feed(mark)
            assert accumulator.kpis.keys() == accumulator.finish().kpis.keys()  # both look
            state = json.loads(json.dumps(accumulator.checkpoint()))
        accumulator.end_fragment()
    assert accumulator.kpis == {"n": value}
    resumed = jsonseam.Accumulator.resume(state, handoff=handoff)
    resumed.end_fragment()
    assert resumed.kpis == {"n": value}


@pytest.mark.parametrize("target", [float("nan"), float("inf"), float("-inf")])
def test_a_target_is_finite(target: float) -> None:
    with pytest.raises(jsonseam.KpiError, match="the target of the KPI 'n' is"):
        Kpi("n", "rows", target)


def test_ids() -> None:
    with pytest.raises(jsonseam.KpiError):
        Kpi("", "rows")
    accumulator = jsonseam.Accumulator([Kpi("a", "x")])
    with pytest.raises(jsonseam.KpiError):
        accumulator.add_kpi(Kpi("a", "y"))
    with pytest.raises(jsonseam.KpiError):
        jsonseam.Accumulator([Kpi("a", "x"), Kpi("a", "y")])


# delivered so far | counters
GROWING: list[tuple[str, dict[str, float]]] = [
    ("", {"items": 0, "sum": 0, "length": 0, "members": 0}),
    ('{"s": [', {"items": 0, "sum": 0, "length": 0, "members": 0}),
    ('{"s": [{', {"items": 0, "sum": 0, "length": 0, "members": 0}),
    ('{"s": [{"n": 4', {"items": 0, "sum": 0, "length": 0, "members": 0}),
    ('{"s": [{"n": 42,', {"items": 0, "sum": 42, "length": 0, "members": 0}),
    ('{"s": [{"n": 42}', {"items": 1, "sum": 42, "length": 0, "members": 0}),
    ('{"s": [{"n": 42}, {"n": 1}, 3', {"items": 2, "sum": 43, "length": 0, "members": 0}),
    ('{"s": [{"n": 42}, {"n": 1}, 3]', {"items": 3, "sum": 43, "length": 0, "members": 1}),
    ('{"s": [{"n": 42}, {"n": 1}, 3], "t": "ab', {"items": 3, "sum": 43, "length": 2, "members": 1}),
    ('{"s": [{"n": 42}, {"n": 1}, 3], "t": "abc"}', {"items": 3, "sum": 43, "length": 3, "members": 2}),
]
PATHS = [Kpi("items", "s"), Kpi("sum", "s[*].n"), Kpi("length", "t"), Kpi("members", "$")]


@pytest.mark.parametrize(("delivered", "counters"), GROWING)
def test_counters_while_it_grows(delivered: str, counters: dict[str, float]) -> None:
    from_start, late = jsonseam.Accumulator(PATHS), jsonseam.Accumulator()
    for char in delivered:
        from_start.feed(char)
        late.feed(char)
    for kpi in PATHS:
        late.add_kpi(kpi)
    assert from_start.kpis == late.kpis == counters
    assert from_start.end_fragment().kpis["items"] == counters["items"]


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("text", ['{"a": [1, true', '{"a": [1, false  ', '{"a": ["x", null', '{"a": [1, "x"'])
def test_a_value_that_is_all_there_counts_in_whatever_chunks_it_came(text: str, size: int) -> None:
    accumulator = jsonseam.Accumulator([Kpi("n", "a")])
    for at in range(0, len(text), size):
        accumulator.feed(text[at : at + size])
        counted = accumulator.kpis["n"]
    assert counted == 2


def test_counters_follow_when_a_seam_takes_items_back() -> None:
    """The cut-off item is sent again with other text: what was counted of it must go."""
    accumulator = jsonseam.Accumulator([Kpi("rows", "rows"), Kpi("cells", "rows[*]"), Kpi("sum", "rows[*][0]")])
    accumulator.add('{"rows": [[1, "first row of it"], [2, "second row here"], [3, "the third')
    assert accumulator.kpis == {"rows": 2, "cells": 5, "sum": 6}
    step = accumulator.add('[3, "the third row, a longer one"], [4, "x"]]}')
    assert step.complete
    assert accumulator.value["rows"][2:] == [[3, "the third row, a longer one"], [4, "x"]]
    assert step.kpis == {"rows": 4, "cells": 8, "sum": 10}


# before | after | targets | complete | verdict
JUDGED: list[tuple[dict[str, float], dict[str, float], dict[str, float | None], bool, tuple[bool, str]]] = [
    ({"a": 1}, {"a": 2}, {"a": 9}, False, (True, "Progress")),
    ({"a": 1, "b": 5}, {"a": 2, "b": 5}, {"a": 9, "b": 9}, False, (True, "Progress")),
    ({"a": 1}, {"a": 1}, {"a": 9}, False, (False, "No progress")),
    ({"a": 2}, {"a": 1}, {"a": 9}, False, (False, "KPI went backwards")),
    ({"a": 1, "b": 5}, {"a": 7, "b": 4}, {"a": 9, "b": 9}, False, (False, "KPI went backwards")),
    ({"a": 1}, {"a": 9}, {"a": 9}, False, (True, "Complete")),
    ({"a": 9}, {"a": 9}, {"a": 9}, False, (True, "Complete")),
    ({"a": 8}, {"a": 9, "b": 1}, {"a": 9, "b": 2}, False, (True, "Progress")),
    ({"a": 1}, {"a": 1}, {"a": 9}, True, (True, "Complete")),
    ({"a": 2}, {"a": 1}, {"a": 9}, True, (True, "Complete")),
    ({}, {"a": 1}, {"a": 9}, False, (True, "Progress")),
    ({}, {}, {}, False, (False, "No progress")),
    ({"a": 1}, {"a": 2}, {"a": None}, False, (True, "Progress")),
]


@pytest.mark.parametrize(("before", "after", "targets", "complete", "verdict"), JUDGED)
def test_the_progress_rule(
    before: dict[str, float], after: dict[str, float], targets: Any, complete: bool, verdict: tuple[bool, str]
) -> None:
    assert judge_progress(before, after, targets, complete=complete) == verdict

"""What holds always, shown by Hypothesis: for every document, every cut, every moment."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import jsonseam
from tests.helpers import check, check_join, hold_reports, leaves, spans, spell, spelled, step_spelled

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["", '"', "\\", '\\"', "],", '": "', "{", "```", "```json\n", "\n", "é", "😀", "a/b~c", "null", "12"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.integers(-20, 20) | st.floats(allow_nan=False) | TEXT
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=25,
)
CONTAINERS = st.lists(VALUES, max_size=6) | st.dictionaries(TEXT, VALUES, max_size=5)
LAYOUTS = st.integers(0, 4)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A container as text, in one of the layouts that models write."""
    return spell(draw(CONTAINERS), draw(LAYOUTS))


@st.composite
def cut_documents(draw: st.DrawFn) -> tuple[str, str]:
    """A document, and a beginning of it."""
    text = draw(documents())
    return text, text[: draw(st.integers(0, len(text)))]


@st.composite
def table_documents(draw: st.DrawFn) -> tuple[Any, str]:
    """Rows in sections, for counters."""
    rows = st.lists(st.lists(SCALARS, max_size=3) | SCALARS, max_size=5)
    optional = {"note": TEXT, "n": st.integers(0, 9)}
    sections = st.lists(st.fixed_dictionaries({"id": SCALARS, "rows": rows}, optional=optional), max_size=4)
    value = draw(st.fixed_dictionaries({"sections": sections, "title": TEXT, "total": st.integers(0, 99)}))
    return value, spell(value, draw(LAYOUTS))


KPIS = [
    jsonseam.Kpi("sections", "sections"),
    jsonseam.Kpi("rows of the second", "sections[1].rows"),
    jsonseam.Kpi("all rows", "$.sections[*].rows"),
    jsonseam.Kpi("cells", "sections[*].rows[*]"),
    jsonseam.Kpi("notes", "sections[*].note"),
    jsonseam.Kpi("n", "sections[*].n"),
    jsonseam.Kpi("title", "title"),
    jsonseam.Kpi("total", "total"),
    jsonseam.Kpi("members", "sections[0]"),
]


@given(documents(), st.integers(0, 1 << 16))
def test_any_chunking_gives_the_same(text: str, seed: int) -> None:
    outcome = check(text, json.loads(text), seed=seed, kpis=KPIS)
    assert outcome.document is not None
    assert outcome.document.complete
    assert outcome.document.text.strip() == text.strip()
    assert not outcome.document.repairs


@given(cut_documents(), st.integers(0, 1 << 16))
def test_any_cut_finishes_as_json_whose_closed_items_are_the_documents(pair: tuple[str, str], seed: int) -> None:
    text, beginning = pair
    outcome = check(beginning, seed=seed)
    if outcome.document is None:
        assert isinstance(outcome.error, jsonseam.NoDocumentError)
        assert not beginning.strip()
        return
    document = outcome.document
    assert json.loads(document.text) == document.value
    assert document.complete == (beginning.strip() == text.strip())
    whole = dict(leaves(json.loads(text)))
    for path, leaf in leaves(document.value):
        assert path in whole
        if isinstance(leaf, tuple):
            assert leaf[0] is whole[path][0]
            assert leaf[1] <= whole[path][1]
        elif path in document.unsafe:
            assert spelled(whole[path]) == spelled(leaf) or str(whole[path]).startswith(leaf)
        else:
            assert spelled(leaf) == spelled(whole[path])


@given(documents(), st.lists(st.integers(0, 400), max_size=4))
def test_finishing_in_between_changes_nothing(text: str, cuts: list[int]) -> None:
    accumulator = jsonseam.Accumulator(KPIS)
    for start, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(text)], strict=True):
        accumulator.feed(text[start:end])
        try:
            document = accumulator.finish()
        except jsonseam.NoDocumentError:
            continue
        assert spelled(json.loads(document.text)) == spelled(document.value)
        hold_reports(document)
    accumulator.end_fragment()
    assert spelled(accumulator.finish().value) == spelled(json.loads(text))


@given(documents(), st.lists(st.integers(0, 300), min_size=1, max_size=3), st.integers(1, 40))
def test_fragments_cut_anywhere_give_the_same_decision_in_any_chunking(text: str, cuts: list[int], seed: int) -> None:
    places = [0, *sorted({min(at, len(text)) for at in cuts}), len(text)]
    fragments = [text[a:b] for a, b in pairwise(places)]
    check_join(fragments, seed=seed)


@dataclass(frozen=True)
class Moment:
    """A document of which `size` characters came: what is closed is told by the spans of its values alone."""

    text: str
    spans: dict[str, tuple[int, int]]
    size: int

    def is_closed(self, path: str) -> bool:
        start, end = self.spans[path]
        needs_successor = self.text[start] in "-0123456789"
        return end + needs_successor <= self.size

    def count(self, live: Any, steps: list[str | int | None], path: str = "") -> float:
        """What a counter should say: scalars as the live view shows them, in containers what is closed."""
        for at, step in enumerate(steps):
            if step is None:
                if not isinstance(live, list):
                    return 0
                rest = steps[at + 1 :]
                return sum(self.count(item, rest, f"{path}/{number}") for number, item in enumerate(live))
            try:
                live = live[step]
            except (KeyError, IndexError, TypeError):
                return 0
            path += f"/{step_spelled(step)}"
        if isinstance(live, (list, dict)):
            keys = live if isinstance(live, dict) else range(len(live))
            return sum(self.is_closed(f"{path}/{step_spelled(key)}") for key in keys)
        if isinstance(live, str):
            return len(live)
        return live if isinstance(live, (int, float)) else 0


STEPS: dict[str, list[str | int | None]] = {
    "sections": ["sections"],
    "rows of the second": ["sections", 1, "rows"],
    "all rows": ["sections", None, "rows"],
    "cells": ["sections", None, "rows", None],
    "notes": ["sections", None, "note"],
    "n": ["sections", None, "n"],
    "title": ["title"],
    "total": ["total"],
    "members": ["sections", 0],
}


@given(table_documents())
def test_counters_equal_a_recount_of_the_value_at_every_moment(pair: tuple[Any, str]) -> None:
    value, text = pair
    where = spans(text)
    rare, often = jsonseam.Accumulator(KPIS), jsonseam.Accumulator(KPIS)
    for at, char in enumerate(text):
        rare.feed(char)
        often.feed(char)
        now, live = often.kpis, often.value
        moment = Moment(text, where, at + 1)
        assert now == {name: moment.count(live, steps) for name, steps in STEPS.items()}
        if at % 29 == 0:
            assert rare.kpis == now, "reading often or rarely gives the same"
            late = jsonseam.Accumulator()
            late.feed(text[: at + 1])
            for kpi in KPIS:
                late.add_kpi(kpi)
            assert late.kpis == now, "a counter that is added late gives the same"
    end = Moment(text, where, len(text) + 1)
    assert often.kpis == {name: end.count(value, steps) for name, steps in STEPS.items()}


@given(cut_documents())
def test_closed_counts_the_values_that_are_finished(pair: tuple[str, str]) -> None:
    """A closed scalar at the very end waits for its successor, so one may be missing."""
    text, beginning = pair
    where = spans(text)
    moment = Moment(text, where, len(beginning))
    closed = sum(moment.is_closed(path) for path in where)
    accumulator = jsonseam.Accumulator()
    accumulator.add(beginning)
    assert closed - 1 <= accumulator.closed <= closed
    accumulator.add(text[len(beginning) :])
    assert accumulator.closed == len(where)


@given(documents(), st.lists(st.integers(0, 300), max_size=3), st.booleans())
def test_a_checkpoint_at_any_point_changes_nothing(text: str, cuts: list[int], by_fragments: bool) -> None:
    def run(*, resumed: bool) -> tuple[Any, ...]:
        accumulator = jsonseam.Accumulator(KPIS)
        for start, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(text)], strict=True):
            accumulator.feed(text[start:end].encode())
            if by_fragments:
                accumulator.end_fragment()
            if resumed:
                shown, path, status = spelled(accumulator.value), accumulator.path, accumulator.status
                accumulator = jsonseam.Accumulator.resume(json.loads(json.dumps(accumulator.checkpoint())))
                assert (spelled(accumulator.value), accumulator.path, accumulator.status) == (shown, path, status)
        accumulator.end_fragment()
        document, told = accumulator.finish(), (accumulator.closed, accumulator.status)
        return spelled(document.value), document.text, json.dumps(document.report()), told

    assert run(resumed=True) == run(resumed=False)


@given(st.binary(max_size=60) | TEXT.map(str.encode), st.integers(0, 60))
def test_a_checkpoint_inside_any_bytes_changes_nothing(data: bytes, cut_at: int) -> None:
    def run(*, resumed: bool) -> str:
        accumulator = jsonseam.Accumulator()
        try:
            accumulator.feed(data[:cut_at])
            if resumed:
                accumulator = jsonseam.Accumulator.resume(json.loads(json.dumps(accumulator.checkpoint())))
            accumulator.add(data[cut_at:])
            document = accumulator.finish()
        except jsonseam.JsonSeamError as error:
            return f"{type(error).__name__} {error}"
        return f"{document.text} {document.report()}"

    assert run(resumed=True) == run(resumed=False)


def test_a_checkpoint_goes_on_in_a_new_process() -> None:
    text = '{"sections": [{"rows": [1, 22, "naïve 😀 text", {"deep": [tru' + 'e, 1.5]}]}], "title": "x"}'
    at = text.index("tru") + 3
    accumulator = jsonseam.Accumulator(KPIS)
    accumulator.add(text[:20])
    accumulator.feed(text[20:at].encode())
    program = (
        "import json, sys, jsonseam\n"
        "state, rest = json.load(sys.stdin)\n"
        "accumulator = jsonseam.Accumulator.resume(state)\n"
        "accumulator.add(rest)\n"
        "document = accumulator.finish()\n"
        "json.dump([document.value, document.text, document.report()], sys.stdout)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps([accumulator.checkpoint(), text[at:]]),
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    accumulator.add(text[at:])
    here = accumulator.finish()
    assert json.loads(done.stdout) == [here.value, here.text, json.loads(json.dumps(here.report()))]
    assert here.value == json.loads(text)

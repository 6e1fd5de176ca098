"""Status and completeness: empty, partial, complete and malformed are told apart; a repaired end is never complete."""

from __future__ import annotations

import pytest

import jsonseam
from tests.helpers import check_join

# fragments | status | complete
STATES: list[tuple[list[str], str, bool]] = [
    ([], "empty", False),
    ([""], "empty", False),
    (["  \n"], "empty", False),
    (["I cannot help with that."], "empty", False),
    (['{"a'], "partial", False),
    (['{"a": 1'], "partial", False),
    (['{"a": 1}'], "complete", True),
    (['{"a": 1} \n'], "complete", True),
    (['{"a": [1', "2]}"], "complete", True),
    (['{"a": [1', "2]"], "partial", False),
    (["[]"], "complete", True),
    (["null"], "complete", True),
    (['"x"'], "complete", True),
    (['"x'], "partial", False),
    (["12"], "partial", False),
    (["12 "], "complete", True),
    (["[1,]"], "malformed", True),
    (["{'a': 1}"], "malformed", True),
    (["{'a': 1"], "malformed", False),
    (['{"a": 1, "b": [1, 2}'], "malformed", True),  # the closer of the root was delivered
    (["[1, 2}"], "malformed", False),
    (["```json\n[1]\n```"], "complete", True),
    (["Here it is:\n[1, 2]\nI hope this helps."], "complete", True),
    (["```json\n[1,\n```", "```json\n2]\n```"], "complete", True),
]


@pytest.mark.parametrize(("fragments", "status", "complete"), STATES, ids=[repr(row[0]) for row in STATES])
def test_states(fragments: list[str], status: str, complete: bool) -> None:
    accumulator = jsonseam.Accumulator()
    for fragment in fragments:
        step = accumulator.add(fragment)
        assert (step.status, step.complete) == (accumulator.status, accumulator.complete)
    assert (accumulator.status, accumulator.complete) == (status, complete)
    if fragments:
        outcome = check_join(fragments)
        assert outcome.status == status
        if status != "empty":
            assert outcome.document is not None
            assert outcome.document.complete == complete


def test_complete_comes_with_the_last_character_of_a_container() -> None:
    accumulator = jsonseam.Accumulator()
    for char in '{"a": [1]':
        accumulator.feed(char)
        assert not accumulator.complete
    accumulator.feed("}")
    assert accumulator.complete
    assert accumulator.status == "complete"


def test_it_stays_complete_whatever_follows() -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.add('{"a": 1}')
    for more in ("", "I hope this helps!", '{"a": 2}', "]]", "```"):
        step = accumulator.add(more)
        assert step.complete
        assert accumulator.finish().value == {"a": 1}
        assert step.seam is not None
        assert step.seam.kind == "rejected"

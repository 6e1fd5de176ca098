"""What the model was asked for counts: a text that goes on at the very character is no echo of itself."""

from __future__ import annotations

import json

import pytest

import jsonseam

ROW = '["city", "population", "Minecraft (Minec"]'
HELD = f'{{"rows": [["city", "population", "Minecraft"], {ROW[:-2]}'
NEXT = f'"], {ROW}]}}'


@pytest.mark.parametrize(
    ("asked", "rows"),
    [("continue", 3), ("overlap", 2), ("anything", 2)],
)
def test_a_repetition_is_read_as_what_was_asked_for(asked: jsonseam.Expected, rows: int) -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.add(HELD)
    accumulator.expect(asked)
    accumulator = jsonseam.Accumulator.resume(json.loads(json.dumps(accumulator.checkpoint())))
    step = accumulator.add(NEXT)
    assert step.complete
    assert len(accumulator.value["rows"]) == rows


def test_it_counts_for_one_fragment_and_not_against_the_grammar() -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.add('{"a": [1, 2')
    accumulator.expect("continue")
    step = accumulator.add('```json\n, 3], "b": tr')
    assert step.seam is not None
    assert step.seam.kind == "continue"
    step = accumulator.add("true}")
    assert step.seam is not None
    assert step.seam.kind == "resume"
    assert accumulator.value == {"a": [1, 2, 3], "b": True}

"""What a reader who did not know the code found: each case lost text, differed, or crashed before it was mended."""

from __future__ import annotations

import pytest

import jsonseam

BLANK_FRONT = {
    "spaces": ["[1, 2,", " " * 300 + "3, 4]"],
    "lines": ["[1, 2,", "\n" * 300 + "3, 4]"],
    "in front of a fence": ["[1, 2,", " " * 300 + "```json\n3, 4]\n```"],
    "behind a think block": ["[1, 2,", "<think>" + "hm " * 83 + "</think>" + " " * 300 + "3, 4]"],
}


@pytest.mark.parametrize("name", BLANK_FRONT)
def test_an_answer_that_begins_with_much_space_is_not_given_up(name: str) -> None:
    document = jsonseam.join(BLANK_FRONT[name])
    assert (document.value, document.complete) == ([1, 2, 3, 4], True)


def test_many_faults_without_a_delimiter_between_them_are_mended_one_behind_the_other() -> None:
    document = jsonseam.join(["[" + "1 " * 1200])
    assert document.value == [1] * 1200
    assert len(document.repairs) == 1200  # 1,199 commas and the closer


def test_a_limit_that_was_crossed_stays_crossed_in_a_resumed_accumulator() -> None:
    accumulator = jsonseam.Accumulator(max_depth=3)
    with pytest.raises(jsonseam.LimitExceeded) as first:
        accumulator.feed("[1,[2,[3,[4,5],6],7],8]")
    resumed = jsonseam.Accumulator.resume(accumulator.checkpoint())
    assert resumed.text == accumulator.text
    with pytest.raises(jsonseam.LimitExceeded) as again:
        resumed.feed(",9]]]")  # text is missing in front of it
    assert str(again.value) == str(first.value)

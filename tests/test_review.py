"""What a reader who did not know the code found: each case lost text, differed, or crashed before it was mended."""

from __future__ import annotations

import pytest

import jsonseam
from tests.helpers import check_join, cut

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


FENCED_PARTS = {
    "a remark between two": ("```json\n[1,\n```\nThe rest:\n```json\n2]\n```", [1, 2], True),
    "three": ("```json\n[1,\n```\nand\n```json\n2,\n```\nand\n```json\n3]\n```", [1, 2, 3], True),
    "nothing between them": ("```json\n[1,\n```\n```json\n2]\n```", [1, 2], True),
    "only a remark": ("```json\n[1,\n```\nThere is more.", [1], False),
    "no data in the second": ("```json\n[1,\n```\nRun this:\n```sh\nmake all\n```", [1], False),
}


@pytest.mark.parametrize("name", FENCED_PARTS)
def test_a_document_in_several_fences_of_one_answer(name: str) -> None:
    answer, value, complete = FENCED_PARTS[name]
    for size in (1, 7, len(answer)):
        accumulator = jsonseam.Accumulator()
        for chunk in cut(answer, size):
            accumulator.feed(chunk)
        early = accumulator.finish()
        accumulator.end_fragment()
        document = accumulator.finish()
        assert (document.value, document.complete) == (value, complete)
        assert early == document


ROWS = '{\n  "rows": [\n    {\n      "id": 0,\n      "tags": [\n        "a",\n        "b"\n      ]\n    },\n'
NEXT = '    {\n      "id": 1,\n      "tags": [\n        "a",\n        "b"\n      ]\n    }\n  ]\n}'


@pytest.mark.parametrize("end", [len(ROWS) - size for size in range(1, 60)])
def test_behind_prose_no_data_is_skipped_to_get_to_an_echo(end: int) -> None:
    text = ROWS + NEXT
    if text[:end].count('"') % 2:
        pytest.skip("inside a string, prose and data cannot be told apart")
    document = jsonseam.join([text[:end], "Here is the rest of it:\n\n" + text[end:]])
    assert document.value == {"rows": [{"id": 0, "tags": ["a", "b"]}, {"id": 1, "tags": ["a", "b"]}]}


@pytest.mark.parametrize("size", [1, 4, 99])
def test_behind_a_root_string_an_odd_quote_does_not_hide_that_it_is_over(size: int) -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.add('"ab')
    for chunk in cut('c" d"e', size):
        accumulator.feed(chunk)
    assert accumulator.finish().value == "abc"
    accumulator.end_fragment()
    document = accumulator.finish()
    assert (document.value, document.complete) == ("abc", True)
    assert [(repair.kind, repair.before) for repair in document.repairs] == [("remark", ' d"e')]


@pytest.mark.parametrize("size", [1, 2, 5, 99])
def test_a_fence_on_the_line_of_an_opener_is_none_whatever_the_chunks(size: int) -> None:
    accumulator = jsonseam.Accumulator()
    for chunk in cut('{"a":[```\n"x","y', size):
        accumulator.feed(chunk)
    accumulator.end_fragment()
    assert accumulator.finish().value == {"a": ["x", "y"]}


@pytest.mark.parametrize("front", [0, 300], ids=["near a fault", "in text in which more faults are expected"])
def test_a_fence_that_closes_an_answer_is_no_text_of_the_string_that_is_cut(front: int) -> None:
    head = ["x" * front, {"k": "v", "z": 1}]
    answers = ['["' + "x" * front + '", {"k": "v" "z": 1}, "' + "y" * front + '", ["<an\n```', 'swer>"]]']
    check_join(answers, [*head, "y" * front, ["<answer>"]])
    check_join([answers[0].replace("<an", "<an\nd"), answers[1]], [*head, "y" * front, ["<an\ndswer>"]])

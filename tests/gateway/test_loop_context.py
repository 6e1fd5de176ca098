"""What a prompt shows of the document: its ends, its structure, the last element and the cut-off one, bounded."""

import json

import pytest

from jsonseam import Accumulator
from jsonseam.gateway import ScriptedModel, read_context, run
from jsonseam.gateway.context import ELEMENT, SUMMARY, TAIL, abbreviate


def context(text):
    accumulator = Accumulator()
    accumulator.add(text)
    return read_context(accumulator)


def test_long_arrays_show_their_first_and_last_ten_items():
    shown = abbreviate({"items": list(range(100, 200))})["items"]
    assert shown[:10] == list(range(100, 110))
    assert shown[-10:] == list(range(190, 200))
    assert len(shown) == 21
    assert "80 items" in shown[10]
    assert abbreviate(list(range(20))) == list(range(20))


@pytest.mark.parametrize(
    ("text", "last", "cut_off"),
    [
        ('{"items": ["one", "two", "thr', '"two"', '"thr"'),
        ('{"items": ["one", "two"', '"two"', ""),
        ('{"items": ["one", "two",', '"two"', ""),
        ('{"items": ["one', "", '"one"'),
        ('{"items": [', "", ""),
        ('{"rows": [[1, 2], [3, 4], [5, ', "5", ""),
        ('{"rows": [{"a": 1}, {"a": 2}, {"a": 3, "b": "x', '{"a": 2}', '{"a": 3, "b": "x"}'),
        ('{"rows": [{"a": 1}, {"a": 2}', '{"a": 2}', ""),
        ('{"title": "abc", "text": "de', '{"title": "abc"}', '{"text": "de"}'),
        ('{"title": "abc", "n": 5, ', '{"n": 5}', ""),
        ("{", "", ""),
    ],
)
def test_the_last_complete_element_and_the_cut_off_one(text, last, cut_off):
    found = context(text)
    assert (found.last_complete, found.cut_off) == (last, cut_off)
    assert found.tail == text


def test_the_structure_names_paths_that_a_kpi_can_have():
    found = context('{"sections": [{"elements": [{"items": [1, 2, 3, 4, 5, 6]}]}, {"elements": [{"rows": [["a"], ["')
    for line in ("sections: array of 2", "sections[0].elements[0].items: array of 6", "sections[1].elements[0].rows"):
        assert line in found.structure


def test_what_is_shown_does_not_grow_with_the_document():
    item = {"name": "n" * 5000, "more": [{"deep": list(range(500))} for _ in range(50)]}
    text = json.dumps({"sections": [item] * 40, "wide": {f"key{n}": n for n in range(5000)}})[:-1]
    found = context(text)
    assert len(found.summary) <= SUMMARY + 10
    assert len(found.last_complete) <= ELEMENT + 10
    assert found.tail == text[-TAIL:]
    assert len(found.structure) < 20_000
    deep = context('{"a": ' * 300)
    assert len(deep.summary) < SUMMARY


def test_a_continuation_prompt_shows_the_ends_the_tail_and_no_question_about_kpis():
    text = json.dumps({"items": [f"item number {n}" for n in range(400)]})
    model = ScriptedModel([text[:6000], lambda request: text[len(request.prefill) :]])
    assert run(model, "USER-PROMPT", kpis=()).complete
    asked = model.requests[1].messages
    said = "\n".join(message.content for message in asked)
    assert [message.role for message in asked] == ["system", "user", "assistant", "user"]
    assert "item number 9" in said
    assert "item number 150" not in said
    assert text[5800:6000] in asked[-1].content
    assert text[:6000].endswith(asked[-2].content)
    for word in ("kpi", "percent", "targetvalue", "%"):
        assert word not in asked[-1].content.lower()

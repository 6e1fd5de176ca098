"""A document that came as the inside of a JSON string: its one level of escapes goes, told once; any other stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jsonseam
from fuzz.inputs import documents, layouts
from tests.helpers import cut

WHOLE = 1 << 30
MEANT = {"a": "b", "n": [1, "x"], "q": 'he said "no"', "l": "two\nlines\tand \\ é 😀 \x1b\b", "d": {"k": [True, None]}}


def read(text: str, size: int, *, by_checkpoints: bool = False) -> jsonseam.Document:
    accumulator = jsonseam.Accumulator()
    for chunk in cut(text, size):
        accumulator.feed(chunk)
        if by_checkpoints:
            accumulator = jsonseam.Accumulator.resume(json.loads(json.dumps(accumulator.checkpoint())))
    accumulator.end_fragment()
    return accumulator.finish()


def escaped(value: Any, inner: dict[str, Any], outer: dict[str, Any]) -> str:
    return json.dumps(json.dumps(value, **inner), **outer)[1:-1]


@pytest.mark.parametrize("size", [WHOLE, 1, 3, 7])
@pytest.mark.parametrize("by_checkpoints", [False, True])
@pytest.mark.parametrize("outer", [{}, {"ensure_ascii": False}])
@pytest.mark.parametrize("inner", [{}, {"indent": 2}, {"ensure_ascii": False}])
def test_one_level_goes_and_is_told_once(
    inner: dict[str, Any], outer: dict[str, Any], by_checkpoints: bool, size: int
) -> None:
    document = read(escaped(MEANT, inner, outer), size, by_checkpoints=by_checkpoints)
    assert document.value == MEANT
    assert document.complete
    (told,) = document.repairs
    assert told.kind == "escaped-document"
    assert told.before.endswith('\\"')
    assert document.text.startswith(told.after, told.offset)


@given(st.dictionaries(st.text(max_size=6), documents, min_size=1), layouts, st.integers(1, 40))
def test_whatever_it_holds_comes_out_equal(value: Any, layout: dict[str, Any], size: int) -> None:
    whole, pieces = (read(escaped(value, layout, {}), n) for n in (WHOLE, size))
    assert json.dumps(whole.value) == json.dumps(json.loads(json.dumps(value)))
    assert (pieces.text, pieces.repairs) == (whole.text, whole.repairs)


@pytest.mark.parametrize("behind", ['n\\"', "[1", "he said", "two"])
def test_a_later_fragment_goes_on_so_or_without(behind: str) -> None:
    text, plain = escaped(MEANT, {}, {}), json.dumps(MEANT)
    at = text.index(behind) + len(behind)
    held = jsonseam.Accumulator()
    held.add(text[:at])
    there = held.text
    assert plain.startswith(there)
    for rest in (text[at:], plain[len(there) :]):
        assert jsonseam.join([text[:at], rest]).value == MEANT


# what is delivered | its value
LEFT_ALONE = [
    (r'"{\"a\": 1}"', '{"a": 1}'),
    (r'{"a": "{\"b\": 1}"}', {"a": '{"b": 1}'}),
    (r'{"a": "x\"y"}', {"a": 'x"y'}),
    (r'{"a": 1, "b": {"c": "\\\"d"}}', {"a": 1, "b": {"c": '\\"d'}}),
]


@pytest.mark.parametrize(("text", "value"), LEFT_ALONE)
@pytest.mark.parametrize("size", [WHOLE, 1])
def test_a_quote_that_is_escaped_elsewhere_is_not_touched(text: str, value: Any, size: int) -> None:
    document = read(text, size)
    assert document.value == value
    assert document.text == text
    assert document.repairs == ()


def test_strict_refuses_it() -> None:
    with pytest.raises(jsonseam.MalformedError):
        jsonseam.Accumulator(strict=True).add(r'{"'.replace('"', '\\"') + r"a\": 1}")

"""Limits: crossing one is a clear error, and what was delivered before it is still there; nothing recurses."""

from __future__ import annotations

import json
from typing import Any

import pytest

import jsonseam
from tests.helpers import cut

OPEN = 100_000


def feed_all(accumulator: jsonseam.Accumulator, chunks: list[str]) -> None:
    for chunk in chunks:
        accumulator.feed(chunk)


# limit | allowed | delivered | value that is still there | path
CROSSED: list[tuple[str, int, str, Any, str]] = [
    ("max_depth", 3, '{"a": [1, [2, [3]]]}', {"a": [1, [2]]}, "/a/1"),
    ("max_depth", 1, '{"a": 1, "b": {"c": 2}}', {"a": 1}, "/b"),
    ("max_depth", 2, "[[1], [[2]], 3]", [[1], []], "/1"),
    ("max_size", 20, '{"a": "x", "b": "y", "c": "z"}', {"a": "x", "b": "y"}, ""),
    ("max_size", 10, "[1, 2, 3, 4, 5]", [1, 2, 3], ""),
    ("max_held", 10, '["a", "' + "b" * 20 + '"]', ["a"], "/1"),
    ("max_held", 10, "[1, " + "2" * 20 + "]", [1], "/1"),
]


# What comes at once need not be held.
IN_CHUNKS = [(*row, size) for row in CROSSED for size in (1, 2, 1000) if size < 3 or row[0] != "max_held"]


@pytest.mark.parametrize(("limit", "allowed", "delivered", "value", "path", "size"), IN_CHUNKS)
def test_what_was_delivered_is_still_there(
    limit: str, allowed: int, delivered: str, value: Any, path: str, size: int
) -> None:
    accumulator = jsonseam.Accumulator(**{limit: allowed})
    with pytest.raises(jsonseam.LimitExceeded) as caught:
        feed_all(accumulator, cut(delivered, size))
    error = caught.value
    assert (error.limit, error.allowed) == (limit, allowed)
    assert f"{limit}={allowed}" in str(error)
    assert error.offset is not None
    assert error.offset <= len(delivered)
    document = accumulator.finish()
    if limit == "max_held":
        assert document.value[0] == value[0]
    else:
        assert document.value == value
        assert delivered.startswith(accumulator.text)
    assert not document.complete
    assert json.loads(document.text) == document.value
    assert error.path == path or limit == "max_size"


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize(
    ("document", "behind"), [('{"a": [1, 2]}', " and a remark, {with} brackets"), ('[1, {"a": 2}]', "[1, 2, 3]" * 20)]
)
def test_what_stands_behind_the_root_does_not_count(document: str, behind: str, size: int) -> None:
    accumulator = jsonseam.Accumulator(max_size=len(document))
    feed_all(accumulator, cut(document + behind, size))
    assert accumulator.complete
    assert accumulator.finish().text == document
    with pytest.raises(jsonseam.LimitExceeded):
        feed_all(jsonseam.Accumulator(max_size=len(document) - 1), cut(document + behind, size))


def test_after_a_crossed_limit_nothing_is_joined_behind_the_gap() -> None:
    accumulator = jsonseam.Accumulator(max_size=12)
    with pytest.raises(jsonseam.LimitExceeded):
        feed_all(accumulator, cut("[1, 2, 3, 4, 5, 6, 7", 4))
    before = accumulator.finish().text
    for _ in range(2):
        with pytest.raises(jsonseam.LimitExceeded):
            accumulator.feed(", 8]")
    assert accumulator.finish().text == before
    assert not accumulator.complete


@pytest.mark.parametrize("size", [1, 16, OPEN])
@pytest.mark.parametrize("opener", ["[", '{"a":', '[{"":'])
def test_100_000_open_brackets_are_a_clear_limit(opener: str, size: int) -> None:
    accumulator = jsonseam.Accumulator()
    with pytest.raises(jsonseam.LimitExceeded) as caught:
        feed_all(accumulator, cut(opener * OPEN, size))
    assert caught.value.limit == "max_depth"
    assert accumulator.depth == 512
    document = accumulator.finish()
    assert not document.complete
    assert json.loads(document.text) == document.value


@pytest.mark.parametrize("size", [16, OPEN])
def test_100_000_open_brackets_can_be_held_if_asked_for(size: int) -> None:
    accumulator = jsonseam.Accumulator([jsonseam.Kpi("n", "$[*]")], max_depth=OPEN)
    for chunk in cut("[" * OPEN + "1, 2", size):
        accumulator.feed(chunk)
    assert accumulator.depth == OPEN
    assert accumulator.kpis == {"n": 0}
    accumulator.feed("]" * (OPEN - 1))
    assert accumulator.depth == 1
    assert not accumulator.complete
    accumulator.feed("]")
    assert accumulator.complete
    node, depth = accumulator.value, 1
    while isinstance(node[0], list):
        node, depth = node[0], depth + 1
    assert (node, depth) == ([1, 2], OPEN)


def test_a_cut_document_that_is_too_deep_for_json_loads_is_finished_all_the_same() -> None:
    accumulator = jsonseam.Accumulator(max_depth=OPEN)
    accumulator.feed("[" * OPEN + '1, "x')
    document = accumulator.finish()
    assert document.text == "[" * OPEN + '1, "x"' + "]" * OPEN
    node = document.value
    while isinstance(node[0], list):
        node = node[0]
    assert node == [1, "x"]
    assert not document.complete


# delivered, deep and malformed | is it too deep?
DEEP_AND_MALFORMED = {
    "arrays, and a string in single quotes": ("[" * OPEN + "'x'", True),
    "objects with names in single quotes": ("{'a':" * OPEN, True),
    "words, and more closers than openers": ("[" * 400 + "'x', oops" + "]" * 500, False),
    "round brackets": ("[(" * OPEN, False),
}


@pytest.mark.parametrize(("text", "too_deep"), DEEP_AND_MALFORMED.values(), ids=DEEP_AND_MALFORMED.keys())
def test_deep_and_malformed_is_a_document_or_a_limit(text: str, too_deep: bool) -> None:
    accumulator = jsonseam.Accumulator(max_depth=700)
    if too_deep:
        with pytest.raises(jsonseam.LimitExceeded, match="at most max_depth=700"):
            accumulator.add(text)
    else:
        accumulator.add(text)
    document = accumulator.finish()
    assert json.loads(document.text) == document.value
    assert (document.complete, bool(document.repairs)) == (text.endswith("]"), True)


def test_defaults_let_a_large_answer_through() -> None:
    value = {"text": "x" * 2_000_000, "deep": json.loads("[" * 500 + "]" * 500)}
    assert jsonseam.join([json.dumps(value)]).value == value


@pytest.mark.parametrize("limit", ["max_depth", "max_size", "max_held"])
def test_limits_are_keywords(limit: str) -> None:
    with pytest.raises(TypeError):
        jsonseam.Accumulator([], 1)  # type: ignore[misc]
    assert jsonseam.Accumulator(**{limit: 8}).add('{"a": 1}').complete


def test_held_back_text_at_a_seam_is_limited() -> None:
    accumulator = jsonseam.Accumulator(max_held=1000)
    accumulator.add('{"a": "held text, ')
    with pytest.raises(jsonseam.LimitExceeded) as caught:
        feed_all(accumulator, ["word "] * 5000)
    assert caught.value.limit == "max_held"
    assert accumulator.value["a"].startswith("held text, ")

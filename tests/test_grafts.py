"""Long pieces are read by Python's json, short ones by ijson: nobody may be able to tell which it was.

`LONG` is set to 1 here, so that every piece that can be grafted is, and the rest goes the other way; the outcome must
be the one of single characters, which never is.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jsonseam
from jsonseam import parser
from tests.helpers import check

# what is peculiar | the text
TEXTS: list[tuple[str, str]] = [
    ("a key twice", '{"a": 1, "b": 2, "a": [3, {"c": 4}], "d": 5}'),
    ("a key twice, left open at the first place", '{"r": [{"a": [1], "b": [2], "a": [3, 4, {"x": 1}]}, 5]}'),
    ("a key that comes again behind a cut", '{"r": {"a": [1, 2, 3], "b": "x", "a": {"c": [4]}, "a": null}}'),
    ("an empty key", '{"": {"": [1, {"": ""}]}, "x": {"": 2}, "": 3}'),
    ("strings with brackets", '{"a": ["}", "]}", "{[", {"b]": "],", "c": ["}, {"]}], "d": "[\\"}\\"]"}'),
    ("code in strings", '{"r": [{"a": "} else {", "b": 1, "c": "}, {"}, ["][", "], [", 2], {"a": {"b": "}}{{"}}]}'),
    ("escaped quotes and backslashes", r'[["\\", "\"", "\\\"]", {"a\"}": "\\"}], ["\u0022}", "\\u005d"]]'),
    ("pairs of surrogates", r'{"a": ["\ud83d\ude00", {"\ud83d\ude00": "\\ud83d"}], "b": []}'),
    (
        "numbers of all kinds",
        "[[1, -0, 1.5e3, 1E400, 123456789012345678901234, -0.0], [NaN, Infinity, -Infinity]]",
    ),
    ("empty containers", '[[], {}, [[]], [{}], {"a": {}, "b": []}, [ ], { }]'),
    ("much space", '{\n  "a" : [ 1 ,\n 2 ] ,\n  "b" : { "c" : null }\n , "d" :\n[ ] }\n'),
    ("deep", "[" * 60 + '{"a": [' + "]}" + "]" * 60),
    ("many layers at once", '[{"a": ' * 40 + "1" + "}]" * 40),
]
# what is wrong | the text: the faults are found and mended as if nothing had been grafted
FAULTS: list[tuple[str, str]] = [
    ("a comma too many", '{"a": [1, 2,], "b": [,1], "c": {"d": 1,}, "e": [1,,2]}'),
    ("a comma missing", '{"a": [1 2], "b": [[1] [2]], "c": [{"d": 1} {"e": 2}] "f": 3}'),
    ("a closer too many", '{"a": [1, 2]], "b": {"c": 1}}, "d": 2}'),
    ("the wrong closer", '{"a": [1, 2}, "b": {"c": 1], "d": [3]}'),
    ("a fault behind brackets in strings", '{"a": ["}", "]", 1 2], "b": ["{", {"c": "[]}"} 3], "d": 4}'),
    ("the wrong closer behind brackets in strings", '{"a": ["}", "[", 2}, "b": {"]": "}"], "d": [3]}'),
    ("no key", '{"a": [1], {"b": 2}, [3]}'),
    ("a lone surrogate", r'{"a": ["\ud83d", "\ude00 x"], "b": [1]}'),
    ("a raw line break and a form feed", '{"a": ["x\ny"], \f "b": [1, \v 2]}'),
    ("a bad escape", r'{"a": ["C:\data"], "b": {"c": "\q"}}'),
    ("two roots", '[{"a": 1}] [{"b": 2}]'),
    ("a key without a colon", '{"a" [1], "b": 2}'),
    ("a key in an array", '{"x": [[{"b": 1}, "a": 3, 5], {"c": [2]}, "d": [4]]}'),
]


@pytest.fixture(autouse=True)
def _graft_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "LONG", 2)


@pytest.mark.parametrize("text", [row[1] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_a_document_is_what_json_reads(text: str) -> None:
    for seed in range(4):
        check(text, json.loads(text), seed=seed)


@pytest.mark.parametrize("text", [row[1] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_a_fault_is_the_same_fault(text: str) -> None:
    for seed in range(4):
        check(text, seed=seed)


@pytest.mark.parametrize("long", [2, 1024])
def test_brackets_in_strings_that_look_like_the_next_item_are_text(monkeypatch: pytest.MonkeyPatch, long: int) -> None:
    """The piece begins and ends in one object, though by its brackets it leaves it and enters another."""
    monkeypatch.setattr(parser, "LONG", long)
    item = {"id": 1, "code": "} else {", "text": "x" * 2000, "end": 2, "more": [3]}
    text = json.dumps({"rows": [item, item]})
    accumulator = jsonseam.Accumulator()
    behind = text.index(' "more"')
    for piece in [text[:15], text[15:behind], text[behind : behind + 9], text[behind + 9 :]]:
        accumulator.feed(piece)
    assert accumulator.value == json.loads(text)


def test_a_piece_that_ends_with_a_key_in_an_array_is_faulty() -> None:
    """Without its key, the piece is what json takes."""
    pieces = ['{"x": [', '[{"b": 1}, "a":', " 3], 5]}"]
    grafted, singly = jsonseam.Accumulator(), jsonseam.Accumulator()
    for piece in pieces:
        grafted.feed(piece)
    for character in "".join(pieces):
        singly.feed(character)
    assert grafted.finish() == singly.finish()
    assert grafted.repairs


@pytest.mark.parametrize("text", [row[1] for row in TEXTS[:10]], ids=[row[0] for row in TEXTS[:10]])
def test_the_live_value_is_the_same_at_every_cut(text: str) -> None:
    """Two pieces, cut anywhere: behind each, the value is the one that single characters give."""
    for at in range(1, len(text)):
        singly, pieces = jsonseam.Accumulator(), jsonseam.Accumulator()
        for character in text[:at]:
            singly.feed(character)
        pieces.feed(text[: at // 2])
        pieces.feed(text[at // 2 : at])
        assert json.dumps(pieces.value) == json.dumps(singly.value), text[:at]
        assert pieces.path == singly.path
        pieces.feed(text[at:])
        assert json.dumps(pieces.value) == json.dumps(json.loads(text)), text[:at]


def test_a_piece_that_ends_nothing_settles_nothing() -> None:
    """Its first digit is no number."""
    accumulator = jsonseam.Accumulator()
    for piece in ['{"a": [1, {"b": 2},', "77", "7", ', "x"]}']:
        accumulator.feed(piece)
    assert accumulator.value == {"a": [1, {"b": 2}, 777, "x"]}
    assert accumulator.complete


ROW = {"id": 7, "code": "} else {", "text": 'Ein "Wort" \\ 東京 😀', "more": [[1, 2], {}]}
LONG = json.dumps({"rows": [ROW] * 600}, ensure_ascii=False)  # several blocks
# what is in a text of several blocks | the text
LONG_TEXTS: list[tuple[str, str]] = [
    ("nothing wrong", LONG),
    ("strings without a bracket near", json.dumps({"rows": [ROW] * 50 + ["word " * 1500, "x" * 40_000] * 3})),
    ("a fault in the second block", LONG[:20_000] + LONG[20_000:].replace('"id": 7', "'id': 07", 1)),
    ("a root that is closed early, and a remark", json.dumps([ROW] * 60) + "\nThat is all [of it]. " * 2000),
    ("a second root", json.dumps([ROW] * 200) + json.dumps([ROW] * 200)),
    ("a comma behind the root", json.dumps([ROW] * 200) + "," + "\n" * 30_000),
    ("a lead-in and a fence", "Here it is:\n```json\n" + LONG + "\n```\nDone."),
    ("a NUL and half a pair", LONG[:30_000] + LONG[30_000:].replace("東", "\0東\ud83d", 2)),
    ("half a pair, spelled", LONG.replace("東京", "\\ud83d", 1)),
]


@pytest.mark.parametrize("text", [row[1] for row in LONG_TEXTS], ids=[row[0] for row in LONG_TEXTS])
def test_a_long_text_is_the_same_in_one_go_and_in_pieces(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    at_once, singly = jsonseam.Accumulator(), jsonseam.Accumulator()
    at_once.feed(text)
    monkeypatch.setattr(parser, "LONG", 1 << 30)  # nothing is grafted
    for start in range(0, len(text), 100):
        singly.feed(text[start : start + 100])
    assert at_once.value == singly.value
    assert at_once.end_fragment() == singly.end_fragment()
    assert at_once.finish() == singly.finish()


keys = st.sampled_from(["", "a", "b", '"', "\\", "]}", "}{", "][", "ä", "😀", ","])
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | keys
documents = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4))


@settings(max_examples=150, deadline=None)
@given(value=documents, ascii_only=st.booleans(), indent=st.sampled_from([None, 1]), data=st.data())
def test_any_document_in_any_pieces(value: Any, ascii_only: bool, indent: int | None, data: st.DataObject) -> None:
    text = json.dumps([value], ensure_ascii=ascii_only, indent=indent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    accumulator = jsonseam.Accumulator()
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        accumulator.feed(text[start:end])
        assert accumulator.value is not ...
    assert accumulator.complete
    assert accumulator.repairs == ()
    assert json.dumps(accumulator.value) == json.dumps([value])

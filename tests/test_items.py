"""Behind a fault, text is taken item by item: nobody may be able to tell, whatever comes there, however it is cut."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jsonseam
from jsonseam import parser
from tests.helpers import cut
from tests.test_grafts import FAULTS, TEXTS, documents

PIECES = (1 << 30, 300, 40, 7, 1)  # characters
# what is peculiar | the text behind a fault
PECULIAR: list[tuple[str, str]] = [
    ("an integer that is too long", '{"a": 1, "b": ' + "7" * 5000 + ', "c": [' + "8" * 5000 + "]}"),
    ("containers that are open at every cut", "[" * 40 + '{"a": [1, ' * 40 + "2" + "]}" * 40 + "]" * 40),
    ("escaped keys", r'{"a\"b": 1, "\u0061": {"c\\": [{"\n": 2, "d": 3}]}, "e": 4}'),
    ("a lone surrogate", r'{"a": "' + "x" * 50 + r'\ud83d", "b": ["\ud83d\ude00"]}'),
    ("numbers at the ends", "[1, 2.5, -3e7, [4], {}, [[5, 6]], 0, -0.0, 12]"),
    ("another fault in each item", '[{"a": 1,}, {"b" 2}, {c: 3}, [4 5], {"d": [6, 7}, {"e": "x\ny"}]'),
]


@pytest.fixture(autouse=True)
def _take_everything_item_by_item(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "FEW", 2)


def outcome(text: str, size: int) -> tuple[object, ...]:
    accumulator = jsonseam.Accumulator()
    for piece in cut(text, size):
        accumulator.feed(piece)
    document = accumulator.finish()
    return json.dumps(document.value), document.text, document.repairs, document.complete


@pytest.mark.parametrize("text", [row[1] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_what_is_right_behind_a_fault_is_what_json_reads(text: str) -> None:
    for size in PIECES:
        value, _, repairs, complete = outcome(f'[{{"x": 0,}}, {text}, {{"y": 1}}]', size)
        assert value == json.dumps([{"x": 0}, json.loads(text), {"y": 1}])
        assert len(repairs) == 1  # type: ignore[arg-type]
        assert complete


@pytest.mark.parametrize("text", [row[1] for row in FAULTS + PECULIAR], ids=[row[0] for row in FAULTS + PECULIAR])
def test_faults_behind_a_fault_are_the_same_in_all_pieces(text: str) -> None:
    damaged = f'[{{"x": 0,}}, {text}, {{"y": 1}}]'
    singly = outcome(damaged, 1)
    for size in PIECES:
        assert outcome(damaged, size) == singly


@pytest.mark.parametrize(
    "later", [" /* */,[99]", ",[1 2 3 4 5 6],[99]", ',"x" /*abcdef*/,[99]', ",[7,],[99]", ",,,,[99]"]
)
@pytest.mark.parametrize("end", ["", "]"])
def test_what_was_read_ahead_of_a_fault_stands_where_it_was_read(later: str, end: str) -> None:
    # one mend takes in both faults, of which the later one moves what stands between them
    text = "[[1}," + ",".join(f"[{number}]" for number in range(10, 70)) + later + end
    accumulator = jsonseam.Accumulator()
    accumulator.add(text)
    document = accumulator.finish()
    assert document.complete == bool(end)
    assert json.loads(document.text) == document.value == accumulator.value
    assert document.value[:61] == [[1], *([number] for number in range(10, 70))]  # type: ignore[index]


def test_the_live_value_behind_a_fault_is_the_same_at_every_cut() -> None:
    text = '[{"x": 0,}, {"a": [1, {"b": "c\\"d"}], "e": {"f": [true, null]}}, 12, "z", {"g": 3}]'
    for at in range(14, len(text)):
        singly, pieces = jsonseam.Accumulator(), jsonseam.Accumulator()
        for character in text[:at]:
            singly.feed(character)
        pieces.feed(text[:13])
        pieces.feed(text[13:at])
        assert json.dumps(pieces.value) == json.dumps(singly.value), text[:at]
        assert pieces.path == singly.path


def test_a_half_pair_of_surrogates_at_a_cut_is_mended_once() -> None:
    text = '[{"x": 0,}, "' + "y" * 40 + r'\ud83d and more", "\ud83d\ude00", 1]'
    assert len({outcome(text, size) for size in range(2, 70)}) == 1


@settings(max_examples=100, deadline=None)
@given(values=st.lists(documents, max_size=5), indent=st.sampled_from([None, 1]), size=st.integers(1, 60))
def test_any_document_behind_a_fault(values: list[object], indent: int | None, size: int) -> None:
    text = '[{"x": 0,}, ' + json.dumps(values, indent=indent)[1:]
    text = text if values else '[{"x": 0,}]'
    assert outcome(text, size)[0] == json.dumps([{"x": 0}, *values])


@pytest.mark.parametrize("size", [1 << 30, 3000, 16])
def test_the_limit_of_depth_holds_behind_a_fault(size: int) -> None:
    """What is taken whole is counted as what is entered: as many containers as allowed, and not one more."""
    rows = [f'{{"id": {number}, "note": "second half", "deep": [[{number}], {{}}]}}' for number in range(200)]
    rows[20] = rows[20].replace('"id"', "id")
    rows[60] = rows[60].replace("[60]", "[[60]]")
    text = "[" + ", ".join(rows) + "]"
    allowed, refused = jsonseam.Accumulator(max_depth=5), jsonseam.Accumulator(max_depth=4)
    for piece in cut(text, size):
        allowed.feed(piece)
    assert allowed.complete
    assert len(allowed.value) == 200
    with pytest.raises(jsonseam.LimitExceeded) as error:
        _ = [refused.feed(piece) for piece in cut(text, size)]
    mended = text.replace("{id", '{"id"')
    assert error.value.offset == mended.index("[[60]]") + 1
    assert len(refused.value) == 61

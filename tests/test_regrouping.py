"""The rest of a document in a container of its own: a list of items, an inner path, an object around it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import jsonseam
from tests.helpers import check_join

ROWS = [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}, {"id": 3, "n": "c"}]
HELD = '{"v": 1, "rows": [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}'
# answers | the value | the kind of the last seam
TABLE: list[tuple[list[str], Any, str]] = [
    # the remaining items as a list
    ([HELD + ", ", '[{"id": 3, "n": "c"}]}'], {"v": 1, "rows": ROWS}, "reopen"),
    ([HELD, '[{"id": 3, "n": "c"}]}'], {"v": 1, "rows": ROWS}, "reopen"),
    ([HELD + ', {"id": 3, "n', '[{"id": 3, "n": "c"}]}'], {"v": 1, "rows": ROWS}, "reopen"),
    ([HELD + ", ", '[{"id": 3, "n": "c"}]'], {"v": 1, "rows": ROWS}, "reopen"),  # and nothing closes the root
    (['{"t": ["ant", "bee", "co', '["cow", "dog"]}'], {"t": ["ant", "bee", "cow", "dog"]}, "reopen"),
    (['{"t": ["ant", "bee"', '["cow", "dog"]}'], {"t": ["ant", "bee", "cow", "dog"]}, "reopen"),
    (['{"m": [[1, 2], [3, 4], ', "[[5, 6]]}"], {"m": [[1, 2], [3, 4], [5, 6]]}, "reopen"),
    (['{"m": [[1, 2], [3, 4], [5', "[[5, 6]]}"], {"m": [[1, 2], [3, 4], [5, 6]]}, "reopen"),
    # an inner path, with or without the brace around it
    ([HELD + ', {"id": 3, "n', '"rows": [{"id": 3, "n": "c"}]}'], {"v": 1, "rows": ROWS}, "reopen"),
    ([HELD + ", ", '"rows": [{"id": 3, "n": "c"}], "z": 0}'], {"v": 1, "rows": ROWS, "z": 0}, "reopen"),
    (
        ['{"d": {"rows": [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}, {"id', '{"rows": [{"id": 3, "n": "c"}]}}'],
        {"d": {"rows": ROWS}},
        "reopen",
    ),
    # an object around the rest, or around the document
    ([HELD + ", ", '{"continuation": [{"id": 3, "n": "c"}]}'], {"v": 1, "rows": ROWS}, "reopen"),
    (['["ant", "bee", ', '{"rest": ["cow"]}'], ["ant", "bee", "cow"], "reopen"),
    ([HELD + ", ", '{"result": ' + HELD + ', {"id": 3, "n": "c"}]}}'], {"v": 1, "rows": ROWS}, "restart"),
    ([HELD, '{"name": "emit", "arguments": ' + HELD + ', {"id": 3, "n": "c"}]}}'], {"v": 1, "rows": ROWS}, "restart"),
    (
        [HELD + ', {"id', '```json\n{"data": ' + HELD + ', {"id": 3, "n": "c"}]}}\n```'],
        {"v": 1, "rows": ROWS},
        "restart",
    ),
    # items that are lists, and a list that is one
    (['["a", "b", ', '["c"], "d"]'], ["a", "b", ["c"], "d"], "continue"),
    (['{"rows": [["a", 1], ["b", 2], ', '["c", 3]]}'], {"rows": [["a", 1], ["b", 2], ["c", 3]]}, "continue"),
    (['{"b": [', "[4, 5]]}"], {"b": [[4, 5]]}, "continue"),
    (['{"r": [{"k": 1}, {"k": {"r": ', '[{"k": 2}]}}]}'], {"r": [{"k": 1}, {"k": {"r": [{"k": 2}]}}]}, "continue"),
    (['{"r": [{"k": 1}, {"k": 2}, ', '{"k": 3}]}'], {"r": [{"k": 1}, {"k": 2}, {"k": 3}]}, "continue"),
]


@pytest.mark.parametrize(("answers", "value", "kind"), TABLE, ids=[" | ".join(row[0]) for row in TABLE])
def test_the_rest_in_a_container_of_its_own(answers: list[str], value: Any, kind: str) -> None:
    outcome = check_join(answers, value)
    assert outcome.document is not None
    assert outcome.document.seams[-1].kind == kind


ITEMS = {"more": '{"id": %d, "n": "x", "k": null, "new": 0}', "fewer": '{"id": %d, "n": "x"}'}


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_the_document_again_whose_items_have_other_members_is_no_path_reopened(item: str) -> None:
    held = '{"rows": [{"id": 1, "n": "x", "k": null}, {"id": 2, "n": "x", "k": null}, {"id": 3'
    document = jsonseam.join([held, '{"rows": [' + ", ".join(item % number for number in (1, 2, 3)) + "]}"])
    assert len(document.value["rows"]) == 3
    assert document.seams[-1].kind == "restart"


DOCUMENT = '{"rows": [{"id": 17, "name": "Ann Lee"}, {"id": 23, "ok": true}], "names": ["Ann Lee", "Bob Ray"]}'
REQUOTED = {"single": "''", "smart": "“”", "back ticks": "``"}


@pytest.mark.parametrize("quotes", REQUOTED.values(), ids=REQUOTED)
def test_the_document_again_in_other_quotes(quotes: str) -> None:
    said, is_open = "", False
    for char in DOCUMENT:
        said += quotes[is_open] if char == '"' else char
        is_open ^= char == '"'
    said = said.replace("true", "True")
    for at in range(12, len(DOCUMENT)):
        document = jsonseam.join([DOCUMENT[:at], said])
        assert document.value == jsonseam.join([DOCUMENT]).value, DOCUMENT[:at]


@pytest.mark.parametrize("quote", "'“`")
def test_a_cut_string_again_in_other_quotes(quote: str) -> None:
    closing = {"“": "”"}.get(quote, quote)
    rest = f"{quote}orange{closing}, {quote}plum{closing}]}}"
    check_join(['{"t": ["apple", "oran', rest], {"t": ["apple", "orange", "plum"]})


@pytest.mark.parametrize(
    ("fragments", "value"),
    [
        (['{"a', '"', ": 3.5}"], {"a": 3.5}),
        (['{"m": [1, 2], "max', '"', ":6}"], {"m": [1, 2], "max": 6}),
        (['["ab', '"', ', "c"]'], ["ab", "c"]),
        (['["ab', '"ab", 3]'], ["ab", 3]),
    ],
)
def test_a_quote_alone_ends_the_string(fragments: list[str], value: Any) -> None:
    check_join(fragments, value)


def test_long_numbers_that_came_once_are_known_again() -> None:
    held, rest = '{"s": [8.057361928105922, 6756689692.1428175, 4059023', "868680770626375, 97]}"
    check_join([held, held[-24:] + rest], jsonseam.join([held + rest]).value)


# a later answer that is one JSON string
WHOLE = '{"rows": [{"id": 17, "name": "Ann \\"Lee\\""}, {"id": 23, "ok": true}]}'
SECOND_ROW = WHOLE.index('{"id": 23')


@pytest.mark.parametrize("layout", [None, 2])
def test_the_document_again_as_one_string(layout: int | None) -> None:
    value = json.loads(WHOLE)
    for at in range(2, len(WHOLE)):
        document = jsonseam.join([WHOLE[:at], json.dumps(json.dumps(value, indent=layout))])
        assert (document.value, document.complete) == (value, True), WHOLE[:at]
        assert [(repair.kind, repair.before) for repair in document.repairs] == [("escaped-document", '"')]


def test_the_cut_item_again_as_one_string() -> None:
    check_join([WHOLE[: SECOND_ROW + 12], json.dumps(WHOLE[SECOND_ROW:])], json.loads(WHOLE))


def test_a_string_that_holds_a_document_is_an_item_where_it_may_be_one() -> None:
    check_join(['{"logs": ["{\\"a\\": 1}", ', '"{\\"a\\": 2}"]}'], {"logs": ['{"a": 1}', '{"a": 2}']})
    check_join(['{"logs": ["{\\"a\\": 1}", ', '"{\\"a\\": 2}"', "]}"], {"logs": ['{"a": 1}', '{"a": 2}']})


CALLS = [
    '{"name": "emit", "arguments": %s}',
    '{"tool_calls": [{"function": {"name": "emit", "arguments": %s}}]}',
    '[{"type": "function", "function": {"name": "emit", "arguments": %s}}]',
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("as_string", [True, False], ids=["string", "object"])
def test_the_document_again_as_the_arguments_of_a_call(call: str, as_string: bool) -> None:
    for at in range(24, len(WHOLE), 3):
        document = jsonseam.join([WHOLE[:at], call % (json.dumps(WHOLE) if as_string else WHOLE)])
        assert (document.value, document.complete) == (json.loads(WHOLE), True), WHOLE[:at]


def test_an_item_that_holds_a_document_in_a_string_stays_as_it_is() -> None:
    check_join(
        ['[{"log": "{\\"a\\": 1}"}, ', '{"log": "{\\"a\\": 2}"}', "]"], [{"log": '{"a": 1}'}, {"log": '{"a": 2}'}]
    )

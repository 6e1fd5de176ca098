"""Completion: what is dropped from a cut document, what is appended, and how both are told."""

from __future__ import annotations

import json
from typing import Any

import pytest

import jsonseam
from tests.helpers import check

# delivered | text of the document | repairs as (kind, path, before, after) | unsafe
CUT: list[tuple[str, str, list[tuple[str, str, str, str]], list[str]]] = [
    ("{", "{}", [("closed", "", "", "}")], []),
    ("[", "[]", [("closed", "", "", "]")], []),
    ("[[[", "[[[]]]", [("closed", "", "", "]]]")], []),
    ('{"a": [{"b": {', '{"a": [{"b": {}}]}', [("closed", "", "", "}}]}")], []),
    # strings are kept
    ('{"a": "x', '{"a": "x"}', [("cut-string", "/a", '"x', '"x"'), ("closed", "", "", "}")], ["/a"]),
    ('{"a": "', '{"a": ""}', [("cut-string", "/a", '"', '""'), ("closed", "", "", "}")], ["/a"]),
    ('["a", "b', '["a", "b"]', [("cut-string", "/1", '"b', '"b"'), ("closed", "", "", "]")], ["/1"]),
    ('["x\\', '["x"]', [("cut-string", "/0", '"x\\', '"x"'), ("closed", "", "", "]")], ["/0"]),
    ('["x\\u00e', '["x"]', [("cut-string", "/0", '"x\\u00e', '"x"'), ("closed", "", "", "]")], ["/0"]),
    ('["x\\ud83d', '["x"]', [("cut-string", "/0", '"x\\ud83d', '"x"'), ("closed", "", "", "]")], ["/0"]),
    (
        '["x\\ud83d\\u1',  # whatever comes, it is no mate
        '["x\\ufffd"]',
        [
            ("lone-surrogate", "/0", "\\ud83d", "\\ufffd"),
            ("cut-string", "/0", '"x\\ufffd\\u1', '"x\\ufffd"'),
            ("closed", "", "", "]"),
        ],
        ["/0"],
    ),
    ('["x\\ud83d\\ude0', '["x"]', [("cut-string", "/0", '"x\\ud83d\\ude0', '"x"'), ("closed", "", "", "]")], ["/0"]),
    ('["x\\\\', '["x\\\\"]', [("cut-string", "/0", '"x\\\\', '"x\\\\"'), ("closed", "", "", "]")], ["/0"]),
    ('["x"', '["x"]', [("closed", "", "", "]")], []),
    # numbers are dropped: 12 may have been 1289
    ("[1, 12", "[1]", [("cut-number", "/1", ", 12", ""), ("closed", "", "", "]")], ["/1"]),
    ("[12", "[]", [("cut-number", "/0", "12", ""), ("closed", "", "", "]")], ["/0"]),
    ("[-", "[]", [("cut-number", "/0", "-", ""), ("closed", "", "", "]")], ["/0"]),
    ('{"a": 1, "b": 1.', '{"a": 1}', [("cut-number", "/b", ', "b": 1.', ""), ("closed", "", "", "}")], ["/b"]),
    ('{"b": 1e', "{}", [("cut-number", "/b", '"b": 1e', ""), ("closed", "", "", "}")], ["/b"]),
    ("[1, 12 ", "[1, 12 ]", [("closed", "", "", "]")], []),
    # literals are finished, because only one word begins so
    ("[t", "[true]", [("cut-literal", "/0", "t", "true"), ("closed", "", "", "]")], ["/0"]),
    ('{"a":fals', '{"a":false}', [("cut-literal", "/a", "fals", "false"), ("closed", "", "", "}")], ["/a"]),
    ('{"a": nul', '{"a": null}', [("cut-literal", "/a", "nul", "null"), ("closed", "", "", "}")], ["/a"]),
    ("[true", "[true]", [("closed", "", "", "]")], []),
    # what has no value behind it goes
    ('{"a": 1, "b', '{"a": 1}', [("dangling-key", "", ', "b', ""), ("closed", "", "", "}")], []),
    ('{"a": 1, "b"', '{"a": 1}', [("dangling-key", "", ', "b"', ""), ("closed", "", "", "}")], []),
    ('{"a": 1, "b":', '{"a": 1}', [("dangling-key", "/b", ', "b":', ""), ("closed", "", "", "}")], []),
    ('{"', "{}", [("dangling-key", "", '"', ""), ("closed", "", "", "}")], []),
    ("[1,", "[1]", [("dangling-comma", "", ",", ""), ("closed", "", "", "]")], []),
    ('{"a": [1, 2], ', '{"a": [1, 2]}', [("dangling-comma", "", ",", ""), ("closed", "", "", "}")], []),
    # at the root
    ('"abc', '"abc"', [("cut-string", "", '"abc', '"abc"')], [""]),
    ("tru", "true", [("cut-literal", "", "tru", "true")], [""]),
    ("12", "12", [], [""]),
    # what was mended falls to the cut in part
    (
        "['x\\",
        '["x"]',
        [
            ("single-quotes", "/0", "'x\\", '"x'),
            ("cut-string", "/0", '"x\\', '"x"'),
            ("closed", "", "", "]"),
        ],
        ["/0"],
    ),
    # nothing to do
    ('{"a": 1}', '{"a": 1}', [], []),
    ('"abc"', '"abc"', [], []),
    ("true", "true", [], []),
]


@pytest.mark.parametrize(("delivered", "text", "repairs", "unsafe"), CUT, ids=[row[0] for row in CUT])
def test_a_cut_document(delivered: str, text: str, repairs: list[tuple[str, str, str, str]], unsafe: list[str]) -> None:
    document = check(delivered, json.loads(text)).document
    assert document is not None
    assert document.text == text
    assert [(r.kind, r.path, r.before, r.after) for r in document.repairs] == repairs
    assert list(document.unsafe) == unsafe
    assert document.complete == (not repairs and not unsafe)


@pytest.mark.parametrize("delivered", ["", " ", "\n\n", "I am sorry, I cannot.", "```json\n", "<think>[1]</think>"])
def test_no_document(delivered: str) -> None:
    outcome = check(delivered)
    assert isinstance(outcome.error, jsonseam.NoDocumentError)
    assert outcome.status == "empty"


def test_the_text_is_the_delivered_one_not_a_new_spelling() -> None:
    delivered = '{ "a" :1.50,\n\t"b":"\\u0041\\/" , "c": [ 1E2 ,'
    document = check(delivered).document
    assert document is not None
    assert document.text == '{ "a" :1.50,\n\t"b":"\\u0041\\/" , "c": [ 1E2]}'


# what happens after finish() was called on the first part
@pytest.mark.parametrize(
    ("first", "then", "value"),
    [
        ('{"a": 1', "2}", {"a": 12}),
        ('{"a": "x\\', 'n"}', {"a": "x\n"}),
        ("[tr", "ue]", [True]),
        ('{"k', 'ey": null}', {"key": None}),
        ("12", "89", 1289),
    ],
)
def test_finish_changes_nothing(first: str, then: str, value: Any) -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.feed(first)
    once, twice = accumulator.finish(), accumulator.finish()
    assert once == twice
    accumulator.feed(then)
    accumulator.end_fragment()
    assert accumulator.finish().value == value

"""Errors: strict=True says where and what was expected; nothing but our errors ever comes out, whatever goes in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jsonseam
from tests.helpers import check, check_join, deliver, hold_reports

# delivered | offset of the faulty character | path | expected
STRICT: list[tuple[str, int, str, str]] = [
    ('{"a": 1,}', 8, "", "a key"),
    ('{"a": [1, 2,], "b": 1}', 12, "/a", "a value"),
    ('{"a" 1}', 5, "", "a colon"),
    ('{"a": 1 "b": 2}', 8, "", "a comma or a closer"),
    ("[1 2]", 3, "", "a comma or a closer"),
    ('{"a": tru!}', 9, "", "a value"),
    ('{"a": {"b": [0, oops]}}', 16, "/a/b", "a value"),
    ("[01]", 2, "", "a comma or a closer"),
    ("[1.]", 2, "", "a comma or a closer"),
    ("[-]", 2, "", "a value or ]"),
    ('{"a": 1]', 7, "", "a comma or a closer"),
    ("[1}", 2, "", "a comma or a closer"),
    ("{'a': 1}", 1, "", "a key or }"),
    ('["a\nb"]', 3, "", "a value or ]"),
    ('["\\x"]', 2, "", "a value or ]"),
    ('["\\ud83d"]', 1, "", "a value or ]"),
    ("[1, /* x */ 2]", 4, "", "a value"),
    ("[True, 1]", 1, "", "a value or ]"),
    ("[,1]", 1, "", "a value or ]"),
    ("[1,,2]", 3, "", "a value"),
    ("[1\f]", 2, "", "a comma or a closer"),
]


@pytest.mark.parametrize(("delivered", "offset", "path", "expected"), STRICT, ids=[repr(row[0]) for row in STRICT])
def test_strict_says_where_and_what(delivered: str, offset: int, path: str, expected: str) -> None:
    outcome = check(delivered, strict=True)
    error = outcome.error
    assert isinstance(error, jsonseam.MalformedError)
    assert outcome.status == "malformed"
    assert (error.offset, error.path, error.expected) == (offset, path, expected)
    assert f"character {offset}" in str(error)
    assert expected in str(error)


@pytest.mark.parametrize(
    "fragments",
    [['{"a": [1, 2', "89, 3]}"], ["```json\n[1, 2]\n```"], ["Here:\n[1]\nDone."], ['{"a": "x\\', 'n"}'], ["[1, 2", ""]],
)
def test_strict_takes_what_is_wrapped_or_cut(fragments: list[str]) -> None:
    lenient, strict = check_join(fragments), check_join(fragments, strict=True)
    assert strict.told() == lenient.told()
    assert strict.document is not None


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("delivered", "offset", "expected"),
    [
        ('{"a": "x\ny', 8, "a value"),
        ('[1, "a" "b', 8, "a comma or a closer"),
        ('[1, "three", "fo`\n, "five"', 17, "a value"),
        ("[1, tru1", 7, "a value"),
    ],
)
def test_strict_says_the_same_when_the_answer_ends_in_a_faulty_token(
    delivered: str, offset: int, expected: str, size: int
) -> None:
    accumulator = jsonseam.Accumulator(strict=True)

    def deliver() -> None:
        for at in range(0, len(delivered), size):
            accumulator.feed(delivered[at : at + size])
        accumulator.end_fragment()

    with pytest.raises(jsonseam.MalformedError) as raised:
        deliver()
    assert (raised.value.offset, raised.value.expected) == (offset, expected)


def test_strict_keeps_what_was_delivered() -> None:
    accumulator = jsonseam.Accumulator(strict=True)
    accumulator.add('{"a": [1, 2, ')
    with pytest.raises(jsonseam.MalformedError):
        accumulator.add("3, oops], 'b'")
    assert accumulator.value["a"][:2] == [1, 2]
    assert accumulator.status == "malformed"
    assert not accumulator.complete


def test_the_tree_of_errors() -> None:
    for kind in (
        jsonseam.MalformedError,
        jsonseam.NoDocumentError,
        jsonseam.LimitExceeded,
        jsonseam.StateError,
        jsonseam.KpiError,
        jsonseam.HandoffError,
        jsonseam.ChoiceError,
    ):
        assert issubclass(kind, jsonseam.JsonSeamError)
    deep = jsonseam.JsonSeamError("what", offset=3, path="/0" * 512)
    assert len(str(deep)) < 200
    assert deep.path == "/0" * 512
    error = jsonseam.JsonSeamError("what", offset=3, path="/a", expected="more")
    assert str(error) == "what at character 3 in /a; expected more"


# ------------------------------------------------------------ nothing else escapes
FOUND = [  # what Hypothesis found once
    ["0", "f"],
    ["1e400", "{"],
    ['{"a": \\\n', "{{"],
    ['{"a": ', ""],
    ["{:", ""],
    [b"0\xc2"],
    ['```json\n"\n'],
]


@pytest.mark.parametrize("fragments", FOUND)
def test_what_was_found_once(fragments: list[str]) -> None:
    check_join(fragments)


PIECES = st.sampled_from(
    [
        *"{}[],:\"'\\ \n\t0-9.eE+tfn",
        '{"a": ',
        '"b": [',
        "[1, ",
        "true",
        "nul",
        '"x',
        '\\"',
        "\\u00",
        "\\ud83d",
        "\\ude00",
        "1e400",
        "-",
        "12.",
        "```json\n",
        "\n```",
        "<think>",
        "</think>",
        "Sorry, ",
        "// x\n",
        "/* ",
        "*/",
        "None",
        "NaN",
        "…",
        "...",
        "“",
        "”",
        "\ud83d",
        "\ude00",
        "\0",
        "\ufeff",
        "é",
        "😀",
        "\x0b",
        "\x7f",
        '"k": "v", ',
        "}, {",
        "]}",
        "key: ",
        "(",
        ")",
        ";",
    ]
)
SOUP = st.lists(PIECES, max_size=25).map("".join)


def holds(fragments: list[Any], **options: Any) -> None:
    """A document that keeps its promises, or one of our errors; `deliver` lets everything else through."""
    outcome = deliver([[fragment] for fragment in fragments], **options)
    if outcome.document is not None:
        hold_reports(outcome.document)
    assert outcome.status in ("empty", "partial", "complete", "malformed")


@given(st.lists(SOUP, max_size=4), st.booleans())
def test_json_like_soup(fragments: list[str], strict: bool) -> None:
    holds(fragments, strict=strict)


@given(SOUP, st.integers(0, 1 << 16))
def test_soup_in_any_chunking_gives_the_same(text: str, seed: int) -> None:
    check(text, seed=seed)


@given(st.lists(st.text(max_size=60), max_size=4), st.booleans())
def test_any_text(fragments: list[str], strict: bool) -> None:
    holds(fragments, strict=strict)


@given(st.lists(st.binary(max_size=60), max_size=4), st.booleans())
def test_any_bytes(fragments: list[bytes], strict: bool) -> None:
    holds(fragments, strict=strict)


@given(st.lists(st.one_of(SOUP, st.binary(max_size=20)), max_size=5), st.sampled_from([1, 2, 5]), st.integers(8, 40))
def test_anything_within_small_limits(fragments: list[Any], depth: int, size: int) -> None:
    holds(fragments, max_depth=depth, max_size=size, max_held=size)


@given(st.lists(SOUP, min_size=1, max_size=3), st.integers(0, 80))
def test_any_look_at_any_moment(fragments: list[str], cut_at: int) -> None:
    accumulator = jsonseam.Accumulator([jsonseam.Kpi("n", "a[*].b"), jsonseam.Kpi("r", "$")])
    for fragment in fragments:
        for part in (fragment[:cut_at], fragment[cut_at:]):
            try:
                accumulator.feed(part)
                accumulator.finish()
            except jsonseam.JsonSeamError:
                pass
            assert json.dumps([accumulator.value, accumulator.kpis, accumulator.path, accumulator.depth]) is not None
            assert json.dumps(accumulator.checkpoint())
        try:
            accumulator.end_fragment()
        except jsonseam.JsonSeamError:
            return


@pytest.mark.parametrize("wrong", [5, None, ["[1]"], 1.5], ids=repr)
def test_what_is_no_chunk_is_refused_and_changes_nothing(wrong: Any) -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.feed("[1, ")
    with pytest.raises(TypeError):
        accumulator.feed(wrong)
    accumulator.feed("2]")
    assert (accumulator.value, accumulator.repairs) == ([1, 2], ())


@pytest.mark.parametrize("answer", ["[1, 2]", b"[1, 2]"], ids=repr)
def test_one_answer_is_no_list_of_answers(answer: Any) -> None:
    """Its characters would be taken for answers, with a seam between any two of them."""
    with pytest.raises(TypeError, match="list of answers"):
        jsonseam.join(answer)
    with pytest.raises(TypeError, match="list of answers"):
        next(jsonseam.items(answer, "rows"))

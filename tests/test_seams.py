"""Seams: each kind of join with its report; and what a model wraps around its answers is no data."""

from __future__ import annotations

import json
from typing import Any

import pytest

import jsonseam
from tests.helpers import check_join

ROWS = [
    {"id": 1, "name": "Anna Schmidt", "city": "Zürich", "note": "pays on time, prefers e-mail"},
    {"id": 2, "name": "Bruno Keller", "city": "Basel", "note": 'said "no" twice; {call} again'},
    {"id": 3, "name": "Chiara Rossi", "city": "Lugano", "note": "new contract signed in March"},
    {"id": 4, "name": "David Müller", "city": "Bern", "note": "moved; old address C:\\data\\old"},
]
DOCUMENT = {"title": "Customers of the autumn campaign", "sections": [{"type": "table", "rows": ROWS}], "total": 4}
TEXT = json.dumps(DOCUMENT, ensure_ascii=False)
PRETTY = json.dumps(DOCUMENT, ensure_ascii=False, indent=2)


def at(mark: str, text: str = TEXT) -> int:
    """Where `mark` begins; it must be there only once."""
    assert text.count(mark) == 1, mark
    return text.index(mark)


IN_STRING = at("contract signed")  # in the note of row 3
IN_KEY = at('ame": "Chiara')
BEHIND_ROW = at(', {"id": 3')
ROW_3 = at('{"id": 3')
ROW_2 = at('{"id": 2')

# name | first answer | second answer | kind | characters said again or wrapping | detail
JOINS: list[tuple[str, str, str, str, int, str]] = [
    ("inside a string", TEXT[:IN_STRING], TEXT[IN_STRING:], "continue", 0, ""),
    ("inside a key", TEXT[:IN_KEY], TEXT[IN_KEY:], "continue", 0, ""),
    ("behind a comma", TEXT[: BEHIND_ROW + 1], TEXT[BEHIND_ROW + 1 :], "continue", 0, ""),
    ("before a comma", TEXT[:BEHIND_ROW], TEXT[BEHIND_ROW:], "continue", 0, ""),
    ("inside an escape", TEXT[: at('"no\\') + 4], TEXT[at('"no\\') + 4 :], "continue", 0, ""),
    ("before the last character", TEXT[:-1], TEXT[-1:], "continue", 0, ""),
    ("the comma is left out", TEXT[:BEHIND_ROW], TEXT[ROW_3:], "continue", 0, ""),
    ("the comma is said twice", TEXT[: BEHIND_ROW + 1], TEXT[BEHIND_ROW:], "overlap", 1, ""),
    ("40 characters said again", TEXT[:IN_STRING], TEXT[IN_STRING - 40 :], "overlap", 40, ""),
    ("200 characters said again", TEXT[:IN_STRING], TEXT[IN_STRING - 200 :], "overlap", 200, ""),
    ("the cut-off string again", TEXT[:IN_STRING], TEXT[at('"new contract') :], "resume", len('"new '), "token"),
    ("the cut-off row again", TEXT[:IN_STRING], TEXT[ROW_3:], "resume", IN_STRING - ROW_3, "element"),
    ("the row before it, too", TEXT[:IN_STRING], TEXT[ROW_2:], "resume", IN_STRING - ROW_2, "siblings"),
    (
        "the path opened again",
        TEXT[:IN_STRING],
        '{"sections": [{"rows": [' + TEXT[ROW_3:],
        "reopen",
        len('{"sections": [{"rows": [') + IN_STRING - ROW_3,
        "",
    ),
    ("from the start", TEXT[:IN_STRING], TEXT, "restart", IN_STRING, ""),
    ("from the start, in a fence", TEXT[:IN_STRING], "```json\n" + TEXT + "\n```", "restart", 8 + IN_STRING, ""),
    ("goes on in a fence", TEXT[:BEHIND_ROW], "```json\n" + TEXT[BEHIND_ROW:] + "\n```", "continue", 8, ""),
    (
        "the row again, in a fence",
        TEXT[:IN_STRING],
        "```json\n" + TEXT[ROW_3:] + "\n```",
        "resume",
        8 + IN_STRING - ROW_3,
        "element",
    ),
]


@pytest.mark.parametrize(
    ("first", "second", "kind", "dropped", "detail"),
    [pytest.param(*row[1:], id=row[0]) for row in JOINS],
)
def test_a_join_and_its_report(first: str, second: str, kind: str, dropped: int, detail: str) -> None:
    outcome = check_join([first, second], DOCUMENT)
    document = outcome.document
    assert document is not None
    assert document.complete
    assert outcome.status == "complete"
    (seam,) = document.seams
    assert (seam.fragment, seam.kind, seam.detail) == (1, kind, detail)
    assert seam.dropped + len(seam.replaced) == dropped
    assert seam.reason
    assert 0.5 < seam.sure <= 1
    assert document.text.replace(", ", ",") == TEXT.replace(", ", ",")


@pytest.mark.parametrize("first_is_pretty", [True, False])
@pytest.mark.parametrize("mark", ['{"id": 3', '{"id": 2', '{"title'])
def test_said_again_in_another_layout(mark: str, first_is_pretty: bool) -> None:
    name = mark.split('"')[-1].strip(": ") if "id" in mark else ""
    one, other = (PRETTY, TEXT) if first_is_pretty else (TEXT, PRETTY)
    first = one[: one.index("contract signed")]
    start = 0 if not name else other.rindex("{", 0, other.index(f'"id": {name}'))
    document = check_join([first, other[start:]], DOCUMENT).document
    assert document is not None
    assert document.complete
    assert document.seams[0].kind in ("resume", "restart")


# fragments that hold no data, in several languages
EMPTY = [
    "",
    "  \n",
    "I'm sorry, but I can't continue with that.",
    "Désolé, je ne peux pas continuer.",
    "Es tut mir leid, das kann ich nicht.",
    "Sure! Please tell me what to do next.",
    "申し訳ありませんが、続けられません。",
    "```json\n```",
    '<think>Where was I? {"a": [1]}</think>',
]


@pytest.mark.parametrize("nothing", EMPTY)
@pytest.mark.parametrize("cut", [BEHIND_ROW, BEHIND_ROW + 1], ids=["before a comma", "behind a comma"])
def test_a_fragment_without_data_is_rejected_and_changes_nothing(nothing: str, cut: int) -> None:
    alone = jsonseam.Accumulator()
    alone.add(TEXT[:cut])
    before = alone.finish()
    step = alone.add(nothing)
    assert step.seam is not None
    assert (step.seam.kind, step.seam.dropped) == ("rejected", len(nothing))
    assert (alone.finish().text, alone.finish().value) == (before.text, before.value)
    document = check_join([TEXT[:cut], nothing, TEXT[cut:]], DOCUMENT).document
    assert document is not None
    assert [seam.kind for seam in document.seams] == ["rejected", "continue"]
    assert document.complete
    if nothing.strip():
        assert any(repair.before == nothing for repair in document.repairs)


# what is wrapped around a whole answer: in front | behind
WRAPPED = [
    ("```json\n", "\n```"),
    ("```\n", "\n```\n"),
    ("~~~json\n", "\n~~~"),
    ("Here is the JSON you asked for:\n\n", "\n\nI hope this helps! Let me know."),
    ("Voici le document demandé :\n```json\n", "\n```\nN'hésitez pas à demander."),
    ("Hier ist das Ergebnis („JSON“):\n\n", "\n\nViele Grüße"),
    ("以下はご要望のJSONです。\n```json\n", "\n```"),
    ('<think>The user wants {"a": 1}, or [2].</think>\n', ""),
    ('<think>\n```json\n{"draft": true}\n```\n</think>\n\n```json\n', "\n```"),
    ("\ufeff", "\n"),
    ("Note [1]: the set {a, b} is kept.\n", "\nDone."),
]


@pytest.mark.parametrize(("front", "behind"), WRAPPED)
@pytest.mark.parametrize("text", [TEXT, PRETTY], ids=["one line", "pretty"])
def test_wrapping_is_taken_off(front: str, behind: str, text: str) -> None:
    document = check_join([front + text + behind], DOCUMENT).document
    assert document is not None
    assert document.text.strip() == text
    assert document.complete
    assert {repair.kind for repair in document.repairs} <= {"lead-in", "remark", "fence"}
    assert all(repair.after == "" for repair in document.repairs)


@pytest.mark.parametrize(
    "value",
    [{"code": "```python\nprint([1])\n```"}, ["```json\n{}\n```", "<think>x</think>"], {"a": "Sorry, I can't {x}"}],
)
def test_what_is_inside_strings_is_data(value: Any) -> None:
    text = json.dumps(value)
    for cut in range(1, len(text)):
        accumulator = jsonseam.Accumulator()
        accumulator.add(text[:cut])
        accumulator.add(text[cut:])
        assert accumulator.finish().value == value, text[:cut]


# text that repeats itself is data: name | value
REPETITIVE: list[tuple[str, Any]] = [
    ("ones", [1] * 60),
    ("flags", [True, False] * 30),
    ("zero rows", [[0, 0, 0, 0]] * 30),
    ("same objects", {"items": [{"type": "row", "v": 0}] * 25}),
    ("very very", {"text": "very " * 60 + "good"}),
    ("empties", {"a": [[]] * 30, "b": [{}] * 30}),
    ("digits", [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9]),
]


def eaten(value: Any, start: int, stop: int, step: int) -> list[str]:
    """The cuts at which two exact halves did not give the value."""
    wrong = []
    for text in (json.dumps(value), json.dumps(value, indent=2)):
        for cut in range(start, min(stop, len(text)), step):
            if jsonseam.join([text[:cut], text[cut:]]).value != value:
                wrong.append(f"cut at {cut}: {text[max(0, cut - 40) : cut]!r}")
    return wrong


@pytest.mark.parametrize("value", [value for _, value in REPETITIVE], ids=[name for name, _ in REPETITIVE])
def test_predictable_text_is_never_eaten(value: Any) -> None:
    assert eaten(value, 120, 10_000, 67) == []


@pytest.mark.parametrize(
    "value",
    [pytest.param(value, id=name) for name, value in REPETITIVE],
)
def test_predictable_text_is_never_eaten_however_early(value: Any) -> None:
    assert eaten(value, 2, 60, 3) == []


@pytest.mark.parametrize("cut", range(5, len(TEXT), 23))
def test_an_exact_continuation_is_exact_wherever_it_is_cut(cut: int) -> None:
    document = jsonseam.join([TEXT[:cut], TEXT[cut:]])
    assert document.value == DOCUMENT
    assert document.text == TEXT


def test_many_seams_in_one_document() -> None:
    pieces = [TEXT[:60], TEXT[40:ROW_2], "I will go on now.", TEXT[ROW_2:IN_STRING], TEXT[ROW_3 : ROW_3 + 90]]
    pieces.append(TEXT[ROW_3 + 90 :])
    document = check_join(pieces, DOCUMENT).document
    assert document is not None
    assert document.complete
    assert [seam.fragment for seam in document.seams] == [1, 2, 3, 4, 5]


def test_a_shorter_restart_does_not_shrink_the_document() -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.add(TEXT[:IN_STRING])
    before = accumulator.finish().value
    accumulator.add(TEXT[:ROW_2])
    assert accumulator.finish().value == before
    accumulator.add(TEXT[IN_STRING:])
    assert accumulator.finish().value == DOCUMENT


def test_digits_that_meet_at_a_seam_are_named_unsafe() -> None:
    document = check_join(['{"a": [1, 12', "89, 3]}"]).document
    assert document is not None
    assert document.value == {"a": [1, 1289, 3]}
    assert document.unsafe == ("/a/1",)


def test_join_is_add_for_each_fragment() -> None:
    accumulator = jsonseam.Accumulator()
    for fragment in (TEXT[:99], TEXT[99:].encode()):
        accumulator.add(fragment)
    assert jsonseam.join([TEXT[:99], TEXT[99:].encode()]) == accumulator.finish()

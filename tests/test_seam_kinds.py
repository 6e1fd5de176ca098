"""What tells joins apart: each kind that was once joined wrongly, as a document that is small enough to read."""

from __future__ import annotations

import json
from typing import Any

import pytest

import jsonseam
from tests.helpers import check_join


def areas(*numbers: int) -> str:
    return "[" + ",".join(f'{{"areaId":20570{number},"blockIds":[]}}' for number in numbers) + "]"


HALLS = [(5999, 5998, 5994, 6006, 6005, 6004), (5998, 5994, 6006, 6005, 6004), (5994, 6006, 6005, 6004)]
SEATS = "[" + ",".join(f'{{"areas":{areas(*hall)},"cat":33893727{at}}}' for at, hall in enumerate(HALLS, 7)) + "]"
SECOND_HALL = SEATS.index('"cat":338937277')
BEGINS_ALIKE = (
    f'[{{"areas":{areas(*HALLS[2], 6003, 6002)},"cat":1}},{{"areas":{areas(5998, *HALLS[2])},"cat":2}},'
    f'{{"areas":{areas(5998, *HALLS[2][:3])},"cat":3}}]'
)
BEGINS_AGAIN = BEGINS_ALIKE.index('{"areaId":205705994', BEGINS_ALIKE.index('"cat":1'))
URLS = (
    '{"bg":"http://abs.example.com/images/themes/theme1/bg.png","img":"http://pbs.example.com/profile/5053/nx_normal.jpeg"'
    ',"imgs":"https://pbs.example.com/profile/5053/nx_normal.jpeg","banner":"https://pbs.example.com/banners/1366/1399"}'
)
NEWS = "The latest news in the world is a great idea, but it will make it even more"
TALK = '{"messages": [{"from": "2018-06-24", "text": "%s", "time": "2018-07-"}, {"from'


def cut(text: str, mark: str, behind: int, again: int = 0, start: int = 0) -> tuple[str, str]:
    """Cut `behind` characters behind where `mark` begins; the second part says the last `again` once more."""
    place = text.index(mark, start) + behind
    return text[:place], text[place - again :]


SIXTH = SEATS.index('{"areaId":205706006', SECOND_HALL)
# what the model does | first answer | second answer | value | kind | sure, from and to
KINDS: list[tuple[str, tuple[str, str], Any, str, tuple[float, float]]] = [
    (
        "a path opened again whose items begin as the document did",
        (BEGINS_ALIKE[:BEGINS_AGAIN], '[{"areas":[' + BEGINS_ALIKE[BEGINS_AGAIN:]),
        json.loads(BEGINS_ALIKE),
        "reopen",
        (0.9, 1),
    ),
    (
        "the same, cut inside an item",
        (BEGINS_ALIKE[: BEGINS_AGAIN + 11], '[{"areas":[' + BEGINS_ALIKE[BEGINS_AGAIN:]),
        json.loads(BEGINS_ALIKE),
        "reopen",
        (0.9, 1),
    ),
    (
        "what begins in words, closes its string and goes on as JSON, is no refusal",
        (
            r'{"rows": [{"id": 0, "name": "\ud83d\ude00 lorem amet", "v": 1}, {"id": 1, "name": "\ud83d\u',
            r'd83d\ude00 \u00e9", "v": [1]}, 2]}',
        ),
        {"rows": [{"id": 0, "name": "😀 lorem amet", "v": 1}, {"id": 1, "name": "😀 é", "v": [1]}, 2]},
        "overlap",
        (0.9, 1),
    ),
    ("a number said again after 1 digit of 9", cut(SEATS, "338937278", 1, 1), json.loads(SEATS), "resume", (0.49, 1)),
    ("a number said again after 6 digits of 9", cut(SEATS, "338937278", 6, 6), json.loads(SEATS), "resume", (0.49, 1)),
    ("a number that goes on", cut(SEATS, "338937278", 6), json.loads(SEATS), "continue", (0.9, 1)),
    ("a predictable echo in a word", cut(URLS, "/banners", 4, 18), json.loads(URLS), "overlap", (0.9, 1)),
    (
        "a predictable echo of a name",
        cut(URLS, "_normal", 5, 30, URLS.index('"imgs"')),
        json.loads(URLS),
        "overlap",
        (0.9, 1),
    ),
    ("seven characters that come twice by chance", cut(URLS, "themes", 4), json.loads(URLS), "continue", (0.49, 1)),
    (
        "a sibling said again where all are distinct",
        (SEATS[:SIXTH], SEATS[SEATS.rindex("{", 0, SIXTH) :]),
        json.loads(SEATS),
        "resume",
        (0.9, 1),
    ),
    (
        "a restart that stops inside the open string",
        ('{"p": ["capital", "argument is', '{"p": ["capital", "arg'),
        {"p": ["capital", "argument is"]},
        "restart",
        (0.9, 1),
    ),
    (
        "a restart but for a full stop",
        (TALK % NEWS, TALK % (NEWS + ".") + '": "20'),
        {"messages": [{"from": "2018-06-24", "text": NEWS + ".", "time": "2018-07-"}, {"from": "20"}]},
        "restart",
        (0.49, 0.9),
    ),
    (
        "a document of the same structure with other values",
        ('{"a":{"x":1,"y":["a","b"', '{"a":{"x":2,"y":["k","l","m","n"]},"b":2}'),
        {"a": {"x": 2, "y": ["k", "l", "m", "n"]}, "b": 2},
        "restart",
        (0.4, 0.9),
    ),
    (
        "a path opened again around other items",
        ('{"rows":[{"k":"v1","t":true},{"k":"v2","t":true},', '{"rows":[{"k":"v4","t":true},{"k":"v5","t":true}]}'),
        {"rows": [{"k": f"v{at}", "t": True} for at in (1, 2, 4, 5)]},
        "reopen",
        (0.9, 1),
    ),
    (
        "a whole document of its own in an open string",
        ('{"a": "on', '{"b": 1, "c": [2, 3], "d": {"e": "f"}}'),
        {"b": 1, "c": [2, 3], "d": {"e": "f"}},
        "restart",
        (0.49, 0.9),
    ),
    ("an array of its own", ('{"a": "on', '[{"x": 1}, {"x": 2}]'), {"a": "on"}, "rejected", (0.49, 0.9)),
    (
        "the document again but for one letter of a key",
        ('{"staedte": [{"name": "Bonn", "size": 3, "g', '{"städte": [{"name": "Bonn", "size": 3, "g": "2'),
        {"städte": [{"name": "Bonn", "size": 3, "g": "2"}]},
        "restart",
        (0.49, 0.9),
    ),
    (
        "JSON in a string that holds JSON",
        ('{"a": "{\\"x\\": ', '{\\"y\\": 1}}"}'),
        {"a": '{"x": {"y": 1}}'},
        "continue",
        (0.9, 1),
    ),
    (
        "prose in an open string",
        ('{"a": ["capital", "ar', "1. Los capitales es el que tiene la estructura de la ciudad y tiene"),
        {"a": ["capital", "ar1. Los capitales es el que tiene la estructura de la ciudad y tiene"]},
        "continue",
        (0.49, 0.9),
    ),
    (
        "prose in an open key",
        ('{"bread": {"it": 1}, "hous', "This is a bit of code that will print the data in a format. It uses the"),
        {"bread": {"it": 1}},
        "rejected",
        (0.49, 0.9),
    ),
    (
        "two paragraphs of it, taken off whole",
        ('{"bread": {"it": 1}, "', "What a delightful task. I am here to help with your needs.\n\nRemember, I"),
        {"bread": {"it": 1}},
        "rejected",
        (0.49, 0.9),
    ),
]


@pytest.mark.parametrize(
    ("fragments", "value", "kind", "sure"), [row[1:] for row in KINDS], ids=[row[0] for row in KINDS]
)
def test_what_tells_joins_apart(fragments: tuple[str, str], value: Any, kind: str, sure: tuple[float, float]) -> None:
    document = check_join(fragments, value).document
    assert document is not None
    (seam,) = document.seams
    assert seam.kind == kind
    assert sure[0] <= seam.sure <= sure[1]


@pytest.mark.parametrize("item", [{"type": "row", "v": 0}, [0, 0], {"a": 1}, "the same words", 12345678])
@pytest.mark.parametrize("indent", [None, 2])
def test_an_item_that_comes_many_times_is_no_echo_of_the_first(item: Any, indent: int | None) -> None:
    text = json.dumps({"items": [item] * 12}, indent=indent)
    for place in range(2, len(text)):
        assert jsonseam.join([text[:place], text[place:]]).value == {"items": [item] * 12}, text[:place]


# the pieces of a character that a seam cuts | fragments | value | kinds of repairs
CUT_CHARACTERS: list[tuple[str, list[str | bytes], Any, list[str]]] = [
    ("its bytes go on", [b'["gr\xc3', b'\xb6\xc3\x9fe"]'], ["größe"], []),
    ("its halves go on", ['["\ud83d', '\ude00"]'], ["😀"], []),
    ("other bytes come", [b'["gr\xc3', b'n"]'], ["gr�n"], ["invalid-utf8"]),
    ("text comes", [b'["gr\xc3', 'n"]'], ["gr�n"], ["invalid-utf8"]),
    ("another letter comes", ['["\ud83d', 'x"]'], ["�x"], ["lone-surrogate"]),
]


@pytest.mark.parametrize(
    ("fragments", "value", "kinds"), [row[1:] for row in CUT_CHARACTERS], ids=[row[0] for row in CUT_CHARACTERS]
)
def test_a_character_that_a_seam_cuts(fragments: list[str | bytes], value: Any, kinds: list[str]) -> None:
    document = jsonseam.join(fragments)
    assert document.value == value
    assert [repair.kind for repair in document.repairs] == kinds
    assert [(seam.fragment, seam.kind) for seam in document.seams] == [(1, "continue")]


@pytest.mark.parametrize("fragment", [b'["gr\xc3', '["gr\ud83d'])
def test_what_one_answer_leaves_of_a_character_is_no_other_answer(fragment: str | bytes) -> None:
    document = jsonseam.join([fragment])
    assert (document.value, document.seams) == (["gr�"], ())
    assert document.repairs[0].kind in ("invalid-utf8", "lone-surrogate")


@pytest.mark.parametrize("prose", ['[1] "One" [2] "Two" [3] "', "As [1] and [2] show:\n", "[1] one\n[2] two\n"])
def test_a_numbered_mark_in_front_of_words_is_no_document(prose: str) -> None:
    assert check_join([prose, '{"a": 1}'], {"a": 1}).status == "complete"
    with pytest.raises(jsonseam.NoDocumentError):
        jsonseam.join([prose])


def test_a_remark_behind_one_number_in_brackets_is_a_remark() -> None:
    assert check_join(["[1] hope this helps"], [1]).status == "complete"

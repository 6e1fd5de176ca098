"""What decides a seam where the text before it cannot: what follows, an order, and how common the items are."""

from __future__ import annotations

import json
import random

import pytest

import jsonseam
from tests.helpers import check_join

PRIMES = "[2,3,5,7,11,13,17,19,23,29,31]"
PORTS = '[[0,"Aarhus",214.5,true],[1,"Oban",88.25,null],[2,"Kiel",9.75,false],[3,"Trieste",310.5,true]]'
WIDE = json.dumps(json.loads(PORTS), indent=4)
WIDEST = json.dumps(json.loads(PORTS), indent=24)
COUNTED = '[[4,"a"],[5,"b"],[6,"c"],[7,"d"],[8,"e"],[9,"f"],[10,"g"],[11,"h"]]'
SIZES = '[["Oban",1414.5],["Kiel",2881.2],["Nice",931.7],["Aarhus",4077.1]]'
KEYED = '[{"id":4,"to":"Oban"},{"id":5,"to":"Kiel"},{"id":6,"to":"Nice"},{"id":7,"to":"Aarhus"}]'
LIST = '{"decks":[{"berths":[2,7,13]}]}'
SPRING = r'{"tide":"\"spring\" tide","metres":3}'
TIMES = [f"{at:03d}: the ferry left at {at % 24}:{at % 60:02d}" for at in range(200)]
LINES = json.dumps({"ship": "Kaja", "log": [{"lines": TIMES, "pages": 4}], "signed": True})
SINCE_LINES = LINES.index("190: the") + len("190: the") - LINES.index('{"lines"')  # characters


def say_again(text: str, behind: str, again: int, front: str = "") -> tuple[str, str]:
    """Cut behind `behind`; the second answer says the last `again` characters once more, behind `front`."""
    place = text.index(behind) + len(behind)
    return text[:place], front + text[place - again :]


# what was said again, and what tells | the document | cut behind | characters said again | what stands before them
ECHOES = [
    ("a number: all rows that follow are shorter", PORTS, "214.5,", 6, ""),
    ("a number behind a fence", PORTS, "214.5,", 6, "Here is the rest:\n\n```json\n"),
    ("a literal: all rows that follow are shorter", WIDE, "214.5,\n        true", 4, ""),
    ("layout and a bracket: no row is empty", WIDE, "88.25,\n        null\n    ],\n    [\n  ", 16, ""),
    ("lines that end in more layout than they have text", WIDEST, "88.25,\n" + 47 * " ", 320, ""),
    ("a digit: no number that follows has as many", SIZES, '[["Oban",1', 1, ""),
    ("a digit: the numbers count", COUNTED, '[9,"f"],[1', 1, ""),
    ("items of a list in order, of which there are no others yet", PRIMES, "[2,3,", 4, ""),
    ("the last item of a list in order", PRIMES, "[2,3,", 2, ""),
    ("the path: no member of this name has ever been a list", KEYED, '{"id":6,"to":"Nice"},{"id":', 6, "["),
    ("closers: those that would be left over fit behind the echo", LIST, "13]}", 4, ""),
    ("half an escape", SPRING, '"tide":"\\', 2, ""),
    ("an element that begins far in front of the seam", LINES, "190: the", SINCE_LINES, ""),
    ("the same, behind its path", LINES, "190: the", SINCE_LINES, '{"log": ['),
]


@pytest.mark.parametrize(("text", "behind", "again", "front"), [row[1:] for row in ECHOES], ids=[r[0] for r in ECHOES])
def test_an_echo_is_told_by_what_follows(text: str, behind: str, again: int, front: str) -> None:
    check_join(say_again(text, behind, again, front), json.loads(text))


# what comes twice and is data | the document | cut behind
DATA = [
    ("rows of many lengths", "[[4,7,1],[7,1],[3],[7,1,5,2],[9,9]]", "[[4,7,1"),
    ("a list that goes round", "[1,2,3,1,2,3,1,2,3]", "[1,2,3,"),
    ("a list that goes round once", "[1,2,3,1,2,3]", "[1,2,3,"),
    ("a count that leaps", "[1,2,3,4,5,6,19,20]", "5,6,1"),
    ("a number of more digits than any other", "[[1,12],[2,7],[3,4404],[4,9],[5,11]]", "[3,4"),
    ("an escape that a quoted word begins with", r'[{"to":"Oban"},{"to":"\"Kaja\" of Kiel"}]', '{"to":"\\'),
    ("rows without a cell", "[[],[2],[],[3,4],[]]", "[[],["),
]


@pytest.mark.parametrize(("text", "behind"), [row[1:] for row in DATA], ids=[row[0] for row in DATA])
def test_data_that_looks_like_an_echo_is_kept(text: str, behind: str) -> None:
    check_join(say_again(text, behind, 0), json.loads(text))


@pytest.mark.parametrize(("kinds", "most"), [(["true", "false"], 12), (list("0123456789"), 4)])
@pytest.mark.parametrize("layout", [",", ", ", ",\n    "], ids=["tight", "spaced", "a line each"])
def test_a_run_of_common_items_that_comes_twice_by_chance_is_data(kinds: list[str], most: int, layout: str) -> None:
    rng = random.Random(len(layout) + len(kinds))
    for _ in range(30):
        run = rng.choices(kinds, k=rng.randint(1, most))
        front, rest = rng.choices(kinds, k=24), rng.choices(kinds, k=24)
        text = "[" + layout.join([*front, *run, *run, *rest]) + "]"
        place = len("[" + layout.join([*front, *run, ""])) - rng.randint(0, 2)
        assert jsonseam.join([text[:place], text[place:]]).value == json.loads(text)


def test_many_common_items_said_again_are_an_echo() -> None:
    items = random.Random(7).choices(["true", "false"], k=80)
    text = "[" + ",".join(items) + "]"
    assert jsonseam.join([text[:260], text[260 - 170 :]]).value == json.loads(text)


# the answers | what they come to
NEXT_TO_A_NUMBER = [
    ("two primes in one would leap", ["[2,3,5,7,11,13,17", "19]"], [2, 3, 5, 7, 11, 13, 17, 19]),
    ("behind a fence", ["[2,3,5,7,11,13,17", "```json\n19,23]\n```"], [2, 3, 5, 7, 11, 13, 17, 19, 23]),
    ("the digits of one prime do not", ["[2,3,5,7,11,13,1", "9,23]"], [2, 3, 5, 7, 11, 13, 19, 23]),
    ("no number begins with so many zeros", ["[10,20,35,50,70,4", "00000]"], [10, 20, 35, 50, 70, 400000]),
    ("numbers that grow as fast as before", ["[1,10,100,1000,10000,1", "00000]"], [10**n for n in range(6)]),
    ("too few to tell", ["[2,3,5", "7000]"], [2, 3, 57000]),
]


@pytest.mark.parametrize(
    ("answers", "value"), [row[1:] for row in NEXT_TO_A_NUMBER], ids=[row[0] for row in NEXT_TO_A_NUMBER]
)
def test_digits_behind_a_number_in_order_go_on_with_it_unless_it_would_leap(answers: list[str], value: list) -> None:
    check_join(answers, value)


def test_who_asks_for_the_literal_join_has_the_leap() -> None:
    answers = ["[2,3,5,7,11,13,17", "19]"]
    assert jsonseam.join(answers).seams[0].sure < 0.9
    check_join(answers, [2, 3, 5, 7, 11, 13, 1719], on_doubt="literal")

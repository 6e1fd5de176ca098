"""A document that is said again from its beginning: compared as it streams by, never held a second time."""

from __future__ import annotations

import json
import random
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jsonseam
from jsonseam import repeating, stretches
from jsonseam.ledger import Ledger
from tests.helpers import check_join, cut_at_random, make_value, spell

ROWS = [{"id": n, "name": f'Anna "Nan" {n * 7919 % 1000} é', "tags": ["a", "b\\c"], "score": n / 7} for n in range(120)]
DOCUMENT = {"title": "Customers", "rows": ROWS, "end": [1, 2, 3]}
LAYOUTS = {
    "one line": json.dumps(DOCUMENT, ensure_ascii=False),
    "compact": json.dumps(DOCUMENT, ensure_ascii=False, separators=(",", ":")),
    "pretty, escaped": json.dumps(DOCUMENT, indent=2),
    "tabs and CR": json.dumps(DOCUMENT, indent="\t", ensure_ascii=False).replace("\n", "\r\n"),
}
HELD = LAYOUTS["one line"]
IN_STRING = HELD.index('"Nan\\" 7' if '"Nan\\" 7' in HELD else "Nan", 6000) + 2
# where the first answer was cut
CUTS = {
    "in a string": IN_STRING,
    "in a number": HELD.index('"score": ', 7000) + 13,
    "behind a comma": HELD.index('{"id": 80'),
    "before a comma": HELD.index(', {"id": 80'),
    "in a key": HELD.index('"score"', 7000) + 3,
    "in an escape": HELD.index("\\\\c", 7000) + 1,
    "behind a colon": HELD.index('"score": ', 7000) + 8,
    "before the last character": len(HELD) - 1,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("place", CUTS)
def test_it_goes_on_where_the_held_text_ends_in_whatever_layout(layout: str, place: str) -> None:
    text = LAYOUTS[layout]
    document = check_join([HELD[: CUTS[place]], text], DOCUMENT).document
    assert document is not None
    assert document.complete
    (seam,) = document.seams
    assert seam.kind == "restart"
    assert seam.seen == seam.dropped or seam.detail
    assert text.endswith(document.text[seam.offset :])


@pytest.mark.parametrize("front", ["```json\n", "Here it is again, from the start:\n\n", "<think>[1]</think>"])
def test_what_is_in_front_of_it_is_dropped_too(front: str) -> None:
    document = check_join([HELD[:IN_STRING], front + LAYOUTS["compact"]], DOCUMENT).document
    assert document is not None
    assert document.seams[0].kind == "restart"
    assert document.seams[0].dropped > len(front) + 5000


PRETTY = json.dumps(DOCUMENT, indent=2, ensure_ascii=False)
# another spelling of the same tokens: what stands in the text for what
SPELLINGS = {
    "spaces before colons": ('": ', '" : '),
    "slashes of their own": ("Customers", "C\\u0075stomers"),
    "all in capitals": ("é", "\\u00E9"),
    "an escaped space": ("Anna ", "Anna\\u0020"),
    "escaped backslashes": ("\\\\", "\\u005c"),
    "escaped quotes": ('\\"', "\\u0022"),
    "much space": ("\n", "\n" + " " * 50),
}
# the same row in other words, if only a little
CHANGES = {
    "a number with a space in it": ('"id": 40,', '"id": 4 0,'),
    "a number in another spelling": ('"id": 40,', '"id": 40.0,'),
    "a number that is a string": ('"id": 40,', '"id": "40",'),
    "another literal": ('"id": 40,', '"id": true,'),
    "a space more in a string": ('"id": 40,\n      "name": "Anna ', '"id": 40,\n      "name": "Anna  '),
    "a space less in a string": ('"id": 40,\n      "name": "Anna ', '"id": 40,\n      "name": "Anna'),
    "a line break for a space": ('"id": 40,\n      "name": "Anna ', '"id": 40,\n      "name": "Anna\\n'),
    "a space in a key": ('"id": 40,', '"id ": 40,'),
    "a quote more": ('"id": 40,\n      "name": "Anna ', '"id": 40,\n      "name": "Anna \\"'),
    "a key that comes twice": ('"id": 40,', '"id": 40, "id": 40,'),
    "keys in another order": ('"id": 40,\n      "name"', '"name": "x", "id": 40,\n      "name"'),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_it_is_the_same_in_whatever_spelling(spelling: str) -> None:
    text = PRETTY.replace(*SPELLINGS[spelling])
    assert text != PRETTY
    document = check_join([HELD[:IN_STRING], text], DOCUMENT).document
    assert document is not None
    assert [(seam.kind, seam.detail) for seam in document.seams] == [("restart", "")]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("size", [1 << 30, 900, 16])
def test_what_says_something_else_is_not_taken_for_the_same(change: str, size: int) -> None:
    text = PRETTY.replace(*CHANGES[change])
    assert text != PRETTY
    accumulator = jsonseam.Accumulator()
    accumulator.add(HELD[:IN_STRING])
    for at in range(0, len(text), size):
        accumulator.feed(text[at : at + size])
    accumulator.end_fragment()
    (seam,) = accumulator.seams
    assert (seam.kind, seam.detail) != ("restart", "")


@pytest.mark.parametrize("end", ["", " ", "\n      "])
@pytest.mark.parametrize("size", [1 << 30, 100, 16, 7])
def test_it_goes_on_behind_a_number_that_the_held_text_ends_with(end: str, size: int) -> None:
    held = HELD[: HELD.index("}", 7000)] + end
    text = LAYOUTS["compact"]
    accumulator = jsonseam.Accumulator()
    accumulator.add(held)
    for at in range(0, len(text), size):
        accumulator.feed(text[at : at + size])
    accumulator.end_fragment()
    assert [(seam.kind, seam.detail) for seam in accumulator.seams] == [("restart", "")]
    assert accumulator.value == DOCUMENT


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("size", [16, 1000, 1 << 30])
def test_it_costs_no_more_than_looking_at_both_texts_once(
    monkeypatch: pytest.MonkeyPatch, layout: str, size: int
) -> None:
    """What is parted in stretches, taken token by token, and copied out of the document, in characters."""
    parted = worded = copied = 0
    part, words, copy = stretches._part, repeating._whole_words, Ledger.part

    def counting_part(text: str, before: bytes = b"") -> list[bytes]:
        nonlocal parted
        parted += len(text)
        return part(text, before)

    def counting_words(text: str) -> tuple[list[str], str]:
        nonlocal worded
        worded += len(text)
        return words(text)

    def counting_copy(ledger: Ledger, offset: int, size: int) -> str:
        nonlocal copied
        found = copy(ledger, offset, size)
        copied += len(found)
        return found

    rows = ROWS * 40
    held = json.dumps({"rows": rows}, ensure_ascii=False)[:-40]
    text = spell({"rows": rows}, ["one line", "compact", "pretty, escaped", "tabs and CR"].index(layout) + 1)
    accumulator = jsonseam.Accumulator()
    accumulator.add(held)
    monkeypatch.setattr(stretches, "_part", counting_part)
    monkeypatch.setattr(repeating, "_whole_words", counting_words)
    monkeypatch.setattr(Ledger, "part", counting_copy)
    accumulator.feed(text[:8192])
    parted = worded = copied = 0
    for at in range(8192, len(text), size):
        accumulator.feed(text[at : at + size])
    accumulator.end_fragment()
    assert accumulator.value == {"rows": rows}
    both = len(held) + len(text)
    assert parted <= 1.1 * both + 50_000
    assert worded <= 0.1 * both + 50_000
    assert copied <= (1.1 * len(held) if parted else 0) + 50_000


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("size", [1500, 5000])
def test_one_that_ends_earlier_shrinks_nothing(layout: str, size: int) -> None:
    document = check_join([HELD[:IN_STRING], LAYOUTS[layout][:size], HELD[IN_STRING:]], DOCUMENT).document
    assert document is not None
    first, second = document.seams
    assert (first.kind, first.detail, first.dropped) == ("restart", "nothing-new", size)
    assert second.kind == "continue"
    assert document.text == HELD


@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_that_says_something_else_on_the_way_is_decided_as_ever(layout: str) -> None:
    """It finishes more than what is held, so it takes its place; nothing of it is lost."""
    other = {**DOCUMENT, "rows": [*ROWS[:40], {"id": "new"}, *ROWS[41:]]}
    text = (
        spell(other, 0)
        if layout == "one line"
        else LAYOUTS[layout].replace(": 40,", ': "new",').replace(":40,", ':"new",')
    )
    document = check_join([HELD[:IN_STRING], text], json.loads(text)).document
    assert document is not None
    assert document.seams[0].detail == "rewritten"
    assert document.seams[0].dropped == 0
    assert document.seams[0].sure < 0.9


def test_a_closed_one_that_is_shorter_shrinks_nothing() -> None:
    shorter = json.dumps({"title": "Customers", "rows": ROWS[:30]}, ensure_ascii=False)
    document = check_join([HELD[:IN_STRING], shorter, HELD[IN_STRING:]], DOCUMENT).document
    assert document is not None
    assert document.seams[0].detail == "rewritten-shorter"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_nothing_of_it_is_held(layout: str) -> None:
    """Characters held, and memory: neither grows with the document."""
    rows = ROWS * 40
    held = json.dumps({"rows": rows}, ensure_ascii=False)[:-40]
    text = spell({"rows": rows}, ["one line", "compact", "pretty, escaped", "tabs and CR"].index(layout) + 1)
    accumulator = jsonseam.Accumulator()
    accumulator.add(held)
    most = 0
    tracemalloc.start()
    for at in range(0, len(text), 1000):
        accumulator.feed(text[at : at + 1000])
        most = max(most, accumulator._intake.opening.held)
        if len(accumulator.seams) == 1:
            break
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(text) > 350_000
    assert accumulator.seams[0].kind == "restart"
    assert most <= 4096
    assert memory < len(held) / 2 + 200_000


@st.composite
def conversations(draw: st.DrawFn) -> tuple[Any, str, str, int]:
    """A value of more than 3 kB, its text up to a cut, the same text in some layout, and a seed."""
    rng = random.Random(draw(st.integers(0, 1 << 30)))
    value = {"items": [make_value(rng, 2) for _ in range(rng.randint(150, 250))], "end": [1]}
    while len(spell(value, 3)) < 3000:
        value["items"].append(make_value(rng, 2))
    text = spell(value, rng.randrange(5))
    return value, text[: rng.randint(2500, len(text) - 1)], spell(value, rng.randrange(5)), rng.randrange(1 << 30)


@given(conversations())
@settings(max_examples=25, deadline=None)
def test_chunks_and_checkpoints_change_nothing(conversation: tuple[Any, str, str, int]) -> None:
    value, held, text, seed = conversation
    whole = jsonseam.Accumulator()
    whole.add(held)
    whole.add(text)
    rng = random.Random(seed)
    pieces = jsonseam.Accumulator()
    pieces.add(held)
    for chunk in cut_at_random(text, rng, rng.choice([3, 50, 700])):
        pieces.feed(chunk)
        if rng.random() < 0.02:
            pieces = jsonseam.Accumulator.resume(json.loads(json.dumps(pieces.checkpoint())))
    pieces.end_fragment()
    assert pieces.finish() == whole.finish()
    assert whole.value == value
    assert whole.complete

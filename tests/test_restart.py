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

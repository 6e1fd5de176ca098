"""The simulated model keeps its word: what it says stands for the document, and it gets to the end of it."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jsonseam.gateway import behaviours
from jsonseam.gateway.outline import Outline
from jsonseam.gateway.samples import KINDS, sample_text

DOCUMENT = '{"title": "a, b", "items": [{"n": 1}, {"n": 2}, {"n": 30}], "end": true}'
INSIDE_30 = DOCUMENT.index("30") + 1

# behaviour, where the answer must begin in the document, what it must say before that
TAKES_UP = [
    ("exact", INSIDE_30, ""),
    ("token", DOCUMENT.index("30"), ""),
    ("element", DOCUMENT.index('{"n": 30'), ""),
    ("restart", 0, ""),
    ("reopen", DOCUMENT.index('{"n": 30'), '{"items": ['),
    ("reopen-full", DOCUMENT.index('{"n": 30'), '{"title": "a, b", "items": ['),
]


@pytest.mark.parametrize(("behaviour", "at", "said"), TAKES_UP, ids=[row[0] for row in TAKES_UP])
def test_a_behaviour_takes_up_where_its_name_says(behaviour: str, at: int, said: str) -> None:
    turn = behaviours.go_on(behaviour, Outline(DOCUMENT), INSIDE_30, 999, random.Random(1))
    assert turn.text == said + DOCUMENT[at:]
    assert turn.finished
    assert turn.reach == len(DOCUMENT)


def test_echo_repeats_what_was_said_last() -> None:
    turn = behaviours.go_on("echo", Outline(DOCUMENT), INSIDE_30, 999, random.Random(1))
    assert DOCUMENT.endswith(turn.text)
    assert len(turn.text) >= len(DOCUMENT) - INSIDE_30 + 12


@pytest.mark.parametrize("seed", range(6))
def test_siblings_are_whole_items(seed: int) -> None:
    turn = behaviours.go_on("siblings", Outline(DOCUMENT), INSIDE_30, 999, random.Random(seed))
    starts = {DOCUMENT.index('{"n": 1'), DOCUMENT.index('{"n": 2')}
    assert len(DOCUMENT) - len(turn.text) in starts | {INSIDE_30}


def test_a_comma_is_forgotten_or_doubled() -> None:
    outline = Outline(DOCUMENT)
    behind_item = DOCUMENT.index('{"n": 2}') + len('{"n": 2}')
    stop = behaviours.begin("no-comma", outline, INSIDE_30, random.Random(1))
    assert DOCUMENT[: stop.reach] == stop.text
    assert stop.reach == behind_item
    assert behaviours.go_on("no-comma", outline, behind_item, 999, random.Random(1)).text.startswith('{"n": 30}')
    stop = behaviours.begin("extra-comma", outline, INSIDE_30, random.Random(1))
    assert stop.text == DOCUMENT[: behind_item + 1]
    assert behaviours.go_on("extra-comma", outline, behind_item + 1, 999, random.Random(1)).text.startswith(
        ', {"n": 30'
    )


def test_numbers_are_never_left_without_their_comma() -> None:
    document = "[97, 101, 103, 107, 109, 113]"
    outline = Outline(document)
    first = behaviours.begin("no-comma", outline, 12, random.Random(1))
    rest = behaviours.go_on("no-comma", outline, first.reach, 999, random.Random(1))
    assert first.text + rest.text == document


def test_no_apology_inside_a_string() -> None:
    outline = Outline(DOCUMENT)
    assert behaviours.refuse(outline, DOCUMENT.index("a, b") + 1, random.Random(1)) is None
    assert behaviours.refuse(outline, DOCUMENT.index("title") + 1, random.Random(1)) is None
    refusal = behaviours.refuse(outline, DOCUMENT.index("[") + 1, random.Random(1))
    assert refusal is not None
    assert refusal.refused


@settings(max_examples=150, deadline=None)
@given(
    behaviour=st.sampled_from(behaviours.BEHAVIOURS),
    kind=st.sampled_from(sorted(KINDS)),
    seed=st.integers(0, 50),
    budget=st.integers(60, 2500),
    limited=st.booleans(),
)
def test_a_client_that_joins_rightly_gets_the_whole_document(
    behaviour: str, kind: str, seed: int, budget: int, limited: bool
) -> None:
    outline = Outline(sample_text(f"{kind}-{seed}"))
    rng = random.Random(seed)
    limit = budget + 80 if limited else None
    turn = behaviours.begin(behaviour, outline, budget, rng, limit)
    reaches = [turn.reach]
    while not (turn.finished and turn.reach == len(outline.text)):
        room = behaviours.natural_room(behaviour, outline, budget, rng)
        turn = behaviours.go_on(behaviour, outline, reaches[-1], room, rng, limit)
        assert limit is None or len(turn.text) <= limit
        assert turn.reach >= reaches[-1]
        said = turn.text.removesuffix("\n```")
        if "restyled" not in behaviour and turn.reach < len(outline.text):
            assert outline.text[: turn.reach].endswith(said[-6:])
        reaches.append(turn.reach)
        assert len(reaches) <= 12 + 8 * len(outline.text) // budget


SCALARS = st.none() | st.booleans() | st.integers() | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@given(VALUES)
def test_other_whitespace_is_the_same_document(value: object) -> None:
    text = json.dumps(value, indent=3)
    said, behind = behaviours.restyle(text, 0, (",\n  ", " : "))
    assert json.loads(said) == value
    assert len(behind) == len(said)
    assert behind == sorted(behind)


@given(VALUES, st.data())
def test_the_outline_knows_every_open_container(value: object, data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(0, len(text)))
    opened, in_string, escaped = [], False, False
    for position, mark in enumerate(text[:cut]):
        if in_string:
            in_string = escaped or mark != '"'
            escaped = mark == "\\" and not escaped
        elif mark == '"':
            in_string = True
        elif mark in "[{":
            opened.append(position)
        elif mark in "]}":
            opened.pop()
    outline = Outline(text)
    assert [node.start for node in outline.open_path(cut)] == opened
    assert outline.inside_string(cut) == in_string


def test_depth_is_no_limit() -> None:
    outline = Outline("[" * 100_000 + "]" * 100_000)
    assert len(outline.open_path(100_000)) == 100_000


@pytest.mark.parametrize("text", ["", "[", "]", "{}{}", '{"a": [}'])
def test_half_a_document_has_no_outline(text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|unmatched|document"):
        Outline(text)


def test_arrays_have_the_paths_that_kpis_use() -> None:
    text = '{"sections": [{"elements": [{"items": [1, 2]}]}], "rows": [[1], [2]]}'
    assert [path for path, _ in Outline(text).arrays()] == [
        "sections",
        "sections[0].elements",
        "sections[0].elements[0].items",
        "rows",
        "rows[0]",
        "rows[1]",
    ]

"""What changes tell leads from one value to the next, whatever came: chunks, seams, faults, restarts."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jsonseam
from jsonseam import Accumulator, Change, replay
from tests.helpers import cut, cut_at_random, make_text, spelled

# What is delivered, chunk by chunk, and what is told after each chunk.
CASES: list[tuple[str, list[str], list[list[Change]]]] = [
    (
        "a string grows",
        ['{"name": "A', "d", 'a"}'],
        [
            [Change("", "set", {}), Change("/name", "set", "A")],
            [Change("/name", "grow", "d")],
            [Change("/name", "grow", "a")],
        ],
    ),
    (
        "items come",
        ["[1, [2], ", "3, {}", "]"],
        [[Change("", "set", [1, [2]])], [Change("/2", "set", 3), Change("/3", "set", {})], []],
    ),
    ("a number waits for its end", ['{"a/b": 12', "5}"], [[Change("", "set", {})], [Change("/a~1b", "set", 125)]]),
    ("a literal shows at once", ['{"a": tr', "ue}"], [[Change("", "set", {}), Change("/a", "set", True)], []]),
    ("a root that is no container", ['"a', 'b"'], [[Change("", "set", "a")], [Change("", "grow", "b")]]),
    ("nothing", ["  ", ""], [[], []]),
]


@pytest.mark.parametrize(("chunks", "told"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_told(chunks: list[str], told: list[list[Change]]) -> None:
    accumulator = Accumulator()
    assert accumulator.changes() == []
    for chunk, changes in zip(chunks, told, strict=True):
        accumulator.feed(chunk)
        assert accumulator.changes() == changes


def test_a_seam_that_replaces_the_cut_off_element_tells_it() -> None:
    accumulator = Accumulator()
    accumulator.add('{"rows": [{"id": 1, "name": "first row"}, {"id": 2, "name": "second row", "kind": "o')
    accumulator.changes()
    accumulator.add('{"id": 2, "name": "second row", "sort": "other"}]}')
    assert accumulator.seams[0].detail == "reworded"
    assert accumulator.changes()[0] == Change("/rows/1", "remove")


def test_the_first_call_tells_the_whole_value() -> None:
    accumulator = Accumulator()
    accumulator.feed('{"a": [1, {"b": [2, "x')
    assert replay(None, accumulator.changes()) == {"a": [1, {"b": [2, "x"]}]}
    assert accumulator.changes() == []


def hold(accumulator: Accumulator, value: Any) -> Any:
    value = replay(value, json_changes(accumulator.changes()))
    assert spelled(value) == spelled(accumulator.value)
    return value


def json_changes(changes: list[Change]) -> list[Change]:
    """As they come out at the other end of a wire, so that nothing can be shared with the live value."""
    return [Change(**json.loads(json.dumps({"path": c.path, "kind": c.kind, "value": c.value}))) for c in changes]


def follow(fragments: list[list[Any]], first_look: int = 0) -> None:
    """Feed the chunks, with a look after each from the `first_look`-th on."""
    accumulator, value, number = Accumulator(), None, 0
    for chunks in fragments:
        for chunk in [*chunks, None]:
            if chunk is None:
                accumulator.end_fragment()
            else:
                accumulator.feed(chunk)
            if number >= first_look:
                value = hold(accumulator, value)
            number += 1


JSONISH = st.text(alphabet="{}[]:,\"\\ abtrue123.-\n'", max_size=60)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(1, 40), st.booleans())
def test_replaying_gives_the_value_at_each_step(seed: int, mean: int, as_bytes: bool) -> None:
    """Documents cut into fragments, some of which say the end of the one before again, cut into chunks."""
    rng = random.Random(seed)
    text = make_text(rng)
    fragments, at = [], 0
    while at < len(text):
        size = rng.randint(1, max(2, len(text)))
        again = rng.choice((0, 0, rng.randint(0, min(at, 40)), at))
        fragment: Any = text[at - again : at + size]
        at += size
        fragments.append(cut_at_random(fragment.encode() if as_bytes else fragment, rng, mean))
    follow(fragments, first_look=rng.randrange(4))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(JSONISH, max_size=4), max_size=4))
def test_replaying_gives_the_value_of_what_is_no_json(fragments: list[list[str]]) -> None:
    follow(fragments)


FAULTS = [
    '{\'a\': \'b\', c: True, "d": "he said "no" twice", }',
    '[{"a": 1, "b": "x\ny"}, {"a": 2 "b": [1, 2}, 3]',
    '{"a": "one", "a": "two", "a": {"b": [1], "b": {"c": "d',
    '{"a": [1, 2], "a": "x\\uD83D", "a": tr, "b": nul',
    '```json\n{"a": [1, 2, "three"]}\n``` That is all.',
    '{"a": "b" "c": /* no */ "d", "e": [1,,2]}',
]


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize("text", FAULTS)
def test_replaying_gives_the_value_of_faulty_text(text: str, size: int) -> None:
    follow([cut(text, size)])
    follow([cut(text[: len(text) // 2], size), cut(text[len(text) // 2 :], size)])


def test_a_look_costs_what_came_not_what_is_there() -> None:
    """The records of a look are as many as what came in between, in a document of whatever length."""
    accumulator = Accumulator()
    accumulator.feed('{"rows": [')
    accumulator.changes()
    for number in range(2000):
        accumulator.feed(f'{{"id": {number}}}, ')
        assert len(accumulator.changes()) == 1
        journal = accumulator._parser.journal
        assert journal is not None
        assert not journal.events


def test_who_never_asks_keeps_nothing() -> None:
    accumulator = Accumulator()
    accumulator.add('{"a": [1, 2')
    assert accumulator._parser.journal is None
    assert jsonseam.join(['{"a": 1}']).value == {"a": 1}

"""Checkpoints: plain JSON; what is damaged, foreign or of another version is refused. See also test_properties."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import jsonseam


def taken(text: str = '{"a": [1, "x', **options: Any) -> dict[str, Any]:
    accumulator = jsonseam.Accumulator([jsonseam.Kpi("n", "a", target=3, description="items")], **options)
    accumulator.feed(text)
    return accumulator.checkpoint()


def test_it_is_plain_json() -> None:
    state = taken()
    assert json.loads(json.dumps(state, allow_nan=False)) == state


def test_a_checkpoint_is_not_changed_by_what_comes_later() -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.add('{"a": [1, ')
    state = accumulator.checkpoint()
    before = json.dumps(state)
    accumulator.add("2, 'x'], }")
    assert json.dumps(state) == before
    resumed = jsonseam.Accumulator.resume(state)
    resumed.add("3]}")
    assert json.dumps(state) == before
    assert resumed.finish().value == {"a": [1, 3]}


def test_everything_that_was_told_is_there_again() -> None:
    accumulator = jsonseam.Accumulator(strict=False, max_depth=9, max_size=99, max_held=50)
    accumulator.add("Sure:\n{'a': [1, \"\0x\", ")
    accumulator.add('"x", {"b": tru')
    resumed = jsonseam.Accumulator.resume(accumulator.checkpoint())
    for name in ("value", "text", "status", "complete", "kpis", "path", "depth", "seams", "repairs"):
        assert getattr(resumed, name) == getattr(accumulator, name), name
    assert resumed.finish() == accumulator.finish()
    with pytest.raises(jsonseam.LimitExceeded):
        resumed.add('e, "c": ' + "[" * 9)


def test_strict_stays_strict() -> None:
    resumed = jsonseam.Accumulator.resume(taken(strict=True))
    with pytest.raises(jsonseam.MalformedError):
        resumed.add('", oops]}')


def changed(state: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    state = copy.deepcopy(state)
    node = state
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    return state


FOREIGN: list[tuple[str, Any]] = [
    ("nothing", {}),
    ("None", None),
    ("a list", []),
    ("a string", "state"),
    ("another format", {"format": "else", "version": 1, "state": {}}),
    ("no state", {"format": "jsonseam.accumulator", "version": 1}),
    ("a list for a state", {"format": "jsonseam.accumulator", "version": 1, "state": [], "digest": ""}),
    ("no digest", {"format": "jsonseam.accumulator", "version": 1, "state": {}}),
    ("no JSON", {"format": "jsonseam.accumulator", "version": 1, "state": {"a": object()}, "digest": ""}),
]


@pytest.mark.parametrize("state", [state for _, state in FOREIGN], ids=[name for name, _ in FOREIGN])
def test_foreign(state: Any) -> None:
    with pytest.raises(jsonseam.StateError) as caught:
        jsonseam.Accumulator.resume(state)
    assert caught.value.expected


@pytest.mark.parametrize("version", [0, 2, "1", None, 99])
def test_another_version_is_named(version: Any) -> None:
    with pytest.raises(jsonseam.StateError) as caught:
        jsonseam.Accumulator.resume(changed(taken(), ("version",), version))
    assert repr(version) in str(caught.value)
    assert "version 1" in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("state", "text"), '{"b": [1, "x'),
        (("state", "phase"), "body "),
        (("state", "limits"), [1, 2]),
        (("state", "report", "malformed"), True),
        (("digest",), "0" * 64),
        (("state", "kpis"), []),
        (("state", "more"), 1),
    ],
)
def test_a_changed_one_is_damaged(path: tuple[Any, ...], value: Any) -> None:
    with pytest.raises(jsonseam.StateError, match="damaged"):
        jsonseam.Accumulator.resume(changed(taken(), path, value))


@pytest.mark.parametrize("name", sorted(taken()["state"]))
@pytest.mark.parametrize("value", [None, -1, "?", [], {}, [[]], "\ud800"])
def test_a_state_with_a_right_digest_that_makes_no_sense_is_refused_or_harmless(name: str, value: Any) -> None:
    """Somebody wrote it by hand: whatever it says, nothing but our errors comes out."""
    import hashlib

    state = changed(taken(), ("state", name), value)
    text = json.dumps(state["state"], sort_keys=True, ensure_ascii=True, allow_nan=False)
    state["digest"] = hashlib.sha256(text.encode()).hexdigest()
    try:
        accumulator = jsonseam.Accumulator.resume(state)
        accumulator.add('x"]}')
        accumulator.finish()
    except jsonseam.JsonSeamError:
        return
    assert accumulator.status in ("empty", "partial", "complete", "malformed")


@pytest.mark.parametrize("text", ['[{"a": 1},\\{"i": 2}]', '{"a": "x\\"y\\\\"}', "[1, \\[2]]", '{"a": 1 \\, "b": 2}'])
def test_it_can_be_taken_behind_each_character_of_faulty_text(text: str) -> None:
    whole = jsonseam.join([text])
    accumulator = jsonseam.Accumulator()
    for character in text:
        accumulator.feed(character)
        accumulator = jsonseam.Accumulator.resume(accumulator.checkpoint())
    accumulator.end_fragment()
    assert accumulator.finish() == whole


def test_an_unfinished_token_with_a_fault_in_it_can_be_taken_behind_a_huge_integer() -> None:
    text = '{"a": ' + "9" * 30 + ', "b": "' + "lorem ipsum\ndolor " * 30 + '"}'
    plain, resumed = jsonseam.Accumulator(), jsonseam.Accumulator()
    for at in range(0, len(text), 100):
        plain.feed(text[at : at + 100])
        resumed.feed(text[at : at + 100])
        resumed = jsonseam.Accumulator.resume(resumed.checkpoint())
    assert resumed.end_fragment() == plain.end_fragment()
    assert resumed.finish() == plain.finish()

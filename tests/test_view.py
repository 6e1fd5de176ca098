"""The live view is stable: read after every character, nothing that was shown is lost, and what changes only grows."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest

import jsonseam
from tests.helpers import DATA, leaves, make_text, spelled

NOTHING = object()


def is_growth(before: Any, after: Any) -> bool:
    """May a leaf that showed `before` show `after`? Containers come as (type, number of children)."""
    if isinstance(before, tuple) and isinstance(after, tuple):
        return before[0] is after[0] and before[1] <= after[1]
    if isinstance(before, str) and isinstance(after, str):
        return after.startswith(before)
    return spelled(before) == spelled(after)


def is_part(part: Any, whole: Any) -> bool:
    """Is a view a part of the whole value? Each leaf has grown, or grows still, into the whole one's."""
    there = dict(leaves(whole))
    return all(is_growth(leaf, there.get(path, NOTHING)) for path, leaf in leaves(part))


def watch(text: str) -> list[str]:
    """Feed character by character, read after each; what is not stable, in words."""
    accumulator = jsonseam.Accumulator()
    faults: list[str] = []
    before: dict[str, Any] = {}
    for at, char in enumerate(text):
        accumulator.feed(char)
        value = accumulator.value
        now = {} if value is None and "" not in before else dict(leaves(value))
        for path, leaf in before.items():
            if path not in now:
                faults.append(f"{text[: at + 1]!r}: {path} is lost")
            elif not is_growth(leaf, now[path]):
                faults.append(f"{text[: at + 1]!r}: {path} was {leaf!r} and is {now[path]!r}")
        faults += [
            f"{text[: at + 1]!r}: {path} shows a lone surrogate"
            for path, leaf in now.items()
            if isinstance(leaf, str) and any("\ud800" <= c <= "\udfff" for c in leaf)
        ]
        before = now
    if not is_part(accumulator.value, json.loads(text)):
        faults.append(f"{text!r}: the end shows {accumulator.value!r}")
    return faults


def test_the_watch_sees_what_is_not_stable() -> None:
    assert not is_growth("ab", "a")
    assert not is_growth(12, 128)
    assert not is_growth((list, 2), (list, 1))
    assert not is_part({"a": [1, 2]}, {"a": [1]})
    assert is_part({"a": ["x"]}, {"a": ["xy", 2], "b": 1})


@pytest.mark.parametrize("block", range(8))
def test_200_documents_over_all_their_prefixes(block: int) -> None:
    rng = random.Random(block)
    for _ in range(25):
        text = make_text(rng)
        assert watch(text) == []


def test_a_real_document_over_all_its_prefixes() -> None:
    text = json.dumps(json.loads((DATA / "tweets.json").read_text("utf-8"))["statuses"][0]["user"])
    assert watch(text) == []


# delivered | what the view shows
SHOWN: list[tuple[str, Any]] = [
    ("", None),
    ("  ", None),
    ("{", None),  # so far it may be prose that begins with a brace
    ('{"', {}),
    ('{"a', {}),
    ('{"a"', {}),
    ('{"a":', {}),
    ('{"a": "', {"a": ""}),
    ('{"a": "x', {"a": "x"}),
    ('{"a": "x\\', {"a": "x"}),
    ('{"a": "x\\u00e', {"a": "x"}),
    ('{"a": "x\\u00e9', {"a": "xé"}),
    ('{"a": "x\\ud83d', {"a": "x"}),
    ('{"a": "x\\ud83d\\ude0', {"a": "x"}),
    ('{"a": "x\\ud83d\\ude00', {"a": "x😀"}),
    ('{"a": "x"', {"a": "x"}),
    ('{"a": "x", ', {"a": "x"}),
    ('{"a": t', {"a": True}),
    ('{"a": fals', {"a": False}),
    ('{"a": n', {"a": None}),
    ("[", None),
    ("[1", None),
    ("[1,", [1]),
    ("[0, 1", [0]),
    ("[0, 12", [0]),
    ("[0, 12 ", [0, 12]),
    ("[0, 12,", [0, 12]),
    ("[0, -", [0]),
    ("[0, 1.", [0]),
    ("[0, 1e", [0]),
    ("[0, tr", [0, True]),
    ("[true]", [True]),
    ("[1, 2", [1]),
    ("[[1], [", [[1], []]),
    ('["', [""]),
    ('["a", "b', ["a", "b"]),
    ('{"a": 1, "a": "x', {"a": "x"}),
    ('"', ""),
    ('"abc', "abc"),
    ("tr", True),
    ("[1, 2]", [1, 2]),
]


@pytest.mark.parametrize(("delivered", "shown"), SHOWN)
def test_what_is_shown(delivered: str, shown: Any) -> None:
    for size in (1, max(1, len(delivered))):
        accumulator = jsonseam.Accumulator()
        for at in range(0, len(delivered), size):
            accumulator.feed(delivered[at : at + size])
        assert spelled(accumulator.value) == spelled(shown)
        assert spelled(accumulator.value) == spelled(shown), "looking changes nothing"


@pytest.mark.parametrize("opening", ['{"a": "', '["'])
@pytest.mark.parametrize("piece", ["sixteen letters ", "é😀 words in a \\n"])
def test_a_long_string_grows_where_it_stands(opening: str, piece: str) -> None:
    """A copy at each look would cost the square of its length, and never lie where the one before still does.

    One that grows is moved now and then, the oftener the fuller the memory is.
    """
    accumulator = jsonseam.Accumulator()
    accumulator.feed(opening)
    places = []
    for _ in range(2000):
        accumulator.feed(piece)
        value: Any = accumulator.value
        places.append(id(value["a"] if opening[0] == "{" else value[0]))
    assert sum(before != after for before, after in pairwise(places)) < 1500


def test_a_value_looked_at_often_ends_as_one_never_looked_at() -> None:
    rng = random.Random(99)
    for _ in range(40):
        text = make_text(rng)
        watched = jsonseam.Accumulator()
        for char in text:
            watched.feed(char)
            assert watched.kpis == {}
            value = watched.value
            if isinstance(value, (dict, list)):
                assert watched.value is value  # the tree itself, no copy of it
        watched.end_fragment()
        assert spelled(watched.finish().value) == spelled(json.loads(text))
        assert watched.text.strip() == text.strip()


# delivered | path | depth
PLACES = [
    ("", "", 0),
    ("{", "", 0),
    ('{"', "", 1),
    ('{"a"', "", 1),
    ('{"a":', "/a", 1),
    ('{"a": [', "/a", 2),
    ('{"a": [1', "/a/0", 2),
    ('{"a": [1,', "/a", 2),
    ('{"a": [1, "x', "/a/1", 2),
    ('{"a": [1, {"b/c": {"~": n', "/a/1/b~1c/~0", 4),
    ('{"a": [1]', "", 1),
    ('{"a": [1]}', "", 0),
]


@pytest.mark.parametrize(("delivered", "path", "depth"), PLACES)
def test_path_and_depth(delivered: str, path: str, depth: int) -> None:
    for look in (False, True):
        accumulator = jsonseam.Accumulator()
        for char in delivered:
            accumulator.feed(char)
            if look:
                json.dumps(accumulator.value)  # a look moves nothing
        assert (accumulator.path, accumulator.depth) == (path, depth)

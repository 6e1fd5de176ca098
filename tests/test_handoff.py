"""Items handed off: each once, in order, and only when nothing takes it back; memory stays flat; all else goes on."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jsonseam
from jsonseam import Accumulator, HandoffError, Kpi, StateError
from tests.helpers import ROOT, cut, cut_at_random

ROWS = "sections[*].elements[*].rows"
KPIS = [
    Kpi("rows", ROWS),
    Kpi("sum", ROWS + "[*].id"),
    Kpi("sixth", "sections[0].elements[0].rows[5].id"),
    Kpi("first", "sections[0].elements[0].rows"),
    Kpi("numbers", "numbers"),
    Kpi("second", "numbers[1]"),
    Kpi("members", "members"),
    Kpi("member", "members.k3.id"),
]


def row(number: int) -> dict[str, Any]:
    return {"id": number, "name": f"name {number} \\ é😀", "tags": ["a", None, True, 1.5]}


def document(rows: int, seed: int = 0) -> dict[str, Any]:
    rng = random.Random(seed)

    def size() -> int:
        return rng.randint(0, 2 * rows)

    elements = [[{"kind": "table", "rows": [row(n) for n in range(size())]} for _ in range(2)] for _ in range(3)]
    return {
        "title": "a report",
        "sections": [{"id": number, "elements": these} for number, these in enumerate(elements)],
        "numbers": [rng.randrange(10**6) for _ in range(4 * size())],
        "members": {f"k{n}" + rng.choice(("", '"', "/~", "\\")): row(n) for n in range(size())},
        "end": True,
    }


def put_back(value: Any, handed: list[tuple[Any, str]]) -> Any:
    """The value with what was handed off in front of what is left; the pointers must count from 0 without a gap."""
    value = json.loads(json.dumps(value))
    groups: dict[str, dict[str, Any]] = {}
    for item, where in handed:
        above, _, name = where.rpartition("/")
        group = groups.setdefault(above, {})
        assert name not in group, f"{where} was handed off twice"
        group[name] = item
    for above, group in groups.items():
        node = value
        for name in above.split("/")[1:]:
            node = node[int(name) if isinstance(node, list) else name.replace("~1", "/").replace("~0", "~")]
        if isinstance(node, list):
            assert list(group) == [str(number) for number in range(len(group))], f"{above} came out of order"
            node[:0] = group.values()
        else:
            node.update({name.replace("~1", "/").replace("~0", "~"): item for name, item in group.items()})
    return value


# ------------------------------------------------------------ whole documents
PATHS = [ROWS, "numbers", "members", "sections", "sections[*].elements", "$", "sections[1].elements[*].rows", "nothing"]


@pytest.mark.parametrize("size", [1, 60, 5000, 1 << 20])
@pytest.mark.parametrize("path", PATHS)
def test_each_item_once_in_order_and_nothing_else_changes(path: str, size: int) -> None:
    value = document(80)
    text = json.dumps(value, ensure_ascii=False)
    handed: list[tuple[Any, str]] = []
    accumulator = Accumulator(KPIS, handoff={path: lambda item, where: handed.append((item, where))})
    plain = Accumulator(KPIS)
    for number, chunk in enumerate(cut(text, size)):
        accumulator.feed(chunk)
        plain.feed(chunk)
        if size > 1 or number % 50 == 0:
            assert accumulator.path == plain.path
            assert accumulator.kpis == plain.kpis
        if number % 500 == 0:
            assert text.startswith(accumulator.text, accumulator.finish().begins)
    assert accumulator.end_fragment() == plain.end_fragment()
    assert accumulator.kpis == plain.kpis
    assert put_back(accumulator.value, handed) == value
    assert accumulator.finish().complete
    assert len(accumulator.text) < 30_000 < len(text)


def test_what_is_left_of_a_complete_document() -> None:
    handed: list[tuple[Any, str]] = []
    accumulator = Accumulator(
        handoff={"a.b": lambda *what: handed.append(what), "c": lambda *what: handed.append(what)}
    )
    accumulator.add('{"a": {"b": [1, [2], {"x": "y"}]}, "c": {"d/e": 1, "f": {}}, "g": [1]}')
    assert accumulator.value == {"a": {"b": []}, "c": {}, "g": [1]}
    assert handed == [(1, "/a/b/0"), ([2], "/a/b/1"), ({"x": "y"}, "/a/b/2"), (1, "/c/d~1e"), ({}, "/c/f")]


def test_nothing_goes_while_a_seam_could_take_it_back() -> None:
    """The cut-off element is said again in other words: its rows are handed off once, as they are said last."""
    handed: list[Any] = []
    accumulator = Accumulator(handoff={"s[*].rows": lambda item, _: handed.append(item)})
    accumulator.add(
        '{"s": [{"id": 1, "name": "the first one", "rows": [1, 2]}, {"id": 2, "name": "second", "rows": [3, 4'
    )
    assert handed == []
    accumulator.add('{"id": 2, "name": "second", "note": "more", "rows": [5, 6, 7]}]}')
    assert accumulator.seams[0].detail == "reworded"
    assert handed == [1, 2, 5, 6, 7]


def test_hand_off_says_that_no_more_comes() -> None:
    handed: list[Any] = []
    accumulator = Accumulator(handoff={"$": lambda item, _: handed.append(item)})
    accumulator.feed('[1, "two", {"three": [3]}, ["fo')
    accumulator.hand_off()
    assert handed == [1, "two", {"three": [3]}]
    assert accumulator.value == [["fo"]]
    assert accumulator.finish().value == [["fo"]]
    accumulator.feed('ur"], 5]')
    accumulator.end_fragment()
    assert handed[3:] == [["four"], 5]
    assert accumulator.complete


# what came before no more was said to come | what is left of it | what comes all the same | how many went in all
NOTHING_IN_FRONT: list[tuple[str, Any, str, int]] = [
    ('[1, "a', ["a"], 'b", 2]', 3),
    ('[1, "a"', ["a"], ", 2]", 3),
    ("[1, tr", [True], "ue]", 2),
    ("[1, 2", [], "3]", 2),
    ("[1,", [], "]", 1),
    ("[[1], ", [], "[2]]", 2),
    ('{"a": 1, "b": "c', {"b": "c"}, 'd"}', 2),
    ('{"a": 1, "b"', {}, ": 2}", 2),
    ('{"a": 1, "": "c', {"": "c"}, 'd"}', 2),
    ('{"": 1, "b": "c', {"b": "c"}, 'd"}', 2),
]


@pytest.mark.parametrize(("came", "left", "comes", "count"), NOTHING_IN_FRONT)
def test_what_is_open_is_read_although_all_in_front_of_it_left(came: str, left: Any, comes: str, count: int) -> None:
    outcomes = []
    for resumed in (False, True):
        handed: list[tuple[Any, str]] = []
        handoff = {"$": lambda *what, handed=handed: handed.append(what)}
        accumulator = Accumulator([Kpi("all", "$")], handoff=handoff)
        accumulator.feed(came)
        accumulator.hand_off()
        if resumed:
            accumulator = Accumulator.resume(json.loads(json.dumps(accumulator.checkpoint())), handoff=handoff)
        assert accumulator.finish().value == left
        step = accumulator.add(comes)
        outcomes.append((handed, step, accumulator.finish(), accumulator.closed))
    assert outcomes[0] == outcomes[1]
    assert (len(handed), step.complete, step.kpis) == (count, True, {"all": count})


def test_a_document_that_is_cut_keeps_what_was_not_handed_off() -> None:
    text = json.dumps([row(n) for n in range(400)], ensure_ascii=False)[:-30]
    handed: list[tuple[Any, str]] = []
    accumulator = Accumulator(handoff={"$": lambda *what: handed.append(what)})
    accumulator.add(text)
    document, plain = accumulator.finish(), jsonseam.join([text])
    assert 0 < len(handed) < 400
    assert put_back(document.value, handed) == plain.value
    assert document.text == plain.text[document.begins :]
    assert (document.repairs, document.unsafe, document.complete) == (plain.repairs, plain.unsafe, False)
    for repair in document.repairs:
        at = repair.offset - document.begins
        assert document.text[at : at + len(repair.after)] == repair.after


# ------------------------------------------------------------ seams
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1 << 32), st.sampled_from(PATHS))
def test_seams_mends_and_checkpoints_go_on_as_without_a_handoff(seed: int, path: str) -> None:
    """The same fragments, some of which say the end or all of the document again, with and without a hand-off."""
    rng = random.Random(seed)
    text = json.dumps(document(rng.choice((2, 15, 30)), seed), ensure_ascii=rng.random() < 0.5)
    handed: list[tuple[Any, str]] = []
    handoff = {path: lambda item, where: handed.append((item, where))}
    accumulator, plain = Accumulator(KPIS, handoff=handoff), Accumulator(KPIS)
    at = 0
    while at < len(text):
        again = rng.choice((0, 0, rng.randint(0, min(at, 300)), at))
        end = at + rng.randint(1, len(text) // 2)
        for chunk in cut_at_random(text[at - again : end], rng, 2000):
            accumulator.feed(chunk)
            plain.feed(chunk)
        step, other = accumulator.end_fragment(), plain.end_fragment()
        assert told(step) == told(other)
        assert accumulator.closed == plain.closed
        at = end
        if rng.random() < 0.3:
            state = json.loads(json.dumps(accumulator.checkpoint()))
            accumulator = Accumulator.resume(state, handoff=handoff)
    assert accumulator.kpis == plain.kpis
    assert put_back(accumulator.finish().value, handed) == plain.finish().value


def told(step: jsonseam.Step) -> jsonseam.Step:
    """Without the words in which a restart is told that was known by its digests."""
    return replace(step, seam=step.seam and replace(step.seam, reason="", detail="", sure=1.0, candidates=(), seen=0))


def far() -> tuple[str, Accumulator, list[Any]]:
    """A text, an accumulator that got most of it and holds the end, and what it handed off."""
    text = json.dumps({"rows": [row(n) for n in range(1000)], "end": True}, ensure_ascii=False)
    handed: list[Any] = []
    accumulator = Accumulator(handoff={"rows": lambda item, _: handed.append(item)})
    accumulator.add(text[:60_000])
    assert accumulator.finish().begins > 40_000
    return text, accumulator, handed


@pytest.mark.parametrize("indent", [None, 1])
def test_a_restart_beyond_the_window_that_gets_further_is_joined(indent: int | None) -> None:
    text, accumulator, handed = far()
    step = accumulator.add(json.dumps(json.loads(text), ensure_ascii=False, indent=indent))
    assert step.seam is not None
    assert (step.seam.kind, step.complete) == ("restart", True)
    assert "digests" in step.seam.reason
    assert handed == [row(n) for n in range(1000)]


@pytest.mark.parametrize("length", [700, 4000, 20_000, 50_000, 59_000])
def test_a_restart_beyond_the_window_that_says_nothing_new_is_told(length: int) -> None:
    text, accumulator, handed = far()
    before = accumulator.text
    step = accumulator.add(text[:length])
    assert step.seam is not None
    assert (step.seam.kind, step.seam.dropped, step.seam.detail) == ("restart", length, "nothing-new")
    assert accumulator.text == before
    assert accumulator.add(text[60_000:]).complete
    assert handed == [row(n) for n in range(1000)]


def test_a_restart_in_other_words_cannot_take_back_what_was_handed_off() -> None:
    text, accumulator, handed = far()
    step = accumulator.add(text.replace("name 7 ", "naming 7 "))
    assert step.seam is not None
    assert (step.seam.kind, step.seam.dropped) == ("restart", len(text.replace("name 7 ", "naming 7 ")))
    assert "in other words" in step.seam.reason
    assert accumulator.add(text[60_000:]).complete
    assert handed == [row(n) for n in range(1000)]


# ------------------------------------------------------------ callers
def test_what_a_callback_raises_goes_out_and_nothing_is_lost() -> None:
    handed: list[Any] = []

    def call(item: Any, where: str) -> None:
        if item == 2 and where not in refused:
            refused.add(where)
            raise OSError("the disk is full")
        handed.append(item)

    refused: set[str] = set()
    accumulator = Accumulator(handoff={"$": call})
    with pytest.raises(OSError, match="full"):
        accumulator.feed(json.dumps(list(range(30_000))))
    accumulator.end_fragment()
    assert accumulator.complete
    assert handed == [number for number in range(30_000) if number != 2]


def test_an_item_is_the_callers_own() -> None:
    """What the caller does with it changes nothing here: not the seams, not the checkpoints."""
    text = json.dumps([row(n) for n in range(400)])

    def deliver(change: bool) -> jsonseam.Document:
        def call(item: Any, where: str) -> None:
            if change:
                item.clear()
                item["self"] = item

        accumulator = Accumulator(handoff={"$": call})
        accumulator.add(text[:30_000])
        accumulator = Accumulator.resume(accumulator.checkpoint(), handoff={"$": call})
        accumulator.add(text[29_500:])
        return accumulator.finish()

    assert deliver(change=True) == deliver(change=False)
    assert deliver(change=True).complete


def test_very_deep_items_leave_too() -> None:
    deep = 3000
    handed: list[Any] = []
    accumulator = Accumulator(handoff={"$": lambda item, _: handed.append(item)}, max_depth=deep + 9)
    text = "[" + ",".join("[" * deep + "]" * deep for _ in range(5))
    accumulator.add(text)
    state = accumulator.checkpoint()
    assert len(handed) >= 2
    accumulator = Accumulator.resume(state, handoff={"$": lambda item, _: handed.append(item)})
    accumulator.add("]")
    assert accumulator.complete
    assert len(handed) == 5


def test_changes_tell_what_was_handed_off_too() -> None:
    value: Any = None
    accumulator = Accumulator(handoff={"rows": lambda *_: None})
    accumulator.changes()
    text = json.dumps({"rows": [row(n) for n in range(500)]})
    for chunk in cut(text, 3000):
        accumulator.feed(chunk)
        value = jsonseam.replay(value, accumulator.changes())
    assert value == json.loads(text)


def test_the_first_look_at_changes_comes_before_the_first_item_leaves() -> None:
    accumulator = Accumulator(handoff={"$": lambda *_: None})
    accumulator.add("[1, 2]")
    with pytest.raises(StateError, match="handed off"):
        accumulator.changes()


@pytest.mark.parametrize(
    ("paths", "problem"),
    [
        (["rows[-1]"], "rows\\[-1\\]"),
        (["a..b"], "a..b"),
        (["rows", "$.rows"], "may stand in"),
        (["a", "a[*].b"], "may stand in"),
        (["a[*].b", "a[3].b"], "may stand in"),
        (["$", "a"], "may stand in"),
    ],
)
def test_paths_that_cannot_be(paths: list[str], problem: str) -> None:
    with pytest.raises(HandoffError, match=problem):
        Accumulator(handoff={path: lambda *_: None for path in paths})


def test_a_checkpoint_wants_its_callbacks_again() -> None:
    accumulator = Accumulator(handoff={"a": lambda *_: None})
    accumulator.add('{"a": [1, 2')
    state = accumulator.checkpoint()
    with pytest.raises(StateError, match="other paths"):
        Accumulator.resume(state)
    with pytest.raises(StateError, match="other paths"):
        Accumulator.resume(state, handoff={"b": lambda *_: None})
    assert Accumulator.resume(state, handoff={"a": lambda *_: None}).value == {"a": [1]}


# ------------------------------------------------------------ items
def test_items_of_answers_of_chunks_and_of_mixtures() -> None:
    text = json.dumps({"rows": [row(n) for n in range(300)], "end": 1}, ensure_ascii=False)
    rows = [row(n) for n in range(300)]
    assert list(jsonseam.items([text], "rows")) == rows
    assert list(jsonseam.items([cut(text.encode(), 7)], "rows")) == rows
    assert list(jsonseam.items([text[:9000], cut(text[8960:20_000], 100), text[20_000:]], "rows")) == rows
    assert list(jsonseam.items(['[1, \'two\', {"three": [3]}, "fo'], "$")) == [1, "two", {"three": [3]}]
    assert list(jsonseam.items(["no JSON at all"], "$")) == []


def test_items_come_before_the_end_of_the_stream() -> None:
    taken = 0

    def chunks() -> Iterator[str]:
        nonlocal taken
        for chunk in cut(json.dumps([row(n) for n in range(1000)]), 500):
            taken += len(chunk)
            yield chunk

    stream = jsonseam.items([chunks()], "$")
    assert next(stream) == row(0)
    assert taken < 20_000
    assert len(list(stream)) == 999


STREAM = """
import json, sys
import jsonseam

def chunks(size):
    row = json.dumps({"id": 1, "name": "a customer", "tags": ["a", "b"], "note": "text that is a bit longer"})
    portion = (row + ", ") * 500
    yield '{"rows": ['
    for _ in range(size // len(portion)):
        yield portion
    yield row + "]}"

def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))

count = sum(1 for _ in jsonseam.items([chunks(int(sys.argv[1]) << 20)], "rows"))
print(count, peak())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak of the resident size is read from /proc")
def test_memory_is_flat() -> None:
    """Peaks of two processes, in kB: 12 times the text, a few MB more at the most."""

    def measured(size: int) -> tuple[int, int]:
        command = [sys.executable, "-c", STREAM, str(size)]
        count, peak = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split()
        return int(count), int(peak)

    (few, small), (many, large) = measured(1), measured(12)
    assert many > 11 * few
    assert large - small < 4_000

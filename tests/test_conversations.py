"""Forty conversations with a real small model, replayed: nothing shrinks or escapes, and it joins as approved by eye.

`data/conversations.jsonl` is what `python -m benchmarks.conversations` recorded; each line has the answers and, for
each seam, the join that a reader holds `right`. Where jsonseam decides otherwise, the seam has `now`, what it does, and
`why` that is wrong: such a seam may only get better, and what follows it is then another conversation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import jsonseam
from tests.helpers import DATA, deliver, spelled

TALKS = [json.loads(line) for line in (DATA / "conversations.jsonl").read_text("utf-8").splitlines()]
PREFILLED = [talk for talk in TALKS if talk["way"] == "prefill"]
Join = dict[str, Any]

by_name = {"ids": lambda talk: talk["name"]}


def join_of(seam: jsonseam.Seam | None) -> Join:
    """What a seam did to the text, without how it is told; there is none where no document has begun."""
    if seam is None:
        return {"kind": "no document yet"}
    return {"kind": seam.kind, "dropped": seam.dropped, "replaced": len(seam.replaced), "inserted": seam.inserted}


def steps(talk: Join) -> Iterator[tuple[jsonseam.Accumulator, jsonseam.Step]]:
    accumulator = jsonseam.Accumulator()
    for fragment in talk["fragments"]:
        yield accumulator, accumulator.add(fragment)


def scalars(value: Any) -> int:
    """How many there are, however deep; one that is still withheld does not count."""
    todo, count = [value], 0
    while todo:
        node = todo.pop()
        if isinstance(node, dict | list):
            todo += node.values() if isinstance(node, dict) else node
        else:
            count += node is not None
    return count


def test_they_are_forty_half_by_prefill_with_three_to_eight_answers_each() -> None:
    assert len(TALKS) == 40 == len({talk["name"] for talk in TALKS})
    assert len(PREFILLED) == 20
    assert all(2 <= len(talk["fragments"]) <= 8 for talk in TALKS)
    assert all(len(talk["seams"]) == len(talk["fragments"]) - 1 for talk in TALKS)


@pytest.mark.parametrize("talk", TALKS, **by_name)
def test_no_answer_makes_the_document_shrink(talk: Join) -> None:
    held = 0
    for accumulator, _ in steps(talk):
        now = scalars(accumulator.value)
        assert now >= held - 1, "more than one unfinished scalar is gone"
        held = max(held, now)


@pytest.mark.parametrize("talk", TALKS, **by_name)
def test_what_comes_out_is_json_however_it_streams(talk: Join) -> None:
    whole = deliver([[fragment] for fragment in talk["fragments"]])
    pieces = deliver([[fragment[at : at + 7] for at in range(0, len(fragment), 7)] for fragment in talk["fragments"]])
    assert whole.told() == pieces.told()
    for accumulator, step in steps(talk):
        if step.status == "empty":
            continue  # prose alone
        document = accumulator.finish()
        assert spelled(json.loads(document.text)) == spelled(document.value)


@pytest.mark.parametrize("talk", TALKS, **by_name)
def test_it_joins_as_approved(talk: Join) -> None:
    made = [join_of(step.seam) for _, step in steps(talk)][1:]
    for number, (join, told) in enumerate(zip(made, talk["seams"], strict=True), start=1):
        right = told["right"].items() <= join.items()
        assert right or join == told.get("now"), f"seam {number}: {join}"
        if right and "now" in told:
            return  # better than it was; behind it the recorded joins are those of another text


def test_few_joins_are_known_to_be_wrong_and_each_says_why() -> None:
    seams = [seam for talk in TALKS for seam in talk["seams"]]
    wrong = [seam for seam in seams if "now" in seam]
    assert all(seam["why"] and not seam["right"].items() <= seam["now"].items() for seam in wrong)
    assert (len(seams), len(wrong)) == (156, 2)


def well_written(text: str) -> bool:
    """Is it JSON, cut or whole, that needs no mending?"""
    try:
        jsonseam.Accumulator(strict=True).add(text)
    except jsonseam.MalformedError:
        return False
    return True


def test_told_that_it_was_a_prefill_it_makes_what_the_answers_make_in_one_piece() -> None:
    known = [talk for talk in PREFILLED if well_written("".join(talk["fragments"]))]
    assert len(known) == 18
    for talk in known:
        accumulator = jsonseam.Accumulator()
        for number, fragment in enumerate(talk["fragments"]):
            if number:
                accumulator.expect("continue")
            accumulator.add(fragment)
        whole = jsonseam.join(["".join(talk["fragments"])])
        assert spelled(accumulator.finish().value) == spelled(whole.value), talk["name"]

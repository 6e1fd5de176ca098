"""Where the evidence does not decide: what a seam tells of it, and how the caller decides instead."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import jsonseam
from jsonseam import Candidate
from tests.helpers import check_join, deliver

BOTH = "I'm sorry, but I can't help with that request."
# what is in doubt | held | fragment | by default and literally | as an echo
IN_DOUBT: list[tuple[str, str, str, Any, Any]] = [
    ("digits", '{"total":1289', '1289450, "a": 1}', {"total": 12891289450, "a": 1}, {"total": 1289450, "a": 1}),
    ("a blank", '{"to":"Dear ', ' friends"}', {"to": "Dear  friends"}, {"to": "Dear friends"}),
]
# what is in doubt, and neither word changes anything | held | fragment | value
UNCHANGED: list[tuple[str, str, str, Any]] = [
    ("a remark", '{"intro":"We began in ', BOTH, {"intro": "We began in " + BOTH}),
    (
        "other words",
        '{"a":[{"i":3,"w":"oak"},{"i":4,"w":"pi',
        '{"i":4,"w":"spruce"},{"i":5,"w":"yew"}]}',
        {"a": [{"i": 3, "w": "oak"}, {"i": 4, "w": "spruce"}, {"i": 5, "w": "yew"}]},
    ),
]
# what is certain, so that nobody is asked | held | fragment
CERTAIN: list[tuple[str, str, str]] = [
    ("goes on", '{"names": ["Ada", "Gra', 'ce"]}'),
    ("an echo", '{"names": ["Ada Lovelace", "Gra', '"Ada Lovelace", "Grace"]}'),
    ("a token again", '{"a": tr', "true}"),
    ("no data", '{"a": [1, 2', "I cannot go on with this."),
    ("nothing", '{"a": [1, 2', ""),
]


def rejecting(candidates: Sequence[Candidate]) -> Candidate:
    """The candidate that takes nothing of the fragment, where there is one."""
    return next((one for one in candidates if one.kind == "rejected"), candidates[0])


def never(candidates: Sequence[Candidate]) -> Candidate:
    raise AssertionError("asked without a doubt")


@pytest.mark.parametrize(
    ("held", "fragment", "literal", "echo"), [row[1:] for row in IN_DOUBT], ids=[r[0] for r in IN_DOUBT]
)
def test_a_word_decides_a_doubt(held: str, fragment: str, literal: Any, echo: Any) -> None:
    assert check_join([held, fragment], literal).document.seams[0].sure < 0.9  # type: ignore[union-attr]
    check_join([held, fragment], literal, on_doubt="best")
    check_join([held, fragment], literal, on_doubt="literal")
    outcome = check_join([held, fragment], echo, on_doubt="echo")
    assert "on_doubt" in outcome.document.seams[0].reason  # type: ignore[union-attr]


@pytest.mark.parametrize("word", ["best", "literal", "echo"])
@pytest.mark.parametrize(("held", "fragment", "value"), [row[1:] for row in UNCHANGED], ids=[r[0] for r in UNCHANGED])
def test_a_word_loses_nothing(held: str, fragment: str, value: Any, word: jsonseam.OnDoubt) -> None:
    seam = check_join([held, fragment], value, on_doubt=word).document.seams[0]  # type: ignore[union-attr]
    assert seam.sure < 0.9


@pytest.mark.parametrize(("held", "fragment"), [row[1:3] for row in (*IN_DOUBT, *UNCHANGED)])
def test_a_function_is_asked_once_with_all_of_it(held: str, fragment: str) -> None:
    asked: list[tuple[Candidate, ...]] = []

    def ask(candidates: Sequence[Candidate]) -> int:
        asked.append(tuple(candidates))
        return 0

    accumulator = jsonseam.Accumulator(on_doubt=ask)
    accumulator.add(held)
    for char in fragment:
        accumulator.feed(char)
    assert asked == []
    step = accumulator.end_fragment()
    assert len(asked) == 1
    assert step.seam is not None
    assert step.seam.candidates == asked[0]
    assert step.seam.seen == len(fragment)
    assert len(asked[0]) > 1


@pytest.mark.parametrize(("held", "fragment"), [row[1:3] for row in UNCHANGED], ids=[row[0] for row in UNCHANGED])
def test_a_function_can_reject(held: str, fragment: str) -> None:
    before = jsonseam.join([held])
    document = check_join([held, fragment], before.value, on_doubt=rejecting).document
    assert document is not None
    assert document.text == before.text
    assert (document.seams[0].kind, document.seams[0].dropped) == ("rejected", len(fragment))
    assert any(repair.before == fragment for repair in document.repairs)


@pytest.mark.parametrize(("held", "fragment"), [row[1:] for row in CERTAIN], ids=[row[0] for row in CERTAIN])
def test_nobody_is_asked_where_there_is_no_doubt(held: str, fragment: str) -> None:
    assert check_join([held, fragment], on_doubt=never).document == jsonseam.join([held, fragment])


def answers(candidates: Sequence[Candidate]) -> dict[str, Any]:
    """Answers that are one of the candidates, the second one."""
    one = candidates[1]
    return {"itself": one, "index": 1, "equal": Candidate(*(getattr(one, name) for name in one.__slots__))}


@pytest.mark.parametrize("way", ["itself", "index", "equal"])
def test_ways_to_answer(way: str) -> None:
    _, held, fragment, _, echo = IN_DOUBT[0]
    check_join([held, fragment], echo, on_doubt=lambda candidates: answers(candidates)[way])


WRONG: list[Callable[[Sequence[Candidate]], Any]] = [
    lambda _: None,
    lambda _: "literal",
    lambda _: True,
    lambda _: -1,
    lambda candidates: len(candidates),
    lambda _: 1.0,
    lambda _: Candidate("continue", 1, 2, "", 3.0, "", "made up"),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_answer_is_an_error_of_ours_and_changes_nothing(wrong: Callable[[Sequence[Candidate]], Any]) -> None:
    _, held, fragment, literal, _ = IN_DOUBT[0]
    accumulator = jsonseam.Accumulator(on_doubt=wrong)
    accumulator.add(held)
    accumulator.feed(fragment)
    for _ in range(2):
        with pytest.raises(jsonseam.ChoiceError, match="on_doubt answered"):
            accumulator.end_fragment()
    again = jsonseam.Accumulator.resume(accumulator.checkpoint(), on_doubt="best")
    again.end_fragment()
    assert again.value == literal


def test_what_a_function_raises_goes_through_and_changes_nothing() -> None:
    _, held, fragment, literal, _ = IN_DOUBT[0]
    angry = True

    def ask(candidates: Sequence[Candidate]) -> int:
        if angry:
            raise RuntimeError("not now")
        return 0

    accumulator = jsonseam.Accumulator(on_doubt=ask)
    accumulator.add(held)
    accumulator.feed(fragment)
    with pytest.raises(RuntimeError, match="not now"):
        accumulator.end_fragment()
    angry = False
    accumulator.end_fragment()
    assert accumulator.value == literal


@pytest.mark.parametrize("choice", ["", "Literal", "newest", None, 3, ["echo"]])
def test_an_unknown_word_for_on_doubt(choice: Any) -> None:
    with pytest.raises(jsonseam.ChoiceError, match="on_doubt="):
        jsonseam.Accumulator(on_doubt=choice)
    with pytest.raises(jsonseam.ChoiceError, match="on_doubt="):
        jsonseam.join(["[1"], on_doubt=choice)


@pytest.mark.parametrize("word", ["", "Continue", "exact", 3, ["overlap"]])
def test_an_unknown_word_for_expect(word: Any) -> None:
    accumulator = jsonseam.Accumulator()
    with pytest.raises(jsonseam.ChoiceError, match="expect="):
        accumulator.expect(word)
    with pytest.raises(jsonseam.ChoiceError, match="expect="):
        accumulator.add("[1", expect=word)
    with pytest.raises(jsonseam.ChoiceError, match="expect="):
        jsonseam.join(["[1"], expect=word)
    assert accumulator.text == ""


@pytest.mark.parametrize(("word", "total"), [("continue", 12891289450), ("overlap", 1289450), ("element", 1289450)])
def test_what_was_asked_for_settles_a_doubt(word: jsonseam.Expected, total: int) -> None:
    _, held, fragment, _, _ = IN_DOUBT[0]
    accumulator = jsonseam.Accumulator(on_doubt=never)
    accumulator.add(held)
    step = accumulator.add(fragment, expect=word)
    assert step.seam is not None
    assert step.seam.sure > 0.99
    assert accumulator.value["total"] == total
    assert jsonseam.join([held, fragment], expect=word) == accumulator.finish()


def test_a_word_is_in_a_checkpoint_and_a_function_is_not() -> None:
    _, held, fragment, literal, echo = IN_DOUBT[0]
    for choice, value in (("echo", echo), ("literal", literal)):
        accumulator = jsonseam.Accumulator(on_doubt=choice)  # type: ignore[arg-type]
        accumulator.add(held)
        accumulator.feed(fragment[:3])
        state = json.loads(json.dumps(accumulator.checkpoint()))
        resumed = jsonseam.Accumulator.resume(state)
        resumed.add(fragment[3:])
        assert resumed.value == value
    accumulator = jsonseam.Accumulator(on_doubt=lambda candidates: candidates[1])
    accumulator.add(held)
    accumulator.feed(fragment)
    state = json.loads(json.dumps(accumulator.checkpoint()))
    with pytest.raises(jsonseam.StateError, match="a function"):
        jsonseam.Accumulator.resume(state)
    assert jsonseam.Accumulator.resume(state, on_doubt="best").finish().value == literal
    assert jsonseam.Accumulator.resume(state, on_doubt=lambda candidates: 1).finish().value == echo
    assert accumulator.finish().value == echo


def test_join_takes_what_an_accumulator_takes() -> None:
    document = jsonseam.join(['{"a": [1, 2', ", 3]}"], kpis=[jsonseam.Kpi("n", "a")])
    assert document.kpis == {"n": 3}
    with pytest.raises(jsonseam.MalformedError):
        jsonseam.join(["{'a': 1}"], strict=True)


# ------------------------------------------------------------ what a seam tells
def test_a_seam_tells_its_candidates() -> None:
    held = '{"names": ["Ada Lovelace", "Gra'
    seam = jsonseam.join([held, '"Ada Lovelace", "Grace", "Joan"]}']).seams[0]
    chosen, *others = seam.candidates
    assert (chosen.kind, chosen.skip, chosen.insert) == (seam.kind, seam.dropped, seam.inserted)
    assert chosen.reason == seam.reason
    assert chosen.legal
    assert all(one.score <= chosen.score for one in others)
    literal = next(one for one in others if one.kind == "continue")
    assert not literal.legal
    assert "no JSON" in literal.against


@pytest.mark.parametrize(("held", "fragment"), [row[1:3] for row in (*IN_DOUBT, *UNCHANGED, *CERTAIN)])
def test_every_seam_tells_how_it_was_decided(held: str, fragment: str) -> None:
    document = check_join([held, fragment]).document
    assert document is not None
    (seam,) = document.seams
    assert 1 <= len(seam.candidates) <= 5
    assert seam.candidates[0].kind == seam.kind
    assert 0 <= seam.seen <= len(fragment)
    assert seam.seen == len(fragment) or seam.seen >= 64
    told = json.loads(json.dumps(document.report()))
    assert told["seams"][0]["candidates"][0]["reason"] == seam.candidates[0].reason
    accumulator = jsonseam.Accumulator()
    accumulator.add(held)
    accumulator.add(fragment)
    resumed = jsonseam.Accumulator.resume(json.loads(json.dumps(accumulator.checkpoint())))
    assert resumed.seams == accumulator.seams


def test_a_long_sentence_inside_a_string_waits_until_it_may_not_be_a_remark() -> None:
    held, remark = '{"intro":"We began in ', "I am sorry, this is too long for one answer. " * 5
    outcome = deliver([[held], list(remark)])
    seam = outcome.document.seams[0]  # type: ignore[union-attr]
    assert (seam.kind, seam.seen) == ("continue", len(remark))
    assert seam.sure <= 0.5
    small = deliver([[held], list("and then went on " * 20)])
    assert small.document.seams[0].seen == 64  # type: ignore[union-attr]

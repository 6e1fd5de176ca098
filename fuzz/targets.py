"""Targets: each is one sentence that must be true for every input, and a check that fails where it is not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

import jsonseam
from fuzz import inputs
from jsonseam.mending import mend_text


@dataclass(frozen=True, slots=True)
class Target:
    """`check(**input)` raises if the sentence is not true; `given` makes inputs, all of plain JSON values."""

    sentence: str
    given: dict[str, st.SearchStrategy[Any]]
    check: Callable[..., None]

    @property
    def name(self) -> str:
        return self.check.__name__


def _same(a: Any, b: Any) -> bool:
    return json.dumps(a) == json.dumps(b)


def _document(chunks: Iterable[str | bytes]) -> jsonseam.Document | None:
    """The document that one fragment, in these pieces, makes; None if there is none in it."""
    accumulator = jsonseam.Accumulator()
    for chunk in chunks:
        accumulator.feed(chunk)
    accumulator.end_fragment()
    try:
        return accumulator.finish()
    except jsonseam.NoDocumentError:
        return None


def only_our_errors_escape(text: str, sizes: list[int], strict: bool, as_bytes: bool) -> None:
    accumulator = jsonseam.Accumulator(strict=strict, max_depth=20)
    data: str | bytes = text.encode("utf-8", "surrogatepass") if as_bytes else text
    at, turn = 0, 0
    try:
        while at < len(data):
            size = sizes[turn % len(sizes)]
            accumulator.feed(data[at : at + size])
            at, turn = at + size, turn + 1
        accumulator.end_fragment()
        accumulator.add(data[: len(data) // 2])
        accumulator.finish()
    except jsonseam.JsonSeamError:
        pass


def any_cutting_gives_the_same_document(text: str, sizes: list[int]) -> None:
    whole, cut = _document([text]), _document(inputs.pieces(text, sizes))
    if whole is None or cut is None:
        assert whole is cut
        return
    assert cut.text == whole.text
    assert _same(cut.value, whole.value)
    assert cut.repairs == whole.repairs
    assert cut.complete == whole.complete


def what_is_not_faulty_comes_out_equal(text: str, sizes: list[int]) -> None:
    document = _document(inputs.pieces(text, sizes))
    assert document is not None
    assert document.complete
    assert _same(document.value, json.loads(text))
    assert document.text == text
    assert document.repairs == ()


def finish_always_gives_json(text: str, sizes: list[int]) -> None:
    document = _document(inputs.pieces(text, sizes))
    if document is not None:
        assert _same(json.loads(document.text), document.value)


def a_mend_never_reaches_beyond_its_spot(text: str, frames: str, after_value: bool, final: bool) -> None:
    mended = mend_text(text, frames, after_value, final=final)
    strict = mended.strict
    for spot in reversed(mended.spots):
        assert strict[spot.at : spot.at + len(spot.after)] == spot.after
        strict = strict[: spot.at] + spot.before + strict[spot.at + len(spot.after) :]
    assert strict == text[: mended.used]
    if final and (frames or not after_value):
        assert mended.used == len(text) or mended.strict


def a_report_tells_where_its_spot_is(text: str, sizes: list[int]) -> None:
    document = _document(inputs.pieces(text, sizes))
    if document is not None:
        for repair in document.repairs:
            assert document.text[repair.offset : repair.offset + len(repair.after)] == repair.after


def a_checkpoint_anywhere_changes_nothing(text: str, sizes: list[int]) -> None:
    chunks = inputs.pieces(text, sizes)
    expected = _document(chunks)
    accumulator = jsonseam.Accumulator()
    for chunk in chunks:
        accumulator.feed(chunk)
        accumulator = jsonseam.Accumulator.resume(json.loads(json.dumps(accumulator.checkpoint())))
    accumulator.end_fragment()
    accumulator = jsonseam.Accumulator.resume(json.loads(json.dumps(accumulator.checkpoint())))
    try:
        document = accumulator.finish()
    except jsonseam.NoDocumentError:
        assert expected is None
        return
    assert expected is not None
    assert document.text == expected.text
    assert document.repairs == expected.repairs


def what_is_left_of_a_hand_off_goes_on(text: str, sizes: list[int], path: str, after: int) -> None:
    outcomes = [_handed_off(inputs.pieces(text, sizes), path, after, resumed=resumed) for resumed in (False, True)]
    assert _same(*outcomes)


def _handed_off(chunks: Iterable[str | bytes], path: str, after: int, *, resumed: bool) -> list[Any]:
    """Behind chunk number `after` it is said that no more comes, and all that does comes all the same."""
    handed: list[Any] = []
    handoff = {path: lambda *what: handed.append(what)}
    accumulator = jsonseam.Accumulator([jsonseam.Kpi(counted, counted) for counted in PATHS], handoff=handoff)
    left = None
    for number, chunk in enumerate(chunks):
        accumulator.feed(chunk)
        if number == after:
            accumulator.hand_off()
            if resumed:
                state = json.loads(json.dumps(accumulator.checkpoint(), allow_nan=False))
                accumulator = jsonseam.Accumulator.resume(state, handoff=handoff)
            left = _value_left(accumulator)
    accumulator.end_fragment()
    assert len({where for _, where in handed}) == len(handed)
    report = [accumulator.complete, accumulator.closed, json.dumps(accumulator.kpis, allow_nan=False)]
    return [handed, left, _value_left(accumulator), *report]


def _value_left(accumulator: jsonseam.Accumulator) -> Any:
    try:
        return accumulator.finish().value
    except jsonseam.NoDocumentError:
        return None


PATHS = ("$", "a", "$[*]", "a[*]", "a.b", "$[0]", "a[*].b")
_CUT_TEXT = {"text": inputs.texts, "sizes": inputs.cuts}

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("Only our errors escape, whatever is delivered.",
               {**_CUT_TEXT, "strict": st.booleans(), "as_bytes": st.booleans()}, only_our_errors_escape),
        Target("Any cutting into chunks gives the same document.", _CUT_TEXT, any_cutting_gives_the_same_document),
        Target("What is not faulty comes out equal, to the letter.",
               {"text": inputs.valid(), "sizes": inputs.cuts}, what_is_not_faulty_comes_out_equal),
        Target("finish() always gives valid JSON, and the value that it spells.", _CUT_TEXT, finish_always_gives_json),
        Target("A mend never reaches beyond its spot: undone, the mends give the delivered text.",
               {"text": inputs.texts, "frames": inputs.frames, "after_value": st.booleans(), "final": st.booleans()},
               a_mend_never_reaches_beyond_its_spot),
        Target("A report tells where its spot is in the document's text.", _CUT_TEXT, a_report_tells_where_its_spot_is),
        Target("A checkpoint anywhere changes nothing.", _CUT_TEXT, a_checkpoint_anywhere_changes_nothing),
        Target("What is left of a hand-off can be read, and goes on from a checkpoint as without one.",
               {**_CUT_TEXT, "path": st.sampled_from(PATHS), "after": st.integers(0, 20)},
               what_is_left_of_a_hand_off_goes_on),
    )
}  # fmt: skip

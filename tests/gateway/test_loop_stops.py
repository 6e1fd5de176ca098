"""Each reason to stop, by its name, with the partial document there; in all four ways."""

import asyncio
import threading
import time

import pytest

from jsonseam import Kpi
from jsonseam.gateway import Answer, Cancel, Chunk, Limits, Reason, ScriptedModel, SqliteStore, Usage, arun, run
from tests.gateway.ways import each_way, kpis

HEAD = '{"items": [1, 2, 3, '
NUMBERS = [Kpi(id="n", path="items", target=1000)]


def growing(request):
    """New numbers at every call."""
    at = len(request.prefill)
    return f"{at}7, {at}8, {at}9, "


@each_way
@pytest.mark.parametrize(
    ("name", "reason", "script", "settings"),
    [
        ("the model says nothing new", Reason.NO_PROGRESS, [HEAD, HEAD, HEAD], {"kpis": NUMBERS}),
        ("the model says nothing new, growth", Reason.NO_PROGRESS, [HEAD, HEAD, HEAD], {"kpis": ()}),
        (
            "the counted array is closed",
            Reason.NO_PROGRESS,
            [HEAD, '4], "notes": ["a", ', '"b", ', '"c", '],
            {"kpis": NUMBERS},
        ),
        ("apologies", Reason.REJECTED, [HEAD, *["I'm sorry, I cannot go on."] * 3], {"kpis": ()}),
        ("apologies only", Reason.REJECTED, ["I'm sorry, I cannot."] * 3, {}),
        ("calls", Reason.CALLS, [HEAD, *[growing] * 9], {"kpis": (), "limits": Limits(calls=4)}),
        ("characters", Reason.CHARACTERS, [HEAD, *[growing] * 9], {"kpis": (), "limits": Limits(characters=40)}),
        ("the model fails", Reason.MODEL_FAILED, [HEAD, OSError("no route")], {"kpis": ()}),
        ("depth", Reason.DOCUMENT_LIMIT, [HEAD, "[[[[[[[["], {"kpis": (), "parsing": {"max_depth": 5}}),
        ("strict", Reason.MALFORMED, [HEAD, "4, 5} nonsense, tru"], {"kpis": (), "parsing": {"strict": True}}),
    ],
    ids=lambda value: value.replace(" ", "-") if type(value) is str else "",
)
def test_stops_with_the_reason_and_the_partial_document(way, name, reason, script, settings):
    result = way.run(ScriptedModel(script), **settings)
    assert result.reason == reason, name
    assert not result.complete
    if script[0] == HEAD:
        assert result.value["items"][:3] == [1, 2, 3]
        assert result.text.startswith(HEAD.rstrip(", "))
    else:
        assert (result.value, result.text) == (None, "")


@each_way
def test_tokens(way):
    script = [Answer(HEAD, usage=Usage(50, 10)), *[lambda r: Answer(growing(r), usage=Usage(50, 10))] * 9]
    result = way.run(ScriptedModel(script), kpis=(), limits=Limits(tokens=200))
    assert result.reason == Reason.TOKENS
    assert result.usage.total_tokens == 240
    assert result.value["items"][:3] == [1, 2, 3]


@each_way
def test_the_plan_to_the_letter_where_no_stall_is_allowed(way):
    """A KPI can still move here, because its item is being written; `stalled=0` stops all the same."""
    script = ['{"rows": [{"text": "one', " two", ' three"}, ']
    rows = [Kpi(id="rows", path="rows", target=9)]
    strict = way.run(ScriptedModel(script), kpis=rows, limits=Limits(stalled=0))
    assert (strict.reason, strict.iterations) == (Reason.NO_PROGRESS, 2)
    patient = way.run(ScriptedModel([*script, '{"text": "fo', 'ur"}', "]}"]), kpis=rows)
    assert patient.value == {"rows": [{"text": "one two three"}, {"text": "four"}]}


@each_way
def test_a_stall_does_not_go_on_for_ever(way):
    script = ['{"rows": [{"text": "one', *[f" and on and on{n}" for n in range(50)]]
    result = way.run(ScriptedModel(script), kpis=[Kpi(id="rows", path="rows", target=9)], limits=Limits(stalled=5))
    assert (result.reason, result.iterations) == (Reason.NO_PROGRESS, 7)


class Silent(ScriptedModel):
    """Says its script, then nothing for a long time."""

    def answer(self, request):
        if len(self.requests) >= 1:
            time.sleep(30)
        return super().answer(request)

    async def aanswer(self, request):
        if len(self.requests) >= 1:
            await asyncio.sleep(30)
        return await super().aanswer(request)

    def stream(self, request):
        yield from self._chunks(self._next(request))
        if len(self.requests) > 1:
            time.sleep(30)

    async def astream(self, request):
        for chunk in self._chunks(self._next(request)):
            yield chunk
        if len(self.requests) > 1:
            await asyncio.sleep(30)


@each_way
def test_a_silent_model_is_left_when_the_time_is_over(way):
    started = time.monotonic()
    result = way.run(Silent([HEAD, "4, 5, "]), kpis=(), limits=Limits(seconds=0.3))
    assert time.monotonic() - started < 3
    assert result.reason == Reason.TIME
    expected = [1, 2, 3, 4] if "stream" in way.name else [1, 2, 3]
    assert result.value["items"][: len(expected)] == expected


@each_way
def test_cancelled_from_another_thread(way):
    cancel = Cancel()
    threading.Timer(0.2, cancel).start()
    started = time.monotonic()
    result = way.run(Silent([HEAD, "4, 5, "]), kpis=(), cancel=cancel)
    assert time.monotonic() - started < 3
    assert result.reason == Reason.CANCELLED
    assert result.value["items"][:3] == [1, 2, 3]


def test_a_cancelled_task_leaves_the_run_in_the_store(tmp_path):
    store = SqliteStore(tmp_path / "runs.db")

    async def go():
        task = asyncio.create_task(arun(Silent([HEAD, "4, 5, "]), "x", store, kpis=(), run_id="r"))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(go())
    kept = store.load("r")
    assert "".join(kept.tail) == "4, 5, "


# ---------------------------------------------------------------- KPIs that go backwards
BEFORE = '{"rows": [1, 2, 3, 4], "more": "yes", '
FALLS = '"rows": [1], "b": [3, '  # a name that comes again replaces what it stood for: four rows become one
FALLS_AGAIN = '"rows": [1, 2], "c": [3, '
COUNTED = [Kpi(id="rows", path="rows", target=4), Kpi(id="late", path="late", target=2)]


@each_way
def test_a_kpi_that_falls_is_rolled_back_once_and_asked_for_again(way, tmp_path):
    model = ScriptedModel([BEFORE, FALLS, '"late": [5, 6]}'])
    store = SqliteStore(tmp_path / "runs.db")
    result = way.run(model, "x", store, kpis=COUNTED)
    assert result.value == {"rows": [1, 2, 3, 4], "more": "yes", "late": [5, 6]}
    assert (result.reason, result.iterations) == (Reason.COMPLETE, 3)
    assert any("taken out" in note for note in result.notes)
    assert model.requests[1].prefill == model.requests[2].prefill == BEFORE


@each_way
def test_a_kpi_that_falls_twice_stops_the_run_with_what_stood_before(way):
    result = way.run(ScriptedModel([BEFORE, FALLS, FALLS_AGAIN, '"late": [5, 6]}']), kpis=COUNTED)
    assert result.reason == Reason.BACKWARDS == "KPI went backwards"
    assert result.value == {"rows": [1, 2, 3, 4], "more": "yes"}
    assert [kpi.value for kpi in result.kpis] == [4, 0]


@each_way
def test_after_progress_the_next_fall_is_asked_for_again_too(way):
    more = '"late": [5, '
    result = way.run(ScriptedModel([BEFORE, FALLS, more, '6], "rows": [0], "z": [', "6]}"]), kpis=COUNTED)
    assert result.value == {"rows": [1, 2, 3, 4], "more": "yes", "late": [5, 6]}
    assert len(result.notes) == 2


def test_limits_may_be_none():
    result = run(ScriptedModel([HEAD, *[growing] * 200, "1]}"]), "x", kpis=(), limits=Limits(calls=None))
    assert result.complete
    assert result.iterations == 202


def test_a_definition_that_cannot_be_had_falls_back_to_growth_and_says_so():
    for lines in (["nothing", "nothing"], [OSError("down")]):
        result = run(ScriptedModel([HEAD, "4, 5]}"], kpis=lines), "x")
        assert result.value == {"items": [1, 2, 3, 4, 5]}
        assert result.progress == "growth"
        assert any("growth of delivered items" in note for note in result.notes)


def test_chunks_of_one_answer_join_literally():
    class Bytewise:
        def stream(self, request):
            for mark in '{"a": [1, 1, 1, 1, 11, 1]}':
                yield Chunk(mark)

    assert run(Bytewise(), "x").value == {"a": [1, 1, 1, 1, 11, 1]}


def test_kpi_definition_that_needs_two_goes():
    model = ScriptedModel([HEAD, "4, 5]}"], kpis=["hm", kpis(("n", "items", 5))])
    assert run(model, "x").kpis[0].value == 5

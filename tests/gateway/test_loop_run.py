"""The loop from the first call to the whole document, in all four ways, on a model that says what is written here."""

import json
import logging

import pytest
from pydantic import BaseModel

from jsonseam import Kpi
from jsonseam.gateway import (
    Answer,
    Asked,
    Joined,
    KpisDefined,
    KpisRefused,
    Message,
    Received,
    ResultError,
    ScriptedModel,
    Stopped,
    Usage,
    iterate,
    run,
)
from tests.gateway.ways import each_way, kpis

ITEMS = '{"title": "ten", "items": [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]}'
VALUE = json.loads(ITEMS)


def cut(text: str, *at: int) -> list[str]:
    return [text[a:b] for a, b in zip((0, *at), (*at, len(text)), strict=True)]


@each_way
def test_a_whole_first_answer_ends_the_run_with_one_call(way):
    model = ScriptedModel([ITEMS])
    result = way.run(model)
    assert (result.value, result.complete, result.reason) == (VALUE, True, "Complete")
    assert (result.iterations, result.calls) == (1, 1)
    assert [request.purpose for request in model.requests] == ["answer"]


@each_way
def test_a_cut_answer_is_continued_until_the_document_is_whole(way):
    model = ScriptedModel(cut(ITEMS, 33, 44, 52), kpis=[kpis(("n", "items", 10))])
    result = way.run(model)
    assert result.value == VALUE
    assert result.text == ITEMS
    assert (result.complete, result.reason, result.iterations, result.calls) == (True, "Complete", 4, 5)
    assert [request.purpose for request in model.requests] == ["answer", "kpis", "continue", "continue", "continue"]
    assert [(kpi.id, kpi.path, kpi.target, kpi.value, kpi.reached) for kpi in result.kpis] == [
        ("n", "items", 10, 10, True)
    ]
    assert len(result.seams) == 3
    assert result.progress == "kpis"


@each_way
def test_usage_is_summed_over_all_calls_the_definition_counted_in(way):
    said = [Answer(text, "length", Usage(10 * n, n)) for n, text in enumerate(cut(ITEMS, 33, 52), 1)]
    model = ScriptedModel(said, kpis=[Answer(kpis(("n", "items", 10)), "stop", Usage(1000, 100))])
    result = way.run(model)
    assert result.usage == Usage(1060, 106)
    assert result.uncounted == 0


@each_way
@pytest.mark.parametrize("finish_reason", ["stop", "length", None, "content_filter"])
def test_the_parser_decides_and_not_the_finish_reason(way, finish_reason):
    said = [Answer(text, finish_reason) for text in cut(ITEMS, 33)]
    assert way.run(ScriptedModel(said), kpis=()).value == VALUE
    assert way.run(ScriptedModel([Answer(ITEMS, finish_reason)])).iterations == 1


@each_way
def test_with_kpis_of_the_caller_the_model_is_not_asked_for_any(way):
    model = ScriptedModel(cut(ITEMS, 33))
    result = way.run(model, kpis=[Kpi(id="n", path="items", target=10)])
    assert [request.purpose for request in model.requests] == ["answer", "continue"]
    assert result.kpis[0].value == 10


@each_way
def test_all_kpis_reached_ends_the_run_although_the_text_is_open(way):
    open_end = ITEMS[:-2] + ", "
    model = ScriptedModel([ITEMS[:40], open_end[40:]])
    result = way.run(model, kpis=[Kpi(id="n", path="items", target=10)])
    assert (result.reason, result.complete, result.value) == ("Complete", False, VALUE)


@each_way
def test_an_answer_without_data_is_asked_for_again(way):
    apology = "I'm sorry, but I cannot continue."
    model = ScriptedModel([apology, ITEMS[:41], apology, ITEMS[41:]])
    result = way.run(model, kpis=())
    assert (result.value, result.iterations) == (VALUE, 4)
    assert [request.purpose for request in model.requests] == ["answer", "answer", "continue", "continue"]
    assert [seam.kind for seam in result.seams].count("rejected") >= 1


@each_way
def test_a_call_that_breaks_off_keeps_what_came_before(way):
    class Breaking(ScriptedModel):
        def stream(self, request):
            for number, chunk in enumerate(super().stream(request)):
                if len(self.requests) == 2 and number == 1:
                    raise ConnectionError("the line is dead")
                yield chunk

        async def astream(self, request):
            for chunk in self.stream(request):
                yield chunk

    def rest(request):
        return ITEMS[len(request.prefill) :]

    result = way.run(Breaking([ITEMS[:41], rest, rest], chunk=4), kpis=())
    assert (result.value, result.reason) == (VALUE, "Complete")


def test_a_continuation_carries_the_exact_text_for_a_model_that_goes_on_behind_it():
    model = ScriptedModel(cut(ITEMS, 43), kpis=[kpis(("n", "items", 10))])
    run(model, "ten numbers", schema={"type": "object"}, max_tokens=9, options={"seed": 1})
    first, definition, continuation = model.requests
    assert first.prefill is None
    assert continuation.prefill == ITEMS[:43]
    assert continuation.prefill_messages == first.messages
    assert continuation.messages[: len(first.messages)] == first.messages
    assert continuation.messages[-2] == Message("assistant", ITEMS[:43])
    assert {request.max_tokens for request in (first, continuation)} == {9}
    assert definition.max_tokens != 9
    assert all(request.options == {"seed": 1} for request in model.requests)
    assert definition.schema["required"] == ["kpis"]


def test_events_tell_the_run_in_order():
    model = ScriptedModel(cut(ITEMS, 33), kpis=["no idea", kpis(("n", "items", 10))], chunk=10)
    events = list(iterate(model, "ten numbers"))
    kinds = [type(event) for event in events if not isinstance(event, Received)]
    assert kinds == [Asked, Joined, Asked, KpisRefused, Asked, KpisDefined, Asked, Joined, Stopped]
    assert "".join(event.text for event in events if isinstance(event, Received)) == ITEMS
    assert [event.kpis for event in events if isinstance(event, Joined)][-1] == {"n": 10}
    assert len({event.run_id for event in events}) == 1


class Numbers(BaseModel):
    title: str
    items: list[int]


class Words(BaseModel):
    words: list[str]


def test_parse_gives_the_model_and_a_failure_carries_the_partial_document():
    assert run(ScriptedModel([ITEMS]), "x").parse(Numbers).items[-1] == 100
    with pytest.raises(ResultError) as misfit:
        run(ScriptedModel([ITEMS]), "x").parse(Words)
    assert misfit.value.result.value == VALUE
    broken = run(ScriptedModel([ITEMS[:43], OSError("gone")]), "x", kpis=())
    with pytest.raises(ResultError) as failure:
        broken.parse(Numbers)
    assert failure.value.result.value["items"][:2] == [10, 20]
    assert isinstance(failure.value.__cause__, OSError)


def test_content_is_never_logged_above_debug(caplog):
    caplog.set_level(logging.INFO)
    secret = '{"password": "hunter2", "items": ["hunter2", "hunt'
    run(ScriptedModel([secret, OSError("hunter2")], kpis=["hunter2"] * 2), "hunter2")
    assert caplog.records
    assert "hunter2" not in caplog.text


def test_a_model_without_a_way_to_ask_is_a_failure_with_a_name():
    result = run(object(), "x")
    assert result.reason == "Model failed"
    assert isinstance(result.error, TypeError)


@each_way
def test_a_setting_that_there_is_not_is_refused_and_nothing_is_asked(way):
    model = ScriptedModel([ITEMS])
    with pytest.raises(TypeError, match=r"there is no setting 'max_token'; there are about, .*max_tokens"):
        way.run(model, max_token=5)
    assert model.requests == []

"""The scripted model says what was written down, in all four ways, and counts."""

from __future__ import annotations

import pytest

from jsonseam.gateway.model import (
    Answer,
    AsyncModel,
    AsyncStreamingModel,
    Message,
    Model,
    ModelError,
    Request,
    StreamingModel,
    Usage,
)
from jsonseam.gateway.scripted_model import ScriptedModel, ScriptEndedError
from tests.gateway.model_helpers import WAYS, ask, first_request, next_request


@pytest.mark.parametrize("way", WAYS)
def test_the_lines_come_in_order(way: str) -> None:
    model = ScriptedModel(["[1, ", Answer("2]", "length", Usage(7, 8)), lambda request: request.purpose])
    assert ask(model, first_request("four"), way) == Answer("[1, ", "stop", Usage(1, 1))
    assert ask(model, first_request(), way) == Answer("2]", "length", Usage(7, 8))
    assert ask(model, next_request("[1, 2"), way).text == "continue"
    with pytest.raises(ScriptEndedError, match="call 4"):
        ask(model, first_request(), way)
    assert len(model.requests) == 4


@pytest.mark.parametrize("way", WAYS)
def test_errors_and_kpi_calls_have_lines_of_their_own(way: str) -> None:
    model = ScriptedModel([ModelError("down", status=503)], kpis=['{"kpis": []}'])
    assert ask(model, Request((Message("user", "KPIs?"),), purpose="kpis"), way).text == '{"kpis": []}'
    with pytest.raises(ModelError, match="down"):
        ask(model, first_request(), way)


@pytest.mark.parametrize("way", WAYS)
def test_a_prefill_is_counted_as_what_was_sent(way: str) -> None:
    answer = ask(ScriptedModel(["x"], prefill=True), next_request("[" * 40, "four"), way)
    assert answer.prefilled
    assert answer.usage == Usage(11, 1)
    assert not ask(ScriptedModel(["x"]), next_request("["), way).prefilled


def test_it_fits_every_protocol() -> None:
    model = ScriptedModel([])
    for protocol in (Model, StreamingModel, AsyncModel, AsyncStreamingModel):
        assert isinstance(model, protocol)

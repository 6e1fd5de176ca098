"""OpenAIModel against a real server over HTTP, in the four ways of asking."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Iterator

import openai
import pytest

from jsonseam.gateway.model import (
    INTERRUPTED,
    AsyncModel,
    AsyncStreamingModel,
    Message,
    Model,
    ModelError,
    Request,
    StreamingModel,
    Usage,
)
from jsonseam.gateway.openai_model import OpenAIModel
from jsonseam.gateway.retries import RetryPolicy
from jsonseam.gateway.truncating_server import TruncatingServer
from tests.gateway.model_helpers import WAYS, ask, eventually, first_request, gathered, next_request

LIST = json.dumps({"items": [f"item number {n}" for n in range(40)]})
FAST = RetryPolicy(attempts=3, first_wait=0.001, max_wait=0.5)
KINDS = ("trailing", "continue_final_message", "prefix", "partial")


@pytest.fixture(scope="module")
def server() -> Iterator[TruncatingServer]:
    with TruncatingServer({"list": LIST}, budget=200, stall=2.0) as running:
        yield running


def model(server: TruncatingServer, manner: str = "exact", name: str = "", **fields: object) -> OpenAIModel:
    """A model on the server, in a conversation of its own."""
    options = {"user": name or f"{manner}/{time.monotonic_ns()}"} | fields.pop("options", {})
    settings = {"base_url": server.base_url, "retry": FAST, "options": options, "api_key": "k"} | fields
    return OpenAIModel(f"truncating/{manner}/list", **settings)


def bodies(server: TruncatingServer, asked: OpenAIModel) -> list[dict[str, object]]:
    return [call.body for call in server.calls if call.conversation == asked._options["user"]]


@pytest.mark.parametrize("way", WAYS)
def test_a_whole_answer_comes_with_its_reason_and_usage(server: TruncatingServer, way: str) -> None:
    answer = ask(model(server), first_request(max_tokens=10), way)
    assert answer.text == LIST[:40]
    assert answer.finish_reason == "length"
    assert answer.usage == Usage(5, 10)
    assert (answer.retries, answer.prefilled) == (0, False)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_prefill_goes_on_exactly_behind_what_is_held(server: TruncatingServer, way: str, kind: str) -> None:
    asked = model(server, prefill=kind)

    def call(held: str) -> object:
        return ask(asked, next_request(held, max_tokens=30) if held else first_request(max_tokens=30), way)

    answers = eventually(call, LIST)
    assert [answer.prefilled for answer in answers] == [False] + [True] * (len(answers) - 1)
    assert [answer.finish_reason for answer in answers] == ["length"] * (len(answers) - 1) + ["stop"]
    last = bodies(server, asked)[-1]
    assert last["messages"][-1]["role"] == "assistant"
    assert last["messages"][-1].get(kind, "prefill") in (True, "prefill")
    assert ("continue_final_message" in last) == (kind == "continue_final_message")


@pytest.mark.parametrize("way", WAYS)
def test_without_prefill_a_user_turn_asks_for_the_rest(server: TruncatingServer, way: str) -> None:
    asked = model(server)
    answer = ask(asked, next_request(LIST[:90], max_tokens=10), way)
    assert answer.text == LIST[90:130]
    assert not answer.prefilled
    assert bodies(server, asked)[-1]["messages"][-1]["role"] == "user"


@pytest.mark.parametrize("way", WAYS)
def test_a_400_on_prefill_falls_back_to_the_user_turn_and_remembers_it(server: TruncatingServer, way: str) -> None:
    asked = model(server, "exact+400-prefill", prefill="trailing")
    for held, calls in ((LIST[:90], 2), (LIST[:130], 3)):
        answer = ask(asked, next_request(held, max_tokens=10), way)
        assert answer.text == LIST[len(held) : len(held) + 40]
        assert (answer.prefilled, answer.retries) == (False, 0)
        assert len(bodies(server, asked)) == calls
    assert asked.conceded == {"prefill"}


@pytest.mark.parametrize("way", WAYS)
def test_a_400_that_has_another_reason_is_not_remembered(server: TruncatingServer, way: str) -> None:
    asked = model(server, "exact+400", prefill="trailing")
    with pytest.raises(ModelError, match="cannot be processed") as caught:
        ask(asked, next_request(LIST[:90]), way)
    assert (caught.value.status, caught.value.transient) == (400, False)
    assert len(bodies(server, asked)) == 2
    assert asked.conceded == frozenset()


@pytest.mark.parametrize("way", WAYS)
def test_a_server_without_schemas_is_asked_without(server: TruncatingServer, way: str) -> None:
    asked = model(server, "exact+400-schema")
    for calls in (2, 3):
        assert ask(asked, first_request(schema={"type": "object"}, max_tokens=3), way).text == LIST[:12]
        assert len(bodies(server, asked)) == calls


@pytest.mark.parametrize("way", ["stream", "astream"])
def test_a_server_that_counts_no_streams_is_asked_without(server: TruncatingServer, way: str) -> None:
    answer = ask(model(server, "exact+400-usage"), first_request(max_tokens=3), way)
    assert (answer.text, answer.finish_reason, answer.usage) == (LIST[:12], "length", Usage())


# fault, the ways it concerns, text, finish_reason, usage told
TOLERATED = [
    ("no-usage", WAYS, LIST[:80], "length", False),
    ("no-finish", WAYS, LIST[:80], None, True),
    ("cut", WAYS, LIST[:40], None, False),
    ("empty", WAYS, "", None, True),
    ("error-mid", ("stream", "astream"), LIST[:40], INTERRUPTED, False),
    ("disconnect", ("stream", "astream"), LIST[:40], INTERRUPTED, False),
    ("stall-mid", ("stream", "astream"), LIST[:40], INTERRUPTED, False),
]


@pytest.mark.parametrize(
    ("fault", "way", "text", "finish", "counted"),
    [(fault, way, *rest) for fault, ways, *rest in TOLERATED for way in ways],
)
def test_what_a_server_leaves_out_is_no_error(
    server: TruncatingServer, fault: str, way: str, text: str, finish: str | None, counted: bool
) -> None:
    answer = ask(model(server, f"exact+{fault}", timeout=0.3), first_request(max_tokens=20), way)
    assert (answer.text, answer.finish_reason) == (text, finish)
    assert answer.usage == (Usage(5, 20) if counted else Usage())
    assert answer.retries == 0


# faults, the retries they cost
RETRIED = [
    ("429@0", 1),
    ("500@0", 1),
    ("503@0+429@1", 2),
    ("stall@0", 1),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("faults", "retries"), RETRIED)
def test_transport_errors_are_retried_and_counted(
    server: TruncatingServer, faults: str, retries: int, way: str
) -> None:
    answer = ask(model(server, f"exact+{faults}", timeout=0.3), first_request(max_tokens=10), way)
    assert (answer.text, answer.retries) == (LIST[:40], retries)


@pytest.mark.parametrize("way", ["answer", "aanswer"])
@pytest.mark.parametrize("fault", ["disconnect", "stall-mid", "error-mid"])
def test_a_plain_answer_that_breaks_off_is_asked_for_again(server: TruncatingServer, fault: str, way: str) -> None:
    answer = ask(model(server, f"exact+{fault}@0", timeout=0.3), first_request(max_tokens=10), way)
    assert (answer.text, answer.retries) == (LIST[:40], 1)


def test_the_wait_that_the_server_asks_for_is_kept() -> None:
    with TruncatingServer({"list": LIST}, retry_after=0.3) as slow:
        started = time.monotonic()
        ask(model(slow, "exact+429@0"), first_request(max_tokens=3), "answer")
        assert 0.3 <= time.monotonic() - started < 5


@pytest.mark.parametrize("way", WAYS)
def test_after_the_last_attempt_the_error_says_all(server: TruncatingServer, way: str) -> None:
    with pytest.raises(ModelError, match="overloaded") as caught:
        ask(model(server, "exact+503"), first_request(), way)
    assert (caught.value.status, caught.value.retries, caught.value.transient) == (503, 2, True)


@pytest.mark.parametrize("way", WAYS)
def test_nobody_there_is_an_error_of_the_model(way: str) -> None:
    with TruncatingServer() as gone:
        url = gone.base_url
    asked = OpenAIModel("m", base_url=url, api_key="k", retry=FAST)
    with pytest.raises(ModelError) as caught:
        ask(asked, first_request(), way)
    assert (caught.value.status, caught.value.retries, caught.value.transient) == (None, 2, True)


@pytest.mark.parametrize("way", WAYS)
def test_a_server_that_repeats_the_prefill_is_understood(server: TruncatingServer, way: str) -> None:
    asked = model(server, "exact+echo-prefill", provider="mistral")
    assert ask(asked, next_request(LIST[:30], max_tokens=10), way).text == LIST[30:70]


@pytest.mark.parametrize("way", WAYS)
def test_whitespace_at_the_end_of_the_prefill_is_not_said_twice(server: TruncatingServer, way: str) -> None:
    held = LIST[: LIST.index(" number") + 1]
    answer = ask(model(server, prefill="trailing"), next_request(held, max_tokens=10), way)
    assert LIST.startswith(held + answer.text)


def test_options_go_through_and_those_of_the_request_win(server: TruncatingServer) -> None:
    asked = model(server, options={"temperature": 0.1, "extra_body": {"top_k": 3}, "metadata": {"a": "b"}})
    ask(asked, first_request(options={"temperature": 0.7, "seed": 5}), "answer")
    body = bodies(server, asked)[-1]
    assert (body["temperature"], body["seed"], body["top_k"], body["metadata"]) == (0.7, 5, 3, {"a": "b"})


def test_a_schema_is_sent_with_the_name_of_its_purpose(server: TruncatingServer) -> None:
    asked = model(server)
    ask(asked, Request((Message("user", "Which?"),), purpose="kpis", schema={"type": "object"}), "answer")
    assert bodies(server, asked)[-1]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "kpis", "schema": {"type": "object"}},
    }


def test_your_own_client_is_used(server: TruncatingServer) -> None:
    with openai.OpenAI(base_url=server.base_url, api_key="k", default_headers={"x-behaviour": "exact"}) as client:
        asked = OpenAIModel("any", client=client, options={"extra_headers": {"x-document": "list"}})
        assert ask(asked, first_request(max_tokens=2), "stream").text == LIST[:8]
        with pytest.raises(TypeError, match="AsyncOpenAI"):
            ask(asked, first_request(), "aanswer")


def test_your_own_async_client_is_used(server: TruncatingServer) -> None:
    async def run() -> str:
        async with openai.AsyncOpenAI(base_url=server.base_url, api_key="k") as client:
            asked = OpenAIModel("truncating/exact/list", client=client)
            with pytest.raises(TypeError, match="give it an OpenAI client"):
                asked.answer(first_request())
            return (await asked.aanswer(first_request(max_tokens=2))).text

    assert asyncio.run(run()) == LIST[:8]


def test_nothing_to_ask_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ValueError, match="a client, a base_url, or an api_key"):
        OpenAIModel("m")
    with pytest.raises(ValueError, match="must be an http or https URL, not 'localhost:8000'"):
        OpenAIModel("m", base_url="localhost:8000")


def test_a_stream_that_is_left_early_is_closed(server: TruncatingServer) -> None:
    stream = model(server).stream(first_request())
    assert next(stream).text
    stream.close()
    assert gathered(stream).text == ""


def test_a_hundred_calls_at_a_time_are_not_mixed_up(server: TruncatingServer) -> None:
    async def run() -> list[str]:
        async with openai.AsyncOpenAI(base_url=server.base_url, api_key="k") as client:
            asked = OpenAIModel("truncating/exact/list", client=client, prefill="trailing", retry=FAST)

            async def one(number: int) -> str:
                request = next_request(LIST[: 30 + number], max_tokens=10, options={"user": f"many/{number}"})
                return "".join([chunk.text async for chunk in asked.astream(request)])

            return await asyncio.gather(*(one(number) for number in range(100)))

    held = [(LIST[: 30 + number]).rstrip() for number in range(100)]
    whole = [LIST[: len(text) + 40] for text in held]
    assert [LIST[: 30 + n] + said for n, said in enumerate(asyncio.run(run()))] == whole


def test_no_content_is_logged(server: TruncatingServer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "jsonseam"):
        asked = model(server, "exact+429@0+400-prefill", prefill="trailing")
        ask(asked, next_request(LIST[:90], "a secret prompt"), "answer")
        ask(model(server, "exact+disconnect"), first_request("a secret prompt"), "stream")
    assert "trying again" in caplog.text
    assert "without prefill" in caplog.text
    assert "broke off" in caplog.text
    assert "secret" not in caplog.text
    assert "item number" not in caplog.text


def test_it_fits_every_protocol(server: TruncatingServer) -> None:
    for protocol in (Model, StreamingModel, AsyncModel, AsyncStreamingModel):
        assert isinstance(model(server), protocol)


def test_a_server_that_is_not_there_is_named_without_what_may_be_secret():
    unheard = OpenAIModel("any", base_url="http://somebody:secret@127.0.0.1:9/v1?key=secret", api_key="k", retry=FAST)
    with pytest.raises(ModelError, match=r"^no answer from any at http://127\.0\.0\.1:9/v1") as raised:
        unheard.answer(first_request())
    assert "secret" not in str(raised.value)
    assert "APIConnectionError" in str(raised.value)

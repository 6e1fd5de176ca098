"""The official client, sync and async, streaming and not, through the proxy to the truncating server, over sockets."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import openai
import pytest

from jsonseam.gateway.samples import sample_text
from jsonseam.gateway.truncating_server import TruncatingServer
from tests.proxy.running import proxy

ASKED: Any = [{"role": "user", "content": "Write the document."}]
OBJECT: Any = {"type": "json_object"}
_names = itertools.count()


@pytest.fixture(scope="module")
def server() -> Iterator[TruncatingServer]:
    with TruncatingServer(budget=700, stall=20) as running:
        yield running


@pytest.fixture(scope="module")
def address(server: TruncatingServer) -> Iterator[str]:
    with proxy(server.base_url, keep_alive=0.2) as running:
        yield running


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{address}/v1", api_key="sk-none", max_retries=0) as made:
        yield made


class Got:
    """One answer, however it came."""

    def __init__(self, text: str, finish: str | None, usage: Any, pieces: int = 1) -> None:
        self.text, self.finish, self.usage, self.pieces = text, finish, usage, pieces


def arguments(model: str, header: str, fields: dict[str, Any]) -> dict[str, Any]:
    name = f"{model}#{next(_names)}"
    made = {"response_format": OBJECT, "metadata": {"conversation": name}, **fields}
    return {"model": f"truncating/{model}", "messages": ASKED, "extra_headers": {"x-jsonseam": header}, **made}


def gathered(chunks: list[Any]) -> Got:
    choices = [chunk.choices[0] for chunk in chunks if chunk.choices]
    pieces = [choice.delta.content for choice in choices if choice.delta.content]
    finish = [choice.finish_reason for choice in choices if choice.finish_reason]
    assert len(finish) == 1, "one end, whatever it took"
    return Got("".join(pieces), finish[0], chunks[-1].usage, len(pieces))


COUNTED: Any = {"stream": True, "stream_options": {"include_usage": True}}


def ask(address: str, way: str, model: str, header: str = "on", **fields: Any) -> Got:
    """One request in one of the four ways."""
    told = arguments(model, header, fields)
    where = {"base_url": f"{address}/v1", "api_key": "sk-none", "max_retries": 0}
    if way == "plain":
        with openai.OpenAI(**where) as client:
            answer = client.chat.completions.create(**told)
            return Got(answer.choices[0].message.content, answer.choices[0].finish_reason, answer.usage)
    if way == "stream":
        with openai.OpenAI(**where) as client:
            return gathered(list(client.chat.completions.create(**told, **COUNTED)))

    async def run() -> Got:
        async with openai.AsyncOpenAI(**where) as client:
            if way == "async plain":
                answer = await client.chat.completions.create(**told)
                return Got(answer.choices[0].message.content, answer.choices[0].finish_reason, answer.usage)
            return gathered([chunk async for chunk in await client.chat.completions.create(**told, **COUNTED)])

    return asyncio.run(run())


WAYS = ("plain", "stream", "async plain", "async stream")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("behaviour", ["exact", "element", "fenced-siblings", "refusal", "restart", "reopen-full"])
def test_a_document_that_comes_cut_is_whole(server: TruncatingServer, address: str, way: str, behaviour: str) -> None:
    before = len(server.calls)
    got = ask(address, way, f"{behaviour}/report-2")
    calls = server.calls[before:]
    assert json.loads(got.text) == json.loads(sample_text("report-2"))
    assert got.finish == "stop"
    assert len(calls) > 1
    assert got.usage.prompt_tokens == sum(call.usage.prompt_tokens for call in calls)
    assert got.usage.completion_tokens == sum(call.usage.completion_tokens for call in calls)
    assert (got.pieces > 10) == ("stream" in way)


@pytest.mark.parametrize("way", WAYS)
def test_length_where_the_budget_is_spent(server: TruncatingServer, address: str, way: str) -> None:
    before = len(server.calls)
    got = ask(address, way, "exact/report-2", "rounds=2")
    assert len(server.calls) - before == 2
    assert got.finish == "length"
    assert sample_text("report-2").startswith(got.text)
    assert len(got.text) > 800


@pytest.mark.parametrize("way", WAYS)
def test_a_budget_of_tokens_counts_those_of_the_prompts(server: TruncatingServer, address: str, way: str) -> None:
    before = len(server.calls)
    got = ask(address, way, "exact/report-2", "tokens=400")
    spent = [call.usage.total_tokens for call in server.calls[before:]]
    assert got.finish == "length"
    assert sum(spent[:-1]) < 400 <= sum(spent)


def test_a_budget_of_tokens_holds_for_a_stream_that_does_not_ask_for_its_usage(
    server: TruncatingServer, client: openai.OpenAI
) -> None:
    before = len(server.calls)
    got = gathered(list(client.chat.completions.create(**arguments("exact/report-2", "tokens=400", {}), stream=True)))
    spent = [call.usage.total_tokens for call in server.calls[before:]]
    assert (got.finish, got.usage) == ("length", None)
    assert sum(spent[:-1]) < 400 <= sum(spent)


@pytest.mark.parametrize("fault", ["stall@1", "stall-mid@1", "stall-mid@0"])
def test_a_budget_of_seconds_ends_the_waiting(client: openai.OpenAI, fault: str) -> None:
    began = time.monotonic()
    told = arguments(f"exact+{fault}/report-2", "seconds=2", {})
    got = gathered(list(client.chat.completions.create(**told, stream=True)))
    assert got.finish == "length"
    assert sample_text("report-2").startswith(got.text)
    assert len(got.text) > 100
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("way", WAYS)
def test_off_is_hands_off(server: TruncatingServer, address: str, way: str) -> None:
    before = len(server.calls)
    got = ask(address, way, "exact/report-2", "off")
    assert (len(server.calls) - before, got.finish) == (1, "length")
    assert len(got.text) < 800


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("fields", "whole"), [({}, True), ({"response_format": {"type": "text"}}, False)])
def test_json_that_was_not_asked_for_is_known_by_its_beginning(
    address: str, way: str, fields: dict[str, Any], whole: bool
) -> None:
    fields = {"response_format": openai.NOT_GIVEN, **fields}
    got = ask(address, way, "exact/report-2", **fields)
    assert got.finish == ("stop" if whole else "length")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("finish", ["says-stop", "says-length", "no-finish"])
def test_the_parser_knows_better_than_the_finish_reason(address: str, finish: str, stream: bool) -> None:
    got = ask(address, "stream" if stream else "plain", f"exact+{finish}/report-2")
    assert json.loads(got.text) == json.loads(sample_text("report-2"))
    assert got.finish == "stop"


def test_headers_tell_of_rounds_and_seams(client: openai.OpenAI) -> None:
    told = arguments("exact/table-3", "on", {})
    headers = client.chat.completions.with_raw_response.create(**told).headers
    rounds = int(headers["x-jsonseam-rounds"])
    assert rounds > 1
    assert headers["x-jsonseam-seams"] == ",".join(["continue"] * (rounds - 1))
    assert (headers["x-jsonseam-complete"], headers["x-jsonseam-reason"]) == ("true", "complete")


def test_a_comment_tells_of_them_in_a_stream_and_comments_keep_it_alive(address: str) -> None:
    """Rounds that stall make the client wait; it gets comments meanwhile."""
    body = {**arguments("exact+stall@1/table-3", "seconds=2", {}), "stream": True}
    body.pop("extra_headers")
    with httpx2.stream(
        "POST", f"{address}/v1/chat/completions", json=body, headers={"x-jsonseam": "seconds=2"}
    ) as answer:
        text = answer.read().decode()
    assert text.count(": jsonseam: waiting") >= 3
    assert ": jsonseam rounds=2 " in text
    assert " complete=false reason=time-limit\n" in text
    assert '"finish_reason":"length"' in text
    assert text.endswith("data: [DONE]\n\n")


def test_a_header_that_cannot_be_understood_is_told(client: openai.OpenAI) -> None:
    with pytest.raises(openai.BadRequestError, match="x-jsonseam"):
        client.chat.completions.create(**arguments("exact/table-3", "rounds=many", {}))


def test_other_paths(client: openai.OpenAI, server: TruncatingServer) -> None:
    direct = openai.OpenAI(base_url=server.base_url, api_key="none")
    assert [model.id for model in client.models.list()] == [model.id for model in direct.models.list()]


@pytest.mark.parametrize("stream", [False, True])
def test_pydantic_documents_of_the_client_library(address: str, stream: bool) -> None:
    """The client's own helper that parses into a type, which raises where an answer was cut."""
    pydantic = pytest.importorskip("pydantic")

    class Table(pydantic.BaseModel):
        headers: list[str]
        rows: list[tuple[int, str, float]]

    told = {**arguments("exact/table-3", "on", {}), "response_format": Table}
    with openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as client:
        if stream:
            with client.chat.completions.stream(**told) as events:
                parsed = events.get_final_completion().choices[0].message.parsed
        else:
            parsed = client.chat.completions.parse(**told).choices[0].message.parsed
    assert [list(row) for row in parsed.rows] == json.loads(sample_text("table-3"))["rows"]

"""Faults of the upstream, and clients that go away: what the official client raises; nothing gathered is lost."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import socket
import time
from collections.abc import Callable
from typing import Any

import httpx2
import openai
import pytest

from jsonseam.gateway.retries import RetryPolicy
from jsonseam.gateway.samples import sample_text
from jsonseam.gateway.truncating_server import TruncatingServer
from tests.proxy.running import proxy
from tests.proxy.scripted import Asked, Pieces, Upstream, answer, broken, chunk, chunked, events, response

QUICK = RetryPolicy(attempts=3, first_wait=0.01, max_wait=1.0)
ASKED: Any = [{"role": "user", "content": "write"}]
OBJECT: Any = {"type": "json_object"}


def ask(address: str, stream: bool, retries: int = 0, **fields: Any) -> tuple[str, str | None]:
    """Text and finish reason."""
    told = {"model": "m", "messages": ASKED, "response_format": OBJECT, **fields}
    with openai.OpenAI(base_url=f"{address}/v1", api_key="sk-none", max_retries=retries) as client:
        if not stream:
            choice = client.chat.completions.create(**told).choices[0]
            return choice.message.content or "", choice.finish_reason
        text, finish = "", None
        for event in client.chat.completions.create(stream=True, **told):
            for choice in event.choices:
                text += choice.delta.content or ""
                finish = choice.finish_reason or finish
        return text, finish


def error(status: str, *more: str) -> bytes:
    return response(b'{"error": {"message": "told", "type": "t", "code": "c"}}', "application/json", status, *more)


FIRST_ROUND: dict[str, tuple[Callable[[], Pieces], type[Exception], str]] = {
    "400": (lambda: [error("400 Bad Request")], openai.BadRequestError, "told"),
    "401": (lambda: [error("401 Unauthorized")], openai.AuthenticationError, "told"),
    "404": (lambda: [error("404 Not Found")], openai.NotFoundError, "told"),
    "429": (lambda: [error("429 Too Many Requests", "retry-after: 7")], openai.RateLimitError, "told"),
    "500": (lambda: [error("500 Internal Server Error")], openai.InternalServerError, "told"),
    "a page for an error": (
        lambda: [response(b"<h1>busy</h1>", "text/html", "503 Service Unavailable")],
        openai.InternalServerError,
        "503",
    ),
    "no answer": (lambda: [], openai.InternalServerError, "broke off"),
    "no HTTP": (lambda: [b"\x00\x01garbage\r\n\r\n"], openai.InternalServerError, "broke off"),
    "no JSON": (lambda: [response(b'{"id": "chatcmpl')], openai.InternalServerError, "not one of the OpenAI API"),
    "a page": (lambda: [response(b"<h1>hi</h1>", "text/html")], openai.InternalServerError, "not one of"),
    "silence": (lambda: _silence(), openai.InternalServerError, "in time"),
}


def _silence() -> Pieces:
    time.sleep(1.5)
    return []


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("case", FIRST_ROUND)
def test_the_first_round_fails_as_the_real_api_would(case: str, stream: bool) -> None:
    said, raised, message = FIRST_ROUND[case]
    with (
        Upstream(lambda asked: said()) as upstream,
        proxy(f"{upstream.address}/v1", timeout=0.7) as address,
        pytest.raises(raised, match=message) as caught,
    ):
        ask(address, stream)
    assert len(upstream.asked) == 1, "the client's own retries are its own business"
    if case == "429":
        assert caught.value.response.headers["retry-after"] == "7"
    if case == "silence":
        assert caught.value.status_code == 504
        assert caught.value.body["code"] == "upstream_timeout"


@pytest.mark.parametrize("stream", [False, True])
def test_an_upstream_that_is_not_there(stream: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with proxy(f"http://127.0.0.1:{port}/v1") as address, pytest.raises(openai.InternalServerError) as caught:
        ask(address, stream)
    assert (caught.value.status_code, caught.value.body["code"]) == (502, "upstream_unreachable")


def test_a_broken_off_whole_answer_is_an_error() -> None:
    half = answer('{"a": [1, 2, 3]}')[:-40]
    with (
        Upstream(lambda asked: [half]) as upstream,
        proxy(f"{upstream.address}/v1") as address,
        pytest.raises(openai.InternalServerError, match="broke off"),
    ):
        ask(address, stream=False)


def test_text_that_breaks_off_breaks_off() -> None:
    said = events("Just some text.")[:-2]
    with Upstream(lambda asked: broken(said)) as upstream, proxy(f"{upstream.address}/v1") as address:
        with pytest.raises((httpx2.TransportError, openai.APIConnectionError, openai.APIError)):
            ask(address, stream=True)
        with httpx2.stream("POST", f"{address}/v1/chat/completions", json={"messages": ASKED, "stream": True}) as got:
            heard: list[bytes] = []
            with pytest.raises(httpx2.RemoteProtocolError):
                heard.extend(got.iter_raw())
        assert b"".join(heard) == b"".join(said)


FIRST, REST, WHOLE = '{"a": [1, 2, ', "3]}", {"a": [1, 2, 3]}


def rounds(*later: Callable[[bool], Pieces]) -> Callable[[Asked], Pieces]:
    """The first answer comes cut; the later ones as said, the last of them again and again."""

    def script(asked: Asked) -> Pieces:
        stream = asked.json().get("stream", False)
        if asked.number == 0:
            return whole(FIRST, "length")(stream)
        return later[min(asked.number, len(later)) - 1](stream)

    return script


def whole(text: str, finish: str = "stop") -> Callable[[bool], Pieces]:
    return lambda stream: chunked(events(text, finish)) if stream else [answer(text, finish)]


def failing(raw: bytes) -> Callable[[bool], Pieces]:
    return lambda stream: [raw]


LATER: dict[str, tuple[list[Callable[[bool], Pieces]], str]] = {
    "500, then well": ([failing(error("500 Internal Server Error")), whole(REST)], "stop"),
    "429 with retry-after, then well": (
        [failing(error("429 Too Many Requests", "retry-after: 0.2")), whole(REST)],
        "stop",
    ),
    "no answer, then well": ([failing(b""), whole(REST)], "stop"),
    "500 for good": ([failing(error("500 Internal Server Error"))], "length"),
    "401": ([failing(error("401 Unauthorized"))], "length"),
    "429 for a long time": ([failing(error("429 Too Many Requests", "retry-after: 900"))], "length"),
    "no connection for good": ([failing(b"")], "length"),
    "garbage for good": ([failing(response(b"oops", "text/html"))], "length"),
    "no JSON in a stream": ([lambda stream: chunked([b"data: {oops\n\n"]) if stream else [response(b"{")]], "length"),
    "prose for good": ([whole("I am sorry, I cannot go on with that.")], "length"),
    "a tool call": (
        [lambda stream: chunked([chunk({"tool_calls": [{}]}, "stop")]) if stream else [answer(None)]],
        "length",
    ),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("case", LATER)
def test_a_later_round_that_fails_loses_nothing(case: str, stream: bool) -> None:
    later, finish = LATER[case]
    started = time.monotonic()
    with Upstream(rounds(*later)) as upstream, proxy(f"{upstream.address}/v1", retry=QUICK) as address:
        text, got = ask(address, stream)
    assert got == finish
    assert (json.loads(text) == WHOLE) if finish == "stop" else text == FIRST
    assert time.monotonic() - started < 8
    assert len(upstream.asked) <= 5


def test_a_stream_that_breaks_off_goes_on_in_the_next_round() -> None:
    def script(asked: Asked) -> Pieces:
        return broken(events(FIRST)[:-2]) if asked.number == 0 else chunked(events(REST))

    with Upstream(script) as upstream, proxy(f"{upstream.address}/v1") as address:
        text, finish = ask(address, stream=True)
    assert (json.loads(text), finish) == (WHOLE, "stop")
    turns = upstream.asked[1].json()["messages"]
    assert turns[0] == ASKED[0]
    assert [turn["role"] for turn in turns[1:]] == ["assistant", "user"]
    assert turns[1]["content"] == FIRST


def test_a_stream_that_falls_silent_goes_on_in_the_next_round() -> None:
    def script(asked: Asked) -> Pieces:
        if asked.number:
            yield from chunked(events(REST))
            return
        yield from broken(events(FIRST)[:-2])
        time.sleep(3)

    with Upstream(script) as upstream, proxy(f"{upstream.address}/v1", timeout=0.5) as address:
        text, finish = ask(address, stream=True)
    assert (json.loads(text), finish) == (WHOLE, "stop")


@pytest.mark.parametrize("stream", [False, True])
def test_slow_bytes_arrive(stream: bool) -> None:
    def script(asked: Asked) -> Pieces:
        raw = whole(FIRST if asked.number == 0 else REST, "length" if asked.number == 0 else "stop")(stream)
        for piece in raw:
            for at in range(0, len(piece), 9):
                time.sleep(0.002)
                yield piece[at : at + 9]

    with Upstream(script) as upstream, proxy(f"{upstream.address}/v1") as address:
        text, finish = ask(address, stream)
    assert (json.loads(text), finish) == (WHOLE, "stop")


@pytest.mark.parametrize("stream", [False, True])
def test_a_refused_prefill_is_asked_for_by_a_user_turn_once_and_for_all(stream: bool) -> None:
    with TruncatingServer(budget=500) as server, proxy(server.base_url, provider="vllm", retry=QUICK) as address:
        for name in ("one", "two"):
            told = {"model": "truncating/exact+400-prefill/table-3", "metadata": {"conversation": f"{name}"}}
            text, finish = ask(address, stream, **told)
            assert (json.loads(text), finish) == (json.loads(sample_text("table-3")), "stop")
        assert sum(call.status == 400 for call in server.calls) == 1


@pytest.mark.parametrize("provider", ["vllm", "mistral", "llama.cpp", "moonshot"])
@pytest.mark.parametrize("stream", [False, True])
def test_prefill_with_and_without_an_echo(provider: str, stream: bool) -> None:
    echoes = provider == "mistral" or (provider == "llama.cpp" and not stream)
    model = f"truncating/exact{'+echo-prefill' * echoes}/report-2"
    with TruncatingServer(budget=900) as server, proxy(server.base_url, provider=provider) as address:
        text, finish = ask(address, stream, model=model)
        assert (json.loads(text), finish) == (json.loads(sample_text("report-2")), "stop")
        assert all(call.body["messages"][-1]["role"] == "assistant" for call in server.calls[1:])


def test_a_slow_reader_gets_all_that_was_let_go_before_the_deadline() -> None:
    """A deadline comes while the client does not read and much waits to be sent: there is no hole in what it gets."""
    long = '{"a": [' + ", ".join(f'"item number {n}"' for n in range(100_000))

    def script(asked: Asked) -> Pieces:
        return chunked(events(long, "length", size=4_000))

    with Upstream(script) as upstream, proxy(f"{upstream.address}/v1") as address:
        body = {"messages": ASKED, "stream": True, "response_format": OBJECT}
        headers = {"x-jsonseam": "seconds=1"}
        with httpx2.stream("POST", f"{address}/v1/chat/completions", json=body, headers=headers) as got:
            time.sleep(1.5)
            frames = [json.loads(line[6:]) for line in got.iter_lines() if line.startswith("data: {")]
    text = "".join(frame["choices"][0]["delta"].get("content", "") for frame in frames)
    assert long.startswith(text)
    assert len(text) > 100_000
    assert frames[-1]["choices"][0]["finish_reason"] == "length"


# ------------------------------------------------------------ clients that go away
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("number", [0, 1])
def test_a_client_that_goes_away_cancels_the_call(number: int, stream: bool) -> None:
    """In the first round, or in the second one."""

    def script(asked: Asked) -> Pieces:
        if asked.number < number:
            yield from whole(FIRST, "length")(stream)
            return
        yield b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
        for _ in range(200):
            time.sleep(0.05)
            yield b": still thinking\n\n"

    with Upstream(script) as upstream, proxy(f"{upstream.address}/v1") as address:
        body = {"messages": ASKED, "stream": stream, "response_format": OBJECT}

        async def go_away() -> None:
            async with httpx2.AsyncClient() as client:
                asking = asyncio.create_task(client.post(f"{address}/v1/chat/completions", json=body))
                while len(upstream.asked) <= number:
                    await asyncio.sleep(0.01)
                await asyncio.sleep(0.1)
                asking.cancel()

        asyncio.run(go_away())
        assert upstream.asked[number].gone.wait(3), "the upstream is not asked for what nobody will read"
        until = time.monotonic() + 3
        while 'status="gone"} 1.0' not in (counted := httpx2.get(f"{address}/metrics").text):
            assert time.monotonic() < until, counted
        assert "jsonseam_requests_in_flight 0.0" in counted
        assert "jsonseam_held_characters 0.0" in counted


# ------------------------------------------------------------ what is never written
def test_keys_pass_and_are_never_logged() -> None:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    root, level = logging.getLogger(), logging.getLogger().level
    ours = [logging.getLogger(name) for name in ("jsonseam", "httpx2", "httpcore2")]
    levels = [logger.level for logger in ours]
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    for logger in ours:
        logger.setLevel(logging.DEBUG if logger.name == "jsonseam" else logging.INFO)
    try:
        later = rounds(failing(error("500 Internal Server Error")), whole(REST))
        with (
            Upstream(later) as upstream,
            proxy(f"{upstream.address}/v1", retry=QUICK) as address,
            openai.OpenAI(base_url=f"{address}/v1", api_key="sk-SECRET1", max_retries=0) as client,
        ):
            asked: Any = [{"role": "user", "content": "PRIVATE"}]
            told: Any = {"model": "m", "messages": asked, "response_format": OBJECT}
            client.chat.completions.create(extra_query={"key": "SECRET2"}, extra_headers={"x-k": "SECRET3"}, **told)
        with Upstream(lambda asked: []) as silent, proxy(f"{silent.address}/v1") as address:
            httpx2.get(f"{address}/v1/models?key=SECRET4", headers={"authorization": "Bearer SECRET5"})
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
        for logger, before in zip(ours, levels, strict=True):
            logger.setLevel(before)
    assert all(asked.header("authorization") == "Bearer sk-SECRET1" for asked in upstream.asked)
    assert all("key=SECRET2" in asked.line for asked in upstream.asked)
    assert "call 2" in written.getvalue(), "there is something to be read"
    assert "PRIVATE" not in written.getvalue()
    ours_only = "\n".join(line for line in written.getvalue().splitlines() if "HTTP Request:" not in line)
    assert "SECRET" not in ours_only

"""The truncating server, asked by the official SDK over real HTTP."""

from __future__ import annotations

import json
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator

import openai
import pytest

from jsonseam.gateway.behaviours import BEHAVIOURS
from jsonseam.gateway.chat_call import TRANSPORT_ERRORS
from jsonseam.gateway.samples import sample_text
from jsonseam.gateway.truncating_server import TruncatingServer

LIST = json.dumps({"items": [f"item number {n}" for n in range(40)]})
RECORDS = sample_text("records-1")


@pytest.fixture(scope="module")
def server() -> Iterator[TruncatingServer]:
    with TruncatingServer({"list": LIST}, budget=300, stall=0.3) as running:
        yield running


@pytest.fixture(scope="module")
def client(server: TruncatingServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0) as made:
        yield made


ASKED = {"role": "user", "content": "Write the list."}


def say(client: openai.OpenAI, model: str, *more: dict[str, str], conversation: str = "", **fields: object):
    if conversation:
        fields["metadata"] = {"conversation": conversation}
    return client.chat.completions.create(model=model, messages=[ASKED, *more], **fields)


def text(completion: openai.types.chat.ChatCompletion) -> str:
    return completion.choices[0].message.content or ""


@pytest.mark.parametrize("max_tokens", [1, 7, 60])
def test_max_tokens_is_honoured_and_usage_is_counted(client: openai.OpenAI, max_tokens: int) -> None:
    answer = say(client, "truncating/exact/list", max_tokens=max_tokens)
    assert text(answer) == LIST[: 4 * max_tokens]
    assert answer.choices[0].finish_reason == "length"
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (4, max_tokens)


def test_the_newer_name_of_the_limit_counts_too(client: openai.OpenAI) -> None:
    assert len(text(say(client, "truncating/exact/list", max_completion_tokens=5))) == 20


def test_a_stream_says_the_same_and_ends_with_usage(client: openai.OpenAI) -> None:
    events = list(
        say(client, "truncating/exact/list", max_tokens=30, stream=True, stream_options={"include_usage": True})
    )
    said = "".join(event.choices[0].delta.content or "" for event in events if event.choices)
    assert said == LIST[:120]
    assert events[-2].choices[0].finish_reason == "length"
    assert events[-1].usage.completion_tokens == 30
    assert len(events) > 4


def test_no_usage_in_a_stream_that_did_not_ask_for_it(client: openai.OpenAI) -> None:
    assert all(event.usage is None for event in say(client, "truncating/exact/list", stream=True))


# how a client may show how far it got, each with what it holds
SHOWN = {
    "prefill": lambda held: [{"role": "assistant", "content": held}],
    "whole text and a user turn": lambda held: [
        {"role": "assistant", "content": held},
        {"role": "user", "content": "Go on."},
    ],
    "tail and a user turn": lambda held: [
        {"role": "assistant", "content": held[-40:]},
        {"role": "user", "content": "Go on."},
    ],
    "tail inside a prompt": lambda held: [{"role": "user", "content": f"Go on behind:\n{held[-60:]}\nNo repetition."}],
    "tail inside a prompt, quoted": lambda held: [
        {"role": "user", "content": f"Go on behind {json.dumps(held[-60:])}."}
    ],
    "other whitespace": lambda held: [
        {"role": "assistant", "content": held.replace('", "', '",\n  "')},
        {"role": "user", "content": "Go on."},
    ],
}


@pytest.mark.parametrize("shown", SHOWN)
def test_it_knows_how_far_the_client_got(client: openai.OpenAI, shown: str) -> None:
    held, calls = "", 0
    while held != LIST and calls < 20:
        more = SHOWN[shown](held) if held else []
        held += text(say(client, "truncating/exact/list", *more, conversation=f"far/{shown}", max_tokens=50))
        calls += 1
        assert LIST.startswith(held)
    assert held == LIST
    assert calls == -(-len(LIST) // 200)


@pytest.mark.parametrize("shown", ["prefill", "whole text and a user turn"])
def test_it_needs_no_memory_where_all_is_shown(shown: str) -> None:
    for length in (30, 200, 333):
        with TruncatingServer({"list": LIST}) as fresh, openai.OpenAI(base_url=fresh.base_url, api_key="n") as client:
            more = SHOWN[shown](LIST[:length])
            assert text(say(client, "truncating/exact/list", *more, max_tokens=10)) == LIST[length : length + 40]


def test_a_client_that_went_back_is_followed(client: openai.OpenAI) -> None:
    first = text(say(client, "truncating/exact/list", conversation="back", max_tokens=50))
    turn = SHOWN["tail and a user turn"]
    second = text(say(client, "truncating/exact/list", *turn(first), conversation="back", max_tokens=50))
    again = text(say(client, "truncating/exact/list", *turn(first), conversation="back", max_tokens=50))
    assert again == second


def test_asking_the_first_question_again_begins_again(client: openai.OpenAI) -> None:
    answers = [text(say(client, "truncating/exact/list", conversation="anew", max_tokens=20)) for _ in range(2)]
    assert answers == [LIST[:80]] * 2


def test_conversations_are_kept_apart(client: openai.OpenAI) -> None:
    held = {
        name: text(say(client, "truncating/exact/list", user=name, max_tokens=9 + n)) for n, name in enumerate("abc")
    }
    for name, said in held.items():
        more = [{"role": "user", "content": "Go on."}]
        assert text(say(client, "truncating/exact/list", *more, user=name, max_tokens=3)).startswith(
            LIST[len(said) : len(said) + 12]
        )


def test_behaviour_faults_and_document_may_stand_in_metadata_or_headers(client: openai.OpenAI) -> None:
    said = {"behaviour": "exact", "document": "list", "faults": "says-stop", "conversation": "meta"}
    answer = client.chat.completions.create(model="any", messages=[ASKED], metadata=said, max_tokens=5)
    assert (text(answer), answer.choices[0].finish_reason) == (LIST[:20], "stop")
    headers = {"x-behaviour": "exact", "x-document": "list", "x-faults": "no-usage"}
    answer = client.chat.completions.create(model="any", messages=[ASKED], extra_headers=headers, max_tokens=5)
    assert (text(answer), answer.usage) == (LIST[:20], None)


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_every_behaviour_comes_to_its_end(behaviour: str) -> None:
    with TruncatingServer({"records": RECORDS}) as server, openai.OpenAI(base_url=server.base_url, api_key="n") as c:
        model = f"truncating/{behaviour}/records"
        say(c, model, conversation="x")
        for _ in range(20):
            reach = server.calls[-1].turn.reach
            if reach == len(RECORDS):
                break
            say(c, model, *SHOWN["tail and a user turn"](RECORDS[:reach]), conversation="x")
            assert server.calls[-1].cut == reach
        assert reach == len(RECORDS)
        assert len(server.calls) > 1


# fault, the error of a plain call, the error of a stream
ERRORS = [
    ("400", openai.BadRequestError, openai.BadRequestError),
    ("429", openai.RateLimitError, openai.RateLimitError),
    ("500", openai.InternalServerError, openai.InternalServerError),
    ("503", openai.InternalServerError, openai.InternalServerError),
    ("stall", openai.APITimeoutError, openai.APITimeoutError),
    ("stall-mid", openai.APITimeoutError, TRANSPORT_ERRORS),
    ("disconnect", openai.APIConnectionError, TRANSPORT_ERRORS),
    ("error-mid", json.JSONDecodeError, openai.APIError),
]


@pytest.mark.parametrize(("fault", "plain", "streamed"), ERRORS, ids=[row[0] for row in ERRORS])
def test_faults_are_true_to_their_names(
    client: openai.OpenAI, fault: str, plain: type[Exception], streamed: type[Exception] | tuple[type[Exception], ...]
) -> None:
    hasty = client.with_options(timeout=0.15)
    with pytest.raises(plain):
        say(hasty, f"truncating/exact+{fault}/list")
    with pytest.raises(streamed):
        list(say(hasty, f"truncating/exact+{fault}/list", stream=True))


def test_a_429_says_when_to_come_back(client: openai.OpenAI) -> None:
    with pytest.raises(openai.RateLimitError) as caught:
        say(client, "truncating/exact+429/list")
    assert float(caught.value.response.headers["retry-after"]) == 0.05


def test_a_stream_can_end_without_a_word(client: openai.OpenAI) -> None:
    events = list(say(client, "truncating/exact+cut/list", stream=True, max_tokens=50))
    assert "".join(event.choices[0].delta.content or "" for event in events) == LIST[:100]
    assert all(event.choices[0].finish_reason is None for event in events)


def test_a_fault_may_be_there_at_one_call_only(client: openai.OpenAI) -> None:
    model = "truncating/exact+500@0+prose@2/list"
    with pytest.raises(openai.InternalServerError):
        say(client, model, conversation="once")
    assert text(say(client, model, conversation="once")).startswith('{"items"')
    assert text(say(client, model, conversation="once")).startswith("I would rather")


def test_kpi_calls_get_the_arrays_of_the_document(client: openai.OpenAI) -> None:
    answer = say(client, "truncating/exact/list", {"role": "user", "content": "Name each jsonPath and targetValue."})
    (kpi,) = json.loads(text(answer))["kpis"]
    assert (kpi["jsonPath"], kpi["targetValue"]) == ("items", 40)


def test_sums_of_usage_can_be_checked(client: openai.OpenAI, server: TruncatingServer) -> None:
    answers = [say(client, "truncating/echo/list", conversation="sums", max_tokens=n) for n in (5, 6, 7)]
    assert server.usage("sums").total_tokens == sum(answer.usage.total_tokens for answer in answers)


def test_the_server_leaves_nothing_behind() -> None:
    before = threading.active_count()
    with TruncatingServer(stall=60) as server:
        url = server.base_url
        with urllib.request.urlopen(f"{url}/models") as response:
            assert "truncating/echo" in response.read().decode()
        threading.Thread(target=stalled_call, args=(url,), daemon=True).start()
    port = int(url.split(":")[2].split("/")[0])
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=1)
    assert threading.active_count() <= before + 1


def stalled_call(url: str) -> None:
    body = {"model": "truncating/exact+stall/list", "messages": [ASKED]}
    request = urllib.request.Request(f"{url}/chat/completions", json.dumps(body).encode())
    try:
        urllib.request.urlopen(request, timeout=30).read()
    except (OSError, urllib.error.URLError):
        return

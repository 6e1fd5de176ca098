"""One answer out of several whole ones, and the requests behind the first, without a socket."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jsonseam.gateway.budget import Limits
from jsonseam.gateway.model import Message, Request
from jsonseam.gateway.prefill import capability_of
from jsonseam.proxy.asking import read_asked
from jsonseam.proxy.conversation import Conversation
from jsonseam.proxy.follow_up import follow_up
from jsonseam.proxy.headers import end_to_end, of_a_later_round, to_upstream
from jsonseam.proxy.plain import PlainAnswer
from jsonseam.proxy.switches import Switch
from tests.proxy.scripted import completion

ASKED = {
    "model": "m",
    "messages": [{"role": "user", "content": [{"type": "text", "text": "write"}]}],
    "response_format": {"type": "json_object"},
    "temperature": 0.2,
    "seed": 7,
}


def conversation(**more: Any) -> Conversation:
    asked = read_asked(json.dumps({**ASKED, **more}).encode())
    assert asked is not None
    return Conversation(asked, Switch(Limits(calls=4)))


def raw(text: str | None, finish: str | None = "stop", **more: Any) -> bytes:
    return json.dumps(completion(text, finish, **more)).encode()


def test_the_answers_are_merged_and_the_rest_is_the_first_ones() -> None:
    talk = conversation()
    answer = PlainAnswer(talk)
    assert answer.first(raw('{"a": "é', "length", system_fingerprint="fp"))
    assert talk.next_request() is not None
    answer.later(raw('t\\u00e9"}', id="chatcmpl-2"))
    merged = json.loads(answer.merged())
    assert merged["choices"][0]["message"] == {"role": "assistant", "content": '{"a": "ét\\u00e9"}'}
    assert merged["choices"][0]["finish_reason"] == "stop"
    assert merged["usage"] == {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30}
    assert (merged["id"], merged["system_fingerprint"]) == ("chatcmpl-1", "fp")


UNCHANGED = {
    "a whole document": raw('{"a": 1}'),
    "a whole one in a fence": raw('```json\n{"a": 1}\n```'),
    "a malformed one": raw("{'a': 1}"),
    "a deep one": raw("[" * 2_000 + "]" * 2_000),
    "prose": raw("I cannot"),
    "nothing": raw(None),
    "a refusal": json.dumps({"choices": [{"message": {"content": None, "refusal": "no"}}]}).encode(),
    "a tool call": json.dumps({"choices": [{"message": {"tool_calls": [{}]}, "finish_reason": "tool_calls"}]}).encode(),
    "two choices": json.dumps({"choices": [{"message": {"content": "{"}}] * 2}).encode(),
    "no choices": b'{"choices": []}',
    "another shape": b'{"choices": 3}',
    "content of another shape": json.dumps({"choices": [{"message": {"content": [1]}}]}).encode(),
    "no object": b"[]",
}


@pytest.mark.parametrize("case", UNCHANGED)
def test_what_is_not_cut_is_left_alone(case: str) -> None:
    assert not PlainAnswer(conversation()).first(UNCHANGED[case])


LATER = {b"[]": 2, b"oops": 2, b'{"choices": []}': 4, b'{"choices": [{}, {}]}': 4}  # with the rounds that it takes


@pytest.mark.parametrize("later", LATER)
def test_later_answers_of_another_shape_lose_nothing(later: bytes) -> None:
    talk = conversation()
    answer = PlainAnswer(talk)
    assert answer.first(raw('{"a": [1, ', "length"))
    while talk.wants_more and talk.next_request() is not None:
        answer.later(later)
    assert len(talk.rounds) == LATER[later]
    merged = json.loads(answer.merged())["choices"][0]
    assert (merged["message"]["content"], merged["finish_reason"]) == ('{"a": [1, ', "length")


REQUEST = Request((Message("assistant", '{"a": "é'), Message("user", "go on")), "continue", prefill='{"a": "é ')


def test_the_next_request_is_the_clients_own_and_two_turns_more() -> None:
    asked = {**ASKED, "max_tokens": 9}
    follow = follow_up(asked, REQUEST, capability_of("http://x"), prefill=True, count_tokens=True)
    assert not follow.prefilled
    body = dict(follow.body)
    turns = [{"role": "assistant", "content": '{"a": "é'}, {"role": "user", "content": "go on"}]
    assert body.pop("messages") == [*ASKED["messages"], *turns]
    assert body == {"model": "m", "temperature": 0.2, "seed": 7, "max_tokens": 9}
    assert asked["response_format"], "the client's request is as it was"


@pytest.mark.parametrize(("provider", "more"), [("vllm", {"continue_final_message": True}), ("ollama", {})])
def test_a_server_with_prefill_goes_on_behind_the_text(provider: str, more: dict[str, Any]) -> None:
    follow = follow_up(ASKED, REQUEST, capability_of("http://x", provider), prefill=True, count_tokens=False)
    assert follow.prefilled
    assert follow.body["messages"][-1] == {"role": "assistant", "content": '{"a": "é'}
    assert more.items() <= follow.body.items()
    assert not follow_up(
        ASKED, REQUEST, capability_of("http://x", provider), prefill=False, count_tokens=False
    ).prefilled


def test_a_stream_is_asked_for_its_usage_where_that_is_needed() -> None:
    asked = {**ASKED, "stream": True, "stream_options": {"x": 1}}
    body = follow_up(asked, REQUEST, capability_of("http://x"), prefill=True, count_tokens=True).body
    assert body["stream_options"] == {"x": 1, "include_usage": True}


HEADERS = [
    (b"Authorization", b"Bearer k"), (b"Connection", b"keep-alive, X-Mine"), (b"X-Mine", b"1"), (b"TE", b"trailers"),
    (b"Host", b"proxy"), (b"X-Jsonseam", b"off"), (b"Cookie", b"a=1"), (b"cookie", b"b=2"), (b"Idempotency-Key", b"i"),
    (b"Content-Length", b"3"), (b"Accept-Encoding", b"gzip"), (b"Proxy-Authorization", b"p"),
]  # fmt: skip


def test_headers_between_neighbours_stay_between_them() -> None:
    kept = [name for name, _ in to_upstream(HEADERS)]
    assert kept == [b"Authorization", b"Cookie", b"cookie", b"Idempotency-Key", b"Content-Length", b"Accept-Encoding"]
    later = of_a_later_round(HEADERS)
    assert [name for name, _ in later] == [b"Authorization", b"Cookie", b"cookie", b"accept-encoding"]
    assert later[-1][1] == b"identity"
    back = [(b"Transfer-Encoding", b"chunked"), (b"Set-Cookie", b"a"), (b"Set-Cookie", b"b"), (b"Keep-Alive", b"5")]
    assert end_to_end(back) == back[1:3]

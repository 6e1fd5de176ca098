"""Which server goes on behind a text, how it is asked, and what is taken off its answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jsonseam.gateway.chat_request import ChatRequest
from jsonseam.gateway.model import Message, Request
from jsonseam.gateway.prefill import PROVIDERS, PrefillEcho, capability_of, provider_of

HOSTS = [
    ("https://api.openai.com/v1", "openai", "none"),
    ("https://me.openai.azure.com/openai/v1/", "azure", "none"),
    ("https://api.anthropic.com/v1/", "anthropic", "trailing"),
    ("https://openrouter.ai/api/v1", "openrouter", "trailing"),
    ("https://api.deepseek.com", "deepseek", "none"),
    ("https://api.deepseek.com/v1", "deepseek", "none"),
    ("https://api.deepseek.com/beta", "deepseek-beta", "prefix"),
    ("https://api.mistral.ai/v1", "mistral", "prefix"),
    ("https://api.moonshot.ai/v1", "moonshot", "partial"),
    ("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "dashscope", "partial"),
    ("http://localhost:11434/v1", "ollama", "trailing"),
    ("http://localhost:8000/v1", "unknown", "none"),
    ("http://user:secret@API.OPENAI.COM/v1", "openai", "none"),
    ("https://evil.example/api.openai.com/v1", "unknown", "none"),
]

ASKED = (Message("user", "Write."),)
GO_ON = Request(
    (*ASKED, Message("assistant", '{"a": "b '), Message("user", "Go on.")),
    purpose="continue",
    prefill='{"a": "b ',
    prefill_messages=ASKED,
    max_tokens=9,
    schema={"type": "object"},
)
TURN = {"role": "assistant", "content": '{"a": "b'}

# provider, the last message, what else the body says
ASKING = [
    ("unknown", {"role": "user", "content": "Go on."}, {"max_tokens": 9}),
    ("openai", {"role": "user", "content": "Go on."}, {"max_completion_tokens": 9}),
    ("llama.cpp", TURN, {"max_tokens": 9}),
    ("vllm", TURN, {"extra_body": {"continue_final_message": True, "add_generation_prompt": False, "x": 1}}),
    ("sglang", TURN, {"extra_body": {"continue_final_message": True, "add_generation_prompt": False, "x": 1}}),
    ("mistral", TURN | {"prefix": True}, {"extra_body": {"x": 1}}),
    ("moonshot", TURN | {"partial": True}, {"extra_body": {"x": 1}}),
]


@pytest.mark.parametrize(("url", "provider", "kind"), HOSTS)
def test_the_host_tells_the_provider(url: str, provider: str, kind: str) -> None:
    assert provider_of(url) == provider
    assert capability_of(url).prefill == kind


def test_a_name_wins_over_the_host() -> None:
    assert capability_of("http://localhost:8000/v1", "vllm").prefill == "continue_final_message"
    with pytest.raises(ValueError, match="known are unknown, openai"):
        capability_of("http://localhost:8000/v1", "vlmm")


def chat(provider: str, request: Request = GO_ON, **fields: object) -> ChatRequest:
    settings = {"stream": False, "options": {"extra_body": {"x": 1}}, "conceded": frozenset()} | fields
    return ChatRequest("m", PROVIDERS[provider], request, **settings)


@pytest.mark.parametrize(("provider", "last", "more"), ASKING, ids=[row[0] for row in ASKING])
def test_each_kind_is_asked_in_its_own_way(provider: str, last: dict[str, object], more: dict[str, object]) -> None:
    body = chat(provider).body()
    assert body["messages"][-1] == last
    assert body["messages"][0] == {"role": "user", "content": "Write."}
    assert {name: body[name] for name in more} == more


# provider, is the schema sent with a continuation? (never with a user turn: it would begin again)
SCHEMAS = [("unknown", False), ("llama.cpp", True), ("vllm", False), ("anthropic", False)]


@pytest.mark.parametrize(("provider", "sent"), SCHEMAS)
def test_a_schema_goes_with_a_prefill_only_where_it_holds_for_both(provider: str, sent: bool) -> None:
    assert ("response_format" in chat(provider).body()) == sent


@pytest.mark.parametrize("prefill", [None, "", " \n"])
def test_nothing_held_is_no_prefill(prefill: str | None) -> None:
    body = chat("llama.cpp", Request(ASKED, prefill=prefill)).body()
    assert body["messages"] == [{"role": "user", "content": "Write."}]


# what is refused, its words, what is left out (None: the refusal stands)
CONCESSIONS = [
    (400, "The conversation must end with a user message", "prefill"),
    (400, "Assistant response prefill is incompatible with enable_thinking.", "prefill"),
    (422, "extra fields not permitted: add_generation_prompt", "prefill"),
    (400, "Unknown parameter: 'stream_options'", "stream_usage"),
    (400, "response_format json_schema is not supported by this model", "schema"),
    (400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "limit_field"),
    (400, "bad request", "prefill"),
    (401, "bad key", None),
    (404, "no such model", None),
]


@pytest.mark.parametrize(("status", "words", "left_out"), CONCESSIONS)
def test_a_refusal_names_what_to_leave_out(status: int, words: str, left_out: str | None) -> None:
    request = chat("llama.cpp", stream=True)
    assert request.concede(status, words) == (left_out is not None)
    assert request.conceded == ({left_out} if left_out else frozenset())


def test_a_refusal_that_asks_for_nothing_we_sent_stands() -> None:
    plain = chat("unknown", Request(ASKED))
    assert not plain.concede(400, "bad request")
    assert not plain.concede(400, "response_format is not supported")


def test_a_conversation_that_is_too_long_is_no_reason_to_give_up_the_prefill_for_good() -> None:
    request = chat("llama.cpp")
    assert request.concede(400, "This model's maximum context length is 8192 tokens, max_tokens included")
    assert not request.prefilled
    assert request.learned() == frozenset()


# prefill, does the server echo it, what it answers, what is new
ECHOES = [
    ('{"a": 1', True, '{"a": 1, "b": 2}', ', "b": 2}'),
    ('{"a": 1', True, ', "b": 2}', ', "b": 2}'),
    ('{"a": 1', True, '{"a": 1', ""),
    ('{"a": 1', True, '{"a"', '{"a"'),
    ("[", False, "[1], [2]]", "[1], [2]]"),
    ('{"a": "x ', False, " y", "y"),
    ('{"a": "x ', False, "y", "y"),
    ('{"a": "x  ', False, " y", "y"),
    ('{"a": "x ', True, '{"a": "x y', "y"),
    ('{"a": "x ', True, '{"a": "xy', "y"),
    ('{"a": "x ', True, "  y", " y"),
    ("x" * 64, False, "x" * 64 + "y", "y"),
    ("x" * 63, False, "x" * 63 + "y", "x" * 63 + "y"),
    ('{"a": 1', True, "", ""),
]


@pytest.mark.parametrize(("prefill", "echoes", "answer", "new"), ECHOES)
def test_what_is_held_is_taken_off_the_answer(prefill: str, echoes: bool, answer: str, new: str) -> None:
    echo = PrefillEcho(prefill, echoes=echoes)
    assert echo.feed(answer) + echo.end() == new


@given(
    st.sampled_from(ECHOES),
    st.text(alphabet='{"a: 1x y', max_size=12),
    st.lists(st.integers(1, 5), min_size=1),
)
def test_chunks_make_no_difference(row: tuple[str, bool, str, str], more: str, sizes: list[int]) -> None:
    prefill, echoes, answer, _ = row
    answer += more
    whole = PrefillEcho(prefill, echoes=echoes)
    expected = whole.feed(answer) + whole.end()
    pieces, at, said = PrefillEcho(prefill, echoes=echoes), 0, ""
    for turn in range(len(answer)):
        size = sizes[turn % len(sizes)]
        said += pieces.feed(answer[at : at + size])
        at += size
    assert said + pieces.end() == expected
    assert answer.endswith(expected)


def test_a_stream_flows_as_soon_as_it_says_something_new() -> None:
    echo = PrefillEcho('{"items": [1', echoes=True)
    assert [echo.feed(piece) for piece in ('{"it', 'ems": [1', ", 2", ", 3")] == ["", "", ", 2", ", 3"]
    echo = PrefillEcho('{"items": [1', echoes=True)
    assert [echo.feed(piece) for piece in (", 2", ", 3")] == [", 2", ", 3"]

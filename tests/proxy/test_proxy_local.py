"""A real model behind the proxy: its answers are truly cut, and the official client gets whole documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import openai
import pytest

from jsonseam.gateway.demo_model import MAX_TOKENS, OPTIONS, PROMPT, SCHEMA
from jsonseam.gateway.local_model import MODEL_NAME, LocalModel, missing_reason
from tests.proxy.running import proxy

pytestmark = [
    pytest.mark.skipif(missing_reason() is not None, reason=str(missing_reason())),
    pytest.mark.xdist_group("local-model"),  # its threads want the machine for themselves
]


@pytest.fixture(scope="module")
def client() -> Iterator[openai.OpenAI]:
    with (
        LocalModel() as model,
        proxy(model.base_url, provider="llama.cpp") as address,
        openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as made,
    ):
        yield made


ASKED: dict[str, Any] = {
    "model": MODEL_NAME,
    "messages": [{"role": "user", "content": PROMPT}],
    "response_format": {"type": "json_schema", "json_schema": {"name": "list", "schema": dict(SCHEMA)}},
    "max_tokens": MAX_TOKENS,
    **OPTIONS,
}


def test_a_document_of_twenty_items_in_one_answer(client: openai.OpenAI) -> None:
    answer = client.chat.completions.create(**ASKED)
    assert len(json.loads(answer.choices[0].message.content or "")["items"]) == 20
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage is not None
    assert answer.usage.completion_tokens > 3 * MAX_TOKENS


def test_the_same_as_a_stream(client: openai.OpenAI) -> None:
    events = list(client.chat.completions.create(**ASKED, stream=True, stream_options={"include_usage": True}))
    choices = [event.choices[0] for event in events if event.choices]
    pieces = [choice.delta.content for choice in choices if choice.delta.content]
    assert len(json.loads("".join(pieces))["items"]) == 20
    assert [choice.finish_reason for choice in choices if choice.finish_reason] == ["stop"]
    assert len(pieces) > 20
    assert events[-1].usage is not None
    assert events[-1].usage.completion_tokens > 3 * MAX_TOKENS

"""A hundred clients at once, with faults of every kind: each gets its own document, whole or as far as it came."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

import httpx2
import openai

from jsonseam.gateway.retries import RetryPolicy
from jsonseam.gateway.samples import sample_text
from jsonseam.gateway.truncating_server import TruncatingServer
from tests.proxy.running import proxy

CLIENTS = 100
# behaviour and faults; @N is the call of the conversation at which the fault comes
MANNERS = (
    *("exact", "fenced-exact", "refusal", "element", "reopen"),
    *("exact+500@1", "exact+429@2", "exact+disconnect@0", "exact+cut@1", "exact+error-mid@1"),
    *("exact+no-usage", "exact+says-stop", "exact+503@1+429@3", "element+disconnect@2", "exact+cut@2"),
    *("exact+empty@1", "exact+500@0", "exact+429@0", "exact+no-finish", "exact+400@1"),
)
FIRST_FAILS = {"exact+500@0": openai.InternalServerError, "exact+429@0": openai.RateLimitError}


async def ask(client: openai.AsyncOpenAI, number: int) -> tuple[str, str]:
    """What one client gets: the manner and what came of it."""
    manner, stream = MANNERS[number % len(MANNERS)], number // len(MANNERS) % 2 == 0
    document = f"report-{number}"
    told: Any = {
        "model": f"truncating/{manner}/{document}",
        "messages": [{"role": "user", "content": f"Write {document}."}],
        "response_format": {"type": "json_object"},
        "metadata": {"conversation": f"client {number}"},
    }
    try:
        if stream:
            text, finish = "", ""
            async for event in await client.chat.completions.create(stream=True, **told):
                text += "".join(choice.delta.content or "" for choice in event.choices)
                finish = "".join(choice.finish_reason or "" for choice in event.choices) or finish
        else:
            answer = await client.chat.completions.create(**told)
            text, finish = answer.choices[0].message.content, answer.choices[0].finish_reason
    except openai.APIError as error:
        return manner, type(error).__name__
    whole = sample_text(document)
    if finish == "stop":
        return manner, "whole" if json.loads(text) == json.loads(whole) else "wrong"
    return manner, "cut" if finish == "length" and whole.startswith(text) and len(text) > 100 else "wrong"


async def all_of_them(address: str) -> list[tuple[str, str]]:
    limits = httpx2.Limits(max_connections=None)
    async with openai.AsyncOpenAI(
        base_url=f"{address}/v1", api_key="none", max_retries=0, http_client=_client(limits)
    ) as client:
        return await asyncio.gather(*(ask(client, number) for number in range(CLIENTS)))


def _client(limits: httpx2.Limits) -> Any:
    return openai.DefaultAsyncHttpxClient(limits=limits, timeout=120)


def test_a_hundred_clients_at_once() -> None:
    quick = RetryPolicy(attempts=4, first_wait=0.02, max_wait=2.0)
    with TruncatingServer(budget=1300) as server, proxy(server.base_url, retry=quick) as address:
        got = asyncio.run(all_of_them(address))
        counted = httpx2.get(f"{address}/metrics").text
    outcomes = Counter(got)
    assert not [manner for manner, outcome in got if outcome == "wrong"]
    for manner in MANNERS:
        of_this = {outcome: count for (name, outcome), count in outcomes.items() if name == manner}
        if manner in FIRST_FAILS:
            assert of_this == {FIRST_FAILS[manner].__name__: CLIENTS // len(MANNERS)}
        elif manner == "exact+400@1":
            assert of_this == {"cut": CLIENTS // len(MANNERS)}
        elif manner == "exact+disconnect@0":  # half a whole answer is none, and the client is told; half a stream is
            assert set(of_this) <= {"whole", "InternalServerError"}
        else:
            assert of_this == {"whole": CLIENTS // len(MANNERS)}, manner
    assert "jsonseam_requests_in_flight 0.0" in counted
    assert "jsonseam_held_characters 0.0" in counted

"""Helpers of the model tests: the four ways of asking as one, and an ideal client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from jsonseam.gateway.model import Answer, Chunk, Message, Request, Usage

WAYS = ("answer", "stream", "aanswer", "astream")


def ask(model: object, request: Request, way: str) -> Answer:
    """One call in one of the four ways; a stream is put together as any client would."""
    method = getattr(model, way)
    if way == "answer":
        return method(request)
    if way == "stream":
        return gathered(method(request))

    async def run() -> Answer:
        try:
            return await method(request) if way == "aanswer" else gathered([c async for c in method(request)])
        finally:
            if hasattr(model, "aclose"):
                await model.aclose()

    return asyncio.run(run())


def gathered(chunks: Iterable[Chunk]) -> Answer:
    chunks = list(chunks)
    finish = next((chunk.finish_reason for chunk in reversed(chunks) if chunk.finish_reason), None)
    return Answer(
        "".join(chunk.text for chunk in chunks),
        finish,
        sum((chunk.usage for chunk in chunks if chunk.usage), Usage()),
        any(chunk.prefilled for chunk in chunks),
        sum(chunk.retries for chunk in chunks),
    )


def first_request(prompt: str = "Write the document.", **fields: object) -> Request:
    return Request((Message("user", prompt),), **fields)


def next_request(held: str, prompt: str = "Write the document.", **fields: object) -> Request:
    """Goes on behind `held`: by prefill, or by a user turn that shows the end of it."""
    asked = Message("user", prompt)
    turn = (asked, Message("assistant", held[-200:]), Message("user", "Go on exactly behind the last character."))
    return Request(turn, purpose="continue", prefill=held, prefill_messages=(asked,), **fields)


def eventually(call: Callable[[str], Answer], whole: str, most: int = 30) -> list[Answer]:
    """Ask again and again with what is held; for answers that go on exactly."""
    held, answers = "", []
    while held != whole and len(answers) < most:
        answers.append(call(held))
        held += answers[-1].text
    assert held == whole
    return answers

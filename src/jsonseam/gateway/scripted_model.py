"""ScriptedModel: a model inside the process that says what a test wrote down, in that order, in any of the four ways.

Tokens are counted as ceil(characters / 4), per message and per answer, so that a client's sums can be checked.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import replace

from .model import Answer, Chunk, Message, Request, Usage

Line = str | Answer | BaseException | Callable[[Request], "str | Answer"]

CHARACTERS_PER_TOKEN = 4


class ScriptEndedError(Exception):
    """The model was asked more often than its script has lines."""


def count_tokens(text: str) -> int:
    """The token measure of everything simulated here: four characters a token, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def count_usage(messages: Iterable[Message], answer: str) -> Usage:
    return Usage(sum(count_tokens(message.content) for message in messages), count_tokens(answer))


class ScriptedModel:
    """`script` answers what is asked for the document, `kpis` the KPI-definition calls; both in order.

    A line is the answer's text, a whole `Answer`, an exception to raise, or a function of the request. An `Answer`
    without usage gets a counted one. `prefill`: go on behind `Request.prefill` where there is one, as a server
    with prefill does. `chunk` is the length of a streamed piece in characters. `requests` keeps what
    was asked. Raises `ScriptEndedError` behind the last line.
    """

    def __init__(
        self,
        script: Iterable[Line],
        *,
        kpis: Iterable[Line] = (),
        prefill: bool = False,
        chunk: int = 16,
    ) -> None:
        self._lines = iter(script)
        self._kpi_lines = iter(kpis)
        self._prefill = prefill
        self._chunk = chunk
        self.requests: list[Request] = []

    def answer(self, request: Request) -> Answer:
        return self._next(request)

    async def aanswer(self, request: Request) -> Answer:
        await asyncio.sleep(0)
        return self._next(request)

    def stream(self, request: Request) -> Iterator[Chunk]:
        yield from self._chunks(self.answer(request))

    async def astream(self, request: Request) -> AsyncIterator[Chunk]:
        for chunk in self._chunks(await self.aanswer(request)):
            await asyncio.sleep(0)
            yield chunk

    def _next(self, request: Request) -> Answer:
        self.requests.append(request)
        line = next(self._kpi_lines if request.purpose == "kpis" else self._lines, None)
        if line is None:
            raise ScriptEndedError(f"no line is left for call {len(self.requests)}, purpose {request.purpose!r}")
        if callable(line):
            line = line(request)
        if isinstance(line, BaseException):
            raise line
        prefilled = self._prefill and request.prefill is not None
        answer = line if isinstance(line, Answer) else Answer(line, finish_reason="stop", prefilled=prefilled)
        if answer.usage == Usage():
            answer = replace(answer, usage=count_usage(_sent(request, prefilled), answer.text))
        return answer

    def _chunks(self, answer: Answer) -> Iterator[Chunk]:
        for start in range(0, len(answer.text), self._chunk):
            yield Chunk(answer.text[start : start + self._chunk], prefilled=answer.prefilled)
        yield Chunk(finish_reason=answer.finish_reason, usage=answer.usage, prefilled=answer.prefilled)


def _sent(request: Request, prefilled: bool) -> tuple[Message, ...]:
    if not prefilled or request.prefill is None:
        return request.messages
    return (*request.prefill_messages, Message("assistant", request.prefill))

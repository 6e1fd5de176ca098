"""OpenAIModel: any server that speaks OpenAI chat completions, through the official SDK and the caller's own client.

It continues by prefill where the server can (`prefill.PROVIDERS`), by a user turn elsewhere. Transport errors are
retried (`retries`) until the first text has arrived; a stream that breaks off later ends with `INTERRUPTED`, because
what it said stands and the next continuation goes on from there. Content is never logged.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from typing import Any

from jsonseam.extras import extra

with extra("openai"):
    import openai

    from .address import read_address
    from .chat_call import BREAKS, TRANSPORT_ERRORS, ChatCall, text_of
    from .chat_request import ChatRequest, Concession
    from .model import Answer, Chunk, Request
    from .prefill import PrefillKind, capability_of
    from .retries import RetryPolicy, async_retrying, retrying
    from .telemetry import Telemetry


class OpenAIModel:
    """`model` on the server of `client`, `async_client`, or `base_url`.

    Pass your own clients (they keep their key, timeout, proxies), or a `base_url`, for which they are made; `close`
    and `aclose` close those. Either kind of client may stand in `client`; the ways that need the other one raise
    TypeError. `provider` names a row of `prefill.PROVIDERS` where the host tells nothing (`vllm`, `llama.cpp`);
    `prefill` overrides its kind alone.
    `options` go into every call as they are; those of a request win. `timeout` is in seconds, for made clients.

    The SDK's own retries are switched off: `retry` does them, so that they can be counted. Every way of asking raises
    `ModelError` when no answer came. Raises ValueError for a `base_url` or a `provider` that cannot be meant.
    """

    def __init__(
        self,
        model: str,
        *,
        client: openai.OpenAI | openai.AsyncOpenAI | None = None,
        async_client: openai.AsyncOpenAI | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float | None = None,
        provider: str | None = None,
        prefill: PrefillKind | None = None,
        retry: RetryPolicy | None = None,
        options: Mapping[str, Any] | None = None,
        telemetry: Telemetry | None = None,
    ) -> None:
        if isinstance(client, openai.AsyncOpenAI):
            client, async_client = None, async_client or client
        self._made = client is None and async_client is None
        if self._made and base_url is None and not os.environ.get("OPENAI_API_KEY") and api_key is None:
            raise ValueError("give OpenAIModel a client, a base_url, or an api_key")
        self._settings: dict[str, Any] = {"base_url": base_url, "timeout": timeout or openai.DEFAULT_TIMEOUT}
        self._settings["api_key"] = api_key or os.environ.get("OPENAI_API_KEY") or "none"
        self._client = None if client is None else client.with_options(max_retries=0)
        self._async_client = None if async_client is None else async_client.with_options(max_retries=0)
        self._async_loop: asyncio.AbstractEventLoop | None = None
        self.model = model
        at = client or async_client
        asked = base_url or os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1"
        if self._made:
            read_address(asked, "base_url")
        capability = capability_of(asked if at is None else str(at.base_url), provider)
        self.capability = capability if prefill is None else replace(capability, prefill=prefill)
        self._retry = retry or RetryPolicy()
        self._options = dict(options or {})
        self._telemetry = telemetry or Telemetry()
        self._conceded: frozenset[Concession] = frozenset()

    @property
    def conceded(self) -> frozenset[Concession]:
        """What this server refused and is not sent any more."""
        return self._conceded

    # --------------------------------------------------------------------------- the four ways of asking
    def answer(self, request: Request) -> Answer:
        call = self._call(request, stream=False)
        client = self._sync()
        with call:
            while True:
                try:
                    driver = retrying(self._retry, call.count, TRANSPORT_ERRORS, call.on_retry)
                    return call.read(driver(client.chat.completions.create, **call.chat.body()))
                except openai.APIStatusError as error:
                    call.give_way(error)

    async def aanswer(self, request: Request) -> Answer:
        call = self._call(request, stream=False)
        client = self._async()

        async def complete() -> Any:
            return await client.chat.completions.create(**call.chat.body())

        with call:
            while True:
                try:
                    driver = async_retrying(self._retry, call.count, TRANSPORT_ERRORS, call.on_retry)
                    return call.read(await driver(complete))
                except openai.APIStatusError as error:
                    call.give_way(error)

    def stream(self, request: Request) -> Iterator[Chunk]:
        call = self._call(request, stream=True)
        client = self._sync()

        def begin() -> tuple[Any, Iterator[Any], list[Any]]:
            events = client.chat.completions.create(**call.chat.body())
            try:
                iterator, first = iter(events), []
                for event in iterator:
                    first.append(event)
                    if text_of(event):
                        break
            except BaseException:
                events.close()
                raise
            return events, iterator, first

        with call:
            while True:
                try:
                    driver = retrying(self._retry, call.count, TRANSPORT_ERRORS, call.on_retry)
                    begun: tuple[Any, Iterator[Any], list[Any]] = driver(begin)
                    break
                except openai.APIStatusError as error:
                    call.give_way(error)
            call.accepted()
            events, iterator, first = begun
            try:
                for event in first:
                    yield from call.chunks(event)
                try:
                    for event in iterator:
                        yield from call.chunks(event)
                except BREAKS as error:
                    call.broke_off(error)
                yield from call.last_chunks()
            finally:
                events.close()

    async def astream(self, request: Request) -> AsyncIterator[Chunk]:
        call = self._call(request, stream=True)
        client = self._async()

        async def begin() -> tuple[Any, AsyncIterator[Any], list[Any]]:
            events = await client.chat.completions.create(**call.chat.body())
            try:
                iterator, first = aiter(events), []
                async for event in iterator:
                    first.append(event)
                    if text_of(event):
                        break
            except BaseException:
                await events.close()
                raise
            return events, iterator, first

        with call:
            while True:
                try:
                    driver = async_retrying(self._retry, call.count, TRANSPORT_ERRORS, call.on_retry)
                    begun: tuple[Any, AsyncIterator[Any], list[Any]] = await driver(begin)
                    break
                except openai.APIStatusError as error:
                    call.give_way(error)
            call.accepted()
            events, iterator, first = begun
            try:
                for event in first:
                    for chunk in call.chunks(event):
                        yield chunk
                try:
                    async for event in iterator:
                        for chunk in call.chunks(event):
                            yield chunk
                except BREAKS as error:
                    call.broke_off(error)
                for chunk in call.last_chunks():
                    yield chunk
            finally:
                await events.close()

    # --------------------------------------------------------------------------- clients
    def close(self) -> None:
        """Close the connections of a made client; your own clients stay as they are."""
        if self._made and self._client is not None:
            self._client.close()
            self._client = None

    async def aclose(self) -> None:
        """The same for the asynchronous client, in the event loop that used it."""
        if self._made and self._async_client is not None:
            await self._async_client.close()
            self._async_client = None

    def _sync(self) -> openai.OpenAI:
        if self._client is None:
            if not self._made:
                raise TypeError("this OpenAIModel has an AsyncOpenAI client only; give it an OpenAI client as well")
            self._client = openai.OpenAI(max_retries=0, **self._settings)
        return self._client

    def _async(self) -> openai.AsyncOpenAI:
        """The caller's client; a made one is made anew for each event loop, to which its connections belong."""
        if not self._made:
            if self._async_client is None:
                raise TypeError("this OpenAIModel has an OpenAI client only; give it an AsyncOpenAI client as well")
            return self._async_client
        loop = asyncio.get_running_loop()
        if self._async_client is None or self._async_loop is not loop:
            self._async_client = openai.AsyncOpenAI(max_retries=0, **self._settings)
            self._async_loop = loop
        return self._async_client

    def chat_request(self, request: Request, *, stream: bool) -> ChatRequest:
        """What would be sent for `request` now."""
        return ChatRequest(
            self.model, self.capability, request, stream=stream, options=self._options, conceded=self._conceded
        )

    def _call(self, request: Request, *, stream: bool) -> ChatCall:
        chat = self.chat_request(request, stream=stream)
        return ChatCall(chat, request, self.model, self._telemetry, self._learn)

    def _learn(self, conceded: frozenset[Concession]) -> None:
        self._conceded |= conceded

"""Relay: carries one client request to the upstream and the answer back. What is done with a document is decided by
`PlainAnswer` and `StreamedAnswer`; everything else passes as it is, to the byte.

A failure of transport in the first round is the client's to know. In a later one it costs that round: it is tried
again a few times, and then the client gets what was gathered, with the finish reason `length`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from time import perf_counter
from typing import Final

import httpx2
from starlette.types import Receive, Scope, Send

from jsonseam.gateway.model import Request

from . import headers, sse
from .answers import read_frame
from .asking import Asked, read_asked
from .caller import Caller, GoneError
from .conversation import Conversation, Listener, told
from .faults import (
    BROKEN_PROXY,
    LATER_ERRORS,
    TRANSPORT_ERRORS,
    UNREADABLE,
    Fault,
    RefusedError,
    UnreadableAnswerError,
    fault_of,
)
from .metrics import Metrics
from .plain import PlainAnswer
from .rounds import Rounds
from .settings import Settings
from .streamed import StreamedAnswer
from .switches import SwitchError, read_switch
from .upstream import Upstream

log = logging.getLogger("jsonseam.proxy")

_CHAT: Final = "/chat/completions"
_EVENTS: Final = b"text/event-stream"


class Relay:
    """An ASGI application for every path that is not the proxy's own. `listeners` hear of each document."""

    def __init__(self, settings: Settings, metrics: Metrics, listeners: tuple[Listener, ...]) -> None:
        self.upstream = Upstream(settings)
        self._settings = settings
        self._metrics = metrics
        self._listeners = listeners
        self._rounds = Rounds(settings, self.upstream, self._note_error)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1000, "reason": "no websockets here"})
            return
        caller = Caller(scope, receive, send)
        began = perf_counter()
        kind = ["passed"]
        with self._metrics.in_flight.track_inprogress():
            await caller.while_there(self._serve(caller, kind))
        status = "gone" if caller.gone else str(caller.status or "broken")
        seconds = perf_counter() - began
        log.info("%s %s: %s (%s, %.2f s)", caller.method, caller.path, status, kind[0], seconds)
        self._metrics.requests.labels(kind[0], status).inc()
        self._metrics.seconds.labels(kind[0]).observe(seconds)

    async def _serve(self, caller: Caller, kind: list[str]) -> None:
        try:
            if caller.method == "POST" and caller.path.endswith(_CHAT):
                await self._chat(caller, kind)
            else:
                await self._pass(caller, caller.body() if caller.has_body else None)
        except GoneError:
            return
        except TRANSPORT_ERRORS as error:
            await self._fail(caller, fault_of(error))
        except Exception as error:
            log.error("%s in the proxy", type(error).__name__, exc_info=True)
            await caller.fail(BROKEN_PROXY)

    async def _fail(self, caller: Caller, fault: Fault) -> None:
        self._metrics.errors.labels(fault.kind).inc()
        log.warning("%s %s: %s", caller.method, caller.path, fault.message)
        await caller.fail(fault)

    async def _chat(self, caller: Caller, kind: list[str]) -> None:
        body = await caller.whole_body()
        said = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in caller.headers}
        try:
            switch = read_switch(said, self._settings.limits)
        except SwitchError as error:
            await caller.fail(Fault(400, "bad_header", str(error)))
            return
        asked = None if switch.off else read_asked(body)
        if asked is None:
            kind[0] = "off" if switch.off else "passed"
            await self._pass(caller, body)
            return
        conversation = Conversation(asked, switch, self._listeners)
        try:
            if asked.stream:
                await self._streamed(caller, body, conversation, kind)
            else:
                await self._plain(caller, body, conversation, kind)
        finally:
            conversation.close()

    # ------------------------------------------------------------ what passes
    async def _pass(self, caller: Caller, content: bytes | AsyncIterator[bytes] | None) -> None:
        if content is None:
            await caller.whole_body()  # nothing, and then it is known when the client goes
        sent = headers.to_upstream(caller.headers)
        async with self._opened(caller.method, caller.target, sent, content) as response:
            await self._pass_on(caller, response)

    async def _pass_on(self, caller: Caller, response: httpx2.Response) -> None:
        await caller.start(response.status_code, headers.end_to_end(response.headers.raw))
        async for piece in response.aiter_raw():
            await caller.say(piece)
        await caller.end()

    @asynccontextmanager
    async def _opened(
        self, method: str, target: bytes, sent: headers.Pairs, content: bytes | AsyncIterator[bytes] | None
    ) -> AsyncIterator[httpx2.Response]:
        began = perf_counter()
        async with aclosing(await self.upstream.open(method, target, sent, content)) as response:
            self._metrics.first_byte.observe(perf_counter() - began)
            if response.status_code >= 400:
                self._metrics.errors.labels(str(response.status_code)).inc()
            yield response

    def _note_error(self, error: BaseException) -> None:
        if isinstance(error, RefusedError):
            kind = str(error.status_code)
        else:
            kind = (UNREADABLE if isinstance(error, UnreadableAnswerError) else fault_of(error)).kind
        self._metrics.errors.labels(kind).inc()

    # ------------------------------------------------------------ whole answers
    async def _plain(self, caller: Caller, body: bytes, conversation: Conversation, kind: list[str]) -> None:
        sent = headers.to_be_read(caller.headers)
        async with self._opened(caller.method, caller.target, sent, body) as response:
            if not response.is_success or _type_of(response) == _EVENTS or _is_coded(response):
                await self._pass_on(caller, response)
                return
            raw = b"".join([piece async for piece in response.aiter_raw()])
        if read_frame(raw) is None:
            await self._fail(caller, UNREADABLE)
            return
        answer = PlainAnswer(conversation)
        if not answer.first(raw):
            kind[0] = "passed" if conversation.accumulator.status == "empty" else "json"
            telling = _telling(conversation) if kind[0] == "json" else []
            await caller.answer(200, [*headers.end_to_end(response.headers.raw), *telling], raw)
            return
        kind[0] = "json"
        while conversation.wants_more and (request := conversation.next_request()) is not None:
            with self._losing_a_round(conversation):
                async with asyncio.timeout(conversation.loop.seconds_left):
                    answer.later((await self._rounds.ask(caller, conversation, request)).content)
        merged = answer.merged()
        length = (b"content-length", str(len(merged)).encode())
        kept = headers.of_a_new_body(response.headers.raw)
        await caller.answer(200, [*kept, length, *_telling(conversation)], merged)

    @contextmanager
    def _losing_a_round(self, conversation: Conversation) -> Iterator[None]:
        """What goes wrong in here costs the round, not what was gathered before it."""
        try:
            yield
        except TimeoutError:
            conversation.run_out_of_time()
        except LATER_ERRORS as error:
            log.warning("a later round failed: %s", type(error).__name__)
            conversation.break_off(error)

    # ------------------------------------------------------------ streams
    async def _streamed(self, caller: Caller, body: bytes, conversation: Conversation, kind: list[str]) -> None:
        sent = headers.to_be_read(caller.headers)
        if conversation.asked.json and conversation.switch.limits.tokens is not None and not conversation.asked.usage:
            body = _asking_for_usage(conversation.asked)
            sent = headers.without(sent, {b"content-length"})
        answer = StreamedAnswer(conversation, self._settings.held)
        async with self._opened(caller.method, caller.target, sent, body) as response:
            if not response.is_success or _type_of(response) != _EVENTS or _is_coded(response):
                await self._pass_on_readable(caller, response)
                return
            await caller.start(response.status_code, headers.of_a_new_body(response.headers.raw))
            async with self._kept_alive(caller, answer):
                error = await self._hear(caller, conversation, response, answer)
                await caller.say(answer.end_round(error))
                kind[0] = "json" if answer.started else "passed"
                if error is not None and not answer.started:
                    raise error
                while answer.started and conversation.wants_more:
                    if (request := conversation.next_request()) is None:
                        break
                    await self._later_stream(caller, conversation, request, answer)
                if answer.started:
                    await caller.say(answer.close())
        await caller.end()

    async def _later_stream(
        self, caller: Caller, conversation: Conversation, request: Request, answer: StreamedAnswer
    ) -> None:
        with self._losing_a_round(conversation):
            async with asyncio.timeout(conversation.loop.seconds_left):
                response = await self._rounds.ask(caller, conversation, request)
            async with aclosing(response):
                error = await self._hear(caller, conversation, response, answer)
            await caller.say(answer.end_round(error))

    async def _hear(
        self, caller: Caller, conversation: Conversation, response: httpx2.Response, answer: StreamedAnswer
    ) -> BaseException | None:
        """Read a round; returns what broke it off, if anything did.

        A deadline ends the waiting for a piece, never the sending of one: what was let go must arrive.
        """
        pieces = response.aiter_raw()
        while not answer.enough:
            try:
                async with asyncio.timeout(conversation.loop.seconds_left if answer.started else None):
                    piece = await anext(pieces, None)
            except TimeoutError:
                conversation.run_out_of_time()
                return None
            except TRANSPORT_ERRORS as error:
                self._note_error(error)
                return error
            if piece is None:
                return None
            await caller.say(answer.feed(piece))
        return None

    async def _pass_on_readable(self, caller: Caller, response: httpx2.Response) -> None:
        """An answer that is no stream of events: an error, or a whole answer from one who does not stream."""
        if not response.is_success or _is_coded(response):
            await self._pass_on(caller, response)
            return
        raw = b"".join([piece async for piece in response.aiter_raw()])
        if read_frame(raw) is None:
            await self._fail(caller, UNREADABLE)
        else:
            await caller.answer(response.status_code, headers.end_to_end(response.headers.raw), raw)

    @asynccontextmanager
    async def _kept_alive(self, caller: Caller, answer: StreamedAnswer) -> AsyncIterator[None]:
        """Comments for a client that waits for its document, so that nobody on the way takes it for dead."""
        every = self._settings.keep_alive

        async def remind() -> None:
            while True:
                await asyncio.sleep(every)
                silent = asyncio.get_running_loop().time() - caller.last_sent
                if answer.started and silent >= every / 2:
                    await caller.say(sse.comment("jsonseam: waiting for the next piece"))

        reminding = asyncio.create_task(remind())
        try:
            yield
        finally:
            reminding.cancel()
            with suppress(asyncio.CancelledError):
                await reminding


def _type_of(response: httpx2.Response) -> bytes:
    return headers.value_of(response.headers.raw, b"content-type").split(b";")[0].strip().lower()


def _is_coded(response: httpx2.Response) -> bool:
    """Compressed, although it was asked not to be: then it passes as it is."""
    return headers.value_of(response.headers.raw, b"content-encoding").strip().lower() not in (b"", b"identity")


def _telling(conversation: Conversation) -> headers.Pairs:
    return [(f"x-jsonseam-{name}".encode(), str(value).encode()) for name, value in told(conversation).items()]


def _asking_for_usage(asked: Asked) -> bytes:
    options = asked.body.get("stream_options")
    return json.dumps({**asked.body, "stream_options": {**(options or {}), "include_usage": True}}).encode()

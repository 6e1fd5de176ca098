"""Caller: the client's side of one HTTP request, as ASGI gives it. It reads the body, sends the answer, and knows when
the client has gone. Nothing is decided here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from .faults import Fault
from .headers import Pairs


class GoneError(Exception):
    """The client went away in the middle of its request: half of it must not pass for all of it."""


class Caller:
    """`status` is what was answered, 0 before that; `gone`: the client went away before its answer was over."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.method: str = scope["method"]
        self.headers: Pairs = [(bytes(name), bytes(value)) for name, value in scope["headers"]]
        query: bytes = scope.get("query_string", b"")
        path: bytes = scope.get("raw_path") or scope["path"].encode()
        self.target = path + (b"?" + query if query else b"")
        self.path: str = scope["path"]
        self.status = 0
        self.gone = False
        self._receive = receive
        self._send = send
        self._body_read = asyncio.Event()
        self._ended = False
        self.last_sent = 0.0

    # ------------------------------------------------------------ what comes
    @property
    def has_body(self) -> bool:
        return any(name.lower() in (b"content-length", b"transfer-encoding") for name, _ in self.headers)

    async def body(self) -> AsyncIterator[bytes]:
        """The pieces of the body. Raises GoneError where the client goes away before its end."""
        more = True
        while more:
            message: Message = await self._receive()
            if message["type"] == "http.disconnect":
                self.gone = True
                raise GoneError("in the middle of the request")
            more = message.get("more_body", False)
            if piece := message.get("body", b""):
                yield piece
        self._body_read.set()

    async def whole_body(self) -> bytes:
        return b"".join([piece async for piece in self.body()])

    async def while_there(self, work: Coroutine[Any, Any, None]) -> None:
        """Do the work; drop it in its middle once the client has gone."""
        doing = asyncio.create_task(work)
        watching = asyncio.create_task(self._wait_until_gone())
        try:
            await asyncio.wait((doing, watching), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (doing, watching):
                if not task.done():
                    task.cancel()
            with suppress(asyncio.CancelledError):
                await watching
        with suppress(asyncio.CancelledError):
            await doing

    async def _wait_until_gone(self) -> None:
        await self._body_read.wait()
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                self.gone = not self._ended  # it is told of an answer's end in the same words
                return

    # ------------------------------------------------------------ what goes
    async def start(self, status: int, headers: Pairs) -> None:
        self.status = status
        self.last_sent = asyncio.get_running_loop().time()
        await self._send({"type": "http.response.start", "status": status, "headers": headers})

    async def say(self, piece: bytes) -> None:
        """A piece of the answer's body, whole events where it is a stream: others may stand before or behind it."""
        if piece:
            self.last_sent = asyncio.get_running_loop().time()
            await self._send({"type": "http.response.body", "body": piece, "more_body": True})

    async def end(self) -> None:
        self._ended = True
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def answer(self, status: int, headers: Pairs, body: bytes) -> None:
        """A whole answer."""
        await self.start(status, headers)
        self._ended = True
        await self._send({"type": "http.response.body", "body": body, "more_body": False})

    async def fail(self, fault: Fault) -> None:
        """An error where nothing was said yet; else the connection is broken off, for that is what happened to it."""
        if not self.status:
            body = fault.body()
            length = (b"content-length", str(len(body)).encode())
            await self.answer(fault.status, [(b"content-type", b"application/json"), length], body)

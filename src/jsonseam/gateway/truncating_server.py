"""Truncating server: a model over real HTTP on loopback that never says its document in one go.

OpenAI chat completions, plain and SSE. It honours max_tokens (4 characters a token, rounded up) and counts usage by
the same measure. The model name chooses the behaviour, faults and the document:

    truncating/BEHAVIOUR[+FAULT[@CALL]]...[/DOCUMENT]      truncating/echo+429@1+no-usage/records-7

`metadata` (or the headers x-behaviour, x-faults, x-document) may say the same: behaviour, faults (comma-separated),
document. The conversation is known by `metadata["conversation"]`, else by `user`. @CALL counts the conversation's
calls from 0, failed ones too, KPI-definition calls not; a fault without it is there at every call. The faults
stand in `simulated_wire.FAULTS`.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import threading
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final

from jsonseam.extras import extra

with extra("server"):
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request as HttpRequest
    from starlette.responses import JSONResponse, Response, StreamingResponse
    from starlette.routing import Route

from . import behaviours
from .behaviours import Turn
from .model import Message, Usage
from .outline import Outline
from .samples import sample_text
from .scripted_model import CHARACTERS_PER_TOKEN, count_usage
from .simulated_conversation import Conversation, text_of
from .simulated_wire import (
    HALVED,
    Choice,
    Reply,
    asks_for_kpis,
    conversation_key,
    kpi_definitions,
    prefill_of,
    read_choice,
    wants_usage,
)

PROSE: Final = "I would rather describe it: the document lists many things, and each of them is worth reading."


@dataclass(frozen=True, slots=True)
class Call:
    """One call as the server saw it, for tests. `usage` is what it counted, told to the client or not."""

    conversation: str
    purpose: str
    status: int
    usage: Usage
    body: Mapping[str, Any]
    cut: int = 0
    turn: Turn | None = None


class TruncatingServer:
    """Serves while the `with` block is open, in a thread of its own, on a free port of 127.0.0.1.

    `documents` are valid JSON texts by name; other names are made by `samples.sample_text`. `budget` is the length of
    an answer in characters where nothing else bounds it (None: one drawn for each conversation, so that
    every document is cut at least once). `retry_after` and `stall` are seconds. `calls` keeps what was asked, in order.
    """

    def __init__(
        self,
        documents: Mapping[str, str] | None = None,
        *,
        seed: int = 0,
        budget: int | None = None,
        chunk: int = 24,
        retry_after: float = 0.05,
        stall: float = 30.0,
    ) -> None:
        self.documents = dict(documents or {})
        self.calls: list[Call] = []
        self._seed = seed
        self._budget = budget
        self._chunk = chunk
        self._retry_after = retry_after
        self._stall = stall
        self._outlines: dict[str, Outline] = {}
        self._conversations: dict[str, Conversation] = {}
        self._socket: socket.socket | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()

    # --------------------------------------------------------------------------- life
    def __enter__(self) -> TruncatingServer:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    @property
    def base_url(self) -> str:
        if self._socket is None:
            raise RuntimeError("the server is not running")
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"

    def start(self) -> None:
        self._closing.clear()
        self._socket = socket.create_server(("127.0.0.1", 0))
        # accepted sockets inherit it; without it each plain answer waits 40 ms for an acknowledgement
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        config = uvicorn.Config(self.app(), log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, name="truncating-server", daemon=True
        )
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise RuntimeError("the truncating server did not start")
            time.sleep(0.005)

    def stop(self) -> None:
        self._closing.set()
        if self._server is not None and self._thread is not None and self._socket is not None:
            self._server.should_exit = True
            self._thread.join(timeout=10)
            self._socket.close()
        self._server = self._thread = self._socket = None

    def usage(self, conversation: str | None = None) -> Usage:
        """What was counted over all calls that were answered, or over those of one conversation."""
        counted = (c.usage for c in list(self.calls) if conversation is None or c.conversation == conversation)
        return sum(counted, Usage())

    # --------------------------------------------------------------------------- HTTP
    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/v1/chat/completions", self._chat, methods=["POST"]),
                Route("/v1/models", self._models),
            ]
        )

    async def _models(self, request: HttpRequest) -> Response:
        names = [{"id": f"truncating/{name}", "object": "model"} for name in behaviours.BEHAVIOURS]
        return JSONResponse({"object": "list", "data": names})

    async def _chat(self, request: HttpRequest) -> Response:
        body = await request.json()
        key = conversation_key(body)
        conversation = self._conversations.setdefault(key, Conversation())
        purpose = "kpis" if asks_for_kpis(body) else "answer"
        choice = read_choice(body, request.headers, conversation.calls, self._known())
        if purpose == "answer":
            conversation.calls += 1
        refusal = self._refusal(choice.faults, body)
        if refusal is not None:
            self.calls.append(Call(key, purpose, refusal.status_code, Usage(), body))
            return refusal
        if "stall" in choice.faults and purpose == "answer":
            await self._wait()
        if purpose == "kpis":
            turn, cut = self._kpis(choice, body, key), 0
        else:
            cut, turn = self._turn(choice, body, conversation, key)
        usage = count_usage([Message("user", text_of(message)) for message in body["messages"]], turn.text)
        faults = choice.faults if purpose == "answer" else choice.faults & {"no-usage"}
        self.calls.append(Call(key, purpose, 200, usage, body, cut, turn))
        reply = Reply(body, turn, usage, faults, cut=cut, prefill=prefill_of(body, faults))
        if body.get("stream"):
            return StreamingResponse(self._events(reply), media_type="text/event-stream")
        if faults & HALVED - {"cut"}:
            return StreamingResponse(self._broken_body(reply), media_type="application/json")
        return JSONResponse(reply.whole())

    def _refusal(self, faults: frozenset[str], body: Mapping[str, Any]) -> Response | None:
        trailing = body["messages"][-1].get("role") == "assistant"
        for fault, applies, status, message in (
            ("429", True, 429, "too many requests"),
            ("500", True, 500, "internal error"),
            ("503", True, 503, "overloaded"),
            ("400", True, 400, "the request cannot be processed"),
            ("400-prefill", trailing, 400, "the conversation must end with a user message"),
            ("400-schema", "response_format" in body, 400, "response_format is not supported"),
            ("400-usage", "stream_options" in body, 400, "unknown field: stream_options"),
        ):
            if fault in faults and applies:
                headers = {"retry-after": str(self._retry_after)} if status in (429, 503) else {}
                error = {"message": message, "type": "simulated", "code": None}
                return JSONResponse({"error": error}, status, headers)
        return None

    async def _wait(self) -> None:
        until = time.monotonic() + self._stall
        while time.monotonic() < until and not self._closing.is_set():
            await asyncio.sleep(0.02)

    async def _events(self, reply: Reply) -> AsyncIterator[str]:
        text = reply.text
        for start in range(0, len(text), self._chunk):
            yield reply.event({"content": text[start : start + self._chunk]})
            await asyncio.sleep(0)
        await self._break_off(reply.faults)
        if "error-mid" in reply.faults:
            yield 'data: {"error": {"message": "the engine died", "code": 500}}\n\n'
            return
        if reply.faults & HALVED:
            return
        if "empty" not in reply.faults:
            yield reply.event({}, finish=reply.finish_reason)
        if wants_usage(reply.body) and "no-usage" not in reply.faults:
            yield reply.event(None)
        yield "data: [DONE]\n\n"

    async def _broken_body(self, reply: Reply) -> AsyncIterator[str]:
        said = json.dumps(reply.whole())
        yield said[: len(said) // 2]
        await self._break_off(reply.faults)

    async def _break_off(self, faults: frozenset[str]) -> None:
        if "stall-mid" in faults:
            await self._wait()
        if "disconnect" in faults:
            raise ConnectionAbortedError("dropped, as asked")

    # --------------------------------------------------------------------------- what the model says
    def _known(self) -> frozenset[str]:
        return frozenset(self.documents)

    def outline(self, name: str) -> Outline:
        if name not in self._outlines:
            text = self.documents[name] if name in self.documents else sample_text(name, self._seed)
            self._outlines[name] = Outline(text)
        return self._outlines[name]

    def _turn(self, choice: Choice, body: Mapping[str, Any], conversation: Conversation, key: str) -> tuple[int, Turn]:
        outline = self.outline(choice.document)
        messages = body["messages"]
        prefill = prefill_of(body, choice.faults)
        before = messages[:-1] if prefill is not None else messages
        cut = conversation.place(outline.text, before, prefill)
        if "prose" in choice.faults:
            return cut, Turn(PROSE, cut, finished=True, refused=True)
        fixed = random.Random(f"{self._seed}/{choice.document}/{choice.behaviour}/{key}")
        size = len(outline.text)
        drawn = fixed.randint(max(40, size // 5), max(60, size * 2 // 3))
        budget = drawn if self._budget is None else self._budget
        tokens = body.get("max_completion_tokens") or body.get("max_tokens")
        limit = tokens * CHARACTERS_PER_TOKEN if tokens else None
        rng = random.Random(f"{fixed.random()}/{conversation.turns}")
        conversation.turns += 1
        turn = self._say(choice.behaviour, outline, cut, conversation, budget=budget, rng=rng, limit=limit)
        conversation.just_refused = turn.refused
        conversation.reaches.append(_delivered(turn, cut, choice.faults, whole=not body.get("stream")))
        return cut, turn

    def _say(
        self,
        behaviour: str,
        outline: Outline,
        cut: int,
        conversation: Conversation,
        *,
        budget: int,
        rng: random.Random,
        limit: int | None,
    ) -> Turn:
        if cut == 0:
            return behaviours.begin(behaviour, outline, max(2, budget + rng.randint(-20, 20)), rng, limit)
        if behaviour == "refusal" and not conversation.just_refused:
            refused = behaviours.refuse(outline, cut, rng)
            if refused is not None:
                return refused
        room = behaviours.natural_room(behaviour, outline, budget, rng)
        return behaviours.go_on(behaviour, outline, cut, room, rng, limit)

    def _kpis(self, choice: Choice, body: Mapping[str, Any], key: str) -> Turn:
        asked = sum(c.conversation == key and c.purpose == "kpis" for c in self.calls)
        if "bad-kpis" in choice.faults or ("bad-kpis-once" in choice.faults and asked == 0):
            return Turn(PROSE, 0, finished=True)
        return Turn(kpi_definitions(self.outline(choice.document)), 0, finished=True)


def _delivered(turn: Turn, cut: int, faults: frozenset[str], *, whole: bool) -> int:
    """How far the client gets by an answer of which a fault keeps a part away."""
    if "empty" in faults or (whole and faults & HALVED - {"cut"}):
        return cut
    undelivered = len(turn.text) - len(turn.text) // 2 if faults & HALVED else 0
    return max(cut, turn.reach - undelivered)

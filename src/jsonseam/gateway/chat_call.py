"""Chat call: one call on its way. What the server says is read here, whatever it leaves out; its errors become ours.

Used as a context around the sending: `with call: ...` raises `ModelError` for anything that kept the answer away.
"""

from __future__ import annotations

import importlib
import json
import logging
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Final

import openai

from .chat_request import ChatRequest, Concession
from .model import INTERRUPTED, Answer, Chunk, ModelError, Request, Usage
from .prefill import PrefillEcho
from .retries import RetryCount, is_transient
from .telemetry import Telemetry

log = logging.getLogger("jsonseam.gateway")


def _transport_errors() -> tuple[type[BaseException], ...]:
    """The SDK's errors of connection, and those of its HTTP library that it lets through in mid-stream."""
    found: list[type[BaseException]] = [openai.APIConnectionError]
    for name in ("httpx", "httpx2"):
        try:
            found.append(importlib.import_module(name).TransportError)
        except ImportError:
            continue
    return tuple(found)


TRANSPORT_ERRORS: Final = _transport_errors()
BREAKS: Final[tuple[type[BaseException], ...]] = (openai.APIError, json.JSONDecodeError, *TRANSPORT_ERRORS)


class ChatCall:
    """One call: what it sends, how often it was sent, what came back. `learn` gets what the server will not take."""

    __slots__ = (
        *("chat", "count"),
        *("_echo", "_finish", "_learn", "_model", "_prefilled", "_purpose", "_retries_told"),
        *("_started", "_telemetry", "_usage"),
    )

    def __init__(
        self,
        chat: ChatRequest,
        request: Request,
        model: str,
        telemetry: Telemetry,
        learn: Callable[[frozenset[Concession]], None],
    ) -> None:
        self.chat = chat
        self.count = RetryCount()
        self._learn = learn
        self._model = model
        self._purpose = request.purpose
        self._telemetry = telemetry
        self._started = time.monotonic()
        self._echo = PrefillEcho(request.prefill or "", echoes=chat.echoes)
        self._prefilled = False
        self._finish: str | None = None
        self._usage: Usage | None = None
        self._retries_told = 0

    def __enter__(self) -> ChatCall:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        known = isinstance(error, (openai.OpenAIError, ModelError, *BREAKS))
        name = type(error).__name__ if known else None
        usage = self._usage or Usage()
        self._telemetry.call(self._model, self._purpose, time.monotonic() - self._started, usage, name)
        if error is not None and known and not isinstance(error, ModelError):
            raise self._model_error(error) from error

    def on_retry(self, error: BaseException) -> None:
        self._telemetry.retry(self._model, type(error).__name__)

    def give_way(self, error: openai.APIStatusError) -> None:
        """Leave out what the server refuses, or raise the error again."""
        before = self.chat.conceded
        if not self.chat.concede(error.status_code, str(error.message)):
            raise error
        left_out = ", ".join(sorted(self.chat.conceded - before))
        log.info("%s answered %d; asking again without %s", self._model, error.status_code, left_out)

    # --------------------------------------------------------------------------- a whole answer
    def read(self, completion: Any) -> Answer:
        if not hasattr(completion, "choices"):
            raise ModelError("the server's answer is not a chat completion", retries=self.count.retries)
        self.accepted()
        choice = completion.choices[0] if completion.choices else None
        self._usage = _usage(completion)
        text = _said(getattr(choice, "message", None))
        if self._prefilled:
            text = self._echo.feed(text) + self._echo.end()
        return Answer(
            text,
            finish_reason=getattr(choice, "finish_reason", None),
            usage=self._usage or Usage(),
            prefilled=self._prefilled,
            retries=self.count.retries,
        )

    # --------------------------------------------------------------------------- a streamed answer
    def chunks(self, event: Any) -> Iterator[Chunk]:
        self._usage = _usage(event) or self._usage
        choice = event.choices[0] if getattr(event, "choices", None) else None
        self._finish = getattr(choice, "finish_reason", None) or self._finish
        text = text_of(event)
        if self._prefilled:
            text = self._echo.feed(text)
        if text:
            yield self._chunk(text)

    def last_chunks(self) -> Iterator[Chunk]:
        held = self._echo.end() if self._prefilled else ""
        if held:
            yield self._chunk(held)
        yield self._chunk("", self._finish, self._usage)

    def broke_off(self, error: BaseException) -> None:
        """The stream ended before its time: what was said stands, and the next continuation goes on from there."""
        log.warning("the stream broke off: %s", type(error).__name__)
        self._finish = self._finish or INTERRUPTED

    def _chunk(self, text: str, finish: str | None = None, usage: Usage | None = None) -> Chunk:
        retries, self._retries_told = self.count.retries - self._retries_told, self.count.retries
        return Chunk(text, finish, usage, self._prefilled, retries)

    # --------------------------------------------------------------------------- both
    def accepted(self) -> None:
        """The server took the request as it is now."""
        self._prefilled = self.chat.prefilled
        self._learn(self.chat.learned())

    def _model_error(self, error: BaseException) -> ModelError:
        status = getattr(error, "status_code", None)
        said = getattr(error, "message", None) or str(error)
        return ModelError(
            f"no answer from {self._model}{_where(error)}: {type(error).__name__}: {said}",
            status=status if isinstance(status, int) else None,
            retries=self.count.retries,
            transient=is_transient(error, TRANSPORT_ERRORS),
        )


def _where(error: BaseException) -> str:
    """The address that was asked, as most failures are a wrong one; what may be secret in it is left out."""
    if not isinstance(error, openai.APIError):
        return ""
    return f" at {error.request.url.copy_with(username='', password='', query=None, fragment=None)}"


def text_of(event: Any) -> str:
    """The text of a streamed event; servers send events without choices, without a delta, without content."""
    choices = getattr(event, "choices", None)
    return _said(getattr(choices[0], "delta", None)) if choices else ""


def _said(message: Any) -> str:
    """Content, or the words of a refusal, which come in a field of their own."""
    for name in ("content", "refusal"):
        said = getattr(message, name, None)
        if isinstance(said, str) and said:
            return said
    return ""


def _usage(answer: Any) -> Usage | None:
    counted = getattr(answer, "usage", None)
    if counted is None:
        return None
    return Usage(getattr(counted, "prompt_tokens", None) or 0, getattr(counted, "completion_tokens", None) or 0)

"""Model: what the loop asks of any language model. One request goes in; an answer, or its chunks, come out.

Nothing in here knows a provider: a client fits if it has the one method.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from jsonseam import JsonSeamError

Role = Literal["system", "user", "assistant"]
Purpose = Literal["answer", "continue", "kpis"]

INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation, in the words of the OpenAI chat format."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, as the provider counted them."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.prompt_tokens + other.prompt_tokens, self.completion_tokens + other.completion_tokens)


@dataclass(frozen=True, slots=True)
class Request:
    """One call. `messages` is the whole conversation, ready for a model that continues by a user turn.

    `prefill` is the exact text held so far, for a model that can go on behind it; such a model sends
    `prefill_messages` and the prefill in place of `messages`. `schema` is a JSON schema that the answer should
    follow, where the server can hold the model to it.
    """

    messages: tuple[Message, ...]
    purpose: Purpose = "answer"
    prefill: str | None = None
    prefill_messages: tuple[Message, ...] = ()
    max_tokens: int | None = None
    schema: Mapping[str, Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """One whole answer. `prefilled`: it was asked to go on exactly behind `Request.prefill`.

    `retries`: calls that failed in transport before this one; they say nothing about the document.
    """

    text: str
    finish_reason: str | None = None
    usage: Usage = Usage()
    prefilled: bool = False
    retries: int = 0


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of an answer. The last ones carry `finish_reason` and `usage`; their text may be empty.

    A stream that broke off ends with the finish reason `INTERRUPTED`: what came before it stands. `retries` is on
    the first chunk and 0 on the others, so that all may be added up.
    """

    text: str = ""
    finish_reason: str | None = None
    usage: Usage | None = None
    prefilled: bool = False
    retries: int = 0


class ModelError(JsonSeamError):
    """The model gave no answer. `status` is the HTTP status if there was one, `retries` how often it was asked again.

    `transient`: a later call may well succeed (overload, timeout, a lost connection).
    """

    def __init__(self, message: str, *, status: int | None = None, retries: int = 0, transient: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.retries = retries
        self.transient = transient


@runtime_checkable
class Model(Protocol):
    """Gives one whole answer, or raises, best `ModelError`: the run then stops with a reason, its document kept."""

    def answer(self, request: Request) -> Answer: ...


@runtime_checkable
class StreamingModel(Protocol):
    """Gives one answer in pieces. Where it raises behind the first ones, they count as an answer that was cut."""

    def stream(self, request: Request) -> Iterator[Chunk]: ...


@runtime_checkable
class AsyncModel(Protocol):
    """`Model` for asyncio."""

    async def aanswer(self, request: Request) -> Answer: ...


@runtime_checkable
class AsyncStreamingModel(Protocol):
    """`StreamingModel` for asyncio."""

    def astream(self, request: Request) -> AsyncIterator[Chunk]: ...

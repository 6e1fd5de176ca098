"""Demo model: what `jsonseam demo` talks to. A real model where its packages are installed, else a simulated one.

Either way it is a server on loopback, asked over HTTP through the official SDK, and it cuts its answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Literal

import openai

from .local_model import MODEL_NAME, PROVIDER, LocalModel
from .openai_model import OpenAIModel

DemoKind = Literal["local", "scripted"]

PROMPT: Final = (
    "List 20 animals in alphabetical order as JSON. Each item has n (its number, from 1 to 20) and name (the animal)."
)
SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "items": {
            "type": "array",
            "minItems": 20,
            "maxItems": 20,
            "items": {
                "type": "object",
                "properties": {"n": {"type": "integer"}, "name": {"type": "string", "maxLength": 24}},
                "required": ["n", "name"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["items"],
    "additionalProperties": False,
}
MAX_TOKENS: Final = 60
OPTIONS: Final[Mapping[str, Any]] = {
    "temperature": 0.4,
    "seed": 4,
    "extra_body": {"repeat_penalty": 1.1, "repeat_last_n": 256},
}


@dataclass(frozen=True, slots=True)
class DemoModel:
    """A client that is ready, the model's name, and `teardown`, to be called once; or use it in a `with` block.

    `provider` and `options` belong into an `OpenAIModel`; `model()` makes that. `max_tokens` is what cuts the
    answers; `prompt` and `schema` are a task that the model can do.
    """

    client: openai.OpenAI
    model_name: str
    teardown: Callable[[], None]
    provider: str | None = None
    prompt: str = PROMPT
    schema: Mapping[str, Any] | None = None
    max_tokens: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def model(self) -> OpenAIModel:
        return OpenAIModel(self.model_name, client=self.client, provider=self.provider, options=self.options)

    def __enter__(self) -> DemoModel:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.teardown()


def demo_model(kind: DemoKind = "local") -> DemoModel:
    """Start the model for the demo. Raises `LocalModelMissingError` for a local one that is not installed."""
    if kind == "scripted":
        return _scripted()
    server = LocalModel()
    server.start()
    return DemoModel(
        client := openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0),
        MODEL_NAME,
        _closing(client, server.stop),
        provider=PROVIDER,
        schema=SCHEMA,
        max_tokens=MAX_TOKENS,
        options=OPTIONS,
    )


def _scripted() -> DemoModel:
    from .truncating_server import TruncatingServer

    server = TruncatingServer(seed=7, budget=900)
    server.start()
    return DemoModel(
        client := openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0),
        "truncating/mixed/report-1",
        _closing(client, server.stop),
        prompt="Write report-1: a bullet list, a table and some paragraphs, as JSON.",
    )


def _closing(client: openai.OpenAI, stop: Callable[[], None]) -> Callable[[], None]:
    def teardown() -> None:
        client.close()
        stop()

    return teardown

"""Prefill: which server goes on behind a text that it is given, and how it must be asked. One table is the truth.

    none                    the conversation ends with a user turn
                            OpenAI, Azure, and all that we do not know
    trailing                the held text is the last message, the assistant's
                            llama.cpp, Ollama, LMDeploy, OpenRouter, Anthropic (models before 4.6; later answer 400)
    continue_final_message  the same, with continue_final_message and without a generation prompt
                            vLLM, SGLang, TGI, TabbyAPI
    prefix                  the same, with "prefix": true in that message
                            DeepSeek (base_url .../beta), Mistral, LiteLLM
    partial                 the same, with "partial": true in that message
                            Moonshot (Kimi), DashScope (Qwen)

Self-hosted servers have no telling host name: say `provider="vllm"`. A server that answers 400 is asked by a user turn
from then on, so a wrong entry costs one call.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from .model import Request

PrefillKind = Literal["none", "trailing", "continue_final_message", "prefix", "partial"]
Delivery = Literal["plain", "stream"]

_SPACE: Final = " \t\r\n"
_SURELY_ECHO: Final = 64  # characters; a longer text is not said again by chance


@dataclass(frozen=True, slots=True)
class Capability:
    """What one kind of server can do. `echoes`: deliveries in which the answer repeats the prefill first.

    `schema_with_prefill`: a JSON schema holds for prefill and answer together, not for the answer alone.
    `limit_field`: the name of the request's token limit.
    """

    prefill: PrefillKind = "none"
    echoes: frozenset[Delivery] = frozenset()
    schema_with_prefill: bool = False
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"


_BOTH: Final[frozenset[Delivery]] = frozenset(("plain", "stream"))
_PLAIN: Final[frozenset[Delivery]] = frozenset(("plain",))

PROVIDERS: Final[dict[str, Capability]] = {
    "unknown": Capability(),
    "openai": Capability(limit_field="max_completion_tokens"),
    "azure": Capability(limit_field="max_completion_tokens"),
    "anthropic": Capability("trailing"),
    "openrouter": Capability("trailing"),
    "ollama": Capability("trailing"),
    "lmdeploy": Capability("trailing"),
    "llama.cpp": Capability("trailing", _PLAIN, schema_with_prefill=True),
    "vllm": Capability("continue_final_message"),
    "sglang": Capability("continue_final_message"),
    "tgi": Capability("continue_final_message"),
    "tabbyapi": Capability("continue_final_message"),
    "deepseek": Capability(),
    "deepseek-beta": Capability("prefix"),
    "mistral": Capability("prefix", _BOTH),
    "litellm": Capability("prefix"),
    "moonshot": Capability("partial"),
    "dashscope": Capability("partial"),
}

HOSTS: Final = (
    ("api.openai.com/*", "openai"),
    ("*.openai.azure.com/*", "azure"),
    ("*.cognitiveservices.azure.com/*", "azure"),
    ("api.anthropic.com/*", "anthropic"),
    ("openrouter.ai/*", "openrouter"),
    ("api.deepseek.com/beta*", "deepseek-beta"),
    ("api.deepseek.com/*", "deepseek"),
    ("api.mistral.ai/*", "mistral"),
    ("codestral.mistral.ai/*", "mistral"),
    ("api.moonshot.ai/*", "moonshot"),
    ("api.moonshot.cn/*", "moonshot"),
    ("dashscope*.aliyuncs.com/*", "dashscope"),
    ("*:11434/*", "ollama"),
)


def provider_of(base_url: str) -> str:
    """The name of the provider behind a base URL, `unknown` where the table has none. The first pattern wins."""
    url = urlsplit(base_url)
    place = url.netloc.rpartition("@")[2].lower() + (url.path.rstrip("/") + "/")
    return next((name for pattern, name in HOSTS if fnmatch(place, pattern)), "unknown")


def capability_of(base_url: str, provider: str | None = None) -> Capability:
    """By name where one is given, else by the host. Raises ValueError for a name that the table has not."""
    name = provider_of(base_url) if provider is None else provider
    if name not in PROVIDERS:
        raise ValueError(f"unknown provider {name!r}; known are {', '.join(PROVIDERS)}")
    return PROVIDERS[name]


def can_prefill(kind: PrefillKind, request: Request) -> bool:
    return kind != "none" and bool(request.prefill and request.prefill.strip(_SPACE))


def sent_prefill(request: Request) -> str:
    """The held text without the whitespace at its end: some servers refuse it, templates strip it, and models start
    a word with its space. `PrefillEcho` takes that whitespace off the answer, should it come again."""
    return (request.prefill or "").rstrip(_SPACE)


def prefill_messages(kind: PrefillKind, request: Request) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The messages that make the server go on behind the held text, and what else the body must say."""
    before = request.prefill_messages or request.messages
    messages: list[dict[str, Any]] = [{"role": message.role, "content": message.content} for message in before]
    last: dict[str, Any] = {"role": "assistant", "content": sent_prefill(request)}
    if kind in ("prefix", "partial"):
        last[kind] = True
    body = {"continue_final_message": True, "add_generation_prompt": False}
    return [*messages, last], body if kind == "continue_final_message" else {}


class PrefillEcho:
    """Takes off an answer's beginning what the client holds already: the echoed prefill, or its whitespace.

    Text is held back only while it may still be an echo, so a stream flows as soon as it says something new.
    """

    __slots__ = ("_echo", "_held", "_known", "_length", "_like_known", "_like_space", "_open", "_space", "_strips")

    def __init__(self, prefill: str, *, echoes: bool) -> None:
        self._known = prefill
        self._echo = prefill.rstrip(_SPACE)
        self._space = prefill[len(self._echo) :]
        self._strips = bool(self._echo) and (echoes or len(self._echo) >= _SURELY_ECHO)
        self._like_known = self._strips
        self._like_space = bool(self._space)
        self._open = self._like_known or self._like_space
        self._held: list[str] = []
        self._length = 0

    def feed(self, text: str) -> str:
        """What is new in the next piece."""
        if not self._open or not text:
            return text
        at, self._length = self._length, self._length + len(text)
        self._held.append(text)
        self._like_known = self._like_known and self._known.startswith(text, at)
        self._like_space = self._like_space and self._space.startswith(text, at)
        return "" if self._like_known or self._like_space else self.end()

    def end(self) -> str:
        """The rest that was held back, now that the answer is over or cannot be an echo any more."""
        held, self._held, self._open = "".join(self._held), [], False
        if self._strips and held.startswith(self._echo):
            held = held[len(self._echo) :]
        for mark in self._space:
            if not held.startswith(mark):
                break
            held = held[1:]
        return held

"""Chat request: one `Request` becomes the body of an OpenAI chat completion, and gives way where a server refuses it.

A 400 or 422 is taken as a wish: the field that the server names, else the prefill, is left out once and the call
made again. What a server accepted after that is remembered by the model. Pure; nothing is sent here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from .model import Request
from .prefill import Capability, can_prefill, prefill_messages

Concession = Literal["prefill", "schema", "stream_usage", "limit_field"]

REFUSALS: Final = frozenset({400, 422})

_TOO_LONG: Final = ("context_length", "context length", "maximum context", "context size", "too many tokens")
_NAMED: Final[tuple[tuple[Concession, tuple[str, ...]], ...]] = (
    ("stream_usage", ("stream_options", "include_usage")),
    ("schema", ("response_format", "json_schema", "grammar", "guided")),
    ("limit_field", ("max_completion_tokens", "max_tokens")),
    ("prefill", ("prefill", "assistant", "prefix", "continue_final_message", "add_generation_prompt", "partial")),
)
_OTHER_FIELD: Final = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


class ChatRequest:
    """One call in the making. `conceded` starts with what the server is known to refuse, and grows by `concede`."""

    __slots__ = ("_capability", "_model", "_options", "_request", "_stream", "conceded", "forgettable")

    def __init__(
        self,
        model: str,
        capability: Capability,
        request: Request,
        *,
        stream: bool,
        options: Mapping[str, Any],
        conceded: frozenset[Concession],
    ) -> None:
        self._model = model
        self._capability = capability
        self._request = request
        self._stream = stream
        self._options = {**options, **request.options}
        self.conceded = conceded
        self.forgettable: frozenset[Concession] = frozenset()

    @property
    def prefilled(self) -> bool:
        return "prefill" not in self.conceded and can_prefill(self._capability.prefill, self._request)

    @property
    def echoes(self) -> bool:
        return ("stream" if self._stream else "plain") in self._capability.echoes

    def body(self) -> dict[str, Any]:
        """The keyword arguments of `client.chat.completions.create`."""
        request = self._request
        extra: dict[str, Any] = {}
        if self.prefilled:
            messages, extra = prefill_messages(self._capability.prefill, request)
        else:
            messages = [{"role": message.role, "content": message.content} for message in request.messages]
        body: dict[str, Any] = {"model": self._model, "messages": messages}
        if request.max_tokens is not None:
            body[self._limit_field()] = request.max_tokens
        if self._sends_schema():
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": request.purpose, "schema": dict(request.schema or {})},
            }
        if self._stream:
            body["stream"] = True
            if "stream_usage" not in self.conceded:
                body["stream_options"] = {"include_usage": True}
        body.update(self._options)
        if extra:
            body["extra_body"] = {**body.get("extra_body", {}), **extra}
        return body

    def concede(self, status: int | None, message: str) -> bool:
        """Give way to a refusal. False: there is nothing left to leave out, or the refusal is about something else."""
        if status not in REFUSALS:
            return False
        said = message.lower()
        too_long = any(sign in said for sign in _TOO_LONG)
        given = self._given()
        named = [concession for concession, signs in _NAMED if any(sign in said for sign in signs)]
        wish = next((concession for concession in named if concession in given and not too_long), None)
        if wish is None and "prefill" in given:
            wish = "prefill"
        if wish is None:
            return False
        self.conceded |= {wish}
        if too_long:
            self.forgettable |= {wish}
        return True

    def learned(self) -> frozenset[Concession]:
        """What to leave out of every later call, now that the server took this one."""
        return self.conceded - self.forgettable

    def _limit_field(self) -> str:
        field = self._capability.limit_field
        return _OTHER_FIELD[field] if "limit_field" in self.conceded else field

    def _sends_schema(self) -> bool:
        if self._request.schema is None or "schema" in self.conceded:
            return False
        if self.prefilled:
            return self._capability.schema_with_prefill
        # a rest is no whole document: held to the schema, the model could only begin again
        return self._request.purpose != "continue"

    def _given(self) -> set[Concession]:
        """What this call holds that could be left out."""
        given: set[Concession] = set()
        if self.prefilled:
            given.add("prefill")
        if self._sends_schema():
            given.add("schema")
        if self._stream and "stream_usage" not in self.conceded:
            given.add("stream_usage")
        if self._request.max_tokens is not None and "limit_field" not in self.conceded:
            given.add("limit_field")
        return given

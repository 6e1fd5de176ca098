"""Follow-up: the request for the next round, made of the client's own and of what the gateway's prompts say. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jsonseam.gateway.context import Context
from jsonseam.gateway.model import Message, Request
from jsonseam.gateway.prefill import Capability, can_prefill, prefill_messages
from jsonseam.gateway.prompts import Prompts


class Continuing(Prompts):
    """The gateway's words without the conversation before them: that one is the client's, and is sent as it came."""

    def go_on(self, first: Sequence[Message], context: Context) -> tuple[Message, ...]:
        return Prompts.go_on(self, (), context)


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The body of a round behind the first, and whether it asks to go on behind a prefill."""

    body: Mapping[str, Any]
    prefilled: bool


def follow_up(
    asked: Mapping[str, Any], request: Request, capability: Capability, *, prefill: bool, count_tokens: bool
) -> FollowUp:
    """What to send. `prefill`: where the upstream can. `count_tokens`: a stream must tell its usage.

    The form of the answer is not asked for again: held to a schema, or to an object, a model could only begin anew.
    """
    body = dict(asked)
    prefilled = prefill and can_prefill(capability.prefill, request)
    if prefilled:
        turns, more = prefill_messages(capability.prefill, Request((), prefill=request.prefill))
        body.update(more)
    else:
        turns = [{"role": message.role, "content": message.content} for message in request.messages]
    if not (prefilled and capability.schema_with_prefill):
        body.pop("response_format", None)
    if count_tokens and body.get("stream"):
        body["stream_options"] = {**(body.get("stream_options") or {}), "include_usage": True}
    body["messages"] = [*asked["messages"], *turns]
    return FollowUp(body, prefilled)

"""Simulated wire: the truncating server's side of the OpenAI chat format. Requests are read here, answers spelled."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from . import behaviours
from .behaviours import Turn
from .model import Usage
from .outline import Outline
from .simulated_conversation import text_of, whole_text

FAULTS: Final = {
    "400": "refused, for no reason that a client could mend",
    "400-prefill": "refused if the last message is the assistant's",
    "400-schema": "refused if there is a response_format",
    "400-usage": "refused if there are stream_options",
    "429": "too many requests, with retry-after",
    "500": "server error",
    "503": "overloaded",
    "ignore-prefill": "a prefill is taken for an answer that is over",
    "echo-prefill": "the answer repeats the prefill first, as some servers do",
    "stall": "no byte for `stall` seconds",
    "stall-mid": "half of the answer, then no byte for `stall` seconds",
    "disconnect": "half of the answer, then the connection is dropped",
    "cut": "half of the answer, then the stream ends without finish_reason and usage",
    "error-mid": "half of the answer, then an error object in the stream",
    "prose": "an answer in prose",
    "empty": "no choices at all",
    "no-finish": "without finish_reason",
    "no-usage": "without usage",
    "says-stop": "finish_reason stop, whatever was cut",
    "says-length": "finish_reason length, whatever is complete",
    "bad-kpis": "KPI definitions in prose",
    "bad-kpis-once": "the same, at the first of these calls only",
}
HALVED: Final = frozenset({"stall-mid", "disconnect", "cut", "error-mid"})


@dataclass(frozen=True, slots=True)
class Choice:
    """What one request asks the simulation for."""

    behaviour: str
    faults: frozenset[str]
    document: str


# ------------------------------------------------------------------------------- reading a request
def conversation_key(body: Mapping[str, Any]) -> str:
    """What the client calls this conversation; without a name, one by its model and its first user message."""
    named = (body.get("metadata") or {}).get("conversation") or body.get("user")
    if named:
        return str(named)
    asked = next((text_of(m) for m in body["messages"] if m.get("role") == "user"), "")
    return f"{body.get('model')}/{asked}"


def read_choice(
    body: Mapping[str, Any], headers: Mapping[str, str], call: int, known: frozenset[str] = frozenset()
) -> Choice:
    """Behaviour, faults of this call and document: from metadata, else headers, else the model name."""
    said = body.get("metadata") or {}
    _, _, spelled = str(body.get("model", "")).partition("/")
    manner, _, document = spelled.partition("/")
    behaviour, *faults = manner.split("+")
    behaviour = said.get("behaviour") or headers.get("x-behaviour") or behaviour or "exact"
    listed = said.get("faults") or headers.get("x-faults")
    faults = listed.split(",") if listed else faults
    document = said.get("document") or headers.get("x-document") or document or _mentioned(body, known)
    return Choice(
        behaviour if behaviour in behaviours.BEHAVIOURS else "exact",
        frozenset(name for name, _, at in (f.strip().partition("@") for f in faults) if not at or int(at) == call),
        document,
    )


def _mentioned(body: Mapping[str, Any], known: frozenset[str]) -> str:
    """The longest document name that the conversation mentions; the only one, or `report-0`, where it names none."""
    text = whole_text(body["messages"])
    named = [name for name in known if name in text]
    if named:
        return max(named, key=lambda name: (len(name), name))
    return next(iter(known)) if len(known) == 1 else "report-0"


def prefill_of(body: Mapping[str, Any], faults: frozenset[str]) -> str | None:
    """The trailing assistant message that the answer goes on with, None where the conversation ends otherwise."""
    last = body["messages"][-1]
    if last.get("role") != "assistant" or "ignore-prefill" in faults:
        return None
    return text_of(last)


def asks_for_kpis(body: Mapping[str, Any]) -> bool:
    purpose = (body.get("metadata") or {}).get("purpose")
    if purpose:
        return bool(purpose == "kpis")
    schema = (body.get("response_format") or {}).get("json_schema") or {}
    if schema.get("name") == "kpis":
        return True
    return any("targetValue" in text_of(message) for message in body["messages"])


def wants_usage(body: Mapping[str, Any]) -> bool:
    return bool((body.get("stream_options") or {}).get("include_usage"))


def kpi_definitions(outline: Outline) -> str:
    """What a good model would answer to the KPI-definition call: the document's arrays with their true lengths."""
    kpis = [
        {
            "id": f"kpi_{number}",
            "description": f"items in {path or 'the list'}",
            "jsonPath": path or "$",
            "targetValue": len(node.children),
            "currentValue": 0,
        }
        for number, (path, node) in enumerate(outline.arrays())
        if len(node.children) > 1
    ]
    return json.dumps({"kpis": kpis[:8]})


# ------------------------------------------------------------------------------- spelling an answer
@dataclass(frozen=True, slots=True)
class Reply:
    """One answer in the OpenAI format, whole or in events."""

    body: Mapping[str, Any]
    turn: Turn
    usage: Usage
    faults: frozenset[str]
    cut: int
    prefill: str | None

    @property
    def text(self) -> str:
        if "empty" in self.faults:
            return ""
        text = self.turn.text[: len(self.turn.text) // 2] if self.faults & HALVED else self.turn.text
        return (self.prefill or "") + text if "echo-prefill" in self.faults else text

    @property
    def finish_reason(self) -> str | None:
        if self.faults & {"no-finish", "cut"}:
            return None
        if "says-stop" in self.faults:
            return "stop"
        return "stop" if self.turn.finished and "says-length" not in self.faults else "length"

    def whole(self) -> dict[str, Any]:
        message = {"role": "assistant", "content": self.text}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        reply = self._frame("chat.completion", [] if "empty" in self.faults else [choice])
        if not self.faults & {"no-usage", "cut"}:
            reply["usage"] = self._counted()
        return reply

    def event(self, delta: dict[str, str] | None, finish: str | None = None) -> str:
        """One SSE event; without a delta the one that carries the usage and no choice."""
        choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
        frame = self._frame("chat.completion.chunk", choices)
        if delta is None:
            frame["usage"] = self._counted()
        return f"data: {json.dumps(frame)}\n\n"

    def _frame(self, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": "chatcmpl-simulated",
            "object": kind,
            "created": 0,
            "model": self.body.get("model", ""),
            "choices": choices,
        }

    def _counted(self) -> dict[str, int]:
        return {
            "prompt_tokens": self.usage.prompt_tokens,
            "completion_tokens": self.usage.completion_tokens,
            "total_tokens": self.usage.total_tokens,
        }

"""Asking: which requests are looked at, and which of their answers are JSON documents. Pure.

A request is looked at if it can have one document as its answer: one choice, no tools, no log probabilities, no audio,
a conversation that does not end with words of the assistant. If it has a `response_format` of JSON, its answer is a
document. Without a `response_format` the answer is one if it begins as one: with an object, an array of strings,
containers or more than one number, or a code fence (```json, or one without a name) with that in it. `[1]`, `[x]` and
`[a link](...)` are text, and so is whatever was asked for as `{"type": "text"}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

Lean = Literal["json", "text"]

_JSON_FORMATS: Final = frozenset({"json_object", "json_schema"})
_NOT_ONE_DOCUMENT: Final = ("tools", "functions", "logprobs", "top_logprobs", "audio", "web_search_options")
_FENCE: Final = re.compile(r"\s*(?:```|~~~)[ \t]*(?:json[c5]?)?[ \t]*\r?\n", re.IGNORECASE)
_PART_OF_FENCE: Final = re.compile(
    r"\s*(?:`{0,3}|~{0,3}|(?:```|~~~)[ \t]*(?:j|js|jso|json[c5]?)?[ \t]*\r?)", re.IGNORECASE
)
_NUMBER: Final = r"-?[\d.]+(?:[eE][-+]?\d+)?\s*"
_DOCUMENT: Final = re.compile(
    rf"\s*(?:\{{\s*[\"}}]|\[\s*(?:[{{\"]|(?:{_NUMBER}|(?:true|false|null)\s*),|\[\s*(?:[\[{{\"\]]|{_NUMBER}(?:\]\s*)?,)))"
)
_PART_OF_NUMBER: Final = r"-?[\d.]*(?:[eE][-+]?\d*)?\s*"
_PART_OF_DOCUMENT: Final = re.compile(
    rf"\s*(?:\{{\s*|\[\s*(?:\[\s*{_PART_OF_NUMBER}(?:\]\s*)?|{_PART_OF_NUMBER}"
    r"|t|tr|tru|true\s*|f|fa|fal|fals|false\s*|n|nu|nul|null\s*)?)?"
)
_LONGEST_START: Final = 256  # characters; what is undecided behind that is text


@dataclass(frozen=True, slots=True)
class Asked:
    """One chat request that may have a document for its answer. `json`: it asked for one.

    `usage`: a stream is to end with the usage. `stops`: it names stop sequences, so `stop` may cut a document.
    """

    body: Mapping[str, Any]
    json: bool
    stream: bool
    usage: bool
    stops: bool

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))


def read_asked(raw: bytes) -> Asked | None:
    """The request, or None where it is not one to be looked at: whatever its fault, the upstream will tell."""
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(body, dict) or not _can_have_one_document(body):
        return None
    kind = body.get("response_format")
    kind = kind.get("type") if isinstance(kind, dict) else kind
    if kind is not None and kind not in _JSON_FORMATS:
        return None
    options = body.get("stream_options")
    usage = isinstance(options, dict) and bool(options.get("include_usage"))
    return Asked(body, kind is not None, bool(body.get("stream")), usage, bool(body.get("stop")))


def _can_have_one_document(body: Mapping[str, Any]) -> bool:
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages or not isinstance(messages[-1], dict):
        return False
    several = body.get("n") not in (None, 1)
    modalities = body.get("modalities")
    only_text = modalities is None or modalities == ["text"]
    ends_with_assistant = messages[-1].get("role") == "assistant"
    return only_text and not several and not ends_with_assistant and not any(body.get(n) for n in _NOT_ONE_DOCUMENT)


def lean(text: str) -> Lean | None:
    """What the beginning of an answer shows it to be; None while that is open."""
    fence = _FENCE.match(text)
    start = fence.end() if fence else 0
    if _DOCUMENT.match(text, start):
        return "json"
    rest = text[start : start + _LONGEST_START]
    if _PART_OF_DOCUMENT.fullmatch(rest) and len(rest) < _LONGEST_START:
        return None
    if not fence and _PART_OF_FENCE.fullmatch(text[:_LONGEST_START]) and len(text) < _LONGEST_START:
        return None
    return "text"

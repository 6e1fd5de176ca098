"""Answers: the shapes of the OpenAI chat format that are read and written here. Pure; what is not known stays as it is.

A frame is a `chat.completion` or one `chat.completion.chunk`, as JSON says it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from jsonseam.gateway.model import Usage

CUT: Final = frozenset({"length", "max_tokens", "interrupted"})  # a finish reason that says there is more

Frame = dict[str, Any]


def read_frame(raw: bytes) -> Frame | None:
    """A JSON object, None for anything else."""
    try:
        frame = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return frame if isinstance(frame, dict) else None


def choice_of(frame: Mapping[str, Any]) -> Frame | None:
    """The one choice; None where there is none, or more than one, or one of another shape."""
    choices = frame.get("choices")
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], dict):
        return None
    choice: Frame = choices[0]
    return choice if choice.get("index", 0) == 0 else None


def said_in(choice: Mapping[str, Any], name: Literal["message", "delta"]) -> str | None:
    """The text of a choice, "" where it says nothing; None where it says something that is no text: a tool call."""
    said = choice.get(name)
    if said is None:
        return ""
    if not isinstance(said, dict) or said.get("tool_calls") or said.get("function_call") or said.get("refusal"):
        return None
    content = said.get("content")
    if content is None:
        return ""
    return content if isinstance(content, str) else None


def finish_of(choice: Mapping[str, Any]) -> str | None:
    finish = choice.get("finish_reason")
    return finish if isinstance(finish, str) else None


def usage_of(frame: Mapping[str, Any]) -> Frame | None:
    usage = frame.get("usage")
    return usage if isinstance(usage, dict) else None


def counted(usage: Mapping[str, Any] | None) -> Usage | None:
    """The two figures that a budget counts."""
    if usage is None:
        return None
    return Usage(_whole(usage.get("prompt_tokens")), _whole(usage.get("completion_tokens")))


def _whole(number: Any) -> int:
    return int(number) if isinstance(number, int | float) and not isinstance(number, bool) else 0


def sum_usage(usages: Iterable[Mapping[str, Any]]) -> Frame | None:
    """All figures added up, those of the details too; None if nobody told any. What is no number is the last one's."""
    total: Frame = {}
    for usage in usages:
        for name, value in usage.items():
            before = total.get(name)
            if isinstance(value, dict):
                total[name] = {**(before if isinstance(before, dict) else {}), **_added(before, value)}
            else:
                total[name] = _plus(before, value)
    return total or None


def _added(before: Any, value: Mapping[str, Any]) -> Frame:
    known = before if isinstance(before, dict) else {}
    return {name: _plus(known.get(name), figure) for name, figure in value.items()}


def _plus(before: Any, value: Any) -> Any:
    both = all(isinstance(figure, int | float) and not isinstance(figure, bool) for figure in (before, value))
    if both:
        return before + value
    return before if value is None else value


def whole_answer(first: Mapping[str, Any], text: str, finish: str, usage: Frame | None) -> Frame:
    """The first answer with what all of them came to."""
    choice = choice_of(first) or {}
    message = {**(choice.get("message") or {}), "content": text}
    frame = {**first, "choices": [{**choice, "message": message, "finish_reason": finish}]}
    if usage is not None:
        frame["usage"] = usage
    return frame


def chunk_saying(frame: Mapping[str, Any], text: str) -> Frame:
    """A chunk as it came, with other text; it says nothing else."""
    choice = choice_of(frame) or {"index": 0}
    kept = {name: value for name, value in (choice.get("delta") or {}).items() if name == "role"}
    return {**frame, "choices": [{**choice, "delta": {**kept, "content": text}, "finish_reason": None}]}


def chunk_ending(frame: Mapping[str, Any], finish: str, usage: Frame | None) -> Frame:
    """The chunk that ends an answer. A usage that stood in it gives way to the sum."""
    choice = choice_of(frame) or {"index": 0}
    ended = {**frame, "choices": [{**choice, "delta": {}, "finish_reason": finish}]}
    if ended.get("usage"):
        ended["usage"] = usage
    return ended


def chunk_counting(frame: Mapping[str, Any], usage: Frame | None) -> Frame:
    """The chunk behind the last one, which carries the usage and no choice."""
    return {**frame, "choices": [], "usage": usage}

"""Simulated conversation: what a truncating model knows of one client, and how it finds out how far that got.

What the request shows comes first (a prefill, the assistant's texts, the tail quoted in a prompt); the progress that
the server kept itself decides only between places that fit, and where a request shows nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Messages = Sequence[Mapping[str, Any]]

_TAIL = 24  # characters, whitespace aside, that must match to know a place again


class Conversation:
    """Progress of one client: the reaches after each answer (characters), calls made, whether it was just refused."""

    __slots__ = ("calls", "first", "just_refused", "reaches", "turns")

    def __init__(self) -> None:
        self.reaches: list[int] = []
        self.calls = 0
        self.turns = 0
        self.just_refused = False
        self.first: Messages | None = None

    def place(self, document: str, messages: Messages, prefill: str | None) -> int:
        """How many characters of `document` the client holds, 0 for one that begins."""
        begins = self.first is None or list(messages) == list(self.first)
        if begins and prefill is None and not spoken(messages):
            self.first = messages
            self.reaches.clear()
            return 0
        if prefill is not None:
            return self._behind(document, prefill)
        return self._behind(document, spoken(messages), shown=whole_text(messages))

    def _behind(self, document: str, held: str, shown: str | None = None) -> int:
        whole = shown is None or not self.reaches or len(held) in self.reaches
        if held and whole and document.startswith(held):
            return len(held)
        seen = squeeze(held) if shown is None else squeeze(shown) + squeeze(unquoted(shown))
        for reach in reversed(self.reaches):
            tail = squeeze(document[:reach])[-_TAIL:]
            if tail and (seen.endswith(tail) if shown is None else tail in seen):
                return reach
        if self.reaches:
            return self.reaches[-1]
        return last_place(document, held)


def spoken(messages: Messages) -> str:
    """What the assistant has said so far, one text behind the other."""
    return "".join(text_of(message) for message in messages if message.get("role") == "assistant")


def whole_text(messages: Messages) -> str:
    return "\n".join(text_of(message) for message in messages)


def text_of(message: Mapping[str, Any]) -> str:
    """A message's text; its content may be a string or a list of parts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or () if isinstance(part, Mapping))


def squeeze(text: str) -> str:
    """Without whitespace, so that a restyled text is known again."""
    return "".join(text.split())


def unquoted(text: str) -> str:
    """The text, should it have been quoted as a JSON string inside a prompt."""
    try:
        return str(json.loads('"' + text.replace("\n", "\\n").replace("\t", "\\t") + '"'))
    except ValueError:
        return text.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def last_place(document: str, held: str) -> int:
    """Behind the last place of `document` that ends as `held` does, whitespace aside; 0 where there is none."""
    positions = [i for i, mark in enumerate(document) if not mark.isspace()]
    dense = squeeze(document)
    seen = squeeze(held)
    for length in (400, 200, 100, 50, _TAIL, 12):
        tail = seen[-length:]
        found = dense.rfind(tail) if tail else -1
        if found >= 0:
            return positions[found + len(tail) - 1] + 1
    return 0

"""Text that is held until something can be decided about it, and when the next try is worth its cost.

Rule: a try costs the text that is held, so tries are made at lengths that double; all of them together cost twice
the text, in however small pieces it comes.
"""

from __future__ import annotations


class Backlog:
    """`size` and `retry_at` are in characters."""

    __slots__ = ("_parts", "retry_at", "size")

    def __init__(self, retry_at: int = 1) -> None:
        self._parts: list[str] | None = None  # none while nothing is held: of many documents, each byte counts
        self.size = 0
        self.retry_at = retry_at

    @classmethod
    def resume(cls, text: str, retry_at: int) -> Backlog:
        backlog = cls(retry_at)
        backlog.add(text)
        return backlog

    @property
    def text(self) -> str:
        if self._parts is None:
            return ""
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0]

    @property
    def due(self) -> bool:
        return self.size >= self.retry_at

    def add(self, text: str) -> None:
        if self._parts is None:
            self._parts = [text]
        else:
            self._parts.append(text)
        self.size += len(text)

    def take(self) -> str:
        """Empty it; give back the text."""
        text = self.text
        self._parts = None
        self.size = 0
        return text

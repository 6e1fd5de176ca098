"""Text that is held until something can be decided about it, and when the next try is worth its cost.

Rule: a try costs the text that is held, so tries are made at lengths that double; all of them together cost twice
the text, in however small pieces it comes.
"""

from __future__ import annotations


class Backlog:
    """`size` and `retry_at` are in characters."""

    __slots__ = ("_parts", "retry_at", "size")

    def __init__(self, retry_at: int = 1) -> None:
        self._parts: list[str] = []
        self.size = 0
        self.retry_at = retry_at

    @property
    def text(self) -> str:
        if len(self._parts) > 1:
            self._parts[:] = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""

    @property
    def due(self) -> bool:
        return self.size >= self.retry_at

    def add(self, text: str) -> None:
        self._parts.append(text)
        self.size += len(text)

    def take(self) -> str:
        """Empty it; give back the text."""
        text = self.text
        self._parts.clear()
        self.size = 0
        return text

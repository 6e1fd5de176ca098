"""The names of the three columns that a batch reads; all others are left aside."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Columns:
    """`conversation` says which answers belong together, `sequence` gives their order, `text` is the answer."""

    conversation: str = "conversation"
    sequence: str = "sequence"
    text: str = "text"

    def names(self) -> list[str]:
        return [self.conversation, self.sequence, self.text]

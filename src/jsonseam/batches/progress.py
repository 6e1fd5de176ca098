"""What a run tells while it goes: a caller's class of this shape may show it."""

from __future__ import annotations


class Progress:
    """Tells nobody. The figures are totals so far, not steps."""

    def reading(self, done: int, total: int) -> None:
        """`done` of `total` bytes of the inputs were sorted into partitions."""

    def stitching(self, rows: int, total: int, conversations: int, skipped: int) -> None:
        """`rows` of `total` rows are joined; `skipped` of them were in partitions that were finished before."""

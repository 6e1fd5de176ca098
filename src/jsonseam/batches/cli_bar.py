"""The bar of a batch: bytes while it reads, then rows, with the conversations done and the rows of a second."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from .progress import Progress


class Bar(Progress):
    """Shown on a terminal, while the `with` block is open; elsewhere it is silent."""

    def __init__(self, console: Console, *, wanted: bool) -> None:
        self._bars = Bars(
            TextColumn("{task.description:>9}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[figures]}"),
            TimeRemainingColumn(),
            console=console,
            disable=not (wanted and console.is_terminal),
        )
        self._reading = self._bars.add_task("reading", total=None, figures="", visible=False)
        self._stitching = self._bars.add_task("stitching", total=None, figures="", visible=False)
        self._begun = 0.0

    def __enter__(self) -> Bar:
        self._bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._bars.stop()

    def reading(self, done: int, total: int) -> None:
        figures = f"{done / 1e6:,.1f} of {total / 1e6:,.1f} MB"
        self._bars.update(self._reading, completed=done, total=total, figures=figures, visible=True)

    def stitching(self, rows: int, total: int, conversations: int, skipped: int) -> None:
        self._begun = self._begun or time.monotonic()
        figures = figures_of(rows - skipped, conversations, time.monotonic() - self._begun)
        self._bars.update(self._stitching, completed=rows, total=total, figures=figures, visible=True)


def figures_of(rows: int, conversations: int, seconds: float) -> str:
    """`rows` are those of this run: what was there already took no time."""
    rate = f", {rows / seconds:,.0f} rows/s" if rows and seconds > 0 else ""
    return f"{conversations:,} conversations{rate}"

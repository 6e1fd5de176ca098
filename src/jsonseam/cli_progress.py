"""Progress of a long input: a bar on standard error, for people who look at it, and only once it takes long."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from jsonseam.cli_input import Piece

PATIENCE: Final = 0.7  # seconds without a bar


class Meter:
    """`total` is in bytes, None where it is not known."""

    def __init__(self, console: Console, total: int | None, *, wanted: bool) -> None:
        self._wanted = wanted and console.is_terminal
        self._columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        self._progress = Progress(*self._columns, console=console, transient=True)
        self._task = self._progress.add_task("", total=total, start=True)
        self._start = time.monotonic()
        self._shown = False

    def __enter__(self) -> Meter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._shown:
            self._progress.stop()

    def count(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """The pieces, each counted once it was used."""
        for piece in pieces:
            yield piece
            self._progress.advance(self._task, piece.size)
            if self._wanted and not self._shown and time.monotonic() - self._start > PATIENCE:
                self._progress.start()
                self._shown = True

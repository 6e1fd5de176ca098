"""Ctrl-C on the command line: kept until the piece at hand is taken, so that what was delivered is whole."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any, TypeVar

T = TypeVar("T")


class Interrupt:
    """While the `with` block is open, the first Ctrl-C sets `asked`; a second one does what it always does."""

    def __init__(self) -> None:
        self.asked = False
        self._waiting = False
        self._before: Any = None

    def __enter__(self) -> Interrupt:
        self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        signal.signal(signal.SIGINT, self._before)

    def watch(self, source: Iterator[T]) -> Iterator[T]:
        """What `source` gives, until Ctrl-C; waiting for its next piece is broken off at once."""
        while not self.asked:
            self._waiting = True
            try:
                piece = next(source)
            except (StopIteration, KeyboardInterrupt):
                return
            finally:
                self._waiting = False
            yield piece

    def _ask(self, number: int, frame: FrameType | None) -> None:
        again, self.asked = self.asked, True
        if self._waiting or again:
            raise KeyboardInterrupt

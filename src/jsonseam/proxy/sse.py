"""Server-sent events: bytes of a stream in, whole events out, each with the bytes that it came in. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

_BLANK: Final = re.compile(rb"(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\Z))")
_LINE: Final = re.compile(rb"\r\n|\n|\r")
DONE: Final = b"data: [DONE]\n\n"


class Event(NamedTuple):
    """`raw` is what came, the blank line at the end included; `data` what its data lines say."""

    raw: bytes
    data: bytes

    @property
    def is_done(self) -> bool:
        return self.data.strip() == b"[DONE]"

    def json(self) -> Any:
        """The data as JSON. Raises ValueError."""
        try:
            return json.loads(self.data)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


class Splitter:
    """Cuts a stream into events. Cost: each byte is looked at once or twice."""

    __slots__ = ("_from", "_held")

    def __init__(self) -> None:
        self._held = bytearray()
        self._from = 0

    def feed(self, raw: bytes) -> Iterator[Event]:
        """The events that these bytes bring to their end."""
        self._held += raw
        start = 0
        for blank in _BLANK.finditer(self._held, self._from):
            yield _event(bytes(self._held[start : blank.end()]))
            start = blank.end()
        del self._held[:start]
        self._from = max(0, len(self._held) - 4)

    def rest(self) -> bytes:
        """What came behind the last whole event."""
        held = bytes(self._held)
        self._held.clear()
        self._from = 0
        return held


def _event(raw: bytes) -> Event:
    lines = [line[5:] for line in _LINE.split(raw) if line.startswith(b"data:")]
    return Event(raw, b"\n".join(line[1:] if line.startswith(b" ") else line for line in lines))


def spell(frame: Any) -> bytes:
    """A frame as an event of the OpenAI API."""
    return b"data: " + json.dumps(frame, separators=(",", ":")).encode("ascii") + b"\n\n"


def comment(text: str) -> bytes:
    """A comment, which every client passes over."""
    return b": " + " ".join(text.split()).encode("ascii", "replace") + b"\n\n"

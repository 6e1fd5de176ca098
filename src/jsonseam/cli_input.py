"""Where the fragments of a command come from: files, standard input, JSON Lines of strings.

Rule: the input is given out piece by piece as it arrives; no more than a piece, or a line, is held.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol, cast

PIECE: Final = 1 << 16  # bytes
STDIN: Final = "-"
JSON_LINES: Final = (".jsonl", ".ndjson")


class Piece(NamedTuple):
    """A piece of fragment number `fragment`, counted from 0; `size` is what it was in the input, in bytes."""

    fragment: int
    text: str | bytes
    size: int


class InputError(Exception):
    """The input is not what it was said to be."""


class Stream(Protocol):
    """What is asked of an input: the methods of a buffered reader."""

    def peek(self, size: int, /) -> bytes: ...
    def read1(self, size: int, /) -> bytes: ...
    def readline(self) -> bytes: ...


def total_size(names: Sequence[str]) -> int | None:
    """Bytes of all inputs, None where nobody can know. Raises OSError."""
    if STDIN in names or not all(Path(name).is_file() for name in names):
        return None
    return sum(os.path.getsize(name) for name in names)


def read_pieces(names: Sequence[str], lines: bool | None = None) -> Iterator[Piece]:
    """All fragments of all inputs. `lines`: JSON Lines of strings or not; None: as each input looks.

    Raises `InputError`, and OSError.
    """
    fragment = 0
    for name in names:
        if name == STDIN:
            if sys.stdin is None:  # a shell's <&-
                raise InputError("standard input is closed")
            fragment = yield from _read_one(cast(Stream, sys.stdin.buffer), name, fragment, lines)
        else:
            with Path(name).open("rb") as stream:
                fragment = yield from _read_one(stream, name, fragment, lines)


def _read_one(stream: Stream, name: str, fragment: int, lines: bool | None) -> Generator[Piece, None, int]:
    """One input; returns the number of the next fragment."""
    head: list[bytes] = []
    if lines is None and (name == STDIN or Path(name).suffix.lower() in JSON_LINES):
        lines = _looks_like_lines(stream, head)
    if lines:
        return (yield from _read_lines(stream, name, fragment, head))
    text = b"".join(head)
    yield Piece(fragment, text, len(text))
    while text := stream.read1(PIECE):
        yield Piece(fragment, text, len(text))
    return fragment + 1


def _looks_like_lines(stream: Stream, head: list[bytes]) -> bool:
    """Do the first two lines say so? What was read to find out is put into `head`.

    A line that stands alone could be a document that is a string: it is a fragment if it holds a bracket.
    """
    if not stream.peek(1).lstrip().startswith(b'"'):
        return False
    head.append(stream.readline())
    first = _fragment_of(head[0])
    if first is None:
        return False
    head.append(stream.readline())
    return _fragment_of(head[1]) is not None if head[1].strip() else "{" in first or "[" in first


def _read_lines(stream: Stream, name: str, fragment: int, head: list[bytes]) -> Generator[Piece, None, int]:
    number = 0
    while line := head.pop(0) if head else stream.readline():
        number += 1
        if not line.strip():
            continue
        text = _fragment_of(line)
        if text is None:
            where = "standard input" if name == STDIN else name
            raise InputError(
                f"line {number} of {where} is not a JSON string. In JSON Lines every line is one fragment, "
                "as a JSON string; --no-lines takes the input as one fragment"
            )
        yield Piece(fragment, text, len(line))
        fragment += 1
    return fragment


def _fragment_of(line: bytes) -> str | None:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, str) else None

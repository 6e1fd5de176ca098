"""W4's documents, and the libraries that read ten thousand of them at once: made, fed a chunk, asked for the value.

Rule: a library is used as its own documentation uses it, with nothing shared between two streams. What cannot read a
document in pieces gathers them and reads the whole; it shows what the documents' values alone cost.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jsonseam
from benchmarks import texts

CHUNK = 4096  # characters
SIZE = 3 * CHUNK
PLACE = "A report"  # in the document's title; a number takes its place, so that no two documents are the same


class Documents:
    """As many as are asked for, each its own text: chunks come out of bytes, as they would come from a network.

    `narrow`: with ASCII in the place of what is not. As they are, an emoji makes each character of a Python text four
    bytes, so that text is nearly half of what a document takes.
    """

    def __init__(self, *, narrow: bool = False) -> None:
        whole = texts.text("sections", SIZE)
        if narrow:
            whole = whole.encode("ascii", "replace").decode()
        self.whole = whole + " " * max(0, SIZE - len(whole))
        self.chunks = [piece.encode() for piece in texts.cut(self.whole, CHUNK)]

    def chunk(self, number: int, which: int) -> str:
        piece = self.chunks[which]
        return (piece.replace(PLACE.encode(), b"%08d" % number, 1) if which == 0 else piece).decode()


@dataclass(frozen=True)
class Library:
    """`feed` gives the value after the chunk, where there is one. `streams`: it reads a document in pieces."""

    make: Callable[[], Any]
    feed: Callable[[Any, str], object]
    streams: bool = True


def own() -> Library:
    def feed(accumulator: jsonseam.Accumulator, chunk: str) -> object:
        accumulator.feed(chunk)
        return accumulator.value

    return Library(jsonseam.Accumulator, feed)


def streaming_json_parser() -> Library:
    import streaming_json_parser_native
    from streaming_json_parser import StreamingJsonParser

    assert streaming_json_parser_native
    return Library(StreamingJsonParser, lambda parser, chunk: parser.feed(chunk).value)


def jsonmend() -> Library:
    from jsonmend import Mender

    return Library(Mender, lambda mender, chunk: mender.feed(chunk))


class Gathered:
    """The chunks of one document until it is whole, and then its value."""

    def __init__(self) -> None:
        self.text = ""
        self.value: Any = None


def json_loads() -> Library:
    def feed(gathered: Gathered, chunk: str) -> object:
        gathered.text += chunk
        if len(gathered.text) >= SIZE:
            gathered.value = json.loads(gathered.text)
        return gathered.value

    return Library(Gathered, feed, streams=False)


LIBRARIES: dict[str, Callable[[], Library]] = {
    "jsonseam": own,
    "streaming-json-parser (Rust)": streaming_json_parser,
    "jsonmend": jsonmend,
    "json.loads of the whole": json_loads,
}

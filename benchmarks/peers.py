"""The libraries that are compared, each in its best incremental way, behind the same four questions.

Rule: a peer is measured as its own documentation uses it. `chunks` yields the value after every chunk, `answers` the
value and whether the document is complete after every answer, `whole` reads one document in one go, `mended` one
that has faults. What a peer cannot do is a sentence instead: that is its reason for a dash in the table. The values
are handed over by generators, so that checking and measuring run the same code; a generator costs all of them the
same 30 ns a chunk.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

Values = Callable[[Iterable[str]], Iterator[Any]]  # the value after each chunk
Answers = Callable[[Iterable[str]], Iterator[tuple[Any, bool | None]]]  # and whether it is complete; None: not told
Whole = Callable[[str], Any]

NOT_PARTIAL = "reads whole documents only"
NOT_LENIENT = "strict: it refuses faults"
BY_JSON = "gives a whole valid document to json.loads"
PULLS = "pulls from the stream itself; between two chunks there is no value to be read"


@dataclass(frozen=True)
class Peer:
    """`packages`: what must be installed. `square`: it parses all text again for each chunk. `tells`: completeness."""

    name: str
    packages: tuple[str, ...]
    chunks: Values | str
    answers: Answers | str
    whole: Whole | str
    mended: Whole | str
    square: bool = False
    tells: bool = True

    def way(self, question: str) -> Callable[[Any], Any] | str:
        """The function that answers the question, or why there is none."""
        found: Callable[[Any], Any] | str = getattr(self, question)
        return found


# ------------------------------------------------------------ jsonseam
def jsonseam() -> Peer:
    from jsonseam import Accumulator

    def chunks(pieces: Iterable[str]) -> Iterator[Any]:
        accumulator = Accumulator()
        feed = accumulator.feed
        for piece in pieces:
            feed(piece)
            yield accumulator.value
        accumulator.end_fragment()
        yield accumulator.value

    def answers(fragments: Iterable[str]) -> Iterator[tuple[Any, bool | None]]:
        accumulator = Accumulator()
        for fragment in fragments:
            accumulator.add(fragment)
            yield accumulator.value, accumulator.complete

    def whole(text: str) -> Any:
        accumulator = Accumulator()
        accumulator.add(text)
        return accumulator.value

    return Peer("jsonseam", ("jsonseam", "ijson"), chunks, answers, whole, whole)


def jsonseam_literal() -> Peer:
    """The answers as chunks of one: joined literally, without a look at the seam, which is what the peers do."""
    from jsonseam import Accumulator

    def answers(fragments: Iterable[str]) -> Iterator[tuple[Any, bool | None]]:
        accumulator = Accumulator()
        for fragment in fragments:
            accumulator.feed(fragment)
            yield accumulator.value, accumulator.complete

    same = "the same as jsonseam"
    return Peer("jsonseam, no seams", ("jsonseam",), same, answers, same, same)


# ------------------------------------------------------------ incremental
def streaming_json_parser() -> Peer:
    """With its native extension `StreamingJsonParser()` is the Rust object itself; its values are live."""
    importlib.import_module("streaming_json_parser_native")
    from streaming_json_parser import ParseStatus, StreamingJsonParser

    def chunks(pieces: Iterable[str]) -> Iterator[Any]:
        parser = StreamingJsonParser()
        feed = parser.feed
        for piece in pieces:
            yield feed(piece).value
        yield parser.finish().value

    def answers(fragments: Iterable[str]) -> Iterator[tuple[Any, bool | None]]:
        parser = StreamingJsonParser()
        complete = ParseStatus.COMPLETE
        for fragment in fragments:
            result = parser.feed(fragment)
            yield result.value, result.status is complete

    def whole(text: str) -> Any:
        return StreamingJsonParser().feed(text).value

    packages = ("streaming-json-parser", "streaming-json-parser-native")
    return Peer("streaming-json-parser (Rust)", packages, chunks, answers, whole, NOT_LENIENT)


def jsonmend() -> Peer:
    from jsonmend import Mender, loads

    def chunks(pieces: Iterable[str]) -> Iterator[Any]:
        mender = Mender()
        feed = mender.feed
        for piece in pieces:
            yield feed(piece)
        yield mender.close()

    return Peer("jsonmend", ("jsonmend",), chunks, not_told(chunks), BY_JSON, loads, tells=False)


def jsonriver() -> Peer:
    """It pulls from an asynchronous stream; run by hand it stops where a chunk is missing, without an event loop."""
    from jsonriver import parse

    class Ask:
        def __await__(self) -> Generator[None, str | None, str | None]:
            return (yield)

    async def stream() -> AsyncIterator[str]:
        ask = Ask()
        while (piece := await ask) is not None:
            yield piece

    async def drive(held: list[Any]) -> None:
        async for value in parse(stream()):
            held[0] = value

    def chunks(pieces: Iterable[str]) -> Iterator[Any]:
        held: list[Any] = [None]
        driven = drive(held)
        driven.send(None)
        for piece in pieces:
            driven.send(piece)
            yield held[0]
        try:
            driven.send(None)
        except StopIteration:
            yield held[0]

    def whole(text: str) -> Any:
        *_, value = chunks([text])
        return value

    return Peer("jsonriver", ("jsonriver",), chunks, not_told(chunks), whole, NOT_LENIENT, tells=False)


def json_stream() -> Peer:
    from json_stream import load, to_standard_types

    def whole(text: str) -> Any:
        return to_standard_types(load([text.encode()]))

    return Peer("json-stream", ("json-stream", "json-stream-rs-tokenizer"), PULLS, PULLS, whole, NOT_LENIENT)


# ------------------------------------------------------------ parsing everything again
def jiter() -> Peer:
    from jiter import from_json

    def partial(text: str) -> Any:
        return from_json(text.encode(), partial_mode="trailing-strings")

    return reparsing("jiter", "jiter", partial, lambda text: from_json(text.encode()), NOT_LENIENT)


def pydantic_core() -> Peer:
    from pydantic_core import from_json

    def partial(text: str) -> Any:
        return from_json(text, allow_partial="trailing-strings")

    return reparsing("pydantic-core", "pydantic-core", partial, from_json, NOT_LENIENT)


def partial_json_parser() -> Peer:
    from partial_json_parser import loads

    return reparsing("partial-json-parser", "partial-json-parser", loads, BY_JSON, NOT_LENIENT)


def json_repair() -> Peer:
    from json_repair import loads, repair_json

    def partial(text: str) -> Any:
        return repair_json(text, return_objects=True, skip_json_loads=True, stream_stable=True)

    return reparsing("json-repair", "json-repair", partial, BY_JSON, loads)


def reparsing(name: str, package: str, partial: Whole, whole: Whole | str, mended: Whole | str) -> Peer:
    def chunks(pieces: Iterable[str]) -> Iterator[Any]:
        text = ""
        for piece in pieces:
            text += piece
            yield partial(text)

    return Peer(name, (package,), chunks, not_told(chunks), whole, mended, square=True, tells=False)


def not_told(values: Values) -> Answers:
    """For a peer that gives the value and does not say whether the document is complete; it is not charged for that."""

    def answers(fragments: Iterable[str]) -> Iterator[tuple[Any, bool | None]]:
        for value in values(fragments):
            yield value, None

    return answers


# ------------------------------------------------------------ whole documents
def json_loads() -> Peer:
    return Peer("json.loads", (), NOT_PARTIAL, NOT_PARTIAL, json.loads, NOT_LENIENT)


def orjson() -> Peer:
    from orjson import loads

    return Peer("orjson", ("orjson",), NOT_PARTIAL, NOT_PARTIAL, loads, NOT_LENIENT)


# ------------------------------------------------------------ all of them
MAKERS: list[tuple[str, Callable[[], Peer]]] = [
    ("jsonseam", jsonseam),
    ("jsonseam, no seams", jsonseam_literal),
    ("streaming-json-parser (Rust)", streaming_json_parser),
    ("jsonmend", jsonmend),
    ("jiter", jiter),
    ("pydantic-core", pydantic_core),
    ("partial-json-parser", partial_json_parser),
    ("json-repair", json_repair),
    ("jsonriver", jsonriver),
    ("json-stream", json_stream),
    ("json.loads", json_loads),
    ("orjson", orjson),
]
NAMES = [name for name, _ in MAKERS]


def installed() -> tuple[list[Peer], dict[str, str]]:
    """The peers that are here, and why the others are not."""
    peers, missing = [], {}
    for name, make in MAKERS:
        try:
            peers.append(make())
        except ImportError as error:
            missing[name] = f"not installed ({error})"
    return peers, missing


def versions(peers: Iterable[Peer]) -> dict[str, str]:
    found = {}
    for package in dict.fromkeys(package for peer in peers for package in peer.packages):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found

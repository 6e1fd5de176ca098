"""One checker for all tests: it delivers a text in every way and holds what must be true whichever way it came.

Rule: no test cuts text by itself. `check` and `check_join` try the whole, single characters, single bytes and
random cuts from a seed, demand the same outcome from all of them, and hold the promises that every outcome makes
(`hold_promises`). An outcome is a document or one of our errors; any other exception fails the test.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import jsonseam

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
Chunk = str | bytes
MOST_SINGLE = 20_000  # characters of a text that is also delivered one by one


def shared(name: str) -> Path:
    """A file or folder that lies beside the project, not in it; the test is skipped where it is not there."""
    for up in ROOT.parents:
        if (up / "shared" / name).exists():
            return up / "shared" / name
    pytest.skip(f"shared/{name} is not beside the project; it is read there, because it is too large to be in it")


def spelled(value: Any) -> str:
    """A spelling that is equal only for what is the same: 1 is not 1.0 nor True, NaN is NaN, order counts."""
    return repr(value)


# ------------------------------------------------------------ deliveries
def cut(text: Any, size: int) -> list[Any]:
    """Pieces of `size` characters or bytes; one empty piece if there is nothing."""
    return [text[at : at + size] for at in range(0, len(text), size)] or [text]


def cut_at_random(text: Any, rng: random.Random, mean: int) -> list[Any]:
    """Pieces of 0 to twice `mean` characters or bytes."""
    pieces, at = [], 0
    while at < len(text):
        size = rng.randint(0, 2 * mean)
        pieces.append(text[at : at + size])
        at += size
    return pieces or [text]


def deliveries(text: Chunk, seed: int = 0) -> Iterator[tuple[str, list[Chunk]]]:
    """Every way to deliver one fragment, each with its name."""
    forms: list[tuple[str, Any]] = [("bytes" if isinstance(text, bytes) else "characters", text)]
    if isinstance(text, str) and not any("\ud800" <= char <= "\udfff" for char in text):
        forms.append(("bytes", text.encode()))
    rng = random.Random(seed)
    for unit, form in forms:
        yield f"all {unit} at once", [form]
        if len(form) <= MOST_SINGLE:
            yield f"single {unit}", cut(form, 1)
        for mean in (2, 40, 600):
            if mean < len(form) <= MOST_SINGLE * mean:
                yield f"about {mean} {unit} each", cut_at_random(form, rng, mean)


# ------------------------------------------------------------ outcomes
@dataclass(frozen=True)
class Outcome:
    """What a caller has at the end: a document, or the error that ended the delivery."""

    status: str
    document: jsonseam.Document | None = None
    error: jsonseam.JsonSeamError | None = None

    @property
    def value(self) -> Any:
        assert self.document is not None, f"no document, but {self.error!r}"
        return self.document.value

    def told(self) -> str:
        """All of it, spelled, so that two outcomes can be compared."""
        if self.error is not None:
            return f"{self.status} {type(self.error).__name__}: {self.error}"
        document = self.document
        assert document is not None
        return "\n".join([self.status, document.text, spelled(document.value), json.dumps(document.report(), indent=1)])


def deliver(fragments: Iterable[Iterable[Chunk]], **options: Any) -> Outcome:
    """Feed the chunks of each fragment to a new accumulator and finish it; the promises are held on the way."""
    accumulator = jsonseam.Accumulator(**options)
    try:
        for chunks in fragments:
            for chunk in chunks:
                accumulator.feed(chunk)
            accumulator.end_fragment()
        document = accumulator.finish()
    except jsonseam.JsonSeamError as error:
        return Outcome(accumulator.status, error=error)
    hold_promises(accumulator, document)
    return Outcome(accumulator.status, document)


def hold_promises(accumulator: jsonseam.Accumulator, document: jsonseam.Document) -> None:
    """What is promised of every document, however it came to be."""
    assert spelled(json.loads(document.text)) == spelled(document.value), "the text does not parse to the value"
    assert document.complete or not accumulator.complete
    if accumulator.complete:
        assert spelled(accumulator.value) == spelled(document.value), "a complete live value is the document's"
    hold_reports(document)


def hold_reports(document: jsonseam.Document) -> None:
    """Repairs and seams tell the truth about the text."""
    text = document.text
    for repair in document.repairs:
        there = text[repair.offset : repair.offset + len(repair.after)]
        assert there == repair.after, f"{repair} is not there: {there!r}"
        assert repair.kind
        assert repair.before or repair.after, f"{repair} changed nothing"
    for seam in document.seams:
        assert seam.kind in ("continue", "overlap", "resume", "reopen", "restart", "rejected")
        assert seam.reason
        assert 0 <= seam.sure <= 1
        assert seam.dropped >= 0
        assert 0 <= seam.offset <= len(text)
    fragments = [seam.fragment for seam in document.seams]
    assert fragments == sorted(fragments)


def check(text: Chunk, expected: Any = ..., *, seed: int = 0, **options: Any) -> Outcome:
    """Deliver one fragment in every way; all outcomes must be the same, with the value `expected` if it is given."""
    return check_join([text], expected, seed=seed, **options)


def check_join(fragments: Sequence[Chunk], expected: Any = ..., *, seed: int = 0, **options: Any) -> Outcome:
    """The same for several fragments, all of them delivered in the same way."""
    ways: dict[str, list[list[Chunk]]] = {}
    for number, fragment in enumerate(fragments):
        for name, chunks in deliveries(fragment, seed + number):
            ways.setdefault(name, [[part] for part in fragments[:number]]).append(chunks)
        for way in ways.values():
            if len(way) == number:
                way.append([fragment])
    first: Outcome | None = None
    first_name = ""
    for name, way in ways.items():
        outcome = deliver(way, **options)
        if expected is not ...:
            assert spelled(outcome.value) == spelled(expected), f"delivered as {name}: {fragments!r}"
        if first is None:
            first, first_name = outcome, name
        assert outcome.told() == first.told(), f"{name} differs from {first_name}: {fragments!r}"
    assert first is not None
    return first


# ------------------------------------------------------------ documents
WORDS = (
    "alpha",
    "beta",
    "naïve",
    "Zürich",
    "東京",
    "😀",
    'a "quoted" word',
    "C:\\dir\\new",
    "[x]",
    "{y: 1}",
    "a, b",
    "line\nbreak",
    "tab\t",
    "\x7f",
    "\u2028",
    "é" * 5,
    "",
    " ",
    "```",
    "null",
    "12",
    "\x1f",
)
NUMBERS = (0, -1, 7, 12, 1289, -0.0, 0.5, 1e30, 1e-9, 123456789012345678901234567890, -2.5e-12, 3.0)


def make_value(rng: random.Random, depth: int = 3) -> Any:
    """A value of all kinds, small enough to be read after each of its characters."""
    match rng.randrange(8 if depth else 4):
        case 0:
            return " ".join(rng.choices(WORDS, k=rng.randint(0, 4)))
        case 1:
            return rng.choice(NUMBERS)
        case 2:
            return rng.choice((True, False, None))
        case 3:
            return rng.choice(WORDS)
        case 4 | 5:
            return [make_value(rng, depth - 1) for _ in range(rng.randint(0, 4))]
        case _:
            keys = rng.sample([*WORDS, "id", "items", "rows", "a/b", "~"], k=rng.randint(0, 4))
            return {key: make_value(rng, depth - 1) for key in keys}


def make_text(rng: random.Random) -> str:
    """A document that is a container, in one of the layouts that models and services write."""
    value = make_value(rng)
    while not isinstance(value, (dict, list)):
        value = make_value(rng)
    return spell(value, rng.randrange(5))


def spell(value: Any, layout: int) -> str:
    match layout:
        case 0:
            return json.dumps(value)
        case 1:
            return json.dumps(value, ensure_ascii=False)
        case 2:
            return json.dumps(value, indent=2, ensure_ascii=False)
        case 3:
            return json.dumps(value, separators=(",", ":"))
        case _:
            return json.dumps(value, indent="\t").replace("\n", "\r\n")


def leaves(value: Any) -> Iterator[tuple[str, Any]]:
    """JSON Pointer and value of every scalar, and of every container (its type and length), in order."""
    todo: list[tuple[str, Any]] = [("", value)]
    while todo:
        path, node = todo.pop()
        if isinstance(node, (dict, list)):
            yield path, (type(node), len(node))
            members = node.items() if isinstance(node, dict) else enumerate(node)
            todo += reversed([(f"{path}/{step_spelled(key)}", child) for key, child in members])
        else:
            yield path, node


def step_spelled(step: str | int) -> str:
    return str(step).replace("~", "~0").replace("/", "~1")


def spans(text: str) -> dict[str, tuple[int, int]]:
    """JSON Pointer -> where the value begins and ends, of a small valid document; read with nothing of the library."""
    found: dict[str, tuple[int, int]] = {}
    decode = json.JSONDecoder().raw_decode

    def skip(at: int) -> int:
        while text[at : at + 1] in (" ", "\t", "\r", "\n", ",", ":"):
            at += 1
        return at

    def read(at: int, path: str) -> int:
        start, opener = at, text[at]
        if opener not in "{[":
            end = int(decode(text, at)[1])
        else:
            at, number = skip(at + 1), 0
            while text[at] not in "}]":
                step: str | int = number
                if opener == "{":
                    step, at = decode(text, at)
                at = skip(read(skip(at), f"{path}/{step_spelled(step)}"))
                number += 1
            end = at + 1
        found[path] = (start, end)
        return end

    read(skip(0), "")
    return found

"""The documents that are measured, by name and size, the same ones at every run.

Rule: whatever is delivered comes from here. `sections` and `records` are what the gateway asks for, made by
../shared/eval/documents.py where it lies beside the project and by a plainer maker of the same shapes where it does
not; `twitter` and `citm` are the real API answers in ../shared/data, in the size that they have.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

SHARED = next((up / "shared" for up in Path(__file__).resolve().parents if (up / "shared" / "eval").is_dir()), None)
REAL = {"twitter": "twitter.json", "citm": "citm_catalog.json"}
MADE = ("sections", "records")
WORDS = ["growth", "in", "every", "region", "while", "costs", "stay", "flat", "naïve", "café", "Zürich", "東京"]


class MissingError(Exception):
    """A document that is read from beside the project, and is not there."""


@lru_cache(maxsize=16)
def text(name: str, size: int = 0) -> str:
    """The document `name` as JSON text of about `size` characters (a real one: as it is). Raises `MissingError`."""
    if name in REAL:
        if SHARED is None or not (SHARED / "data" / REAL[name]).is_file():
            raise MissingError(f"shared/data/{REAL[name]} is not beside the project")
        return (SHARED / "data" / REAL[name]).read_text(encoding="utf-8")
    if name == "records":
        return "[" + ", ".join(up_to(size, records())) + "]"
    return '{"documentTitle": "A report", "sections": [' + ", ".join(up_to(size, sections())) + "]}"


def up_to(size: int, items: Iterator[str]) -> Iterator[str]:
    """As many of them as come nearest to `size` characters, two more for each; one at least."""
    length = 0
    for item in items:
        if length and length + len(item) / 2 > size:
            return
        length += len(item) + 2
        yield item


def sections() -> Iterator[str]:
    """Sections without end, each a few kilobytes of JSON text."""
    rng = random.Random(1)
    makers = section_makers()
    while True:
        yield json.dumps(rng.choice(makers)(rng, rng.randint(6, 30)), ensure_ascii=False)


def records() -> Iterator[str]:
    """Records without end, each about 200 characters of JSON text."""
    rng = random.Random(2)
    make = record_maker()
    for number in itertools.count():
        yield json.dumps({**make(rng), "id": number}, ensure_ascii=False)


# ------------------------------------------------------------ makers
Maker = Callable[[random.Random, int], dict[str, Any]]


@lru_cache(maxsize=1)
def shared_makers() -> Any:
    """The module of the shared documents, or None."""
    if SHARED is None:
        return None
    spec = importlib.util.spec_from_file_location("shared_documents", SHARED / "eval" / "documents.py")
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def section_makers() -> list[Maker]:
    shared = shared_makers()
    if shared is None:
        return [plain_list, plain_table, plain_paragraphs]
    return [shared.bullet_list, shared.table, shared.paragraphs, shared.code]


def record_maker() -> Callable[[random.Random], dict[str, Any]]:
    shared = shared_makers()
    return plain_record if shared is None else lambda rng: shared.records(rng, 1)[0]


def plain_prose(rng: random.Random, words: int) -> str:
    return " ".join(rng.choice(WORDS) + rng.choice(["", "", "", '"', "\n", " 😀"]) for _ in range(words))


def plain_list(rng: random.Random, count: int) -> dict[str, Any]:
    items = [plain_prose(rng, rng.randint(2, 9)) for _ in range(count)]
    return {"id": f"s{rng.randrange(999)}", "content_type": "bullet_list", "elements": [{"items": items}]}


def plain_table(rng: random.Random, count: int) -> dict[str, Any]:
    rows = [[row, rng.choice(WORDS), round(rng.uniform(-50, 5000), 2), rng.random() < 0.5] for row in range(count)]
    headers = ["no", "name", "amount", "ok"]
    return {"id": f"t{rng.randrange(999)}", "content_type": "table", "elements": [{"headers": headers, "rows": rows}]}


def plain_paragraphs(rng: random.Random, count: int) -> dict[str, Any]:
    elements = [{"text": plain_prose(rng, rng.randint(20, 120))} for _ in range(count)]
    return {"id": f"p{rng.randrange(999)}", "content_type": "paragraph", "elements": elements}


def plain_record(rng: random.Random) -> dict[str, Any]:
    return {
        "id": 0,
        "name": plain_prose(rng, 1),
        "score": round(rng.random() * 100, 3),
        "tags": rng.sample(["a", "b", "c", "dd", "eee"], k=rng.randint(0, 3)),
        "address": {"street": plain_prose(rng, 2), "zip": f"{rng.randrange(100000):05d}"},
        "note": None if rng.random() < 0.3 else plain_prose(rng, rng.randint(1, 12)),
    }


# ------------------------------------------------------------ deliveries
def cut(whole: str, size: int) -> list[str]:
    """Pieces of `size` characters."""
    return [whole[at : at + size] for at in range(0, len(whole), size)]

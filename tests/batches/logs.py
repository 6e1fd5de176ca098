"""Logs of answers for the tests: conversations that were cut and continued, and what must become of them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonseam

Row = dict[str, Any]
PLACES = ("Aalborg", "Bremen", "Cádiz", "Dublin", "Łódź", "北京")


def document(number: int, rng: random.Random) -> str:
    """A few hundred characters, alike in no two items."""
    items = [{"place": f"{rng.choice(PLACES)} {rng.randrange(10**6)}", "depth": rng.random()} for _ in range(8)]
    return json.dumps({"number": number, "items": items}, ensure_ascii=False)


def conversation(name: str, document: str, rng: random.Random, size: int = 250) -> list[Row]:
    """The rows of one conversation: pieces of the document, some of which repeat the last words."""
    rows: list[Row] = []
    at = 0
    while at < len(document):
        echo = rng.choice((0, 0, 30)) if at else 0
        end = at + rng.randint(size // 2, size)
        rows.append({"conversation": name, "sequence": len(rows), "text": document[max(0, at - echo) : end]})
        at = end
    return rows


def log(count: int, seed: int = 0) -> list[Row]:
    """Rows of `count` conversations, shuffled."""
    rng = random.Random(seed)
    rows = [row for n in range(count) for row in conversation(f"c{n}", document(n, rng), rng)]
    rng.shuffle(rows)
    return rows


def expected(rows: Sequence[Row]) -> dict[str, jsonseam.Document]:
    """What `jsonseam.join` makes of each conversation."""
    texts: dict[str, dict[int, str]] = {}
    for row in rows:
        texts.setdefault(row["conversation"], {})[row["sequence"]] = row["text"]
    return {name: jsonseam.join(text for _, text in sorted(by.items())) for name, by in texts.items()}


def write_lines(path: Path, rows: Sequence[Row | str]) -> Path:
    """JSON Lines; a row that is a string stands as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path

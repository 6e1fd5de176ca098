"""Samples: documents made from a seed, of the kinds that people ask language models for. For demo and tests.

`report`, `table`, `records` have items that differ; the items of `repetitive` are alike to the letter.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, Final

_WORDS: Final = (
    *("harbour", "lantern", "copper", "meadow", "signal", "orchard", "granite", "velvet", "compass", "thunder"),
    *("willow", "ember", "größer", "naïf", "señal", "北京", "река", "quarry", "beacon", "timber", "falcon"),
    *("ledger", "mosaic", "pepper", "saddle", "anchor"),
)


def sample_text(name: str, seed: int = 0) -> str:
    """The JSON text of one sample; the same name and seed give the same text. A few kilobytes.

    `name` may begin with a kind (`records-7`); any other name gives a report.
    """
    rng = random.Random(f"{name}/{seed}")
    make: Callable[[random.Random], Any] = KINDS.get(name.split("-", 1)[0], _report)
    return json.dumps(make(rng), ensure_ascii=False, indent=rng.choice((None, 2, 4)))


def _phrase(rng: random.Random, words: int) -> str:
    said: list[str] = []
    while len(said) < words:
        # people do not say a word twice running; a cut between the two could not be told from an echo
        said.append(rng.choice([word for word in _WORDS if word not in said[-3:]]))
    extra = rng.choice(('"quoted"', "a\\b", "{curly}", "[square]", "1,2", "new\nline", "😀", "plain"))
    return " ".join([*said, extra])


def _report(rng: random.Random) -> dict[str, Any]:
    bullets = [_phrase(rng, rng.randint(3, 9)) for _ in range(rng.randint(8, 20))]
    rows = _table(rng)["rows"]
    paragraphs = [{"text": _phrase(rng, rng.randint(15, 50))} for _ in range(rng.randint(2, 6))]
    return {
        "documentTitle": _phrase(rng, 3),
        "sections": [
            {"id": "list", "content_type": "bullet_list", "elements": [{"items": bullets}]},
            {"id": "table", "content_type": "table", "elements": [{"headers": ["no", "name", "sum"], "rows": rows}]},
            {"id": "text", "content_type": "paragraph", "elements": paragraphs},
        ],
    }


def _table(rng: random.Random) -> dict[str, Any]:
    rows = [[n, _phrase(rng, 1), round(rng.uniform(-99, 9999), 2)] for n in range(rng.randint(10, 30))]
    return {"headers": ["no", "name", "sum"], "rows": rows}


def _records(rng: random.Random) -> list[dict[str, Any]]:
    return [
        {"id": n, "name": _phrase(rng, 2), "size": {"w": rng.randint(1, 999), "h": rng.random()}, "ok": n % 3 == 0}
        for n in range(rng.randint(12, 30))
    ]


def _repetitive(rng: random.Random) -> dict[str, Any]:
    item = rng.choice(([0, 0, 0], {"type": "row", "value": 0}, "", True, 7))
    return {"items": [item for _ in range(rng.randint(60, 150))]}


KINDS: Final[dict[str, Callable[[random.Random], Any]]] = {
    "report": _report,
    "table": _table,
    "records": _records,
    "repetitive": _repetitive,
}

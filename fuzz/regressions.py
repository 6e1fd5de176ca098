"""Regressions: every input that ever failed a target, one JSON line each, kept for ever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("regressions.jsonl")


def kept() -> list[tuple[str, dict[str, Any]]]:
    """(name of the target, input) of each."""
    if not FILE.exists():
        return []
    lines = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines() if line]
    return [(line["target"], line["input"]) for line in lines]


def keep(target: str, given: dict[str, Any]) -> None:
    if (target, given) not in kept():
        with FILE.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"target": target, "input": given}) + "\n")

"""Spots: where mended text differs from what was delivered. Undone, they give back the delivered text."""

from __future__ import annotations

from typing import NamedTuple


class Spot(NamedTuple):
    """One mend: `strict[at : at + len(after)] == after`, and `after` stands for the delivered `before`.

    `path` leads to the spot, from the root or (its steps not being given) from the given container, as far as known.
    """

    kind: str
    at: int
    before: str
    after: str
    path: tuple[str | int, ...]


class Mended(NamedTuple):
    """`strict` stands for text[:used]; `spots` are where the two differ."""

    used: int
    strict: str
    spots: tuple[Spot, ...]

"""Spots: where mended text differs from what was delivered. Undone, they give back the delivered text."""

from __future__ import annotations

from typing import NamedTuple

from jsonseam.containers import Ahead


class Spot(NamedTuple):
    """One mend: `strict[at : at + len(after)] == after`, and `after` stands for the delivered `before`.

    `path` leads to the spot, from the root or (its steps not being given) from the given container, as far as known.
    """

    kind: str
    at: int
    before: str
    after: str
    path: tuple[str | int, ...]


class Note:
    """A mend inside of a string: `after`, at offset `at` of the strict string, stands for `before`."""

    __slots__ = ("after", "at", "before", "kind")

    def __init__(self, kind: str, at: int, before: str, after: str) -> None:
        self.kind = kind
        self.at = at
        self.before = before
        self.after = after


class Mended:
    """`strict` stands for text[:used]; `spots` are where the two differ. `ahead` is of `strict + text[used:]`.

    A value in `ahead` is for one place in one tree.
    """

    __slots__ = ("ahead", "spots", "strict", "used")

    def __init__(self, used: int, strict: str, spots: tuple[Spot, ...], ahead: Ahead | None = None) -> None:
        """`ahead`: what was read of the delivered text; it is moved to where that stands behind the mends."""
        self.used = used
        self.strict = strict
        self.spots = spots
        self.ahead = ahead
        if ahead is not None:
            ahead.shift = len(strict) - used
            ahead.since = spots[-1].at + len(spots[-1].after) if spots else 0


class Quoted:
    """text[begin:end] and the strict string that stands for it; not `finished` where the final text ends in it."""

    __slots__ = ("end", "finished", "notes", "strict")

    def __init__(self, end: int, strict: str, notes: list[Note], finished: bool = True) -> None:
        self.end = end
        self.strict = strict
        self.notes = notes
        self.finished = finished

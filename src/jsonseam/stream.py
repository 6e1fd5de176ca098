"""The items of a document that streams in, as a generator: an accumulator that hands them off, and nobody else to call.

Rule: what is yielded was handed off, so it comes once, in order, and is not held.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from jsonseam.accumulator import ONE_CHUNK, Accumulator
from jsonseam.delivery import PORTION
from jsonseam.records import JsonValue

Chunk = str | bytes | bytearray | memoryview


def items(fragments: Iterable[Chunk | Iterable[Chunk]], path: str, **options: Any) -> Iterator[JsonValue]:
    """The closed items of the arrays (or members of the objects) that `path` leads to, as they become certain.

    `fragments`: whole answers, or for each answer an iterable of its chunks; so one answer that streams in is
    `items([chunks], path)`. Seams are joined and faults mended as by an accumulator, which gets the `options`.
    Behind the last fragment every closed item comes; one that was cut off does not. Memory: a window of the text, and
    what stands beside the items; `max_size` counts what left, too. Raises `LimitExceeded`, `HandoffError`, and
    `TypeError` for one answer that is in no list.
    """
    if isinstance(fragments, ONE_CHUNK):
        raise TypeError("items() takes a list of answers, not one answer: items([answer], path)")
    ready: deque[JsonValue] = deque()
    accumulator = Accumulator(handoff={path: lambda item, _: ready.append(item)}, **options)
    for fragment in fragments:
        for chunk in (fragment,) if isinstance(fragment, ONE_CHUNK) else fragment:
            for at in range(0, len(chunk), PORTION):
                accumulator.feed(chunk[at : at + PORTION])
                yield from _taken(ready)
        accumulator.end_fragment()
        yield from _taken(ready)
    accumulator.hand_off()
    yield from ready


def _taken(ready: deque[JsonValue]) -> Iterator[JsonValue]:
    while ready:
        yield ready.popleft()

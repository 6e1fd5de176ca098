"""A long text in portions, since what stands behind a fault is handed about until it is mended.

Rule: blocks of two slices are offered first, each up to a place that is likely to lie between two values, to be taken
in one go; where that is refused, and near the end, where seams are looked for, the text goes on in slices.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from jsonseam.cleaning import Stain
from jsonseam.grafts import likely_closed
from jsonseam.parser import SLICE

BLOCK: Final = 2 * SLICE  # characters
BEGINNING: Final = 256  # characters of a fragment


def slices(
    text: str, stains: Iterable[Stain], takes: Callable[[str], bool], *, opening: bool = False
) -> Iterator[tuple[str, list[Stain]]]:
    """The slices of `text`, each with its own stains, but for the blocks that `takes` took.

    `opening`: it begins a fragment. Its first characters come first, which mostly decide how it joins.
    """
    waiting = deque(stains)
    at, offered, size = (0, BEGINNING, BEGINNING) if opening else (0, 0, SLICE)
    while at < len(text):
        if at >= offered and not waiting and len(text) - at >= BLOCK + SLICE:
            offered = at + BLOCK
            block = text[at : likely_closed(text, offered) or offered]
            if takes(block):
                at = offered = at + len(block)
                continue
        end, size = at + size, SLICE
        here = []
        while waiting and (waiting[0].at < end or end >= len(text)):
            stain = waiting.popleft()
            here.append(stain._replace(at=stain.at - at))
        yield text[at:end], here
        at = end

"""A fragment in the dialect of its document (single quotes, bare keys, True), made strict so that it can be compared.

Rule: what is held of such a document is strict, so a fragment that says some of it again must be as well, or nothing in
it would be the same; what is decided of the strict text holds at the same place of the fragment as it came.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jsonseam import envelope
from jsonseam.mending import mend_text
from jsonseam.spots import Spot

MOST: Final = 1 << 14  # characters of a fragment that is held for it until it is over
KINDS: Final = frozenset(
    ("single-quotes", "smart-quotes", "backtick", "bare-key", "literal")
)  # of the mends that show a dialect
_OPENER: Final = re.compile(r"\s*(?=[{\[])")


class Strict(NamedTuple):
    """`text` as JSON has it, from character `start` of the fragment on; what stands before is the same in both."""

    text: str
    start: int
    spots: tuple[Spot, ...]
    came: int  # the length of the fragment

    def place(self, at: int) -> int | None:
        """Where character `at` of the text stands in the fragment; None inside a mend that is not the same so far."""
        if at >= len(self.text):
            return self.came
        moved = 0
        for spot in self.spots:
            inside = at - self.start - spot.at
            if inside < len(spot.after):
                same = inside <= 0 or spot.before[1:inside] == spot.after[1:inside]
                return at - moved if same else None
            moved += len(spot.after) - len(spot.before)
        return at - moved


def begins(fragment: str) -> int | None:
    """Where a container begins with which the fragment begins, but for a fence; None if it begins otherwise."""
    fence = envelope.FENCE.match(fragment)
    found = _OPENER.match(fragment, fence.end() if fence else 0)
    return found.end() if found else None


def strict(fragment: str, start: int) -> Strict:
    """The fragment, whose data begins with the opener at `start`, as JSON. Cost: the fragment."""
    text = fragment[start:]
    mended = mend_text(text, "[", False, final=True)  # items, as many as there are
    whole = fragment[:start] + mended.strict + text[mended.used :]
    return Strict(whole, start, mended.spots, len(fragment))

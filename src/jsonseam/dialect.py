"""A fragment in a dialect (single quotes, bare keys, True), made strict so that it can be compared.

Rule: what is held of such a document was made strict, so a fragment is made strict as well before the two are compared,
or no token of one would be found in the other. What is decided of the strict text is then told of the same place in the
fragment as it came.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jsonseam import envelope
from jsonseam.mending import mend_text
from jsonseam.spots import Spot

MOST: Final = 1 << 14  # characters of the longest fragment that is held until it is over, to be made strict as a whole
QUOTED: Final = frozenset(("single-quotes", "smart-quotes", "backtick"))  # mends of a string in other quotes
KINDS: Final = QUOTED | {"bare-key", "literal"}  # of the mends that show a dialect
_DIALECT: Final = re.compile(r"(?:[\s{\[]|[-+.\deE]+\s*,)*+(?:['“”„‘’`«‹「]|[A-Za-z_$][\w$]*\s*:)")
_MAY_BEGIN: Final = re.compile(r"\s*[{\[`~']")
_OPENER: Final = re.compile(r"\s*(?=[{\[])")


class Manner(NamedTuple):
    """How what was delivered is written. `in_dialect`: not as JSON is; `comment`: the one that it ends in, or "".

    `quote`: in what the open string was begun, if not as JSON has it; `raw_lines`: line breaks stand in strings as they
    are.
    """

    in_dialect: bool
    comment: str
    quote: str
    raw_lines: bool = False


AS_JSON: Final = Manner(in_dialect=False, comment="", quote="")


class Strict(NamedTuple):
    """A fragment as `text`, which is strict JSON from character `start` on; in front of that the two are the same.

    `spots`: where they differ, counted from `start`. `came`: the length of the fragment.
    """

    text: str
    start: int
    spots: tuple[Spot, ...]
    came: int

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
    if _MAY_BEGIN.match(fragment) is None:
        return None  # mostly
    fence = envelope.FENCE.match(fragment)
    found = _OPENER.match(fragment, fence.end() if fence else 0)
    return found.end() if found else None


def shows(fragment: str, opener: int) -> bool:
    """Is the first string behind the opener in other quotes, or a key in none, as no JSON is?"""
    return _DIALECT.match(fragment, opener) is not None


def strict(fragment: str, start: int, *, in_object: bool = False) -> Strict:
    """The fragment, whose data begins at `start` with an opener, or a key, as JSON. Cost: the fragment."""
    text = fragment[start:]
    mended = mend_text(text, "[{" if in_object else "[", False, final=True)  # items, as many as there are
    whole = fragment[:start] + mended.strict + text[mended.used :]
    return Strict(whole, start, mended.spots, len(fragment))

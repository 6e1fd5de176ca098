"""What a fragment reads as behind a place in what is held.

Rule: each place is read once; where more of the fragment came since, it is read on, not anew.
"""

from __future__ import annotations

from typing import Final

from jsonseam.grammar import Expect, Reading, read_on
from jsonseam.sides import Held, Place, State

HORIZON: Final = 4096  # characters behind a seam that are read to tell whether they are JSON


def read_ahead(held: Held, fragment: str, cut: int, skip: int, insert: str = "") -> tuple[str, int, Reading]:
    """What is held up to `cut`, `insert` and the fragment from `skip` on, read from where the state is known.

    The text that was read, the character of it at which the fragment begins, and the reading.
    """
    before, frames, expect = state_at(held, cut)
    text = before + insert + fragment[skip : skip + HORIZON]
    place: Place = (cut, skip, insert)
    reading = held.readings.get(place)
    if reading is None:
        reading = held.readings[place] = Reading(frames, expect)
    read_on(reading, text)
    return text, len(before) + len(insert), reading


def state_at(held: Held, cut: int) -> State:
    """The unfinished text in front of the cut, and the state in front of that."""
    if cut not in held.states:
        held.states[cut] = _read_up_to(held, cut)
    return held.states[cut]


def _read_up_to(held: Held, cut: int) -> State:
    if cut == 0:
        return "", [], Expect.VALUE
    settled, expect = held.settled
    if cut >= held.offset + settled:
        return held.window.text[settled : cut - held.offset], list(held.frames), expect
    token = len(held.window.words)
    while token and held.offset + held.window.end_of(token - 1) > cut:
        token -= 1
    return "", *held.state_before(token)

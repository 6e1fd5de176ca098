"""Values of a text that json reads whole, in C, where any of them may be faulty.

Rule: nothing is raised here. What is no value says where json stopped in it, and what has been read once, while
looking ahead, is handed on, so that nobody reads it again.
"""

from __future__ import annotations

import json
from typing import Any, Final

from jsonseam import lexemes

STOPPED: Final = object()
"""In the place of a value: there is none, or it is faulty, open, or more than json can read."""
Found = tuple[Any, int]
"""A value and where it ends; or STOPPED and where json stopped, or the length of the text."""
_scan: Final = lexemes.SCAN


class Ahead:
    """What a look ahead has read of a text, by where it begins. A value in it is for one place in one tree.

    `shift`: how much further on the text stands now than it stood then, from `since` on, a place in it now. In front of
    that it moved otherwise, and nothing is told.
    """

    __slots__ = ("_found", "shift", "since")

    def __init__(self) -> None:
        self._found: dict[int, Found] = {}
        self.shift = self.since = 0

    def add(self, at: int, found: Found) -> None:
        self._found[at] = found

    def at(self, at: int) -> Found | None:
        found = self._found.get(at - self.shift) if at >= self.since else None
        return None if found is None else (found[0], found[1] + self.shift)


def read_value(text: str, at: int, ahead: Ahead | None = None) -> Found:
    """The value at `at`, if one begins there. Cost: what json takes for it."""
    known = None if ahead is None else ahead.at(at)
    if known is not None and known[1] <= len(text):
        return known
    try:
        found: Found = _scan(text, at)
    except json.JSONDecodeError as error:
        found = STOPPED, error.pos
    except StopIteration as error:  # no value where one is due
        found = STOPPED, error.value
    except (ValueError, RecursionError):  # a huge integer; or too deep
        found = STOPPED, len(text)
    return found


def is_open_at(text: str, at: int, stopped: int) -> bool:
    """Is the container at `at` open where json stopped in one around it? If so, that is told without reading it."""
    return at < stopped and text.find(lexemes.CLOSER_OF[text[at]], at, stopped) < 0

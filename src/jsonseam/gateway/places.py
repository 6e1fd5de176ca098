"""Places: where a KPI path leads in what was delivered, and whether it can still move from where the text stands.

Pure, on the live value and the path of the open containers; costs the length of the path, and where it has a `[*]`
the number of items there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

Steps = tuple[str | int, ...]
EVERY = "*"

_STEP = re.compile(
    r"""\.?(?P<name>[^.\[\]]+) | \[(?P<index>\d+)\] | \[(?P<every>\*)\]
    | \[(?P<quote>['"])(?P<quoted>.*?)(?P=quote)\]""",
    re.VERBOSE,
)


class Place(Enum):
    CLOSED = "it is there, and finished"
    OPEN = "it is there, and the text still stands in it"
    TO_COME = "it can still come"
    CONTRADICTION = "what was delivered rules it out"


@dataclass(frozen=True, slots=True)
class Standing:
    place: Place
    why: str = ""


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where the text stands: the JSON Pointer of the position, as tokens, and how many containers are open."""

    tokens: tuple[str, ...]
    depth: int

    @classmethod
    def of(cls, pointer: str, depth: int) -> Cursor:
        tokens = tuple(t.replace("~1", "/").replace("~0", "~") for t in pointer.split("/")[1:])
        return cls(tokens, depth)

    def follows(self, steps: Sequence[str | int]) -> bool:
        """Does the position lie in the value that these steps lead to?"""
        return len(steps) <= len(self.tokens) and all(str(s) == t for s, t in zip(steps, self.tokens, strict=False))

    def holds_open(self, steps: Sequence[str | int]) -> bool:
        """Is the container that these steps lead to still open?"""
        return len(steps) < self.depth and self.follows(steps)


def steps_of(path: str) -> Steps:
    """The steps of a KPI path that the core has taken: names, indices from 0, and `*` for every item."""
    found: list[str | int] = []
    for step in _STEP.finditer(path.removeprefix("$")):
        if step["index"] is not None:
            found.append(int(step["index"]))
        else:
            found.append(step["name"] or step["quoted"] or EVERY)
    return tuple(found)


def stand(value: Any, cursor: Cursor, path: str) -> Standing:
    """Where the path leads. With `[*]` the most hopeful item counts: one that fits is enough."""
    rank = [Place.OPEN, Place.TO_COME, Place.CLOSED, Place.CONTRADICTION]
    found = [_walk(value, cursor, concrete) for concrete in _spread(value, cursor, steps_of(path))]
    return min(found, key=lambda standing: rank.index(standing.place))


def _spread(value: Any, cursor: Cursor, steps: Steps) -> list[Steps]:
    """The path once for every item that a `[*]` stands for; an array that is open has one more to come."""
    if EVERY not in steps:
        return [steps]
    done: list[Steps] = []
    todo: list[tuple[Steps, Steps, Any]] = [((), steps, value)]
    while todo:
        head, rest, here = todo.pop()
        while rest and rest[0] != EVERY:
            here = _child(here, rest[0])
            head, rest = (*head, rest[0]), rest[1:]
        if not rest or not isinstance(here, list):
            done.append(head + tuple(0 if step == EVERY else step for step in rest))
            continue
        if cursor.holds_open(head) or not here:
            done.append((*head, len(here), *(0 if step == EVERY else step for step in rest[1:])))
        todo += [((*head, index), rest[1:], item) for index, item in enumerate(here)]
    return done


def _child(here: Any, step: str | int) -> Any:
    if isinstance(here, Mapping):
        return here.get(step)
    if isinstance(here, list) and isinstance(step, int) and step < len(here):
        return here[step]
    return None


def _walk(value: Any, cursor: Cursor, steps: Steps) -> Standing:
    here = value
    for count, step in enumerate(steps):
        at, open_here = spell(steps[:count]), cursor.holds_open(steps[:count])
        if isinstance(here, Mapping):
            if isinstance(step, int):
                return Standing(Place.CONTRADICTION, f"{at} is an object: it has names, no index [{step}]")
            if step not in here:
                names = ", ".join(map(repr, list(here)[:12])) or "nothing"
                missing = f"{at} is closed and has no {step!r}, only {names}"
                return Standing(Place.TO_COME) if open_here else Standing(Place.CONTRADICTION, missing)
            here = here[step]
        elif isinstance(here, list):
            if isinstance(step, str):
                return Standing(Place.CONTRADICTION, f"{at} is an array: it has indices, no name {step!r}")
            if step >= len(here):
                missing = f"{at} is closed and has {len(here)} items, no [{step}]"
                return Standing(Place.TO_COME) if open_here else Standing(Place.CONTRADICTION, missing)
            here = here[step]
        else:
            return Standing(Place.CONTRADICTION, f"{at} is {_kind(here)}: nothing lies in it")
    if here is None:
        return Standing(Place.CONTRADICTION, f"{spell(steps)} is null: it cannot be counted")
    still = cursor.holds_open(steps) or (isinstance(here, str) and _is_last(value, cursor, steps))
    return Standing(Place.OPEN if still else Place.CLOSED)


def _is_last(value: Any, cursor: Cursor, steps: Steps) -> bool:
    """Is this the last child of a container that is open? A string there may still grow."""
    if not steps or not cursor.holds_open(steps[:-1]):
        return not steps
    home = value
    for step in steps[:-1]:
        home = _child(home, step)
    return bool(steps[-1] == (len(home) - 1 if isinstance(home, list) else next(reversed(home), None)))


def spell(steps: Sequence[str | int]) -> str:
    """The steps as a KPI path; the document itself is `$`."""
    out = ""
    for step in steps:
        if isinstance(step, int):
            out += f"[{step}]"
        elif step.replace("_", "a").isalnum():
            out += f".{step}" if out else step
        else:
            out += f"[{step!r}]"
    return out or "$"


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    names = {dict: "an object", list: "an array", str: "a string", type(None): "null"}
    return names.get(type(value), "a number")

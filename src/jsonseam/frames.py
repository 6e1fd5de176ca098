"""Frames: the containers that are open in a piece of text, below those that were open where it begins."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from typing import Protocol

DEEPEST_PATH = 64
"""Steps that are told below the given container, so that the records of a deep text do not cost its depth."""


class Stack(Protocol):
    """The open containers, innermost at 0, as their openers; "" outside of the root."""

    def top(self, up: int = 0) -> str: ...

    def likely_keys(self, up: int) -> Collection[str]: ...


def no_keys(_: int) -> Collection[str]:
    return ()


class Frames:
    """The openers `base`, what was closed of them, what was opened since, and where in each of these the text is.

    `likely_keys_of` tells which keys are likely in one of the `base`, by its number, or in the objects of an array.
    """

    __slots__ = ("_base", "_between", "_deepest", "_kept", "_known_from", "_likely_keys_of", "_own", "_steps")

    def __init__(
        self,
        base: str,
        *,
        after_value: bool,
        steps: Sequence[str | int] | None = None,
        items: int | None = None,
        likely_keys_of: Callable[[int], Collection[str]] = no_keys,
    ) -> None:
        """`steps` lead to the innermost container of `base`, which has `items` items if it is an array."""
        self._base = base
        self._likely_keys_of = likely_keys_of
        self._kept = len(base)
        self._own: list[str] = []
        self._between = after_value
        known = 0 if items is None and not after_value else items
        first = known - after_value if base.endswith("[") and known is not None else None
        outer = len(base) - 1
        # Where each open container stands: the index, or the key; None where it is not known.
        self._steps: list[int | str | None] = []
        if base:
            self._steps += [None] * outer if steps is None else steps
            self._steps.append(first)
        self._known_from = max(0, outer) if steps is None else 0
        self._deepest = len(self._steps) + DEEPEST_PATH

    def __len__(self) -> int:
        return self._kept + len(self._own)

    def top(self, up: int = 0) -> str:
        own = len(self._own)
        if up < own:
            return self._own[-1 - up]
        at = self._kept - 1 - (up - own)
        return self._base[at] if at >= 0 else ""

    def likely_keys(self, up: int) -> Collection[str]:
        """The keys that are likely in an open container, or in the next object of an array, as far as is known."""
        at = self._kept - 1 - (up - len(self._own))
        return self._likely_keys_of(at) if up >= len(self._own) and at >= 0 else ()

    def push(self, opener: str) -> None:
        self._between = False
        self._own.append(opener)
        self._steps.append(0 if opener == "[" else None)

    def pop(self) -> None:
        if self._own:
            self._own.pop()
        elif self._kept:
            self._kept -= 1
        if self._steps:
            self._steps.pop()

    def next_item(self) -> None:
        """A comma was passed: the next index, or a key that is not known yet."""
        self._between = False
        if self._steps:
            step = self._steps[-1]
            self._steps[-1] = step + 1 if isinstance(step, int) else None

    def finish_item(self) -> None:
        """A value was finished: until the next comma the text is in no item, but between two."""
        self._between = True

    def stands_at(self, key: str) -> None:
        """A key was passed; `key` is its strict string."""
        if self._steps:
            self._steps[-1] = _decoded(key)

    def path(self) -> tuple[str | int, ...]:
        """Keys and indices from the root, or if its steps were not given from the given container, as far as known."""
        path: list[str | int] = []
        for step in self._steps[self._known_from : min(self._deepest, len(self._steps) - self._between)]:
            if step is None:
                break
            path.append(step)
        return tuple(path)


def _decoded(key: str) -> str | None:
    if "\\" not in key and len(key) > 1 and key[-1] == '"':
        return key[1:-1]
    try:
        return str(json.loads(key))
    except ValueError:
        return None


class Branch:
    """A stack as it would be if `popped` more containers of another one were closed. That one is not changed."""

    __slots__ = ("_popped", "_stack")

    def __init__(self, stack: Stack, popped: int) -> None:
        self._stack = stack
        self._popped = popped

    def top(self, up: int = 0) -> str:
        return self._stack.top(up + self._popped)

    def likely_keys(self, up: int) -> Collection[str]:
        return self._stack.likely_keys(up + self._popped)

"""The structural stack and the tree that grows on it, kept across chunks and fragments.

Rule 1: the tree holds finished values only; what is unfinished is shown in it by `view.py` and taken out again
before the next event. Rule 2: on the stack stand the open containers, each with the key its open child stands at
(None in an array, where that is the last index), so path, depth and roll-back need nothing but the stack.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from jsonseam.records import JsonValue
from jsonseam.tokens import Event

_SCALARS: Final = frozenset({"string", "number", "integer", "double", "boolean", "null"})
Container = Any  # dict or list; the root stands in a list of one item


class Left:
    """The children of one container that left the tree: how many, and the last ones, which a seam is judged by."""

    __slots__ = ("container", "count", "last", "steps")

    def __init__(self, container: Container, steps: tuple[str | int, ...], count: int = 0) -> None:
        self.container = container  # held, so that no other one gets its identity
        self.steps = steps
        self.count = count
        self.last: list[tuple[str | int, JsonValue]] = []


NONE_LEFT: Final[Mapping[int, Left]] = MappingProxyType({})


class Tree:
    """The document so far. `done`: the root is closed; what the view shows of an unfinished one does not count.

    `stack`: the containers that are open around `node`, the holder of the root first; `keys`: of each, the key of the
    open child. `left`, by identity: the containers out of which children were handed off. Indices go on to count these.
    """

    __slots__ = ("done", "holder", "key", "keys", "left", "node", "stack")

    def __init__(self) -> None:
        self.holder: list[JsonValue] = []
        self.node: Container = self.holder
        self.key: str | None = None
        self.stack: list[Container] = []  # two lists, as a pair for each level would take more memory
        self.keys: list[str | None] = []
        self.done = False
        self.left: Mapping[int, Left] = NONE_LEFT

    def park(self) -> None:
        """Hold the way to the open container in lists no longer than it is."""
        self.stack, self.keys = self.stack[:], self.keys[:]

    def length(self, node: Container) -> int:
        """How many children the container has had."""
        left = self.left.get(id(node))
        return len(node) + left.count if left else len(node)

    @property
    def depth(self) -> int:
        """Open containers."""
        return len(self.stack)

    @property
    def begun(self) -> bool:
        return self.done or bool(self.stack)

    def nodes(self) -> list[Container]:
        """The open containers, outermost first."""
        return [*self.stack[1:], self.node] if self.stack else []

    def frames(self) -> list[str]:
        """The openers of the open containers, outermost first."""
        return ["{" if type(node) is dict else "[" for node in self.nodes()]

    def steps(self) -> list[str | int]:
        """Keys and indices that lead to the innermost open container."""
        steps: list[str | int] = []
        for node, key in zip(self.stack[1:], self.keys[1:], strict=True):
            steps.append(self.length(node) - 1 if key is None else key)
        return steps

    def grow(self, events: list[Event]) -> None:
        """Put the events into the tree. The hot loop: no call but an append or a store for each event."""
        node, key, stack, keys = self.node, self.key, self.stack, self.keys
        for kind, value in events:
            if kind == "map_key":
                key = value
            elif value is not None or kind in _SCALARS:
                if key is None:
                    items: list[Any] = node  # named for the compiler: it knows how to append to a list
                    items.append(value)
                else:
                    node[key] = value
            elif kind == "start_map" or kind == "start_array":
                child: Container = {} if kind == "start_map" else []
                if key is None:
                    items = node
                    items.append(child)
                else:
                    node[key] = child
                stack.append(node)
                keys.append(key)
                node = child
                key = "" if kind == "start_map" else None
            else:
                node = stack.pop()
                key = keys.pop()
        self.node, self.key = node, key
        if not stack and self.holder:
            self.done = True

    def likely_keys(self, number: int) -> Collection[str]:
        """The keys that are likely in an open container, outermost first: in an array, in its next object.

        They are those of the object before, in the same array.
        """
        nodes = self.nodes()
        node, behind = nodes[number], -1
        if type(node) is dict and number:
            node, behind = nodes[number - 1], -2
        before = node[behind] if type(node) is list and len(node) >= -behind else None
        return before if type(before) is dict else ()

    def cut(self, depth: int) -> None:
        """Take back the open child of the container at `depth` (0: the root), and all that is in it."""
        node, key = self.stack[depth], self.keys[depth]
        del self.stack[depth:], self.keys[depth:]
        if key is None:
            node.pop()
        else:
            del node[key]
        self.node, self.key = node, key


def deepest(events: Iterable[Event]) -> int:
    """How far events go below the place where they begin, in containers."""
    depth = most = 0
    for kind, _ in events:
        if kind == "start_map" or kind == "start_array":
            depth += 1
            most = max(most, depth)
        elif kind == "end_map" or kind == "end_array":
            depth -= 1
    return most


def pointer(steps: Iterable[str | int]) -> str:
    """A JSON Pointer (RFC 6901)."""
    return "".join("/" + escaped(str(step)) for step in steps)


def escaped(name: str) -> str:
    """A key as it stands in a JSON Pointer."""
    return name.replace("~", "~0").replace("/", "~1")

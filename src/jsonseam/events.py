"""A value, or the tree as it stands, as the events that make it again; without recursion, however deep it is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from jsonseam.records import JsonValue
from jsonseam.structure import Tree
from jsonseam.tokens import Event

PORTION: Final = 1024  # events of which a copy is made at once


def events_of_tree(tree: Tree) -> Iterator[Event]:
    """The events that make the tree as it stands; open containers stay open, each behind its finished siblings."""
    nodes = tree.nodes()
    if not nodes:
        for value in tree.holder:
            yield from events_of_value(value)
        return
    keys = [*tree.keys[1:], tree.key]
    for node, key, below in zip(nodes, keys, [*nodes[1:], None], strict=True):
        yield ("start_map" if isinstance(node, dict) else "start_array"), None
        for name, child in node.items() if isinstance(node, dict) else ((None, item) for item in node):
            if child is below and below is not None:
                continue
            if name is not None:
                yield "map_key", name
            yield from events_of_value(child)
        if key is not None:
            yield "map_key", key


def events_of_value(value: JsonValue) -> Iterator[Event]:
    """The events of a finished value; all scalars come as strings do, for the tree takes them alike."""
    todo: list[Any] = [value]
    while todo:
        node = todo.pop()
        if isinstance(node, _Event):
            yield node.event
        elif isinstance(node, dict):
            yield "start_map", None
            todo.append(_END_MAP)
            for key in reversed(node):
                todo += (node[key], _Event(("map_key", key)))
        elif isinstance(node, list):
            yield "start_array", None
            todo.append(_END_ARRAY)
            todo += reversed(node)
        else:
            yield "string", node


def copy_of(value: JsonValue) -> JsonValue:
    """A value of its own, equal to a finished one."""
    if not isinstance(value, (dict, list)):
        return value
    tree = Tree()
    events = events_of_value(value)
    while portion := list(islice(events, PORTION)):
        tree.grow(portion)
    return tree.holder[0]


class _Event:
    """An event that waits among values."""

    __slots__ = ("event",)

    def __init__(self, event: Event) -> None:
        self.event = event


_END_MAP: Final = _Event(("end_map", None))
_END_ARRAY: Final = _Event(("end_array", None))

"""What is new in the value since the last look: a list of small records that lead from the one value to the other.

Rule: what the tree is given is written down, and told when somebody looks, so a look costs what came since the last
one. What a record holds is a value of its own: nothing of the live tree is in it. Nothing is written down before the
first look, which tells the whole value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from jsonseam.events import copy_of, events_of_tree
from jsonseam.records import Change, JsonValue
from jsonseam.structure import Container, Tree, escaped
from jsonseam.tokens import Event
from jsonseam.view import NOTHING, View

CUT: Final = "cut"  # beside the kinds of events: the open child of the container at a depth was taken back
GUESS: Final = -1  # the generation of a value that is only looked like, which may become any other


class _Place:
    """An open container that was told. `count`: its finished items and open containers. `key`: the one that came last.

    The pointer None stands for what holds the root.
    """

    __slots__ = ("count", "key", "pointer")

    def __init__(self, pointer: str | None, key: str | None, count: int) -> None:
        self.pointer, self.key, self.count = pointer, key, count

    def child(self, number: int) -> str:
        """The pointer of a child: of the one at this number in an array, of the one at the last key in an object."""
        if self.pointer is None:
            return ""
        return f"{self.pointer}/{number if self.key is None else escaped(self.key)}"


class _Leaf:
    """The unfinished value as it was told. A string in parts, because only what is new of a long one is touched.

    `covered`: an earlier value of the same key, which is there again when this one goes.
    """

    __slots__ = ("covered", "generation", "parts", "pointer", "size", "value")

    def __init__(self, pointer: str, value: JsonValue, generation: int, covered: JsonValue = NOTHING) -> None:
        self.pointer, self.value, self.generation, self.covered = pointer, value, generation, covered
        self.parts: list[str] = [value] if isinstance(value, str) else []
        self.size = len(value) if isinstance(value, str) else 0


class Journal:
    """What came since the last look, and where that look left off."""

    __slots__ = ("_changes", "_fresh", "_leaf", "_places", "events")

    def __init__(self, tree: Tree, view: View) -> None:
        """Write down the tree as it stands, as if it had come now."""
        view.hide(tree)
        self.events: list[Event] = list(events_of_tree(tree))
        self._changes: list[Change] = []
        self._places = [_Place(None, None, 0)]  # the containers that were told and are open, outermost first
        self._fresh: list[tuple[Container, str | None]] = []  # open below them, in values that are put together now
        self._leaf: _Leaf | None = None

    def look(self, tree: Tree, view: View, guess: JsonValue) -> list[Change]:
        """The changes since the last look, in their order. `guess`: what a root that has not begun looks like."""
        for kind, value in self.events:
            self._tell(kind, value)
        self.events.clear()
        for node, key in self._fresh:
            self._places.append(_Place(self._last_child(), key, len(node)))
        self._fresh.clear()
        if view.shown:
            child = tree.node[-1 if tree.key is None else tree.key]
            self._show_leaf(child, view.generation, view.covered)
        elif guess is not None and not tree.holder:
            self._show_leaf(guess, GUESS, NOTHING)
        else:
            self._drop_leaf()
        told, self._changes = self._changes, []
        return told

    # ------------------------------------------------------------ one event
    def _tell(self, kind: str, value: Any) -> None:
        """One event more: follow it, and note the changes that it makes."""
        match kind:
            case "map_key":
                self._drop_leaf()
                if self._fresh:
                    self._fresh[-1] = (self._fresh[-1][0], value)
                else:
                    self._places[-1].key = value
            case "start_map" | "start_array":
                child: Container = {} if kind == "start_map" else []
                self._put(child)
                self._fresh.append((child, "" if kind == "start_map" else None))
            case "end_map" | "end_array":
                self._drop_leaf()
                if self._fresh:
                    self._fresh.pop()
                else:
                    self._places.pop()
            case "cut":  # CUT
                self._cut(value)
            case _:
                self._put(value)

    def _put(self, value: JsonValue) -> None:
        """One more child of the innermost open container; it may be what an unfinished one, told before, became."""
        if self._fresh:
            node, key = self._fresh[-1]
            if key is None:
                node.append(value)
            else:
                node[key] = value
            return
        place = self._places[-1]
        self._replace_leaf(place.child(place.count), value)
        self._leaf = None
        place.count += 1

    def _cut(self, depth: int) -> None:
        """The open child of the container at `depth` was taken back; 0 stands for what holds the root."""
        inside = depth - len(self._places)
        if inside >= 0:
            node, key = self._fresh[inside]
            del self._fresh[inside + 1 :]
            if key is None:
                node.pop()
            else:
                del node[key]
            return
        self._leaf = None
        self._fresh.clear()
        del self._places[depth + 1 :]
        self._changes.append(Change(self._last_child(), "remove"))
        self._places[-1].count -= 1

    def _last_child(self) -> str:
        return self._places[-1].child(self._places[-1].count - 1)

    # ------------------------------------------------------------ the unfinished value
    def _show_leaf(self, value: JsonValue, generation: int, covered: JsonValue) -> None:
        """Tell what is new of the unfinished value; of a string that has only grown, the new part alone is touched."""
        leaf, place = self._leaf, self._places[-1]
        if leaf is not None and leaf.generation == generation != GUESS:
            if leaf.parts:
                self._grow(leaf.pointer, text := value[leaf.size :])
                leaf.parts.append(text)
                leaf.size += len(text)
            return
        pointer = place.child(place.count)
        self._replace_leaf(pointer, value)
        self._leaf = _Leaf(pointer, value, generation, covered)

    def _replace_leaf(self, pointer: str, value: JsonValue) -> None:
        """Tell `value` in the place of what was told of the unfinished one, if that is there."""
        leaf = self._leaf
        if leaf is not None and leaf.parts and isinstance(value, str) and value.startswith("".join(leaf.parts)):
            self._grow(pointer, value[leaf.size :])
        elif leaf is None or type(leaf.value) is not type(value) or leaf.parts or leaf.value != value:
            self._changes.append(Change(pointer, "set", value))

    def _grow(self, pointer: str, text: str) -> None:
        if text:
            self._changes.append(Change(pointer, "grow", text))

    def _drop_leaf(self) -> None:
        """What was told of an unfinished value did not come to be."""
        leaf, self._leaf = self._leaf, None
        if leaf is None:
            return
        if leaf.covered is NOTHING:
            self._changes.append(Change(leaf.pointer, "remove"))
        else:
            self._changes.append(Change(leaf.pointer, "set", copy_of(leaf.covered)))


def replay(value: JsonValue, changes: Iterable[Change]) -> JsonValue:
    """`value` with the changes made in it, in place; begin with None. The records stay as they are.

    Cost: of each change, what it holds and the depth at which it stands. Changes of another value raise `LookupError`,
    `TypeError` or `ValueError` where they do not fit.
    """
    for change in changes:
        top: list[JsonValue] = [value]  # so that the root stands in a container, as everything else
        node: Container = top
        step: str | int = 0
        for name in change.path.split("/")[1:]:
            node = node[step]
            step = int(name) if isinstance(node, list) else name.replace("~1", "/").replace("~0", "~")
        if change.kind == "remove":
            del node[step]
        elif change.kind == "grow":
            node[step] += change.value
        elif isinstance(node, list) and step == len(node):
            node.append(copy_of(change.value))
        else:
            node[step] = copy_of(change.value)
        value = top[0] if top else None
    return value

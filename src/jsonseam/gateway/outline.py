"""Outline: where every value of a valid JSON text begins and ends. The simulated model cuts and goes on by it.

Built in one pass without recursion, so depth is no limit; positions are in characters.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Literal

Kind = Literal["object", "array", "string", "scalar"]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_OPENS: dict[str, Kind] = {"{": "object", "[": "array"}


class Node:
    """One value: text[start:end], where its key starts if it is a member, and its children in order."""

    __slots__ = ("children", "end", "key_start", "kind", "start")

    def __init__(self, kind: Kind, start: int, end: int, key_start: int | None) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.key_start = key_start
        self.children: list[Node] = []

    @property
    def begin(self) -> int:
        return self.start if self.key_start is None else self.key_start


class Outline:
    """A text and the tree of its spans. Raises ValueError where the text is not one whole JSON document."""

    __slots__ = ("root", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.root = _root(text)

    def open_path(self, cut: int) -> list[Node]:
        """The containers that are open at `cut`, outermost first."""
        path: list[Node] = []
        node: Node | None = self.root
        while node is not None and node.kind in ("object", "array") and node.start < cut < node.end:
            path.append(node)
            node = child_at(node, cut)
        return path

    def inside_string(self, cut: int) -> bool:
        """Does `cut` part a string or a key in two?"""
        path = self.open_path(cut)
        if not path:
            return self.root.kind == "string" and self.root.start < cut < self.root.end
        child = child_at(path[-1], cut)
        if child is None:
            return False
        if child.key_start is not None and child.key_start < cut < self._key_end(child):
            return True
        return child.kind == "string" and child.start < cut < child.end

    def _key_end(self, member: Node) -> int:
        assert member.key_start is not None
        token = _TOKEN.match(self.text, member.key_start)
        assert token is not None
        return token.end()

    def arrays(self) -> Iterator[tuple[str, Node]]:
        """Every array with its path, `sections[0].elements[0].items` as the gateway writes them."""
        todo: list[tuple[str, Node]] = [("", self.root)]
        while todo:
            path, node = todo.pop()
            if node.kind == "array":
                yield path, node
            for index, child in reversed(list(enumerate(node.children))):
                todo.append((self._step(path, child, index), child))

    def _step(self, path: str, child: Node, index: int) -> str:
        if child.key_start is None:
            return f"{path}[{index}]"
        key = self.text[child.key_start + 1 : self._key_end(child) - 1]
        return f"{path}.{key}" if path else key


def child_at(node: Node, cut: int) -> Node | None:
    """The child that `cut` parts in two, its key counted in; None between two children."""
    before = bisect_left(node.children, cut, key=lambda child: child.begin) - 1
    if before < 0 or cut >= node.children[before].end:
        return None
    return node.children[before]


def _root(text: str) -> Node:
    root: Node | None = None
    stack: list[Node] = []
    key_start: int | None = None
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if mark in "}]":
            if not stack:
                raise ValueError(f"unmatched {mark} at character {token.start()}")
            stack.pop().end = token.end()
            continue
        if mark == ",":
            key_start = None
            continue
        if mark == ":":
            continue
        if stack and stack[-1].kind == "object" and key_start is None:
            key_start = token.start()
            continue
        kind: Kind = _OPENS.get(mark) or ("string" if mark[0] == '"' else "scalar")
        node = Node(kind, token.start(), token.end(), key_start)
        key_start = None
        if stack:
            stack[-1].children.append(node)
        elif root is None:
            root = node
        else:
            raise ValueError(f"a second document at character {token.start()}")
        if mark in _OPENS:
            stack.append(node)
    if root is None or stack:
        raise ValueError("the text is not one whole JSON document")
    return root

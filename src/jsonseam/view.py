"""The live view: the unfinished token at the end, shown in the tree where it will stand.

Rule: what is shown is never taken back by later text, it only grows. A string shows up to its last decided
character; "tr" shows as true; a number that could go on does not show at all, nor does a key without a value.
Showing is paid by who looks: nothing happens before `show`, and a string of n characters costs n in all.
"""

from __future__ import annotations

from typing import Any

from jsonseam import lexemes
from jsonseam.scanner import Scanner
from jsonseam.structure import Tree

NOTHING: Any = object()


class View:
    """The open leaf. `read`: characters of the tail that are dealt with. `shown`: it stands in the tree now.

    `finished`: no later text can change it. `generation` counts the leaves that were begun. `covered`: an earlier
    value of the same key, while the later one is shown over it.
    """

    __slots__ = ("_is_string", "_undecided", "covered", "finished", "generation", "read", "shown")

    def __init__(self) -> None:
        self.shown = False
        self.finished = False
        self._is_string = False
        self.read = 0
        self._undecided = ""  # the half escape that the string ends with
        self.covered: Any = NOTHING
        self.generation = 0

    def show(self, tree: Tree, scanner: Scanner) -> None:
        """Bring the tree up to date with the tail, which must stand where a value is expected."""
        fresh = scanner.since(self.read)
        if not self.shown:
            if fresh.isspace():
                self.read = scanner.held
                return
            if not self._begin(tree, fresh):
                return
            fresh = fresh.lstrip(" \t\r\n")[1:]
        self.read = scanner.held
        if not self._is_string:
            self.finished = self.finished or scanner.tail.strip() in lexemes.LITERALS
        elif not self.finished:
            self._grow(tree, fresh, closed=not scanner.in_string)

    def hide(self, tree: Tree) -> None:
        """Take the leaf out of the tree again, because its event comes, or because it is cut away."""
        self.read = 0
        if not self.shown:
            return
        if tree.key is None:
            tree.node.pop()
        elif self.covered is not NOTHING:
            tree.node[tree.key] = self.covered
            self.covered = NOTHING
        else:
            del tree.node[tree.key]
        self.shown = self.finished = False
        self._undecided = ""

    def _begin(self, tree: Tree, fresh: str) -> bool:
        token = fresh.strip(" \t\r\n")
        self._is_string = token[0] == '"'
        value: Any = ""
        if not self._is_string:
            word = lexemes.literal_begun(token)
            if word:
                value = lexemes.scalar_value(word)
            elif fresh[-1] in " \t\r\n" and lexemes.is_whole_number(token):
                value = lexemes.scalar_value(token)
                self.finished = True
            else:
                return False
        if tree.key is None:
            tree.node.append(value)
        else:
            self.covered = tree.node.get(tree.key, NOTHING)
            tree.node[tree.key] = value
        self.shown = True
        self.generation += 1
        return True

    def _grow(self, tree: Tree, fresh: str, *, closed: bool) -> None:
        """Add the decided characters of `fresh`, a piece of the inside of the string, to the leaf."""
        inside = self._undecided + fresh
        if closed:
            inside = inside[: inside.rindex('"')]
            self.finished = True
        if not inside.isascii() or "\\" in inside:
            decided = len(inside) if closed else lexemes.decided_part(inside)
            self._undecided = inside[decided:]
            inside = lexemes.decode_inside(inside[:decided])
        node, key = tree.node, -1 if tree.key is None else tree.key
        # With the slot emptied this is the only reference, so that CPython extends the string in place.
        leaf = node[key]
        node[key] = None
        leaf += inside
        node[key] = leaf

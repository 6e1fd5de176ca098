"""The live view: the unfinished token at the end, shown in the tree where it will stand.

Rule: what is shown is never taken back by later text, it only grows. A string shows up to its last decided
character; "tr" shows as true; a number that could go on does not show at all, nor does a key without a value.
Showing is paid by who looks: nothing happens before `show`, and a string of n characters costs n in all.
"""

from __future__ import annotations

from typing import Any, Final

from jsonseam import lexemes
from jsonseam.scanner import Scanner
from jsonseam.structure import Tree

NOTHING: Final[Any] = object()


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
        held = scanner.held
        fresh = scanner.fresh
        if len(fresh) != held - self.read:
            fresh = scanner.since(self.read)
        if not self.shown:
            if fresh[0] != '"':
                fresh = fresh.lstrip(lexemes.WHITE_SPACE)
                if not fresh.startswith('"'):
                    self._begin_scalar(tree, fresh, held)
                    return
            self._is_string = True
            self._put(tree, self._decided(fresh[1:], closed=not scanner.in_string))
        elif self._is_string and not self.finished:
            fresh = self._decided(self._undecided + fresh, closed=not scanner.in_string)
            # With the slot emptied `leaf` is the only reference, so that CPython extends the string in place.
            if tree.key is None:
                items: list[Any] = tree.node
                leaf: str = items[-1]
                items[-1] = None
                leaf += fresh
                items[-1] = leaf
            else:
                members: dict[str, Any] = tree.node
                leaf = members[tree.key]
                members[tree.key] = None
                leaf += fresh
                members[tree.key] = leaf
        elif not self._is_string:
            self.finished = self.finished or scanner.tail.strip() in lexemes.LITERALS
        self.read = held

    def make_way(self, tree: Tree) -> None:
        """Its event comes now, and will stand where it stands: in an object that is stored over it."""
        if tree.key is None:
            items: list[Any] = tree.node
            items.pop()
        self.covered = NOTHING
        self._undecided = ""
        self.shown = self.finished = False
        self.read = 0

    def hide(self, tree: Tree) -> None:
        """Take the leaf out of the tree again, because it is cut away or must be read otherwise."""
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

    def _begin_scalar(self, tree: Tree, begun: str, held: int) -> None:
        """Show the literal or the number of which `begun` has come, but not a number that may go on."""
        self._is_string = False
        if not begun:
            self.read = held
            return
        if begun[-1].isdigit():
            return
        token = begun.rstrip(lexemes.WHITE_SPACE)
        word = lexemes.literal_begun(token)
        if word:
            self._put(tree, lexemes.LITERALS[word])
            self.finished = token == word
        elif token != begun and lexemes.is_whole_number(token):
            self._put(tree, lexemes.scalar_value(token))
            self.finished = True
        else:
            return
        self.read = held

    def _put(self, tree: Tree, value: Any) -> None:
        if tree.key is None:
            items: list[Any] = tree.node
            items.append(value)
        else:
            members: dict[str, Any] = tree.node
            self.covered = members.get(tree.key, NOTHING)
            members[tree.key] = value
        self.shown = True
        self.generation += 1

    def _decided(self, inside: str, *, closed: bool) -> str:
        """What `inside`, a piece of the inside of the string, stands for, as far as that is decided."""
        if closed:
            inside = inside[: inside.rfind('"')]
            self.finished = True
        if "\\" not in inside:
            self._undecided = ""
            return inside
        decided = len(inside) if closed else lexemes.decided_part(inside)
        self._undecided = inside[decided:]
        return lexemes.decode_inside(inside[:decided])

"""Text in which faults are expected, put into the tree as far as it is right: item by item, nearly all by json in C.

Rule: an item is taken when what follows shows that it is finished, as the grammar has it. A container is read whole;
one in which json stops is entered, and what is right of it is taken in the same way. So behind what was taken the
text ends, or the next fault is close.
"""

from __future__ import annotations

from typing import Final

from jsonseam import lexemes
from jsonseam.containers import STOPPED, Ahead, Found, is_open_at, read_value
from jsonseam.structure import Container, Tree

_scan: Final = lexemes.SCAN
_IN_VAIN: Final = 4  # times the length of the text that may be read in containers that turn out to be faulty or open
_finished_scalar: Final = lexemes.FINISHED_SCALAR.match
_scalar_items: Final = lexemes.SCALAR_ITEMS.match
_scalar_members: Final = lexemes.SCALAR_MEMBERS.match


def take_items(tree: Tree, last: str, text: str, max_depth: int, ahead: Ahead | None = None) -> int:
    """Put what is right of `text`, which follows the significant character `last`, into the open container.

    What is in `ahead` need not be read any more, and is put into the tree as it is.

    Returns how many characters were taken: up to the end of a finished value or an opener close to the next fault,
    or all but the space at the end if the text ends as an item may begin. Where faulty or open containers lie so deep
    in one another that they would be read too often, it stops before them, and before one that may be open beyond
    `max_depth`. The root is not closed. Cost: what json.loads takes, and for each container that is entered the part
    of it in front of the fault once more.
    """
    taking = _Taking(tree, last, text, max_depth - len(tree.stack), ahead)
    while (not taking.behind_value or taking.pass_separator()) and taking.take_scalars() and taking.take_value():
        pass
    return taking.taken


class _Taking:
    """A text on its way into the tree: `taken` characters of it are there, and the next one to look at is at `_at`.

    `behind_value`: that is behind a finished value, not where one is due. `_named`: it is behind a key and its colon.
    `_stopped`: where json stopped last. `_room`: containers that may still be opened. `_patience`: characters that may
    still be read in vain.
    """

    __slots__ = ("_ahead", "_at", "_named", "_patience", "_room", "_stopped", "_text", "_tree", "behind_value", "taken")

    def __init__(self, tree: Tree, last: str, text: str, room: int, ahead: Ahead | None) -> None:
        self._tree, self._text, self._ahead = tree, text, ahead
        self._at = at = lexemes.behind_space(text, 0)
        self.taken = self._stopped = 0
        self._room, self._patience = room, _IN_VAIN * len(text)
        self._named = last == ":"
        empty = last in ("{", "[") and at < len(text) and text[at] in "}]"
        self.behind_value = empty or last not in ("{", "[", ",", ":")

    def pass_separator(self) -> bool:
        """Close what the next closers close, and pass the comma; False where something else stands."""
        tree, text = self._tree, self._text
        at, size = lexemes.behind_space(text, self._at), len(text)
        while at < size and text[at] != ",":
            if text[at] != ("]" if type(tree.node) is list else "}") or len(tree.stack) == 1:
                return False
            tree.node, tree.key = tree.stack.pop(), tree.keys.pop()
            self._room += 1
            self.taken = at + 1
            at = lexemes.behind_space(text, at + 1)
        if at == size:
            return False
        self._at = lexemes.behind_space(text, at + 1)
        return True

    def take_scalars(self) -> bool:
        """Take the scalars up to the next container or the last item, and its key; False where none can follow."""
        tree, text, at = self._tree, self._text, self._at
        is_array = type(tree.node) is list
        if not (self._named or (is_array and _is_opener(text, at))):
            begun = _scalar_items(text, at) if is_array else _scalar_members(text, at)
            if begun is None:
                return False
            scalars = begun[1].rstrip(lexemes.WHITE_SPACE)[:-1].rstrip(lexemes.WHITE_SPACE)
            if scalars:
                if not _store(tree.node, scalars):
                    return False
                self.taken = at + len(scalars)
            self._at = at = begun.end()
            if not is_array and begun[2] is not None:
                tree.key, self._named = _decoded(begun[2]), True
        if at == len(text):
            self.taken = len(text.rstrip(lexemes.WHITE_SPACE))
            return False
        return self._named or is_array

    def take_value(self) -> bool:
        """Take the value that begins here, or enter a container that is faulty or open; False where neither can be."""
        tree, text = self._tree, self._text
        opens = _is_opener(text, self._at)
        if not opens and _finished_scalar(text, self._at) is None:
            return False
        if opens and is_open_at(text, self._at, self._stopped):
            value, end = STOPPED, self._stopped
        else:
            value, end = read_value(text, self._at, self._ahead)
            if value is not STOPPED and type(tree.node) is list:
                value, end = self._take_containers(value, end)
        if value is STOPPED:
            return self._enter(end)
        if _may_be_deeper(text, self._at, end, self._room):
            return False
        if type(tree.node) is list:
            tree.node.append(value)
        else:
            tree.node[tree.key] = value
        self.behind_value, self._named = True, False
        self.taken = self._at = end
        return True

    def _take_containers(self, value: Container, end: int) -> Found:
        """Take items of an array as long as a container follows; give back the last one, or STOPPED and where."""
        items: list[Container] = self._tree.node
        text = self._text
        while value is not STOPPED and (opener := lexemes.opener_behind_comma(text, end)) >= 0:
            if _may_be_deeper(text, self._at, end, self._room):
                break
            items.append(value)
            self.taken, self._at = end, opener
            value, end = read_value(text, opener, self._ahead)
        return value, end

    def _enter(self, stopped: int) -> bool:
        """Open the container that begins here, in which json stopped; False where none does, or it is not worth it."""
        tree, text, at = self._tree, self._text, self._at
        self._patience -= stopped - at
        if self._patience < 0 or self._room < 1 or not _is_opener(text, at):
            return False
        self._stopped = stopped
        child: Container = {} if text[at] == "{" else []
        if type(tree.node) is list:
            tree.node.append(child)
        else:
            tree.node[tree.key] = child
        tree.stack.append(tree.node)
        tree.keys.append(tree.key)
        self._room -= 1
        tree.node, tree.key = child, "" if text[at] == "{" else None
        self.behind_value = self._named = False
        self.taken = at + 1
        self._at = lexemes.behind_space(text, at + 1)
        return True


def _is_opener(text: str, at: int) -> bool:
    return at < len(text) and text[at] in "{["


def _may_be_deeper(text: str, at: int, end: int, room: int) -> bool:
    """May more than `room` containers be open at once in this part of a text?"""
    return end - at > room and text.count("{", at, end) + text.count("[", at, end) > room


def _store(node: Container, scalars: str) -> bool:
    """Put scalars with commas between them, each with its key in an object, into a container."""
    try:
        if type(node) is list:
            node.extend(_scan(f"[{scalars}]", 0)[0])
        else:
            node.update(_scan(f"{{{scalars}}}", 0)[0])
    except ValueError:  # an integer that is too long
        return False
    return True


def _decoded(key: str) -> str:
    return str(_scan(key, 0)[0]) if "\\" in key else key[1:-1]

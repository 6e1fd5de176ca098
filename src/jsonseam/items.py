"""Text in which faults are expected, put into the tree as far as it is right: item by item, nearly all by json in C.

Rule: an item is taken when what follows shows that it is finished, as the grammar has it. A container is read whole;
one in which json stops is entered, and what is right of it is taken in the same way. So behind what was taken the
text ends, or the next fault is close.
"""

from __future__ import annotations

from typing import Final

from jsonseam import lexemes
from jsonseam.containers import STOPPED, Ahead, is_open_at, read_value
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
    node, key, stack, keys = tree.node, tree.key, tree.stack, tree.keys
    is_array = type(node) is list
    size, taken, patience = len(text), 0, _IN_VAIN * len(text)
    stopped = 0  # where json stopped last
    room = max_depth - len(stack)
    at = lexemes.behind_space(text, 0)
    named = last == ":"
    first = text[at] if at < size else ""
    behind = last not in ("{", "[", ",", ":") or (last in ("{", "[") and first in ("}", "]"))
    while True:
        if behind:
            at = lexemes.behind_space(text, at)
            separator = text[at] if at < size else ""
            if separator != ",":
                if separator != ("]" if is_array else "}") or len(stack) == 1:
                    break
                node, key = stack.pop(), keys.pop()
                room += 1
                is_array = type(node) is list
                taken = at = at + 1
                continue
            at = lexemes.behind_space(text, at + 1)
        opens = at < size and text[at] in "{["
        if not (named or (is_array and opens)):
            begun = _scalar_items(text, at) if is_array else _scalar_members(text, at)
            if begun is None:
                break
            scalars = begun[1].rstrip(lexemes.WHITE_SPACE)[:-1].rstrip(lexemes.WHITE_SPACE)
            if scalars:
                if not _store(node, scalars):
                    break
                taken = at + len(scalars)
            at = begun.end()
            if not is_array and begun[2] is not None:
                key, named = _decoded(begun[2]), True
            opens = at < size and text[at] in "{["
        if at == size:
            taken = len(text.rstrip(lexemes.WHITE_SPACE))
            break
        if not (named or is_array):
            break
        if not opens and _finished_scalar(text, at) is None:
            break
        value: Container
        if opens and is_open_at(text, at, stopped):
            value, end = STOPPED, stopped
        else:
            value, end = read_value(text, at, ahead)
        while is_array and value is not STOPPED and (opener := lexemes.opener_behind_comma(text, end)) >= 0:
            if _may_be_deeper(text, at, end, room):
                break
            node.append(value)
            taken, at, opens = end, opener, True
            value, end = read_value(text, at, ahead)
        behind = value is not STOPPED
        if not behind:
            patience -= end - at
            if patience < 0 or not opens:
                break
            stopped = end
            value, end = {} if text[at] == "{" else [], at + 1
        if _may_be_deeper(text, at, end, room):
            break
        if is_array:
            node.append(value)
        else:
            node[key] = value
        if not behind:
            stack.append(node)
            keys.append(key)
            room -= 1
            node, is_array = value, type(value) is list
            key = None if is_array else ""
        named = False
        taken = end
        at = end if behind else lexemes.behind_space(text, end)
    tree.node, tree.key = node, key
    return taken


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

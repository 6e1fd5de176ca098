"""Long pieces, read by Python's own json in C, and put into the tree as whole branches.

Rule: a piece is framed by openers for what it closes and closers for what it leaves open, so that it is a document
of its own. Which those are is guessed from its brackets, blind to strings. The proof is that json takes the document,
and that what is said to be closed is not what is open at its end. What is not proved is left to ijson, and nothing
was changed.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any, Final

from jsonseam import lexemes
from jsonseam.brackets import brackets_of, without_pairs
from jsonseam.structure import Container, Tree

_CLOSERS_THEN_OPENERS: Final = re.compile(rb"([}\]]*+)([{\[]*+)")
_CLOSER_OF: Final[dict[type, str]] = {dict: "}", list: "]"}
_read: Final = json.JSONDecoder().raw_decode
_NEAR: Final = 1024  # characters from the end in which a bracket is looked for that is likely to stand in no string
_LAST_CLOSED: Final = re.compile(r'.*(?:[}\]](?=[,\n}\]])|"(?=[}\]]).)', re.DOTALL)
_MARK: Final = os.urandom(16).hex()  # a key and a string that stands in no text: only the frame has it
_KEYED: Final = f'{{"{_MARK}":'


def likely_closed(text: str, end: int) -> int:
    """Behind the last bracket in text[:end] that is not likely to stand in a string; 0 if none is near."""
    match = _LAST_CLOSED.match(text, max(0, end - _NEAR), end)
    return match.end() if match else 0


def graft(tree: Tree, last: str, text: str, room: int) -> bool:
    """Put settled `text`, which follows the significant character `last`, into the tree; False: not done.

    Not done is what is not JSON, and some rare text (the key of what stays open comes twice; more openers than
    containers may still be opened, which is `room`). Cost: about what json.loads takes, and the depth.
    """
    start = _behind_comma(type(tree.node), last, text)
    if start < 0:
        return False
    end, key = _ending(text, start)
    if end <= start:
        return False
    ways = _ways(text, room)
    if ways is None or lexemes.lone_surrogate(text) is not None:
        return False
    closed, opened = ways
    if closed > len(tree.stack):
        return False
    nodes = [tree.node, *(tree.stack[-1 - level] for level in range(closed))]
    if key is not None and not (opened.endswith(b"{") if opened else type(nodes[-1]) is dict):
        return False  # a key in an array: json does not see it
    mark = _mark(text[end - 1], opened)
    framed = f"{_openers(nodes, last)}{text[start:end]}{mark}{_closers(opened, nodes[-1])}"
    try:
        branch, behind = _read(framed)
    except (ValueError, RecursionError):
        return False
    if behind < len(framed):
        return False
    path = _open_path(branch, opened)
    if path is None or (closed and path and path[0][1] is _first_child(branch)):
        return False  # the last: brackets in strings passed for what leaves a container and enters another like it
    if nodes[-1] is tree.holder and not (_is_one_container(branch) and (opened or end == len(text))):
        return False  # more than a root, or a comma behind it
    _merge(tree, nodes, branch, keyed=last == ":")
    for _ in range(closed):
        tree.node, tree.key = tree.stack.pop(), tree.keys.pop()
    for at, child in path:
        tree.stack.append(tree.node)
        tree.keys.append(tree.key if at == _MARK else at)
        tree.node = child
    tree.key = None if type(tree.node) is list else key or ""
    tree.done = tree.node is tree.holder
    return True


def _behind_comma(container: type, last: str, text: str) -> int:
    """Where `text` begins, without its comma; -1 if it does not begin as it must behind `last`."""
    if last in "{[:":
        return 0
    start = lexemes.behind_space(text, 0)
    if last != ",":
        if text.startswith(("}", "]"), start):
            return start
        if not text.startswith(",", start):
            return -1
        start = lexemes.behind_space(text, start + 1)
    right = text.startswith('"', start) if container is dict else not text.startswith("]", start)
    return start if right else -1


def _ending(text: str, start: int) -> tuple[int, str | None]:
    """Where `text` ends without what json could not end with: a comma, or a key with its colon, which is given too.

    `start` and no key where that is not what the grammar allows, or nothing is left.
    """
    end, key = len(text), None
    if text.endswith(":"):
        behind = _without_space(text, end - 1)
        at = _start_of_string(text, behind)
        if at <= start:
            return start, None
        try:
            key = json.loads(text[at:behind])
        except ValueError:
            return start, None
        end = _without_space(text, at)
        if text[end - 1] not in "{,":
            return start, None
    if end > start and text[end - 1] == ",":
        end = _without_space(text, end - 1)
        if end > start and text[end - 1] in "{[,:":
            return start, None
    return end, key


def _without_space(text: str, end: int) -> int:
    """Behind the last character of text[:end] that is no space."""
    while end and text[end - 1] in lexemes.WHITE_SPACE:
        end -= 1
    return end


def _start_of_string(text: str, end: int) -> int:
    """Where the string begins that text[:end] ends with; -1 if it ends with none, or with one that began before."""
    if text[end - 1] != '"':
        return -1
    start = text.rfind('"', 0, end - 1)
    while start > 0 and text[start - 1] == "\\":
        start = text.rfind('"', 0, start)
    return start


def _ways(text: str, room: int) -> tuple[int, bytes] | None:
    """How many containers are closed that were open before, and the openers of those that stay open; by brackets."""
    brackets = brackets_of(text)
    if len(brackets) > room and brackets.count(b"{") + brackets.count(b"[") > room:
        return None
    match = _CLOSERS_THEN_OPENERS.fullmatch(without_pairs(brackets))
    return (len(match[1]), match[2]) if match else None


def _is_one_container(branch: list[Any]) -> bool:
    return len(branch) == 1 and type(branch[0]) in (dict, list)


def _openers(nodes: list[Container], last: str) -> str:
    """What opens `nodes`, the innermost first, so that the first child of each but that one is the next."""
    inner = nodes[0]
    openers = ["[" if type(node) is list else _KEYED for node in nodes[:0:-1]]
    return "".join(openers) + ("[" if type(inner) is list else _KEYED if last == ":" else "{")


def _mark(behind: str, opened: bytes) -> str:
    """What stands at the end of the innermost open container, behind a character, to prove the way to it."""
    if not opened:
        return ""
    comma = "" if behind in "{[" else ","
    return f'{comma}"{_MARK}":0' if opened.endswith(b"{") else f'{comma}"{_MARK}"'


def _closers(opened: bytes, outermost: Container) -> str:
    """What closes the `opened` containers, and behind them the outermost one of the frame."""
    return "".join(lexemes.CLOSER_OF[opener] for opener in reversed(opened.decode())) + _CLOSER_OF[type(outermost)]


def _open_path(branch: Container, opened: bytes) -> list[tuple[str | None, Container]] | None:
    """The containers that stay open, with the keys they stand at, and without the mark; None if it is not there.

    It is not where a key came twice, since the second value then stands in the first one's place.
    """
    path: list[tuple[str | None, Container]] = []
    node = branch
    for _ in opened:
        key = None if type(node) is list else next(reversed(node))
        node = node[-1] if key is None else node[key]
        if type(node) not in (dict, list) or not node:
            return None
        path.append((key, node))
    if not path:
        return path
    if type(node) is list:
        return path if node.pop() == _MARK else None
    return path if node.popitem()[0] == _MARK else None


def _first_child(branch: Container) -> Container:
    """The child that the frame opened."""
    return branch[_MARK] if type(branch) is dict else branch[0]


def _merge(tree: Tree, nodes: list[Container], branch: Container, *, keyed: bool) -> None:
    """Move what `branch` holds into the live containers that it was read for, the innermost first."""
    branches = [branch]
    for _ in nodes[1:]:
        branches.append(_first_child(branches[-1]))
        if type(branches[-2]) is dict:
            del branches[-2][_MARK]
    inner = nodes[0]
    for node, new in zip(nodes, reversed(branches), strict=True):
        if type(node) is list:
            node.extend(new if node is inner else new[1:])
            continue
        if node is inner and keyed:
            node[tree.key] = new.pop(_MARK)
        node.update(new)

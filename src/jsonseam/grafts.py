"""Long pieces, read by Python's own json in C, and put into the tree as whole branches.

Rule: a piece is framed by openers for what it closes and closers for what it leaves open, so that it is a document
of its own. Which those are is guessed from its brackets, blind to strings. The proof is that json takes the document,
and that what is said to be closed is not what is open at its end. What is not proved is left to ijson, and nothing
was changed.
"""

from __future__ import annotations

import json
import re
import secrets
from typing import Final, NamedTuple

from jsonseam import lexemes
from jsonseam.structure import Container, Tree

_SPACE: Final = " \t\r\n"
_CLOSERS_THEN_OPENERS: Final = re.compile(rb"([}\]]*+)([{\[]*+)")
_CLOSER_OF: Final = {dict: "}", list: "]", ord("{"): "}", ord("["): "]"}
_read: Final = json.JSONDecoder().raw_decode
_CLOSING_PAIRS: Final = ("},", "],", '"}', '"]', "}]", "]}", "}}", "]]", "}\n", "]\n")
_NEAR: Final = 1024  # characters from the end in which such a pair is looked for
_EMPTY_KEY: Final = re.compile(r'""[ \t\r\n]*+:')
_MARK: Final = secrets.token_hex(16)  # stands at the end of the innermost open container, to prove the way to it


class _Core(NamedTuple):
    """A piece without the comma or the key with its colon that it ends with; `key` is None where there is none."""

    text: str
    key: str | None


def likely_closed(text: str) -> int:
    """Behind the last bracket that is not likely to stand in a string; 0 if there is none."""
    start = max(0, len(text) - _NEAR)
    found = ((pair, text.rfind(pair, start)) for pair in _CLOSING_PAIRS)
    return max((1 + at + (pair[0] == '"') for pair, at in found if at >= 0), default=0)


def graft(tree: Tree, last: str, text: str, room: int) -> bool:
    """Put settled `text`, which follows the significant character `last`, into the tree; False: not done.

    Not done is what closes the root, what is not JSON, and some rare text (an empty key, a key twice).
    Cost: about what json.loads takes, and the depth.
    """
    body = _behind_comma(type(tree.node), last, text)
    core = _without_ending(body)
    if core is None:
        return False
    ways = _ways(core.text, room)
    if ways is None:
        return False
    closed, opened = ways
    if closed >= len(tree.stack):
        return False
    nodes = [tree.node, *(tree.stack[-1 - level][0] for level in range(closed))]
    if core.key is not None and not (opened.endswith(b"{") if opened else type(nodes[-1]) is dict):
        return False  # a key in an array: json does not see it
    openers = _openers(nodes, last)
    if _is_peculiar(openers, core.text, text):
        return False
    framed = openers + core.text + _mark(core.text, opened) + _closers(opened, nodes[-1])
    try:
        branch, end = _read(framed)
    except (ValueError, RecursionError):
        return False
    if end < len(framed):
        return False
    path = _open_path(branch, opened)
    if path is None or (closed and path and path[0][1] is _first_child(branch)):
        return False  # the last: brackets in strings passed for what leaves a container and enters another like it
    _merge(tree, nodes, branch, keyed=last == ":")
    for _ in range(closed):
        tree.node, tree.key = tree.stack.pop()
    for key, child in path:
        tree.stack.append((tree.node, tree.key if key == "" and last == ":" and not closed else key))
        tree.node = child
    tree.key = None if type(tree.node) is list else core.key or ""
    return True


def _behind_comma(container: type, last: str, text: str) -> str:
    """`text` without the comma that it begins with; "" if it does not begin as it must behind `last`."""
    if last in "{[:":
        return text
    text = text.lstrip(_SPACE)
    if last != ",":
        if text.startswith(("}", "]")):
            return text
        if not text.startswith(","):
            return ""
        text = text[1:].lstrip(_SPACE)
    right = text.startswith('"') if container is dict else not text.startswith("]")
    return text if right else ""


def _without_ending(body: str) -> _Core | None:
    """Take off what json could not end with; None where that is not what the grammar allows, or nothing is left."""
    key = None
    if body.endswith(":"):
        body = body[:-1].rstrip(_SPACE)
        start = _start_of_string(body)
        if start < 1:
            return None
        try:
            key = json.loads(body[start:])
        except ValueError:
            return None
        body = body[:start].rstrip(_SPACE)
        if not body.endswith(("{", ",")):
            return None
    if body.endswith(","):
        body = body[:-1].rstrip(_SPACE)
        if body.endswith(("{", "[", ",", ":")):
            return None
    return _Core(body, key) if body else None


def _start_of_string(text: str) -> int:
    """Where the string begins that `text` ends with; -1 if it ends with none, or with one that began before."""
    if not text.endswith('"'):
        return -1
    start = text.rfind('"', 0, -1)
    while start > 0 and text[start - 1] == "\\":
        start = text.rfind('"', 0, start)
    return start


def _ways(core: str, room: int) -> tuple[int, bytes] | None:
    """How many containers are closed that were open before, and the openers of those that stay open; by brackets."""
    if core.count("{") + core.count("[") > room:
        return None
    match = _CLOSERS_THEN_OPENERS.fullmatch(lexemes.unpaired_brackets(core))
    return (len(match[1]), match[2]) if match else None


def _is_peculiar(openers: str, core: str, text: str) -> bool:
    """Could the text be taken for the frame around it, or does json read it otherwise than it is read here?"""
    if '"' in openers and '""' in core and _EMPTY_KEY.search(core):
        return True
    return "\\u" in text and lexemes.lone_surrogate(text) is not None


def _openers(nodes: list[Container], last: str) -> str:
    """What opens `nodes`, the innermost first, so that the first child of each but that one is the next."""
    inner = nodes[0]
    openers = ["[" if type(node) is list else '{"":' for node in nodes[:0:-1]]
    return "".join(openers) + ("[" if type(inner) is list else '{"":' if last == ":" else "{")


def _mark(core: str, opened: bytes) -> str:
    if not opened:
        return ""
    comma = "" if core[-1] in "{[" else ","
    return f'{comma}"{_MARK}":0' if opened.endswith(b"{") else f'{comma}"{_MARK}"'


def _closers(opened: bytes, outermost: Container) -> str:
    return "".join(_CLOSER_OF[opener] for opener in reversed(opened)) + _CLOSER_OF[type(outermost)]


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
    return branch[""] if type(branch) is dict else branch[0]


def _merge(tree: Tree, nodes: list[Container], branch: Container, *, keyed: bool) -> None:
    """Move what `branch` holds into the live containers that it was read for, the innermost first."""
    branches = [branch]
    for _ in nodes[1:]:
        branches.append(_first_child(branches[-1]))
        if type(branches[-2]) is dict:
            del branches[-2][""]
    inner = nodes[0]
    for node, new in zip(nodes, reversed(branches), strict=True):
        if type(node) is list:
            node.extend(new if node is inner else new[1:])
            continue
        if node is inner and keyed:
            node[tree.key] = new.pop("")
        node.update(new)

"""The tree as JSON text: what a document is read from again when the text that it came from is no longer held."""

from __future__ import annotations

import json
from typing import Final

from jsonseam.events import events_of_value
from jsonseam.lexemes import WHITE_SPACE
from jsonseam.records import JsonValue
from jsonseam.structure import Tree


def spell_tree(tree: Tree) -> str:
    """The finished values, in containers that stay open where they are open. Cost: the tree."""
    nodes = tree.nodes()
    if not nodes:
        return "".join(map(spell, tree.holder))
    out = []
    for node, key, below in zip(nodes, [*tree.keys[1:], None], [*nodes[1:], None], strict=True):
        open_child = below is not None
        if isinstance(node, dict):
            closed = [f"{spell(name)}:{spell(child)}" for name, child in node.items() if name != key or not open_child]
            opened = f"{spell(key)}:" if open_child else ""
        else:
            closed = [spell(child) for child in (node[:-1] if open_child else node)]
            opened = ""
        out.append(("{" if isinstance(node, dict) else "[") + ",".join(closed))
        out.append(("," if closed and open_child else "") + opened)
    return "".join(out)


FILLER: Final = {"[": "null", "{": '"":null'}  # a child that stands for those that left, by what opens its container


def spell_held(tree: Tree, behind: str, *, filled: bool = False) -> tuple[str, bool]:
    """The tree, and `behind` it the settled text that follows: a comma, and perhaps a key. Cost: the tree.

    Where every finished child of the innermost container was handed off, nothing stands in front of the comma: it goes,
    or `filled`, a `FILLER` is put there. The second is whether there is one.
    """
    spelled = spell_tree(tree)
    bare = spelled[-1:] in FILLER and behind.lstrip(WHITE_SPACE).startswith(",")
    if not bare:
        return spelled + behind, False
    if filled:
        return spelled + FILLER[spelled[-1]] + behind, True
    return spelled + behind.lstrip(WHITE_SPACE)[1:], False


def take_filler_out(tree: Tree) -> None:
    """The tree was read from a text with a `FILLER`: it goes from the innermost container."""
    if isinstance(tree.node, list):
        del tree.node[0]
    else:
        del tree.node[""]


def spell(value: JsonValue) -> str:
    """A finished value as JSON, however deep it is."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return _spell_deep(value)


def _spell_deep(value: JsonValue) -> str:
    out: list[str] = []
    for kind, held in events_of_value(value):
        match kind:
            case "start_map" | "start_array":
                out.append("{" if kind == "start_map" else "[")
            case "end_map" | "end_array":
                if out[-1] == ",":
                    out.pop()
                out += ("}" if kind == "end_map" else "]", ",")
            case "map_key":
                out += (json.dumps(held, ensure_ascii=False), ":")
            case _:
                out += (json.dumps(held, ensure_ascii=False), ",")
    return "".join(out[:-1])

"""Which join makes the document look like itself? What speaks against one, in nats.

Rule: only what earlier siblings at the same path have shown is held against a candidate: a key that is in the
object already, a kind of item that the array never had, a row of another length, an item that came before where
all items were distinct. A document may always be the first of its kind, so nothing here is a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jsonseam import lexemes
from jsonseam.grammar import Token

TWICE_A_KEY: Final = 9.0
NEW_KIND: Final = 5.0
NEW_KEY: Final = 2.5
OTHER_LENGTH: Final = 5.0
MISSING_KEYS: Final = 2.5
ITEM_AGAIN: Final = 4.0
MOST_TOKENS: Final = 80
SIBLINGS: Final = 8
MOST_ITEMS: Final = 64
ENOUGH_ITEMS: Final = 10  # items that are all distinct, before one that comes twice is odd


class Spine:
    """The open containers of the document at the cut, while a candidate's tokens go on in them."""

    __slots__ = ("fresh", "levels", "penalty")

    def __init__(self, nodes: Sequence[Any], cut_child: bool) -> None:
        self.levels = [_Level(node, nodes[at - 1] if at else None) for at, node in enumerate(nodes)]
        if cut_child and self.levels:
            self.levels[-1].forget_last()
        self.fresh = 0  # containers that the fragment itself opened
        self.penalty = 0.0


class _Level:
    """One open container: its keys or the number of its items, and the finished items of its parent."""

    __slots__ = ("count", "key", "keys", "node", "siblings")

    def __init__(self, node: Any, parent: Any) -> None:
        self.node = node
        self.keys = set(node) if isinstance(node, dict) else set()
        self.count = len(node)
        self.key: str | None = None
        self.siblings = parent[-SIBLINGS - 1 : -1] if isinstance(parent, list) else []

    def forget_last(self) -> None:
        self.count -= 1
        if isinstance(self.node, dict):
            self.keys.discard(next(reversed(self.node)))


def oddness(nodes: Sequence[Any], cut_child: bool, pending: str | None, text: str, tokens: Sequence[Token]) -> float:
    """What speaks against `tokens` (of `text`) going on in the open containers `nodes`, in nats.

    `cut_child`: the last child of the innermost one is taken back. `pending`: the key that awaits its value.
    """
    spine = Spine(nodes, cut_child)
    if spine.levels:
        spine.levels[-1].key = pending
    for token in tokens[:MOST_TOKENS]:
        if not spine.levels:
            break
        _step(spine, text, token)
    return spine.penalty


def _step(spine: Spine, text: str, token: Token) -> None:
    level = spine.levels[-1]
    if token.kind in ("}", "]"):
        if spine.fresh:
            spine.fresh -= 1
        else:
            spine.penalty += _against_closing(level)
            spine.levels.pop()
        return
    if token.kind in (",", ":"):
        return
    if not spine.fresh:
        if token.is_key:
            level.key = str(lexemes.scalar_value(text[token.start : token.end]))
            spine.penalty += _against_key(level)
            level.keys.add(level.key)
        else:
            spine.penalty += _against_value(level, text, token)
            level.count += 1
    spine.fresh += token.kind in ("{", "[")


def _against_key(level: _Level) -> float:
    if level.key in level.keys:
        return TWICE_A_KEY
    like = [sibling for sibling in level.siblings if isinstance(sibling, dict)]
    return NEW_KEY if like and not any(level.key in sibling for sibling in like) else 0.0


def _against_value(level: _Level, text: str, token: Token) -> float:
    kind = _kind_of_token(text, token)
    if isinstance(level.node, dict):
        like = [s[level.key] for s in level.siblings if isinstance(s, dict) and level.key in s]
        seen = {_kind(value) for value in like} - {"null"}
        return NEW_KEY if seen and kind not in seen and kind != "null" else 0.0
    column = [row[level.count] for row in level.siblings if isinstance(row, list) and len(row) > level.count]
    items = level.node[max(0, level.count - SIBLINGS) : level.count]
    seen = {_kind(item) for item in column} or ({_kind(item) for item in items} if len(items) > 1 else set())
    odd = NEW_KIND if len(seen) == 1 and kind not in seen and "null" not in (kind, *seen) else 0.0
    if kind in ("string", "number"):
        known = level.node[: level.count][-MOST_ITEMS:]
        distinct = len(known) >= ENOUGH_ITEMS and len(set(map(repr, known))) == len(known)
        odd += ITEM_AGAIN * (distinct and lexemes.scalar_value(text[token.start : token.end]) in known)
    return odd


def _against_closing(level: _Level) -> float:
    if isinstance(level.node, list):
        lengths = {len(sibling) for sibling in level.siblings if isinstance(sibling, list)}
        alike = len(level.siblings) >= 2 and len(lengths) == 1
        return OTHER_LENGTH if alike and level.count not in lengths else 0.0
    like = [set(sibling) for sibling in level.siblings if isinstance(sibling, dict)]
    return MISSING_KEYS if like and not any(keys <= level.keys for keys in like) else 0.0


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "flag"
    return {dict: "{", list: "[", str: "string", int: "number", float: "number", type(None): "null"}[type(value)]


def _kind_of_token(text: str, token: Token) -> str:
    if token.kind != "scalar":
        return token.kind
    first = text[token.start]
    return "flag" if first in "tf" else "null" if first == "n" else "number"

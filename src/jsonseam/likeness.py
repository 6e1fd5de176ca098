"""Which join makes the document look like itself? What speaks against one, in nats.

Rule: only what earlier siblings at the same path have shown is held against a candidate: a key that is in the
object already, a kind of item that the array never had, a row of another length, an item that came before where
all items were distinct. A document may always be the first of its kind, so nothing here is a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import lt
from typing import Any, Final

from jsonseam import lexemes
from jsonseam.grammar import Token

TWICE_A_KEY: Final = 9.0
NEW_KIND: Final = 5.0
NEW_KEY: Final = 2.5
OTHER_LENGTH: Final = 7.0
MISSING_KEYS: Final = 2.5
ITEM_AGAIN: Final = 6.0
MORE_DIGITS: Final = 6.0
OUT_OF_ORDER: Final = 6.0
ENOUGH_ORDERED: Final = 3
LARGEST: Final = 1e15
MOST_TOKENS: Final = 80
SIBLINGS: Final = 8
MOST_ODD: Final = 16.0  # nothing here is a proof
MOST_ITEMS: Final = 64
ENOUGH_ITEMS: Final = 10  # items that are all distinct, before one that comes twice is odd


class Spine:
    """The open containers of the document at the cut, while a candidate's tokens go on in them."""

    __slots__ = ("fresh", "levels", "penalty")

    def __init__(self, nodes: Sequence[Any], cut_child: bool) -> None:
        self.levels: list[_Level] = []
        for at, node in enumerate(nodes):
            self.levels.append(_Level(node, nodes[at - 1] if at else None, self.levels[-1] if at else None))
        if cut_child and self.levels:
            self.levels[-1].forget_last()
        self.fresh = 0  # containers that the fragment itself opened
        self.penalty = 0.0


class _Level:
    """One open container: its keys or the number of its items, and its peers.

    Peers are the finished values at the same path but for one index: the earlier items of the same array, or what
    stands under the same key in the peers of the parent.
    """

    __slots__ = ("count", "is_row", "key", "keys", "node", "peers", "said")

    def __init__(self, node: Any, parent: Any, above: _Level | None) -> None:
        self.node = node
        self.keys = set(node) if isinstance(node, dict) else set()
        self.count = len(node)
        self.key: str | None = None
        self.said: list[Any] = []  # scalars that the candidate adds
        self.is_row = isinstance(parent, list)
        self.peers: list[Any] = []
        if isinstance(parent, list):
            self.peers = parent[-SIBLINGS - 1 : -1]
            if not self.peers and above is not None:
                self.peers = [item for peer in above.peers if isinstance(peer, list) for item in peer[-SIBLINGS:]]
        elif isinstance(parent, dict) and above is not None:
            at = next(reversed(parent))
            self.peers = [peer[at] for peer in above.peers if isinstance(peer, dict) and at in peer]
        self.peers = [peer for peer in self.peers if type(peer) is type(node)]

    def forget_last(self) -> None:
        self.count -= 1  # `node` is not changed: what is taken back is a container or a partial, never a scalar item
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
        _step(spine, text, token, at_seam=token is tokens[0])
    return spine.penalty


def _step(spine: Spine, text: str, token: Token, *, at_seam: bool) -> None:
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
            spine.penalty = min(MOST_ODD, spine.penalty + _against_value(level, text, token, at_seam))
            level.count += 1
    spine.fresh += token.kind in ("{", "[")


def _against_key(level: _Level) -> float:
    if level.key in level.keys:
        return TWICE_A_KEY
    return NEW_KEY if level.peers and not any(level.key in peer for peer in level.peers) else 0.0


def _against_value(level: _Level, text: str, token: Token, at_seam: bool) -> float:
    kind = _kind_of_token(text, token)
    if isinstance(level.node, dict):
        column = [peer[level.key] for peer in level.peers if level.key in peer]
        return _against_kind(kind, column, NEW_KEY) + _against_number(text, token, column if at_seam else (), column)
    items = [*level.node[-SIBLINGS:], *level.said[-SIBLINGS:]]
    column = [row[level.count] for row in level.peers if len(row) > level.count]
    odd = _against_kind(kind, column or (items if len(items) > 1 else []), NEW_KIND)
    odd += _against_number(text, token, column if at_seam else (), column if level.peers else items)
    if token.kind in ("string", "scalar") and kind in ("string", "number"):
        value = lexemes.scalar_value(text[token.start : token.end])
        known = [*level.node[-MOST_ITEMS:], *level.said]
        odd += ITEM_AGAIN * (value in known and _are_distinct(level.peers, known))
        level.said.append(value)
    return odd


def _against_kind(kind: str, others: Sequence[Any], weight: float) -> float:
    seen = {_kind(other) for other in others} - {"null"}
    return weight if len(seen) == 1 and kind not in seen and kind != "null" else 0.0


def _against_number(text: str, token: Token, column: Sequence[Any], ordered: Sequence[Any]) -> float:
    """A number that does not fit the ones before it: digits, or the number itself, may have come twice.

    `column`: the numbers at its place in the peers, if it may straddle the seam; more digits before the point than
    any of them has is odd.
    `ordered`: those before it in their order; one that breaks an ascending order is.
    """
    word = text[token.start : token.end]
    if token.kind != "scalar" or word[0] not in "-0123456789":
        return 0.0
    odd = 0.0
    numbers = [abs(other) for other in column if _kind(other) == "number" and abs(other) < LARGEST]
    digits = word.lstrip("-").split(".")[0]
    if len(numbers) >= 2 and digits.isdigit():
        most = len(str(int(max(numbers))))
        odd += MORE_DIGITS * (len(digits) > most + (len(numbers) == 2))
    before = [other for other in ordered if _kind(other) == "number"]
    if len(before) >= ENOUGH_ORDERED and len(before) == len(ordered) and all(map(lt, before, before[1:])):
        value: Any = lexemes.scalar_value(word)
        odd += OUT_OF_ORDER * (not value > before[-1])
    return odd


def _are_distinct(peers: Sequence[Sequence[Any]], known: Sequence[Any]) -> bool:
    """Has no item come twice in one array, and were there enough of them to tell?"""
    enough = ENOUGH_ITEMS // 2 if len(peers) >= 3 else ENOUGH_ITEMS
    lists = [*peers, known]
    return sum(map(len, lists)) >= enough and all(len({repr(item) for item in one}) == len(one) for one in lists)


def _against_closing(level: _Level) -> float:
    if isinstance(level.node, list):
        lengths = {len(peer) for peer in level.peers}
        alike = level.is_row and len(level.peers) >= 2 and len(lengths) == 1
        return OTHER_LENGTH if alike and level.count not in lengths else 0.0
    missing = level.peers and not any(set(peer) <= level.keys for peer in level.peers)
    return MISSING_KEYS if missing else 0.0


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "flag"
    return {dict: "{", list: "[", str: "string", int: "number", float: "number", type(None): "null"}[type(value)]


def _kind_of_token(text: str, token: Token) -> str:
    if token.kind != "scalar":
        return token.kind
    first = text[token.start]
    return "flag" if first in "tf" else "null" if first == "n" else "number"

"""Which join makes the document look like itself? What speaks against one, in nats.

Rule: only what earlier siblings at the same path have shown is held against a candidate: a key that is in the
object already, a kind of item that the array never had, a row of another length, an item that came before where
all items were distinct. A document may always be the first of its kind, so nothing here is a proof.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from operator import lt
from typing import Any, Final

from jsonseam import lexemes
from jsonseam.grammar import Token

TWICE_A_KEY: Final = 9.0
NEW_KIND: Final = 5.0
SECOND_KIND: Final = 3.0  # there was but one item
NEW_KEY: Final = 2.5
OTHER_LENGTH: Final = 7.0
MISSING_KEYS: Final = 2.5
NEW_KEY_OF_ALL: Final = 5.0  # where all siblings have the same keys
MISSING_OF_ALL: Final = 6.0
NONE_OF_ALL: Final = 9.0
ENOUGH_ALIKE: Final = 3  # siblings
ITEM_AGAIN: Final = 6.0
OBJECT_AGAIN: Final = 9.0  # all of its members are the same
MORE_DIGITS: Final = 6.0
OTHER_DIGITS: Final = 6.0
ENOUGH_LENGTHS: Final = 3
LONG_NUMBER: Final = 5  # digits
OUT_OF_ORDER: Final = 6.0
ENOUGH_ORDERED: Final = 3
LARGEST: Final = 1e15
MOST_TOKENS: Final = 80
TELLING: Final = 2 * MOST_TOKENS  # more are not looked at
SIBLINGS: Final = 8
MOST_ODD: Final = 16.0  # nothing here is a proof
MOST_ITEMS: Final = 64
_UNKNOWN: Final = object()
_CLOSERS: Final = ("}", "]")
LONGEST_ITEM: Final = 1024  # characters of an item that is compared with those before it
SKETCHED: Final = 8  # members of an item that are looked at to tell whether all items are distinct
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

    def add(self, odd: float) -> None:
        self.penalty = min(MOST_ODD, self.penalty + odd) if odd else self.penalty


class _Level:
    """One open container: its keys or the number of its items, and its peers.

    Peers are the finished values at the same path but for one index: the earlier items of the same array, or what
    stands under the same key in the peers of the parent.
    """

    __slots__ = ("count", "cut", "is_row", "key", "keys", "members", "node", "peers", "said")

    def __init__(self, node: Any, parent: Any, above: _Level | None) -> None:
        self.node = node
        self.keys = set(node) if isinstance(node, dict) else set()
        self.count = len(node)
        self.key: str | None = None
        self.said: list[Any] = []  # items that the candidate adds
        self.members: dict[str, Any] = {}  # and the members
        self.cut = False  # is the last child taken back?
        self.is_row = isinstance(parent, list)
        self.peers: list[Any] = []
        if isinstance(parent, list):
            self.peers = parent[-SIBLINGS - 1 : -1]
            if len(self.peers) < ENOUGH_ALIKE and above is not None:
                cousins = [item for peer in above.peers if isinstance(peer, list) for item in peer[-SIBLINGS:]]
                self.peers = [*cousins, *self.peers]
        elif isinstance(parent, dict) and above is not None:
            at = next(reversed(parent))
            self.peers = [peer[at] for peer in above.peers if isinstance(peer, dict) and at in peer]
        self.peers = [peer for peer in self.peers if type(peer) is type(node)]

    def items(self) -> list[Any]:
        """The latest items, those that the candidate adds last."""
        latest = self.node[-MOST_ITEMS - 1 : -1] if self.cut else self.node[-MOST_ITEMS:]
        return [*latest, *self.said]

    def take(self, value: Any) -> float:
        """Add a value; what speaks against it is that it comes a second time where all items have been distinct."""
        if isinstance(self.node, dict):
            self.members[self.key or ""] = value
            return 0.0
        if value is _UNKNOWN:
            return 0.0
        known = self.items()
        self.said.append(value)
        plain = not isinstance(value, dict | list)
        enough = ENOUGH_ITEMS if plain and len(self.peers) < 3 else ENOUGH_ITEMS // 2
        odd = OBJECT_AGAIN if isinstance(value, dict) and len(value) > 1 else ITEM_AGAIN
        return odd * (value in known and _are_distinct(self.peers, known, enough))

    def take_last(self, value: Any) -> float:
        """Finish the last item, which was open."""
        self.cut = True
        return self.take(value)

    def whole(self) -> Any:
        """What it comes to when it is closed, as far as that is known."""
        if isinstance(self.node, list) or len(self.node) > MOST_ITEMS:
            return _UNKNOWN
        last = next(reversed(self.node)) if self.cut else None
        return {**{key: value for key, value in self.node.items() if key != last}, **self.members}

    def forget_last(self) -> None:
        self.count -= 1  # `node` is not changed
        self.cut = True
        if isinstance(self.node, dict):
            self.keys.discard(next(reversed(self.node)))


def oddness(nodes: Sequence[Any], cut_child: bool, pending: str | None, text: str, tokens: Sequence[Token]) -> float:
    """What speaks against `tokens` (of `text`) going on in the open containers `nodes`, in nats.

    `cut_child`: the last child of the innermost one is taken back. `pending`: the key that awaits its value.
    """
    spine = Spine(nodes, cut_child)
    if spine.levels and pending is not None:
        spine.levels[-1].key = pending
        spine.levels[-1].keys.add(pending)
    for at, token in enumerate(tokens[:MOST_TOKENS]):
        if not spine.levels:
            break
        is_child = token.kind in ("{", "[") and not spine.fresh
        _step(spine, text, token, at_seam=at == 0)
        if is_child:
            spine.add(spine.levels[-1].take(_value_at(text, tokens, at)))
    return spine.penalty


def _step(spine: Spine, text: str, token: Token, *, at_seam: bool) -> None:
    level = spine.levels[-1]
    if token.kind in ("}", "]"):
        if spine.fresh:
            spine.fresh -= 1
        else:
            spine.penalty += _against_closing(level)
            spine.levels.pop()
            if spine.levels and level.is_row:
                spine.add(spine.levels[-1].take_last(level.whole()))
        return
    if token.kind in (",", ":"):
        return
    if not spine.fresh:
        if token.is_key:
            level.key = str(lexemes.scalar_value(text[token.start : token.end]))
            spine.penalty += _against_key(level)
            level.keys.add(level.key)
        else:
            spine.add(_against_value(level, text, token, at_seam))
            level.count += 1
    spine.fresh += token.kind in ("{", "[")


def _against_key(level: _Level) -> float:
    if level.key in level.keys:
        return TWICE_A_KEY
    if not level.peers or any(level.key in peer for peer in level.peers):
        return 0.0
    return NEW_KEY_OF_ALL if _have_same_keys(level.peers) else NEW_KEY


def _against_value(level: _Level, text: str, token: Token, at_seam: bool) -> float:
    kind = _kind_of_token(text, token)
    if isinstance(level.node, dict):
        column = [peer[level.key] for peer in level.peers if level.key in peer]
        if kind in ("string", "number", "flag", "null"):
            level.take(lexemes.scalar_value(text[token.start : token.end]))
        return _against_kind(kind, column, NEW_KEY) + _against_number(text, token, column if at_seam else (), column)
    items = level.items()[-SIBLINGS:]
    column = [row[level.count] for row in level.peers if len(row) > level.count]
    odd = _against_kind(kind, column or items, NEW_KIND if column or len(items) > 1 else SECOND_KIND)
    odd += _against_number(text, token, column if at_seam else (), column if level.peers else items)
    if token.kind in ("string", "scalar") and kind in ("string", "number"):
        odd += level.take(lexemes.scalar_value(text[token.start : token.end]))
    return odd


def _value_at(text: str, tokens: Sequence[Token], at: int) -> Any:
    """The container that begins at a token, if it is a short one, and whole."""
    opener = tokens[at]
    behind = islice(tokens, at + 1, at + MOST_TOKENS)
    end = next((token.end for token in behind if token.depth == opener.depth + 1 and token.kind in _CLOSERS), None)
    if end is None or end - opener.start > LONGEST_ITEM:
        return _UNKNOWN
    try:
        return json.loads(text[opener.start : end])
    except ValueError:
        return _UNKNOWN


def _against_kind(kind: str, others: Sequence[Any], weight: float) -> float:
    seen = {_kind(other) for other in others} - {"null"}
    return weight if len(seen) == 1 and kind not in seen and kind != "null" else 0.0


def _against_number(text: str, token: Token, column: Sequence[Any], ordered: Sequence[Any]) -> float:
    """A number that does not fit the ones before it: digits, or the number itself, may have come twice.

    `column`: the numbers at its place in the peers, if it may straddle the seam; more digits before the point than
    any of them has is odd, and so is another number of them where all are long and of one length, as keys are.
    `ordered`: those before it in their order; one that breaks an ascending order is.
    """
    word = text[token.start : token.end]
    if token.kind != "scalar" or word[0] not in "-0123456789":
        return 0.0
    odd = 0.0
    lengths = [len(str(abs(int(other)))) for other in column if _kind(other) == "number" and abs(other) < LARGEST]
    digits = word.lstrip("-").split(".")[0]
    if len(lengths) >= 2 and digits.isdigit():
        odd += MORE_DIGITS * (len(digits) > max(lengths) + (len(lengths) == 2))
        alike = len(lengths) >= ENOUGH_LENGTHS and min(lengths) == max(lengths) >= LONG_NUMBER
        odd += OTHER_DIGITS * (alike and len(digits) != max(lengths))
    before = [other for other in ordered if _kind(other) == "number"]
    if len(before) >= ENOUGH_ORDERED and len(before) == len(ordered) and all(map(lt, before, before[1:])):
        value: Any = lexemes.scalar_value(word)
        odd += OUT_OF_ORDER * (not value > before[-1])
    return odd


def _are_distinct(peers: Sequence[Sequence[Any]], known: Sequence[Any], enough: int) -> bool:
    """Has no item come twice in one array, and were there `enough` of them to tell?"""
    lists = [*(peer[-MOST_ITEMS:] for peer in peers), known]
    return sum(map(len, lists)) >= enough and all(len(set(map(_sketch, one))) == len(one) for one in lists)


def _sketch(item: Any) -> str:
    """Enough of an item to tell it from others; equal items have the same. Cost: bounded."""
    if isinstance(item, dict | list) and item:
        pairs = islice(item.items() if isinstance(item, dict) else enumerate(item), SKETCHED)
        return repr([(key, _sketch_leaf(value)) for key, value in pairs])
    return _sketch_leaf(item)


def _sketch_leaf(value: Any) -> str:
    if isinstance(value, dict | list):
        return f"{type(value).__name__} {len(value)}"
    return repr(value)


def _against_closing(level: _Level) -> float:
    if isinstance(level.node, list):
        lengths = {len(peer) for peer in level.peers}
        alike = level.is_row and len(level.peers) >= 2 and len(lengths) == 1
        return OTHER_LENGTH if alike and level.count not in lengths else 0.0
    if not level.peers or any(set(peer) <= level.keys for peer in level.peers):
        return 0.0
    if not _have_same_keys(level.peers):
        return MISSING_KEYS
    return MISSING_OF_ALL if level.keys else NONE_OF_ALL


def _have_same_keys(peers: Sequence[Any]) -> bool:
    """Are there enough of them, all with the same keys?"""
    return len(peers) >= ENOUGH_ALIKE and all(peer.keys() == peers[0].keys() for peer in peers)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "flag"
    return {dict: "{", list: "[", str: "string", int: "number", float: "number", type(None): "null"}[type(value)]


def _kind_of_token(text: str, token: Token) -> str:
    if token.kind != "scalar":
        return token.kind
    first = text[token.start]
    return "flag" if first in "tf" else "null" if first == "n" else "number"

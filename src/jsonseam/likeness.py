"""Which join makes the document look like itself? What speaks against one, in nats.

Rule: only what earlier siblings at the same path have shown is held against a candidate: a key that is in the
object already, a kind of item that the array never had, a row of another length, an item that came before where
all items were distinct. A document may always be the first of its kind, so nothing here is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from jsonseam import following, lexemes
from jsonseam.distinct import are_distinct
from jsonseam.following import UNKNOWN
from jsonseam.grammar import SCALAR, STRING, Token
from jsonseam.ordering import against_number

# What speaks against a candidate, in nats.
TWICE_A_KEY: Final = 9.0
NEW_KEY: Final = 2.5
NEW_KEY_OF_ALL: Final = 5.0  # where all siblings have the same keys
MISSING_KEYS: Final = 2.5
MISSING_OF_ALL: Final = 6.0  # where all siblings have the same keys
NONE_OF_ALL: Final = 9.0  # where they have, and this one has none
OTHER_LENGTH: Final = 7.0
NEW_KIND: Final = 5.0
SECOND_KIND: Final = 3.0  # where there was but one item
ITEM_AGAIN: Final = 6.0
OBJECT_AGAIN: Final = 9.0  # all of its members are the same
MOST_ODD: Final = 16.0  # all of it: nothing here is a proof
# How much there must be of something before it tells.
ENOUGH_ALIKE: Final = 3  # siblings
ENOUGH_ITEMS: Final = 10  # items that are all distinct, before one that comes twice is odd
# How much is looked at, at most.
TELLING: Final = following.MOST  # tokens of a candidate
MOST_TOKENS: Final = 80  # of these, to find what is odd in them, or of one value
SIBLINGS: Final = 8
MOST_ITEMS: Final = 64  # of an array
_KINDS: Final[dict[type, str]] = {
    dict: "{",
    list: "[",
    str: "string",
    int: "number",
    float: "number",
    bool: "flag",
    type(None): "null",
}


class Spine:
    """The open containers of the document at the cut, while a candidate's tokens go on in them."""

    __slots__ = ("fresh", "levels", "penalty")

    def __init__(self, nodes: Sequence[Any], cut_child: bool, text: str, tokens: Sequence[Token]) -> None:
        self.levels: list[_Level] = []
        for at, node in enumerate(nodes):
            parent, above = (nodes[at - 1], self.levels[-1]) if at else (None, None)
            self.levels.append(_Level(node, parent, above, partial(following.behind_container, text, tokens, at)))
        if cut_child and self.levels:
            self.levels[-1].forget_last()
        self.fresh = 0  # containers that the fragment itself opened
        self.penalty = 0.0

    def add(self, odd: float) -> None:
        self.penalty = min(MOST_ODD, self.penalty + odd) if odd else self.penalty


class _Level:
    """One open container: its keys or the number of its items, and its peers.

    Peers are the finished values at the same path but for one index: the other items of the same array, or what
    stands under the same key in the peers of the parent.
    """

    __slots__ = ("_above", "_behind", "_later", "_repeats", "count", "cut", "is_row", "key", "keys", "members", "node",
                 "past", "said")  # fmt: skip

    def __init__(self, node: Any, parent: Any, above: _Level | None, behind: Callable[[], list[Any]]) -> None:
        self.node = node
        self.keys = set(node) if isinstance(node, dict) else set()
        self.count = len(node)
        self.key: str | None = None
        self.said: list[Any] = []  # items that the candidate adds
        self.members: dict[str, Any] = {}  # and the members
        self.cut = False  # is the last child taken back?
        self.is_row = isinstance(parent, list)
        self._above, self._behind = above, behind
        self._later: list[Any] | None = None
        self._repeats: bool | None = None
        self.past: list[Any] = []  # peers that are held
        if isinstance(parent, list):
            self.past = parent[-SIBLINGS - 1 : -1]
            if len(self.past) < ENOUGH_ALIKE and above is not None:
                cousins = [item for peer in above.past if isinstance(peer, list) for item in peer[-SIBLINGS:]]
                self.past = [*cousins, *self.past]
        elif isinstance(parent, dict) and above is not None:
            self.past = _under(above.open_key(), above.past)
        self.past = [peer for peer in self.past if type(peer) is type(node)]

    def open_key(self) -> str:
        """The key at which an object is open."""
        return str(next(reversed(self.node)))

    @property
    def later(self) -> list[Any]:
        """The peers that stand behind the seam, as far as they are read."""
        if self._later is None:
            above = self._above
            found = self._behind() if self.is_row else _under(above.open_key(), above.later) if above else []
            self._later = [peer for peer in found if type(peer) is type(self.node)]
        return self._later

    @property
    def peers(self) -> list[Any]:
        """Those that are held; and where they are few, those behind the seam."""
        return self.past if len(self.past) >= SIBLINGS else [*self.past, *self.later]

    def beside(self, peers: Sequence[Any]) -> list[Any]:
        """What stands in the peers at the place that comes next."""
        if isinstance(self.node, dict):
            return _under(self.key or "", peers)
        return [row[self.count] for row in peers if len(row) > self.count]

    def held(self, most: int) -> list[Any]:
        """The latest finished items that are held."""
        latest: list[Any] = self.node[-most - 1 : -1] if self.cut else self.node[-most:]
        return latest

    def take(self, value: Any, behind: Sequence[Any] = ()) -> float:
        """Add a value; what speaks against it is that it comes a second time where all items are distinct.

        `behind`: the items that follow it.
        """
        if isinstance(self.node, dict):
            self.members[self.key or ""] = value
            return 0.0
        if value is UNKNOWN:
            return 0.0
        known = [*self.held(MOST_ITEMS), *self.said]
        self.said.append(value)
        if value not in known or self.repeats:
            return 0.0
        plain = not isinstance(value, dict | list)
        enough = ENOUGH_ITEMS if plain and len(self.peers) < 3 else ENOUGH_ITEMS // 2
        odd = OBJECT_AGAIN if isinstance(value, dict) and len(value) > 1 else ITEM_AGAIN
        return odd * are_distinct([*(peer[-MOST_ITEMS:] for peer in (*self.peers, behind)), known], enough)

    @property
    def repeats(self) -> bool:
        """Does an item come twice in what is held of the array, or of one of its peers?"""
        if self._repeats is None:
            lists = [self.held(MOST_ITEMS), *(peer[-MOST_ITEMS:] for peer in self.past)]
            self._repeats = not are_distinct(lists)
        return self._repeats

    def take_last(self, value: Any) -> float:
        """Finish the last item, which was open."""
        self.cut = True
        return self.take(value)

    def whole(self) -> Any:
        """What it comes to when it is closed, as far as that is known."""
        if isinstance(self.node, list) or len(self.node) > MOST_ITEMS:
            return UNKNOWN
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
    if not tokens:
        return 0.0
    tokens = tokens[:TELLING]
    spine = Spine(nodes, cut_child, text, tokens)
    if spine.levels and pending is not None:
        spine.levels[-1].key = pending
        spine.levels[-1].keys.add(pending)
    for at, token in enumerate(tokens[:MOST_TOKENS]):
        if not spine.levels:
            break
        is_child = token.kind in ("{", "[") and not spine.fresh
        _step(spine, text, tokens, at)
        if is_child:
            spine.add(spine.levels[-1].take(following.value_at(text, tokens, at, most=MOST_TOKENS)))
    return spine.penalty


def _step(spine: Spine, text: str, tokens: Sequence[Token], at: int) -> None:
    """Go on by one token, and add what speaks against it."""
    level, token = spine.levels[-1], tokens[at]
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
            spine.add(_against_value(level, text, tokens, at))
            level.count += 1
    spine.fresh += token.kind in ("{", "[")


def _against_key(level: _Level) -> float:
    if level.key in level.keys:
        return TWICE_A_KEY
    if not level.peers or any(level.key in peer for peer in level.peers):
        return 0.0
    return NEW_KEY_OF_ALL if _have_same_keys(level.peers) else NEW_KEY


def _against_value(level: _Level, text: str, tokens: Sequence[Token], at: int) -> float:
    """What speaks against the value at the token `at` as the next child of `level`."""
    token, at_seam = tokens[at], at == 0
    kind = _kind_of_token(text, token)
    column, before = level.beside(level.peers), level.beside(level.past)
    first = at <= 1 and token.kind in (STRING, SCALAR)
    later = level.beside(level.later) if first and kind == "number" else []
    if isinstance(level.node, dict):
        if kind in ("string", "number", "flag", "null"):
            level.take(lexemes.scalar_value(text[token.start : token.end]))
        odd = _against_kind(kind, column, NEW_KIND if len(column) >= ENOUGH_ALIKE else NEW_KEY)
        if kind == "number":
            odd += against_number(text[token.start : token.end], column if at_seam else None, before, later)
        return odd
    items = [*level.held(SIBLINGS), *level.said[-SIBLINGS:]][-SIBLINGS:]
    if not level.peers:
        before, later = items, following.behind_token(text, tokens, at) if first else []
    odd = _against_kind(kind, column or items, NEW_KIND if column or len(items) > 1 else SECOND_KIND)
    if kind == "number":
        odd += against_number(text[token.start : token.end], column if at_seam else None, before, later)
    if token.kind in (STRING, SCALAR) and kind in ("string", "number"):
        behind = () if level.peers else later
        odd += level.take(lexemes.scalar_value(text[token.start : token.end]), behind)
    return odd


def _against_kind(kind: str, others: Sequence[Any], weight: float) -> float:
    seen = {_KINDS[type(other)] for other in others}
    seen.discard("null")
    return weight if len(seen) == 1 and kind not in seen and kind != "null" else 0.0


def _against_closing(level: _Level) -> float:
    """What speaks against closing `level` now: another length, or keys missing, than its peers have."""
    if isinstance(level.node, list):
        lengths = {len(peer) for peer in level.peers}
        alike = level.is_row and len(level.peers) >= 2 and len(lengths) == 1
        return OTHER_LENGTH if alike and level.count not in lengths else 0.0
    if not level.peers or any(set(peer) <= level.keys for peer in level.peers):
        return 0.0
    if not _have_same_keys(level.peers):
        return MISSING_KEYS
    return MISSING_OF_ALL if level.keys else NONE_OF_ALL


def _under(key: str, peers: Sequence[Any]) -> list[Any]:
    return [peer[key] for peer in peers if isinstance(peer, dict) and key in peer]


def _have_same_keys(peers: Sequence[Any]) -> bool:
    """Are there enough of them, all with the same keys?"""
    return len(peers) >= ENOUGH_ALIKE and all(peer.keys() == peers[0].keys() for peer in peers)


def _kind_of_token(text: str, token: Token) -> str:
    if token.kind != SCALAR:
        return token.kind
    first = text[token.start]
    return "flag" if first in "tf" else "null" if first == "n" else "number"

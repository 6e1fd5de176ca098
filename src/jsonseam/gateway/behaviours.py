"""Behaviours: the ways in which a truncating model goes on with a document, each a pure function of
(document, cut, rng). What is said, and how far it brings a client that joins it rightly, comes back as a `Turn`.

    exact                goes on at the very character
    echo                 repeats 12 to 400 characters first
    token                starts the cut-off string, number, literal or key again
    element              starts the cut-off item (of the innermost open array) again
    siblings             repeats the last 1 to 3 whole siblings, then the cut-off item
    restart              starts the document again and gets further
    reopen, reopen-full  opens the path to the cut-off item again; -full repeats finished scalars on the way
    no-comma             stops behind a whole item, goes on with the next one and forgets the comma
    extra-comma          stops behind a comma and goes on with another one
    restyled-*           element, siblings, restart, reopen, with other whitespace
    fenced-*             exact, element, siblings, reopen, in a code fence behind a line of prose
    chatter              exact, with a remark behind the finished document
    refusal              an answer without data before each continuation
    mixed                another one at every seam
    repetitive           exact; the name says what the documents are like

Where a behaviour has no meaning at a cut, or would not get further than before, the model goes on exactly.
Lengths are in characters.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from .outline import Node, Outline


@dataclass(frozen=True, slots=True)
class Turn:
    """One simulated answer. `reach`: how much of the document a client holds that joined it rightly.

    `finished`: the model said all it wanted to say. `refused`: there is no data in it.
    """

    text: str
    reach: int
    finished: bool
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Lead:
    """How an answer begins: with words that repeat the way, then the document from `at` on."""

    at: int
    said: str = ""


@dataclass(frozen=True, slots=True)
class Manner:
    """What a behaviour is made of: where it takes up, and how it dresses what it says."""

    lead: str
    fenced: bool = False
    restyled: bool = False
    remark: bool = False


class NotHereError(Exception):
    """The behaviour has no meaning at this cut."""


PLAIN: Final = (
    *("exact", "echo", "token", "element", "siblings", "restart"),
    *("reopen", "reopen-full", "no-comma", "extra-comma"),
)
MANNERS: Final[dict[str, Manner]] = {
    **{name: Manner(name) for name in PLAIN},
    **{f"restyled-{name}": Manner(name, restyled=True) for name in ("element", "siblings", "restart", "reopen")},
    **{f"fenced-{name}": Manner(name, fenced=True) for name in ("exact", "element", "siblings", "reopen")},
    "chatter": Manner("exact", remark=True),
    "refusal": Manner("exact"),  # whoever drives it says the refusal first
    "repetitive": Manner("exact"),
}
MIX: Final = ("exact", "echo", "token", "element", "siblings", "reopen", "fenced-exact", "fenced-element")
BEHAVIOURS: Final = (*MANNERS, "mixed")

OPENINGS: Final = (
    "Here is the rest of the document:",
    "Certainly! Picking up right where the previous part ended:",
    "The remaining entries [from the next one on] are below.",
    "Going on with the JSON, without repeating what you have:",
)
REMARKS: Final = (
    "\n```\n\nThat is everything you asked for. Tell me if something should change!",
    "\n\nThis completes the document [every section is filled].",
    "\n```",
    "\n\n// done",
)
REFUSALS: Final = (
    "",
    "I apologise, but I am not able to go on with this answer.",
    "My last message seems to have been too long. Shall I continue?",
    "```json\n```",
)
_LAYOUTS: Final = ((",", ":"), (", ", ": "), (",\n    ", ": "))


# ------------------------------------------------------------------------------- where a behaviour takes up
def _exact(outline: Outline, cut: int, rng: random.Random) -> Lead:
    return Lead(cut)


def _echo(outline: Outline, cut: int, rng: random.Random) -> Lead:
    return Lead(max(0, cut - rng.randint(12, 400)))


def _token(outline: Outline, cut: int, rng: random.Random) -> Lead:
    path = outline.open_path(cut)
    for child in path[-1].children if path else ():
        if child.kind in ("string", "scalar") and child.start < cut < child.end:
            return Lead(child.start)
        if child.key_start is not None and child.key_start < cut < child.start:
            return Lead(child.key_start)
    raise NotHereError


def _element(outline: Outline, cut: int, rng: random.Random) -> Lead:
    return Lead(_item(outline, cut).start)


def _siblings(outline: Outline, cut: int, rng: random.Random) -> Lead:
    return Lead(_item(outline, cut, back=rng.randint(1, 3)).start)


def _restart(outline: Outline, cut: int, rng: random.Random) -> Lead:
    return Lead(0)


def _reopen(outline: Outline, cut: int, rng: random.Random) -> Lead:
    at = _item(outline, cut).start
    return Lead(at, _way(outline, at, with_scalars=False))


def _reopen_full(outline: Outline, cut: int, rng: random.Random) -> Lead:
    at = _item(outline, cut).start
    return Lead(at, _way(outline, at, with_scalars=True))


def _no_comma(outline: Outline, cut: int, rng: random.Random) -> Lead:
    before, after = _gap(outline, cut)
    text = outline.text
    if cut != before.end or _would_fuse(text, before, after):
        raise NotHereError
    return Lead(after.start)


def _extra_comma(outline: Outline, cut: int, rng: random.Random) -> Lead:
    before, after = _gap(outline, cut)
    if "," not in outline.text[before.end : cut]:
        raise NotHereError
    return Lead(after.start, ", ")


LEADS: Final[dict[str, Callable[[Outline, int, random.Random], Lead]]] = {
    "exact": _exact,
    "echo": _echo,
    "token": _token,
    "element": _element,
    "siblings": _siblings,
    "restart": _restart,
    "reopen": _reopen,
    "reopen-full": _reopen_full,
    "no-comma": _no_comma,
    "extra-comma": _extra_comma,
}


def _item(outline: Outline, cut: int, back: int = 0) -> Node:
    """The cut-off (or next) item of the innermost open array that has begun, or its sibling `back` before."""
    for container in reversed(outline.open_path(cut)):
        if container.kind != "array":
            continue
        begun = [index for index, child in enumerate(container.children) if child.start < cut]
        if not begun:
            raise NotHereError
        at = begun[-1]
        if container.children[at].end <= cut:
            at += 1
        at -= back
        if not 0 <= at < len(container.children):
            raise NotHereError
        return container.children[at]
    raise NotHereError


def _way(outline: Outline, at: int, *, with_scalars: bool) -> str:
    """The openers on the path to the item that starts at `at`."""
    path = outline.open_path(at)
    if not path or path[-1].kind != "array":
        raise NotHereError
    said: list[str] = []
    for node, inner in zip(path, [*path[1:], None], strict=True):
        said.append(outline.text[node.start])
        for child in node.children if node.kind == "object" else ():
            if child is inner:
                said.append(outline.text[child.begin : child.start])
                break
            if with_scalars:
                said.append(outline.text[child.begin : child.end] + ", ")
    return "".join(said)


def _gap(outline: Outline, cut: int) -> tuple[Node, Node]:
    """The two items of one array between which `cut` lies."""
    path = outline.open_path(cut)
    if not path or path[-1].kind != "array":
        raise NotHereError
    for before, after in zip(path[-1].children, path[-1].children[1:], strict=False):
        if before.end <= cut <= after.start:
            return before, after
    raise NotHereError


def _would_fuse(text: str, before: Node, after: Node) -> bool:
    """97 and 101 without a comma are 97101: nobody could tell."""
    return text[before.end - 1].isalnum() and text[after.start].isalnum()


# ------------------------------------------------------------------------------- where a behaviour stops
def _stop(lead: str, outline: Outline, cut: int, reach: int) -> int:
    """`reach`, moved back to the last gap where the comma will be forgotten or doubled."""
    if lead not in ("no-comma", "extra-comma"):
        return reach
    for container in reversed(outline.open_path(reach)):
        if container.kind != "array":
            continue
        pairs = list(zip(container.children, container.children[1:], strict=False))
        for before, after in reversed(pairs):
            if before.end > reach or before.end <= cut:
                continue
            if lead == "extra-comma":
                comma = outline.text.index(",", before.end, after.start) + 1
                if cut < comma <= reach:
                    return comma
            elif not _would_fuse(outline.text, before, after):
                return before.end
    return reach


# ------------------------------------------------------------------------------- other whitespace
def restyle(text: str, at: int, layout: tuple[str, str]) -> tuple[str, list[int]]:
    """text[at:] with other whitespace; for each character the position in `text` behind what it stands for.

    `at` must not lie inside a string.
    """
    comma, colon = layout
    said: list[str] = []
    behind: list[int] = []
    in_string = escaped = False
    for position in range(at, len(text)):
        mark = text[position]
        if in_string:
            in_string = escaped or mark != '"'
            escaped = mark == "\\" and not escaped
        elif mark in " \t\r\n":
            continue
        elif mark == '"':
            in_string = True
        elif mark in ",:":
            mark = comma if mark == "," else colon
        said.append(mark)
        behind.extend([position + 1] * len(mark))
    return "".join(said), behind


# ------------------------------------------------------------------------------- one whole turn
def begin(behaviour: str, outline: Outline, room: int, rng: random.Random, limit: int | None = None) -> Turn:
    """The first answer: the document from its start, `room` characters of it, `limit` characters in all."""
    manner = MANNERS.get(behaviour, MANNERS["exact"])
    opening = f"{rng.choice(OPENINGS)}\n\n```json\n" if manner.fenced and rng.random() < 0.5 else ""
    text = outline.text
    return _utter(manner, outline, 0, opening, text, behind=range(1, len(text) + 1), room=room, rng=rng, limit=limit)


def go_on(behaviour: str, outline: Outline, cut: int, room: int, rng: random.Random, limit: int | None = None) -> Turn:
    """The answer to a client that holds the first `cut` characters.

    `room` bounds what is said of the document, `limit` the whole text with its wrapping; both in characters.
    """
    manner = MANNERS[rng.choice(MIX) if behaviour == "mixed" else behaviour]
    for lead in (manner.lead, "exact"):
        try:
            turn = _attempt(manner, lead, outline, cut, room=room, rng=rng, limit=limit)
        except NotHereError:
            continue
        if turn.finished or turn.reach - cut >= max(1, len(turn.text) // 4):
            return turn
    return turn


def refuse(outline: Outline, cut: int, rng: random.Random) -> Turn | None:
    """An answer without data, or None inside a string, where an apology would be text like any other."""
    if outline.inside_string(cut):
        return None
    return Turn(rng.choice(REFUSALS), cut, finished=True, refused=True)


def natural_room(behaviour: str, outline: Outline, budget: int, rng: random.Random) -> int:
    """How much a model says at a time if nobody limits it: a restart must get further than the last answer did."""
    manner = MANNERS.get(behaviour, MANNERS["exact"])
    if manner.restyled:
        return len(outline.text) * 2
    if manner.lead == "restart":
        return int(len(outline.text) * rng.uniform(0.7, 1.1))
    return budget


def _attempt(
    manner: Manner, lead: str, outline: Outline, cut: int, *, room: int, rng: random.Random, limit: int | None
) -> Turn:
    start = LEADS[lead](outline, cut, rng)
    text = outline.text
    if manner.restyled and not outline.inside_string(start.at):
        rest, behind = restyle(text, start.at, rng.choice(_LAYOUTS))
    else:
        rest, behind = text[start.at :], list(range(start.at + 1, len(text) + 1))
    opening = f"{rng.choice(OPENINGS)}\n\n```json\n" if manner.fenced else ""
    behind = [cut] * len(start.said) + behind
    return _utter(manner, outline, cut, opening, start.said + rest, behind=behind, room=room, rng=rng, limit=limit)


def _utter(
    manner: Manner,
    outline: Outline,
    cut: int,
    opening: str,
    rest: str,
    *,
    behind: Sequence[int],
    room: int,
    rng: random.Random,
    limit: int | None,
) -> Turn:
    """Say `opening` and `rest`, as far as there is room; `behind[i]` is how far rest[i] brings the client."""
    if limit is not None:
        room = min(room, max(0, limit - len(opening)))
    if len(rest) > room:
        reach = behind[room - 1] if room else cut
        stop = _stop(manner.lead, outline, cut, reach)
        piece = rest[: room - (reach - stop)]
        return Turn(_within(opening + piece, limit), max(cut, stop), finished=False)
    closing = "\n```" if opening and rest else ""
    if manner.remark:
        closing += rng.choice(REMARKS)
    said = opening + rest + closing
    return Turn(_within(said, limit), len(outline.text), finished=limit is None or len(said) <= limit)


def _within(said: str, limit: int | None) -> str:
    return said if limit is None else said[:limit]

"""How believable is each way to join a fragment? Its evidence, less what speaks against the document it would make.

Rule: a way whose text is not JSON behind the seam has little left to say, and what the document would look like with
it counts as well. What is only a slip that models make in strings counts less than a fault.

All weights are nats. The evidence comes with the way (`candidates.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from jsonseam import comments, envelope, lexemes
from jsonseam.ahead import read_ahead, state_at
from jsonseam.grammar import NAMES, Reading, Token, read
from jsonseam.joining import Way
from jsonseam.lexemes import squeeze
from jsonseam.likeness import TELLING, oddness
from jsonseam.records import Expected, SeamKind
from jsonseam.sides import Held

FAULT: Final = 14.0
RAW: Final = 7.0  # a raw line break or tab inside a string, or a bad escape: some models write them
SURPLUS: Final = 10.0
SURPLUS_CLOSERS: Final = 4.0  # as much as it tells that the document is complete with that
EXPECTED: Final = 48.0  # outweighs any repetition; it does not count for text that is not JSON
ASKED_FOR: Final[dict[Expected, tuple[SeamKind, ...]]] = {
    "anything": (),
    "continue": ("continue",),
    "overlap": ("overlap", "resume"),
    "element": ("resume",),
}
ALIKE: Final = 40.0  # candidates that come to the same document and are this near are told by the plainest name
COMPARED: Final = 120  # characters around the seam that tell whether two candidates come to the same
COMPLETES: Final = 4.0

_BAD_ESCAPE: Final = re.compile(  # one, or a surrogate; in the group what is right
    r'\\u[dD][89a-fA-F][0-9a-fA-F]{2}|(\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|u?[0-9a-fA-F]{0,3}\Z))|\\'
)
_RAW: Final = "\n\r\t"
_RAW_TO_SPACE: Final = str.maketrans(_RAW, "   ")


class Outcome(NamedTuple):
    """What the document comes to around the seam, blind to layout: equal for ways that make the same of it.

    `shift`: by how many characters the fragment lies behind the place where `text` begins. Items that are alike make
    the same text of joins that are not the same.
    """

    text: str
    shift: int


NO_OUTCOME: Final = Outcome("", 0)


@dataclass(slots=True)
class Scored:
    """A way with its score in nats, and what it comes to. `open_end`: it ends in an unfinished token of the fragment.

    `against`: what speaks against it, in words.
    """

    way: Way
    score: float
    outcome: Outcome
    open_end: bool
    against: str = ""

    def may_be(self, other: Scored) -> bool:
        """Is what both come to the same, as far as the shorter text of the two goes, and no reason to prefer one?"""
        shorter, longer = sorted((self.outcome.text, other.outcome.text), key=len)
        alike = longer.startswith(shorter) and (shorter != longer or self.outcome == other.outcome)
        return alike and other.score >= self.score - ALIKE and not other.open_end


def _bonus(way: Way, expected: Expected) -> float:
    """What it counts that the model was asked for just this."""
    if expected == "continue":
        return EXPECTED * (way.kind == "continue" and not way.skip and not way.insert)
    return EXPECTED * (way.kind in ASKED_FOR[expected])


class Scores:
    """The scores of the ways in which one fragment could join; what several of them share is read once."""

    __slots__ = ("_base", "_expected", "_final", "_fragment", "_held", "_most", "_read")

    def __init__(self, held: Held, fragment: str, *, final: bool, expected: Expected) -> None:
        self._held, self._fragment = held, fragment
        self._final, self._expected = final, expected
        self._base = self._most = 0
        self._read: dict[tuple[int, int, str], _Ahead] = {}

    def of(self, ways: Sequence[Way]) -> list[Scored]:
        """Best first."""
        held = self._held
        if len(ways) > 1:  # or there is nothing to compare
            cuts = [way.cut for way in ways if way.cut >= held.offset and way.cut]
            self._base = min([held.offset + held.settled[0], *cuts])
            self._most = len(squeeze(held.window.text[self._base - held.offset :])) + COMPARED // 2
        return sorted(map(self._score, ways), key=lambda one: -one.score)

    def _score(self, way: Way) -> Scored:
        place = (way.cut, way.skip, way.insert)
        ahead = self._read.get(place)
        if ahead is None:
            ahead = self._read[place] = self._look_ahead(way)
        score = way.gain - way.cost - way.lost - ahead.penalty
        if not ahead.against:
            score += _bonus(way, self._expected)
        return Scored(way, score, ahead.outcome, ahead.open_end, ahead.against)

    def _look_ahead(self, way: Way) -> _Ahead:
        """What the text behind the seam says of a way, whatever its evidence."""
        held = self._held
        _, frames, expect = state_at(held, way.cut)
        text, seam, reading = read_ahead(held, self._fragment, way.cut, way.skip, way.insert)
        raw = reading.fault is not None and _is_weak(text, reading.fault, seam)
        if raw:
            text = _blank_weak(text)
            reading = read(text, frames, expect)
        penalty, against = _against_reading(text, reading, seam, has_comments=held.comment != "")
        if reading.fault is None and reading.end is not None and self._final:
            penalty -= COMPLETES
        penalty += RAW * raw + _oddness(held, way, len(frames), text, reading.tokens)
        outcome = _outcome(held, self._fragment, way, self._base, self._most) if self._most else NO_OUTCOME
        nothing_left = way.skip >= len(self._fragment)
        return _Ahead(penalty, outcome, nothing_left and reading.end is None, against)


def _is_weak(text: str, fault: int, seam: int) -> bool:
    """Is the fault one that models make in strings: a raw line break or tab, a backslash that means itself?

    A half escape that the seam leaves so is none: it tells that what stands in front of the seam comes again.
    """
    lone = lexemes.lone_surrogate(text[fault:]) if text[fault] == '"' else None
    if lone is not None:
        return fault + lone.start(1) >= seam
    escape = _BAD_ESCAPE.match(text, fault)
    half = fault < seam and text.startswith("u", fault + 1)
    return text[fault] in _RAW or (escape is not None and escape[1] is None and not half)


def _blank_weak(text: str) -> str:
    """`text`, as long as it was, without such faults."""
    return _BAD_ESCAPE.sub(_keep_escape, text.translate(_RAW_TO_SPACE))


def _keep_escape(found: re.Match[str]) -> str:
    return found[1] or "_" * len(found[0])


def _oddness(held: Held, way: Way, depth: int, text: str, tokens: Sequence[Token]) -> float:
    """What speaks against the tokens behind a way, with `depth` containers open; kept once all that tell are there."""
    place = way.cut, way.skip, way.insert
    odd = held.oddness.get(place)
    if odd is None:
        pending = _pending_key(held, way, depth)
        odd = oddness(held.nodes[:depth], depth < len(held.nodes), pending, text, tokens)
        if len(tokens) >= TELLING:
            held.oddness[place] = odd
    return odd


@dataclass(slots=True)
class _Ahead:
    """`penalty` in nats; `open_end`: nothing of the fragment is left behind the seam."""

    penalty: float
    outcome: Outcome
    open_end: bool
    against: str


def _outcome(held: Held, fragment: str, way: Way, base: int, most: int) -> Outcome:
    """What a way makes of the document, in at most so many characters.

    `base`: where to begin in it, in front of all that any way would change.
    """
    if way.cut < base:
        return Outcome(f"{way.cut}@{way.skip}", 0)  # the whole document is written anew
    kept = squeeze(held.window.text[base - held.offset : way.cut - held.offset] + way.insert)
    ahead = squeeze(fragment[way.skip : way.skip + held.size - way.cut + 2 * COMPARED])
    return Outcome((kept + ahead)[:most], len(kept) - len(squeeze(fragment[: way.skip])))


def _against_reading(text: str, reading: Reading, seam: int, *, has_comments: bool) -> tuple[float, str]:
    """What a fault, or text behind the root, says against a join: nats, and in words.

    `has_comments`: one more of them is none.
    """
    if reading.end is not None:
        rest = text[reading.end :]
        if not rest.strip() or envelope.is_remark(rest):
            return SURPLUS_CLOSERS * (rest.lstrip()[:1] in ("}", "]")), ""
        return SURPLUS, f"data behind the root, which closes {_behind(reading.end - seam)}"
    at = reading.fault
    if at is None or (text[seam:at].strip() and envelope.CLOSING_FENCE.match(text, _fence_start(text, at))):
        return 0.0, ""
    if has_comments and text.startswith(comments.OPENERS, at):
        return 0.0, ""
    reach = max(0, at - seam)
    return FAULT + 14.0 / (1 + reach / 24), f"no JSON {_behind(reach)}, where {NAMES[reading.expect]} belongs"


def _behind(characters: int) -> str:
    if characters <= 0:
        return "at the seam"
    return f"{characters} character{'s' * (characters > 1)} behind the seam"


def _fence_start(text: str, at: int) -> int:
    line = text.rfind("\n", 0, at)
    return line if line >= 0 and not text[line:at].strip() else at


def _pending_key(held: Held, way: Way, depth: int) -> str | None:
    if depth and depth <= len(held.steps) and way.cut and isinstance(held.steps[depth - 1], str):
        return str(held.steps[depth - 1])
    return None

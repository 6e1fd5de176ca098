"""One seam: of all the ways in which a fragment could join what is held, the best, with how sure it is.

Rule 1: proof before guess. A way whose text is not JSON behind the seam has little left to say. Rule 2: a way that
explains the beginning of the fragment as a repetition must explain enough information to pay for the claim;
predictable text is data. Rule 3: held data is not given up for a guess; what is not said again weighs against the
join that would lose it. All weights are nats, so the difference of the best two says how sure.

Pure: the same held text and fragment give the same decision, however the fragment came.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Final, NamedTuple

from jsonseam import comments, doubt, envelope, lexemes
from jsonseam.ahead import HORIZON, read_ahead, state_at
from jsonseam.candidates import LONGEST, Choices
from jsonseam.grammar import NAMES, Reading, Token, read
from jsonseam.joining import Way
from jsonseam.lexemes import squeeze
from jsonseam.likeness import TELLING, oddness
from jsonseam.pieces import list_pieces
from jsonseam.records import Candidate, Expected, OnDoubt, SeamKind
from jsonseam.sides import Held
from jsonseam.spelling import finishes_literal

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
PLAIN_FIRST: Final[tuple[SeamKind, ...]] = ("continue", "restart", "resume", "overlap", "reopen", "rejected")
COMPARED: Final = 120  # characters around the seam that tell whether two candidates come to the same
COMPLETES: Final = 4.0
REJECT: Final = -16.0  # a best candidate below this holds no data that could be joined
FIRST_TRY: Final = 64  # characters of a fragment after which a decision is tried for the first time
FAR: Final = LONGEST + HORIZON  # characters of a fragment behind which nothing is looked at: more settles no doubt
DOUBTFUL: Final = -4.0  # a best candidate below this may be wrapping that is not all here
PLAINLY_DATA: Final = 1024  # characters that go on as JSON outside strings, as no wrapping does
CERTAIN: Final = 12.0  # nats ahead of all others that allow a decision at the first try
MOST_TOLD: Final = 5  # candidates of a seam that are told

_BAD_ESCAPE: Final = re.compile(  # one, or a surrogate; in the group what is right
    r'\\u[dD][89a-fA-F][0-9a-fA-F]{2}|(\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|u?[0-9a-fA-F]{0,3}\Z))|\\'
)
_QUOTE: Final = re.compile(r'(?<!\\)(?:\\\\)*+"')  # one that no backslash escapes
_RAW: Final = "\n\r\t"
_RAW_TO_SPACE: Final = str.maketrans(_RAW, "   ")


@dataclass(slots=True)
class Decision:
    """The join that was chosen, and how sure it is (0 to 1) against all others. `rejected`: nothing is taken.

    `candidates`: the few best, the chosen one first. `seen`: the characters of the fragment that there were.
    """

    way: Way
    sure: float
    seen: int
    candidates: tuple[Candidate, ...] = ()

    @property
    def rejected(self) -> bool:
        return self.way.kind == "rejected"


class Outcome(NamedTuple):
    """What the document comes to around the seam, blind to layout: equal for ways that make the same of it.

    `shift`: by how many characters the fragment lies behind the place where `text` begins. Items that are alike make
    the same text of joins that are not the same.
    """

    text: str
    shift: int


NO_OUTCOME: Final = Outcome("", 0)


@dataclass(slots=True)
class _Scored:
    way: Way
    score: float
    outcome: Outcome
    open_end: bool
    against: str = ""

    def may_be(self, other: _Scored) -> bool:
        """Is what both come to the same, as far as the shorter text of the two goes, and no reason to prefer one?"""
        shorter, longer = sorted((self.outcome.text, other.outcome.text), key=len)
        alike = longer.startswith(shorter) and (shorter != longer or self.outcome == other.outcome)
        return alike and other.score >= self.score - ALIKE and not other.open_end


def decide(
    held: Held, fragment: str, *, final: bool, expected: Expected = "anything", on_doubt: OnDoubt = "best"
) -> Decision | None:
    """The best join, or None while more of the fragment could change it. Cost: the window and a bounded part.

    `expected` is what the model was asked for; a join of that kind is believed more easily. `on_doubt` decides where
    the evidence does not. Raises `ChoiceError` if its answer is not one of the candidates.
    """
    if not final and fragment in held.window:
        return None  # so far it says nothing new
    choices = [Choices(held, piece) for piece in list_pieces(held, fragment, literal_fault(held, fragment))]
    if not final and any(one.may_be_echo() for one in choices):
        return None
    ways = [way for one in choices for way in one.ways()]
    scored = _Scores(held, fragment, final=final, expected=expected).of(ways)
    best = scored[0]
    others = [one for one in scored[1:] if one.outcome != best.outcome]
    lead = best.score - others[0].score if others else CERTAIN
    doubtful = best.open_end or _may_be_wrapping(held, fragment, best) or lead < _lead_enough(len(fragment))
    blank = not fragment.strip()
    empty = envelope.is_empty(fragment, in_string=held.in_string)
    waiting = doubtful or empty or doubt.may_become_remark(held, fragment) or any(map(best.may_be, others))
    if not final and waiting:
        return None
    if not fragment or (blank and not held.in_string) or empty or _is_refusal(held, best, fragment):
        rejection = _Scored(_rejection(held, fragment), best.score, NO_OUTCOME, open_end=False)
        sure = 1.0 if blank else 0.9
        return Decision(rejection.way, sure, len(fragment), _told(held, [rejection, *_apart(scored)]))
    decision = _choose(held, fragment, _apart(scored), expected, on_doubt)
    return decision if final or decision.sure >= doubt.DOUBT or not callable(on_doubt) else None


def _may_be_wrapping(held: Held, fragment: str, best: _Scored) -> bool:
    """Is the best way so odd that the fragment may have begun with something else than data?"""
    far = FAR if held.in_string else PLAINLY_DATA
    return best.score < DOUBTFUL and (bool(best.against) or len(fragment) < far)


def _lead_enough(size: int) -> float:
    """The lead in nats that what comes behind the first `size` characters will hardly turn: less, the more is seen."""
    return CERTAIN * max(0.0, 1.0 - log(size / FIRST_TRY) / log(FAR / FIRST_TRY)) if size else CERTAIN


def _is_refusal(held: Held, best: _Scored, fragment: str) -> bool:
    """Words that nothing makes data of. Where they close a string and JSON follows, they are data all the same.

    So they are where they end in a closer that nothing in them opened; and where they are no speech and go on inside a
    string, or finish the token that was cut off; whatever would have to be mended in them.
    """
    if best.score >= REJECT or not envelope.is_prose(fragment):
        return False
    if best.way.kind == "continue":
        inside = held.in_string or _finishes_token(held, fragment)
        if envelope.ends_in_closer(fragment) or (inside and not envelope.speaks(fragment)):
            return False
    return bool(best.against) or _QUOTE.search(fragment, best.way.skip) is None


def _finishes_token(held: Held, fragment: str) -> bool:
    """Does the fragment make a whole token of the unfinished one that is held, or of the word that came for it?"""
    partial = held.partial.strip()
    if not partial:
        return False
    if finishes_literal(partial, fragment):
        return True
    _, seam, reading = read_ahead(held, fragment, held.size, 0)
    return any(token.start < seam < token.end for token in reading.tokens)


def _choose(held: Held, fragment: str, apart: list[_Scored], expected: Expected, on_doubt: OnDoubt) -> Decision:
    """Of joins that come to different documents, best first: the best, unless the caller has another in doubt."""
    first = apart[0]
    thought = doubt.second_thought(held, fragment, first.way, expected)
    if thought is None and first.score < REJECT and len(apart) == 1:
        thought = doubt.Thought(first.way, _rejection(held, fragment), 0.0)  # nothing can follow, not even this
    if thought:
        other = _Scored(thought.other, first.score - thought.less, NO_OUTCOME, open_end=False)
        others = [one for one in apart[1:] if one.way.skip != other.way.skip or one.way.cut != other.way.cut]
        apart = [replace(first, way=thought.told), other, *others]
    weights = [exp(max(-60.0, one.score - first.score)) for one in apart[:8]]
    sure = weights[0] / sum(weights)
    told_of = _told(held, apart)
    if sure >= doubt.DOUBT or on_doubt == "best":
        return Decision(apart[0].way, sure, len(fragment), told_of)
    at = doubt.choose(told_of, on_doubt)
    chosen = apart[at].way
    if at:
        chosen = replace(chosen, reason=f"{chosen.reason}; in doubt, and chosen by on_doubt")
    return Decision(chosen, weights[at] / sum(weights), len(fragment), (told_of[at], *told_of[:at], *told_of[at + 1 :]))


def _apart(scored: list[_Scored]) -> list[_Scored]:
    """The best of each outcome, best first; of those that come to the same, the one with the plainest name."""
    if len(scored) == 1:
        return scored
    outcomes: dict[Outcome, list[_Scored]] = {}
    for one in scored:
        outcomes.setdefault(one.outcome, []).append(one)
    plainest = []
    for same in outcomes.values():
        as_good = (one for one in same if one.score >= same[0].score - ALIKE and one.open_end == same[0].open_end)
        best = min(as_good, key=_plainness)
        plainest.append(best if best.score == same[0].score else replace(best, score=same[0].score))
    return plainest


def _told(held: Held, apart: list[_Scored]) -> tuple[Candidate, ...]:
    """The public records of the few best."""
    return tuple(record(one.way, held.size, one.score, one.against) for one in apart[:MOST_TOLD])


def record(way: Way, size: int, score: float, against: str = "") -> Candidate:
    """The public record of a way to join what is held, which has `size` characters."""
    return Candidate(way.kind, way.skip, size - way.cut, way.insert, round(score, 2), against, way.reason)


def _plainness(one: _Scored) -> tuple[float, int, bool]:
    """Of ways that come to the same document, the one whose name says most plainly what the model did."""
    return one.way.wrapping, PLAIN_FIRST.index(one.way.kind), one.way.detail == "tokens"


def literal_fault(held: Held, fragment: str) -> int | None:
    """The character of the fragment at which going on literally stops being JSON."""
    text, seam, reading = read_ahead(held, fragment, held.size, 0)
    if reading.end is not None:
        return None if envelope.is_remark(text[reading.end :]) else max(0, reading.end - seam)
    return None if reading.fault is None else max(0, reading.fault - seam)


def _rejection(held: Held, fragment: str) -> Way:
    reason = "no text in it can follow what is held" if fragment.strip() else "the fragment is empty"
    return Way("rejected", held.size, len(fragment), reason)


def _bonus(way: Way, expected: Expected) -> float:
    """What it counts that the model was asked for just this."""
    if expected == "continue":
        return EXPECTED * (way.kind == "continue" and not way.skip and not way.insert)
    return EXPECTED * (way.kind in ASKED_FOR[expected])


class _Scores:
    """The scores of the ways in which one fragment could join; what several of them share is read once."""

    __slots__ = ("_base", "_expected", "_final", "_fragment", "_held", "_most", "_read")

    def __init__(self, held: Held, fragment: str, *, final: bool, expected: Expected) -> None:
        self._held, self._fragment = held, fragment
        self._final, self._expected = final, expected
        self._base = self._most = 0
        self._read: dict[tuple[int, int, str], _Ahead] = {}

    def of(self, ways: Sequence[Way]) -> list[_Scored]:
        """Best first."""
        held = self._held
        if len(ways) > 1:  # or there is nothing to compare
            cuts = [way.cut for way in ways if way.cut >= held.offset and way.cut]
            self._base = min([held.offset + held.settled[0], *cuts])
            self._most = len(squeeze(held.window[self._base - held.offset :])) + COMPARED // 2
        return sorted(map(self._score, ways), key=lambda one: -one.score)

    def _score(self, way: Way) -> _Scored:
        place = (way.cut, way.skip, way.insert)
        ahead = self._read.get(place)
        if ahead is None:
            ahead = self._read[place] = self._look_ahead(way)
        score = way.gain - way.cost - way.lost - ahead.penalty
        if not ahead.against:
            score += _bonus(way, self._expected)
        return _Scored(way, score, ahead.outcome, ahead.open_end, ahead.against)

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
    kept = squeeze(held.window[base - held.offset : way.cut - held.offset] + way.insert)
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


def splits_number(way: Way, replaced: str, tail: str, ahead: str) -> bool:
    """Did a literal join go on inside a number? Digits that repeat and digits that follow look alike there."""
    behind = tail.strip(lexemes.WHITE_SPACE)
    inside = behind[:1] in "-0123456789" and behind != "" and not tail[-1:].isspace()
    literal = way.kind == "continue" and not way.insert and not replaced
    return literal and inside and ahead != "" and ahead[0] in "0123456789.eE+-"

"""One seam: of all the ways in which a fragment could join what is held, the best, with how sure it is.

Rule 1: proof before guess. A way whose text is not JSON behind the seam has little left to say. Rule 2: a way that
explains the beginning of the fragment as a repetition must explain enough information to pay for the claim;
predictable text is data. Rule 3: held data is not given up for a guess; what is not said again weighs against the
join that would lose it. Each way is weighed in nats (`scoring.py`), so the difference of the best two says how sure.

Pure: the same held text and fragment give the same decision, however the fragment came.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import exp, log
from typing import Final

from jsonseam import doubt, envelope, lexemes
from jsonseam.ahead import HORIZON, read_ahead
from jsonseam.candidates import Choices
from jsonseam.echoes import LONGEST
from jsonseam.joining import Way
from jsonseam.pieces import list_pieces
from jsonseam.records import Candidate, Expected, OnDoubt, SeamKind
from jsonseam.scoring import ALIKE, NO_OUTCOME, Outcome, Scored, Scores
from jsonseam.sides import Held
from jsonseam.spelling import finishes_literal

PLAIN_FIRST: Final[tuple[SeamKind, ...]] = ("continue", "restart", "resume", "overlap", "reopen", "rejected")
REJECT: Final = -16.0  # a best candidate below this holds no data that could be joined
FIRST_TRY: Final = 64  # characters of a fragment after which a decision is tried for the first time
FAR: Final = LONGEST + HORIZON  # characters of a fragment behind which nothing is looked at: more settles no doubt
DOUBTFUL: Final = -4.0  # a best candidate below this may be wrapping that is not all here
PLAINLY_DATA: Final = 1024  # characters that go on as JSON outside strings, as no wrapping does
CERTAIN: Final = 12.0  # nats ahead of all others that allow a decision at the first try
MOST_TOLD: Final = 5  # candidates of a seam that are told

_QUOTE: Final = re.compile(r'(?<!\\)(?:\\\\)*+"')  # one that no backslash escapes


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


def decide(
    held: Held, fragment: str, *, final: bool, expected: Expected = "anything", on_doubt: OnDoubt = "best"
) -> Decision | None:
    """The best join, or None while more of the fragment could change it. Cost: the window and a bounded part.

    `expected` is what the model was asked for; a join of that kind is believed more easily. `on_doubt` decides where
    the evidence does not. Raises `ChoiceError` if its answer is not one of the candidates.
    """
    if not final and fragment in held.window.text:
        return None  # so far it says nothing new
    choices = [Choices(held, piece) for piece in list_pieces(held, fragment, literal_fault(held, fragment))]
    if not final and any(one.may_be_echo() for one in choices):
        return None
    ways = [way for one in choices for way in one.ways()]
    scored = Scores(held, fragment, final=final, expected=expected).of(ways)
    empty = _is_empty(held, fragment)
    if not final and (empty or _may_turn(held, fragment, scored)):
        return None
    if empty or _is_refusal(held, scored[0], fragment):
        return _reject(held, fragment, scored)
    decision = _choose(held, fragment, _apart(scored), expected, on_doubt)
    return decision if final or decision.sure >= doubt.DOUBT or not callable(on_doubt) else None


def _may_turn(held: Held, fragment: str, scored: list[Scored]) -> bool:
    """Could more of the fragment turn what is best, of all ways, so far?"""
    best = scored[0]
    others = [one for one in scored[1:] if one.outcome != best.outcome]
    lead = best.score - others[0].score if others else CERTAIN
    doubtful = best.open_end or _may_be_wrapping(held, fragment, best) or lead < _lead_enough(len(fragment))
    return doubtful or doubt.may_become_remark(held, fragment) or any(map(best.may_be, others))


def _is_empty(held: Held, fragment: str) -> bool:
    """Is there nothing in the fragment but wrapping? Blanks are data where a string is open."""
    blank = not held.in_string and not fragment.strip()
    return not fragment or blank or envelope.is_empty(fragment, in_string=held.in_string)


def _reject(held: Held, fragment: str, scored: list[Scored]) -> Decision:
    """Nothing of the fragment is taken."""
    rejection = Scored(_rejection(held, fragment), scored[0].score, NO_OUTCOME, open_end=False)
    sure = 0.9 if fragment.strip() else 1.0
    return Decision(rejection.way, sure, len(fragment), _told(held, [rejection, *_apart(scored)]))


def _may_be_wrapping(held: Held, fragment: str, best: Scored) -> bool:
    """Is the best way so odd that the fragment may have begun with something else than data?"""
    far = FAR if held.in_string else PLAINLY_DATA
    return best.score < DOUBTFUL and (bool(best.against) or len(fragment) < far)


def _lead_enough(size: int) -> float:
    """The lead in nats that what comes behind the first `size` characters will hardly turn: less, the more is seen."""
    return CERTAIN * max(0.0, 1.0 - log(size / FIRST_TRY) / log(FAR / FIRST_TRY)) if size else CERTAIN


def _is_refusal(held: Held, best: Scored, fragment: str) -> bool:
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


def _choose(held: Held, fragment: str, apart: list[Scored], expected: Expected, on_doubt: OnDoubt) -> Decision:
    """Of joins that come to different documents, best first: the best, unless the caller has another in doubt."""
    first = apart[0]
    thought = doubt.second_thought(held, fragment, first.way, expected)
    if thought is None and first.score < REJECT and len(apart) == 1:
        thought = doubt.Thought(first.way, _rejection(held, fragment), 0.0)  # nothing can follow, not even this
    if thought:
        other = Scored(thought.other, first.score - thought.less, NO_OUTCOME, open_end=False)
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


def _apart(scored: list[Scored]) -> list[Scored]:
    """The best of each outcome, best first; of those that come to the same, the one with the plainest name."""
    if len(scored) == 1:
        return scored
    outcomes: dict[Outcome, list[Scored]] = {}
    for one in scored:
        outcomes.setdefault(one.outcome, []).append(one)
    plainest = []
    for same in outcomes.values():
        as_good = (one for one in same if one.score >= same[0].score - ALIKE and one.open_end == same[0].open_end)
        best = min(as_good, key=_plainness)
        plainest.append(best if best.score == same[0].score else replace(best, score=same[0].score))
    return plainest


def _told(held: Held, apart: list[Scored]) -> tuple[Candidate, ...]:
    """The public records of the few best."""
    return tuple(record(one.way, held.size, one.score, one.against) for one in apart[:MOST_TOLD])


def record(way: Way, size: int, score: float, against: str = "") -> Candidate:
    """The public record of a way to join what is held, which has `size` characters."""
    return Candidate(way.kind, way.skip, size - way.cut, way.insert, round(score, 2), against, way.reason)


def _plainness(one: Scored) -> tuple[float, int, bool]:
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


def splits_number(way: Way, replaced: str, tail: str, ahead: str) -> bool:
    """Did a literal join go on inside a number? Digits that repeat and digits that follow look alike there."""
    behind = tail.strip(lexemes.WHITE_SPACE)
    inside = behind[:1] in "-0123456789" and behind != "" and not tail[-1:].isspace()
    literal = way.kind == "continue" and not way.insert and not replaced
    return literal and inside and ahead != "" and ahead[0] in "0123456789.eE+-"

"""One seam: of all the ways in which a fragment could join what is held, the best, with how sure it is.

Rule 1: proof before guess. A candidate whose text is not JSON behind the seam has little left to say. Rule 2: a
candidate that explains the beginning of the fragment as a repetition must explain enough information to pay for
the claim; predictable text is data. Rule 3: held data is not given up for a guess; what is not said again weighs
against the join that would lose it. All weights are nats, so the best candidates' difference says how sure.

Pure: the same held text and fragment give the same decision, however the fragment came.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp
from typing import Final

from jsonseam import envelope
from jsonseam.candidates import list_candidates, may_be_echo
from jsonseam.grammar import Expect, Reading, read
from jsonseam.joining import Candidate
from jsonseam.likeness import oddness
from jsonseam.records import Expected, SeamKind
from jsonseam.sides import Held

HORIZON: Final = 4096  # characters behind a seam that are read to tell whether they are JSON
FAULT: Final = 14.0
RAW: Final = 7.0  # a raw line break or tab inside a string: some models write them
SURPLUS: Final = 10.0
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
MAY_BE_REMARK: Final = "it goes on inside the string; it may as well be a remark, which no grammar could tell"
COMPLETES: Final = 4.0
REJECT: Final = -16.0  # a best candidate below this holds no data that could be joined
FIRST_TRY: Final = 256  # characters of a fragment after which a decision is tried for the first time
DOUBTFUL: Final = -4.0  # a best candidate below this may be wrapping that is not all here
CERTAIN: Final = 12.0  # nats ahead of all others that allow a decision before the fragment is over

_RAW: Final = "\n\r\t"
_RAW_TO_SPACE: Final = str.maketrans(_RAW, "   ")


@dataclass(frozen=True, slots=True)
class Decision:
    """The join that was chosen, and how sure it is (0 to 1) against all others. `rejected`: nothing is taken."""

    candidate: Candidate
    sure: float
    score: float
    rejected: bool = False


@dataclass(frozen=True, slots=True)
class _Scored:
    candidate: Candidate
    score: float
    outcome: str
    open_end: bool


def decide(held: Held, fragment: str, *, final: bool, expected: Expected = "anything") -> Decision | None:
    """The best join, or None while more of the fragment could change it. Cost: the window and a bounded part.

    `expected` is what the model was asked for; a join of that kind is believed more easily.
    """
    fault = _literal_fault(held, fragment)
    candidates = list_candidates(held, fragment, fault)
    scored = [_score(held, fragment, one, final=final, bonus=_bonus(one, expected)) for one in candidates]
    scored.sort(key=lambda one: -one.score)
    best = scored[0]
    others = [one for one in scored[1:] if one.outcome != best.outcome]
    lead = best.score - others[0].score if others else CERTAIN
    doubtful = best.open_end or best.score < DOUBTFUL or lead < CERTAIN
    blank = not fragment.strip()
    empty = not held.in_string and envelope.is_empty(fragment)
    if not final and (doubtful or empty or may_be_echo(held, fragment, fault)):
        return None
    sure = 1.0 / (1.0 + sum(exp(max(-60.0, one.score - best.score)) for one in others[:8]))
    if not blank and empty:
        return Decision(_rejection(held, fragment), 0.9, best.score, rejected=True)
    if (blank and not held.in_string) or not fragment or (best.score < REJECT and envelope.is_prose(fragment)):
        return Decision(_rejection(held, fragment), 0.9 if fragment.strip() else 1.0, best.score, rejected=True)
    same = [one.candidate for one in scored if one.outcome == best.outcome and one.score >= best.score - ALIKE]
    chosen = min(same, key=_plainness)
    if held.in_string and chosen.kind == "continue" and '"' not in fragment and envelope.is_sentence(fragment):
        return Decision(replace(chosen, reason=MAY_BE_REMARK), min(sure, 0.5), best.score)
    return Decision(chosen, sure, best.score)


def _plainness(candidate: Candidate) -> tuple[float, int, bool]:
    """Of candidates that come to the same document, the one whose name says most plainly what the model did."""
    return candidate.wrapping, PLAIN_FIRST.index(candidate.kind), candidate.detail == "tokens"


def _literal_fault(held: Held, fragment: str) -> int | None:
    """The character of the fragment at which going on literally stops being JSON."""
    before, frames, expect = _state_at(held, held.size)
    reading = read(before + fragment[:HORIZON], frames, expect)
    if reading.end is not None:
        rest = (before + fragment[:HORIZON])[reading.end :]
        return None if envelope.is_remark(rest) else max(0, reading.end - len(before))
    return None if reading.fault is None else max(0, reading.fault - len(before))


def _rejection(held: Held, fragment: str) -> Candidate:
    reason = "no text in it can follow what is held" if fragment.strip() else "the fragment is empty"
    return Candidate("rejected", held.size, len(fragment), reason)


def _bonus(candidate: Candidate, expected: Expected) -> float:
    """What it counts that the model was asked for just this."""
    if expected == "continue":
        return EXPECTED * (candidate.kind == "continue" and not candidate.skip and not candidate.insert)
    return EXPECTED * (candidate.kind in ASKED_FOR[expected])


def _score(held: Held, fragment: str, candidate: Candidate, *, final: bool, bonus: float = 0.0) -> _Scored:
    before, frames, expect = _state_at(held, candidate.cut)
    ahead = fragment[candidate.skip : candidate.skip + HORIZON]
    text = before + candidate.insert + ahead
    reading = read(text, frames, expect)
    raw = reading.fault is not None and text[reading.fault] in _RAW
    if raw:
        text = text.translate(_RAW_TO_SPACE)
        reading = read(text, frames, expect)
    score = candidate.gain - candidate.cost - candidate.lost
    whole = candidate.skip + HORIZON >= len(fragment)
    score -= RAW * raw
    against = _against_reading(text, reading, len(before) + len(candidate.insert), ahead)
    score += -against if against else bonus
    if reading.fault is None and reading.end is not None and final:
        score += COMPLETES
    depth = len(frames)
    nodes = held.nodes[:depth]
    cut_child = depth < len(held.nodes)
    score -= oddness(nodes, cut_child, _pending_key(held, candidate, depth), text, reading.tokens)
    outcome = _outcome(held, before + candidate.insert + ahead[: 2 * COMPARED], depth)
    return _Scored(candidate, score, outcome, open_end=whole and reading.end is None and not ahead)


def _outcome(held: Held, text: str, depth: int) -> str:
    """What the document comes to around the seam, blind to layout: equal for candidates that make the same of it."""
    unsettled = "".join(held.window[held.settled[0] :].split())
    start = max(0, len(unsettled) - COMPARED // 2)
    return "".join(text.split())[start : start + COMPARED] + f"@{depth}"


def _against_reading(text: str, reading: Reading, seam: int, ahead: str) -> float:
    """What a fault, or text behind the root, says against a join."""
    if reading.end is not None:
        rest = text[reading.end :]
        return 0.0 if not rest.strip() or envelope.is_remark(rest) else SURPLUS
    at = reading.fault
    if at is None or envelope.CLOSING_FENCE.match(text, _fence_start(text, at)):
        return 0.0
    reach = max(0, at - seam)
    return FAULT + 14.0 / (1 + reach / 24)


def _fence_start(text: str, at: int) -> int:
    line = text.rfind("\n", 0, at)
    return line if line >= 0 and not text[line:at].strip() else at


def _state_at(held: Held, cut: int) -> tuple[str, list[str], Expect]:
    """The unfinished text in front of the cut, and the state in front of that."""
    if cut == 0:
        return "", [], Expect.VALUE
    settled, expect = held.settled
    if cut >= held.offset + settled:
        return held.window[settled : cut - held.offset], list(held.frames), expect
    mark_frames, mark_expect = held.entry
    reading = read(held.window[: cut - held.offset], mark_frames, mark_expect)
    return "", reading.frames, reading.expect


def _pending_key(held: Held, candidate: Candidate, depth: int) -> str | None:
    if depth and depth <= len(held.steps) and candidate.cut and isinstance(held.steps[depth - 1], str):
        return str(held.steps[depth - 1])
    return None


def splits_number(candidate: Candidate, replaced: str, tail: str, fragment: str) -> bool:
    """Did a literal join go on inside a number? Digits that repeat and digits that follow look alike there."""
    ahead = fragment[candidate.skip : candidate.skip + 1]
    behind = tail.strip(" \t\r\n")
    inside = behind[:1] in "-0123456789" and behind != "" and not tail[-1:].isspace()
    literal = candidate.kind == "continue" and not candidate.insert and not replaced
    return literal and inside and ahead != "" and ahead in "0123456789.eE+-"

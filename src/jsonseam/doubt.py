"""Where the evidence does not decide: which seams are in doubt, and what the caller wants done about it.

Rule: a choice of the caller counts only where a seam is in doubt, and only among the candidates that were found; in
doubt is what no text that may still come could settle, or what two joins explain nearly as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, get_args

from jsonseam import comments, envelope
from jsonseam.errors import ChoiceError
from jsonseam.grammar import Expect
from jsonseam.joining import Way
from jsonseam.lexemes import WHITE_SPACE
from jsonseam.records import Candidate, Expected, OnDoubt
from jsonseam.sides import Held

DOUBT: Final = 0.9  # a seam that is less sure than this is in doubt
NEAR: Final = 12.0  # nats behind the best one up to which a candidate is a choice in doubt
LONGEST_REMARK: Final = 1024  # characters inside an open string that are waited for, as they may be a remark
FEWEST_DIGITS: Final = 2  # of a number that is said again at a seam; one digit comes twice by chance
LESS: Final = 1.8  # nats by which digits that follow are believed more than a number that is said again
WORDS: Final = ("best", "literal", "echo")
FUNCTION: Final = "function"  # how a checkpoint tells that there was one, which it cannot hold

MAY_BE_REMARK: Final = "it goes on inside the string; it may as well be a remark, which no grammar could tell"
NO_KEY: Final = "it is a remark: the key that is open would be unlike all others"
REMARK: Final = "it is a remark, not the string's text"
GOES_ON: Final = "it goes on inside the string, with quotes that would have to be mended"
VALUE: Final = "it is the value of the key that is open, although that had others so far"
BLANK_TWICE: Final = "it goes on at the very character, with a blank on either side of the seam"
ONE_BLANK: Final = "the blank at the end is said again"
NUMBER_AGAIN: Final = "the number that was cut off is said again"
IN_COMMENT: Final = "it is the rest of a comment, which is still not closed"
AGAINST_NEW_WORDS: Final = "what is held stays as it is"


class Thought(NamedTuple):
    """Two joins between which nothing decides: the one `told` as chosen, and the `other`, which is believed less."""

    told: Way
    other: Way
    less: float  # nats


def second_thought(held: Held, fragment: str, chosen: Way, expected: Expected) -> Thought | None:
    """For a chosen join that nothing could prove, the other one that is nearly as good; None if there is none.

    Where the model was asked to go on at the very character, what comes twice is no echo, and not in doubt.
    """
    if chosen.detail in ("reworded", "rewritten", "rewritten-shorter"):
        return Thought(chosen, Way("rejected", held.size, len(fragment), AGAINST_NEW_WORDS), 0.0)
    if chosen.kind == "rejected":
        return Thought(chosen, Way("continue", held.size, 0, GOES_ON if held.in_string else VALUE), LESS)
    if chosen.kind != "continue" or chosen.skip or chosen.insert or chosen.cut < held.size:
        return None
    exact = expected == "continue"
    if comments.may_end_later(held.comment, fragment) and held.comment.startswith("/*") and not exact:
        return Thought(chosen, Way("rejected", held.size, len(fragment), IN_COMMENT), LESS)
    if not held.in_string:
        number = held.partial.rstrip(WHITE_SPACE)
        again = (
            number == held.partial and sum(map(str.isdigit, number)) >= FEWEST_DIGITS and fragment.startswith(number)
        )
        other = Way("resume", held.size - len(number), 0, NUMBER_AGAIN, detail="token")
        return Thought(chosen, other, LESS) if again and not exact else None
    if '"' not in fragment and len(fragment) <= LONGEST_REMARK and _may_be_remark(held, fragment):
        if is_no_key(held, fragment):
            return Thought(Way("rejected", held.size, len(fragment), NO_KEY), chosen, LESS)
        other = Way("rejected", held.size, len(fragment), REMARK)
        return Thought(replace(chosen, reason=MAY_BE_REMARK), other, 0.0)
    blanks = fragment.startswith(" ") and held.window.text.endswith(" ") and not held.window.text.endswith("  ")
    if blanks and not exact:
        return Thought(replace(chosen, reason=BLANK_TWICE), Way("overlap", held.size, 1, ONE_BLANK), 0.0)
    return None


def _may_be_remark(held: Held, fragment: str) -> bool:
    """A sentence; or the beginning of one, in front of which the string has not begun, or stands inside a word."""
    stands = held.window.text[-1:]
    inside = stands == '"' or (stands.isalnum() and fragment[:1].isalnum())
    return envelope.is_sentence(fragment) or (inside and envelope.is_speech(fragment))


def is_no_key(held: Held, fragment: str) -> bool:
    """Would the open key become one of many words, unlike all keys so far?"""
    if held.expect not in (Expect.FIRST_KEY, Expect.KEY):
        return False
    known = [word for word, behind in zip(held.window.words, held.window.words[1:], strict=False) if behind == ":"]
    key = held.partial + fragment
    return bool(known) and len(key) > 2 * max(map(len, known)) and key.count(" ") > max(map(_count_spaces, known)) + 3


def _count_spaces(text: str) -> int:
    return text.count(" ")


def may_become_remark(held: Held, fragment: str) -> bool:
    """Is it words inside an open string that may turn out to be a sentence on its own, with more of it?"""
    short = len(fragment) <= LONGEST_REMARK and '"' not in fragment
    return held.in_string and short and envelope.begins_sentence(fragment)


def choose(candidates: Sequence[Candidate], on_doubt: OnDoubt) -> int:
    """The index of the candidate to take, of a seam in doubt; the first one is believed most.

    Raises `ChoiceError` for an answer that is none of them; what the caller's function raises goes through.
    """
    if callable(on_doubt):
        return _index_of(on_doubt(tuple(candidates)), candidates)
    best = candidates[0].score
    near = [
        at for at, one in enumerate(candidates) if one.legal and one.score >= best - NEAR and one.kind != "rejected"
    ]
    if on_doubt == "literal":
        return min(near, key=lambda at: _changed(candidates[at]), default=0)
    if on_doubt == "echo":
        return next((at for at in near if candidates[at].kind != "continue"), 0)
    return 0


def _changed(one: Candidate) -> tuple[int, int]:
    """Characters of what was delivered that a candidate leaves out, and that it adds to it."""
    return one.skip + one.replaced, len(one.insert)


def _index_of(answer: Any, candidates: Sequence[Candidate]) -> int:
    if isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < len(candidates):
        return answer
    for at, candidate in enumerate(candidates):
        if answer is candidate or answer == candidate:
            return at
    shown = repr(answer)[:80]
    raise ChoiceError(
        f"on_doubt answered {shown}", expected=f"one of the {len(candidates)} candidates, or its index from 0"
    )


def check_on_doubt(choice: Any) -> OnDoubt:
    """`choice`, if it is one. Raises `ChoiceError`."""
    if callable(choice) or choice in WORDS:
        checked: OnDoubt = choice
        return checked
    raise ChoiceError(f"on_doubt={choice!r} is not known", expected=f"{', '.join(map(repr, WORDS))} or a function")


def check_expected(word: Any) -> Expected:
    """`word`, if it is one. Raises `ChoiceError`."""
    if word in get_args(Expected):
        checked: Expected = word
        return checked
    raise ChoiceError(f"expect={word!r} is not known", expected=", ".join(map(repr, get_args(Expected))))

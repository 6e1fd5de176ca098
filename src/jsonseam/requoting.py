"""A string that is open at a seam and ends in another quote than began it, as the next answer is written otherwise.

Rule: of the quotes in the fragment that are no apostrophes, the first must end the string, by what stands behind it;
and the string holds none so far. Anything else, and the string ends as it was begun.
"""

from __future__ import annotations

import re
from typing import Final

from jsonseam import lexemes
from jsonseam.foresight import Foresight
from jsonseam.frames import Frames
from jsonseam.grammar import Expect
from jsonseam.lexemes import OPENER_OF
from jsonseam.reader import NeedMore, Reader
from jsonseam.sides import Held
from jsonseam.spelling import CLOSING, quote_kind
from jsonseam.spots import Mended, Spot

LONGEST: Final = 1024  # characters of a fragment in which the end of a string is waited for that was begun otherwise
LONGEST_STRING: Final = 4096  # characters of an open string; a longer one ends as it was begun
NONE: Final = -1
AS_IT_WAS_BEGUN: Final = Mended(0, "", ())
_OTHER_QUOTES: Final = frozenset("'“”„‘’`")
_OTHERS: Final = "'”`"  # what may end a string that was begun as JSON has it
_IS_TOLD: Final = re.compile(
    r"\s*(?:[:}\]]|,\s*[\"'“”‘`{\[\d-])"
)  # behind an apostrophe at the end of a word, nothing is
_MARK: Final = re.compile(r"""\\.|["'”’`]""", re.DOTALL)


def is_undecided(held: Held, begun_in: str, fragment: str) -> bool:
    """Could more of the fragment, which is not over, show in what quote the open string ends?"""
    if not held.in_string or len(fragment) >= LONGEST:
        return False
    return _other_end(held, begun_in, fragment, final=False) is None


def other_end(held: Held, begun_in: str, said: str, *, final: bool) -> Mended | None:
    """What a fragment comes to up to the mark that ends the open string; None if it ends in the quote that began it.

    Where it was not begun as JSON has it and ends so, nothing is mended in the fragment. Cost: LONGEST.
    """
    at = _other_end(held, begun_in, said, final=final) if held.in_string else NONE
    if at is None or at == NONE:
        return None
    if said[at] == '"':
        return AS_IT_WAS_BEGUN
    path = tuple(held.steps)
    return Mended(at + 1, said[:at] + '"', (Spot(quote_kind(said[at]), at, said[at], '"', path),))


def says_token(held: Held, fragment: str) -> int | None:
    """Where the string that was cut off begins again, in other quotes than JSON's; None if it does not begin so."""
    if not held.in_string:
        return None
    start = len(fragment) - len(fragment.lstrip())
    begun = held.partial[1:]
    is_other = fragment[start : start + 1] in _OTHER_QUOTES
    return start if is_other and len(begun) > 1 and fragment.startswith(begun, start + 1) else None


def _other_end(held: Held, begun_in: str, text: str, *, final: bool) -> int | None:
    """Where the mark stands that ends the string, if it is not in the quote that began it; None: undecided."""
    others = '"' if begun_in else _OTHERS
    if held.shortened or len(held.partial) > LONGEST_STRING or _holds_mark(held.partial, others):
        return NONE
    same, before = CLOSING[begun_in or '"'], len(held.partial)
    string = held.partial + text[:LONGEST]
    for mark in _MARK.finditer(string, before):
        at = mark.start()
        if mark[0] not in same + others or _is_apostrophe(string, at):
            continue
        if mark[0] == '"' and not begun_in:
            return NONE
        fits = _fits(held, string, at + 1, final=final)
        if fits is None:
            return None
        if mark[0] in others:
            return _believed(held, string, at, final=final, begun_in=begun_in, before=before) if fits else NONE
        if fits:
            return NONE
    return None if begun_in and not final else NONE


def _believed(held: Held, string: str, at: int, *, final: bool, begun_in: str, before: int) -> int | None:
    """Where the string ends, if a mark at `at` fits; where JSON began the string, it may still end as it was begun."""
    if begun_in:
        return at - before
    if lexemes.open_string_fault(string[:at], 0) is not None or not _IS_TOLD.match(string, at + 1):
        return NONE
    end = next((mark.end() for mark in _MARK.finditer(string, at) if mark[0] == '"'), 0)
    if not end:
        return at - before if final else None
    return NONE if _fits(held, string, end, final=True) else at - before


def _holds_mark(partial: str, others: str) -> bool:
    """Is one of the other marks in the open string already, in front of which another one may be its pair?"""
    if not any(mark in partial[1:] for mark in others):
        return False
    inside = partial[1:].replace('\\"', '"')
    marks = (mark.start() for mark in _MARK.finditer(inside) if mark[0] in others)
    return not all(_is_apostrophe(inside, at) for at in marks)


def _is_apostrophe(text: str, at: int) -> bool:
    return text[at] in "'’" and 0 < at < len(text) - 1 and text[at - 1].isalnum() and text[at + 1].isalnum()


def _fits(held: Held, text: str, at: int, *, final: bool) -> bool | None:
    """Does what stands behind the mark that ends at `at` follow a string of that place? None: undecided."""
    foresight = Foresight(Reader(text, final=final), Frames("".join(held.frames), after_value=False))
    is_key = held.expect in (Expect.KEY, Expect.FIRST_KEY)
    closer = text[at:].lstrip()[:1]
    if closer in OPENER_OF and held.frames[-1:] != [OPENER_OF[closer]]:
        return False
    try:
        return foresight.closes_at_first_sight(at, key=is_key) and foresight.follows(at, key=is_key)
    except NeedMore:
        return None

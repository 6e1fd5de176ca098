"""Two texts that began alike and part: how much of what follows is still the same, and what either has alone?

Rule: they are compared token by token as long as both have the same structure. Behind the place where that ends
nothing is compared any more, and every value there is news.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from jsonseam.grammar import SCALAR, STRING, Token, lex
from jsonseam.joining import begins, same_token

COMPARED: Final = 4096  # characters of either text
MOST_TOKENS: Final = 512


class Parting(NamedTuple):
    """Counts of values. `same`: alike on both sides, but for marks, blanks and capitals; `other`: at the same place,
    but not alike; `new`: only in the second text. `tokens`: so many are of one kind in both.

    `says_all`: the second text goes on to the end of the first one. `all_said`: the other way round.
    """

    same: int
    other: int
    new: int
    tokens: int
    says_all: bool
    all_said: bool


def compare(first: str, second: str) -> Parting:
    """Cost: COMPARED characters of the second text, and as many tokens of the first."""
    first, second = first[:COMPARED], second[:COMPARED]
    theirs, rest = lex(second, most=MOST_TOKENS)
    ours, tail = lex(first, most=len(theirs) + 1)
    same = other = at = 0
    for one, two in zip(ours, theirs, strict=False):
        if one.kind != two.kind:
            break
        at += 1
        if one.kind in (STRING, SCALAR):
            alike = _are_alike(first[one.start : one.end], second[two.start : two.end])
            is_key = theirs[at : at + 1] and theirs[at].kind == ":"
            same += alike and not is_key
            other += not alike
    says_all = at == len(ours) and _goes_on(first[tail:], second, theirs, at, rest)
    all_said = at == len(theirs) and _goes_on(second[rest:], first, ours, at, tail)
    return Parting(same, other, _values(theirs[at:]), at, says_all, all_said)


def count_gone(first: str, parting: Parting) -> int:
    """Values that only the first text has, behind the place where they part. Cost: COMPARED characters."""
    ours, _ = lex(first[:COMPARED], most=MOST_TOKENS)
    return _values(ours[parting.tokens :])


def _goes_on(partial: str, other: str, tokens: list[Token], at: int, tail: int) -> bool:
    """Does the other text say the unfinished token at the end of one, as its token `at` or at its own end?"""
    if not partial:
        return True
    word = other[tokens[at].start : tokens[at].end] if at < len(tokens) else other[tail:]
    return bool(word) and begins(partial, word)


def _are_alike(one: str, two: str) -> bool:
    if same_token(one, two):
        return True
    return one[0] == two[0] == '"' and _letters(one) == _letters(two) != ""


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _values(tokens: list[Token]) -> int:
    return sum(token.kind in (STRING, SCALAR) for token in tokens) - sum(token.kind == ":" for token in tokens)

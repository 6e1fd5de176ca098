"""A document closed where it was cut: its text, its value, and what that took.

Rule: nothing is changed by it. What completes the end is decided in `completion.py`; here it is put behind the text.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from jsonseam.completion import Ending, complete_end
from jsonseam.forgotten import guess_end, guess_member
from jsonseam.lexemes import WHITE_SPACE
from jsonseam.parser import Parser
from jsonseam.records import JsonValue, Repair
from jsonseam.standing import Limits
from jsonseam.structure import pointer
from jsonseam.writing import spell_held


class Finished(NamedTuple):
    """A document that was closed. `delivered`: where in it what came ends, and what closes it begins.

    `repairs`: what that took. `unsafe`: JSON Pointers of the value that the cut may have spoilt.
    """

    text: str
    value: JsonValue
    delivered: int
    repairs: list[Repair]
    unsafe: list[str]


def close(parser: Parser, *, guess: bool) -> Finished | None:
    """The document, closed where it was cut; None if there is none. Cost: what is held of it.

    `guess`: a string that ends as the document should is taken for one whose mark was forgotten.
    """
    ledger, behind = parser.ledger, parser.behind_stable()
    ending = complete_end(parser.tree.frames(), behind, parser.scanner.tail)
    if guess:
        ending = _guessed(ending, parser.scanner.tail.lstrip(WHITE_SPACE))
    settled = ledger.text
    kept = settled[: len(settled) - ending.drop]
    path = pointer(parser.steps())
    repairs = []
    given_up = settled[len(kept) :] + parser.scanner.tail
    if ending.kind:
        after = ending.keep.lstrip(WHITE_SPACE)
        offset = ledger.begins + len(kept) + len(ending.keep) - len(after)
        repairs.append(Repair(ending.kind, offset, path, given_up.strip(WHITE_SPACE), after.rstrip(WHITE_SPACE)))
    text = kept + ending.keep
    delivered = ledger.begins + len(text)
    if ending.closers:
        repairs.append(Repair("closed", delivered, "", "", ending.closers))
    whole = text + ending.closers
    if not whole.strip():
        return None
    spelled = whole
    if ledger.begins or parser.tree.left:  # what is held of the text is not what is left of the document; the tree is
        parser.view.hide(parser.tree)
        held, _ = spell_held(parser.tree, behind[: len(behind) - ending.drop])
        spelled = held + ending.keep + ending.closers
    return Finished(whole, value_of(spelled), delivered, repairs, [path] if ending.unsafe else [])


def _guessed(ending: Ending, token: str) -> Ending:
    """The ending, or another one where a mark was forgotten in the string that the text ends in."""
    if ending.kind == "cut-string" and (end := guess_end(ending.keep[:-1], ending.closers)) >= 0:
        return ending._replace(keep=ending.keep[:end] + '"', kind="unclosed-string")
    if ending.kind == "dangling-key" and (member := guess_member(token, ending.closers)):
        return Ending(0, member, ending.closers, "unclosed-string")
    return ending


def value_of(text: str) -> JsonValue:
    """The value of a whole document: what json.loads gives, and, for one that is too deep for it, what is read here."""
    try:
        return json.loads(text)
    except RecursionError:
        parser = Parser(Limits(max_depth=len(text), max_size=len(text), max_held=len(text)))
        parser.read(text)
        return parser.tree.holder[0]

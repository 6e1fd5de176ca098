"""The end of a document that was cut: what the parser holds, closed as `completion.py` says, and what it spells."""

from __future__ import annotations

import json
from typing import NamedTuple

from jsonseam.completion import complete_end
from jsonseam.parser import Limits, Parser
from jsonseam.records import JsonValue, Repair
from jsonseam.structure import pointer


class Finished(NamedTuple):
    """A document that was closed: `delivered` characters of its `text` came, the rest closes it.

    `repairs`: what that took. `unsafe`: JSON Pointers of the value that the cut may have spoilt.
    """

    text: str
    delivered: int
    repairs: list[Repair]
    unsafe: list[str]


def close(parser: Parser) -> Finished:
    """The document, closed where it was cut. Cost: the document."""
    ending = complete_end(parser.tree.frames(), parser.behind_stable(), parser.scanner.tail)
    kept = parser.ledger.text[: parser.ledger.size - ending.drop]
    path = pointer(parser.steps())
    repairs = []
    given_up = parser.ledger.text[len(kept) :] + parser.scanner.tail
    if ending.kind:
        after = ending.keep.lstrip(" \t\r\n")
        offset = len(kept) + len(ending.keep) - len(after)
        repairs.append(Repair(ending.kind, offset, path, given_up.strip(" \t\r\n"), after.rstrip(" \t\r\n")))
    text = kept + ending.keep
    if ending.closers:
        repairs.append(Repair("closed", len(text), "", "", ending.closers))
    return Finished(text + ending.closers, len(text), repairs, [path] if ending.leaf else [])


def value_of(text: str) -> JsonValue:
    """The value of a whole document: what json.loads gives, and, for one that is too deep for it, what is read here."""
    try:
        return json.loads(text)
    except RecursionError:
        parser = Parser(Limits(max_depth=len(text), max_size=len(text), max_held=len(text)))
        parser.read(text)
        return parser.tree.holder[0]

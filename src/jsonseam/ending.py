"""The end of a document that was cut: what the parser holds, closed as `completion.py` says, and what it spells."""

from __future__ import annotations

import json

from jsonseam.completion import Finished, complete_end
from jsonseam.parser import Limits, Parser
from jsonseam.records import JsonValue, Repair
from jsonseam.structure import pointer


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

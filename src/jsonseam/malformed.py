"""What becomes of text in which strict reading stopped: it ends the answer, begins the document again, was escaped
as a whole, or is mended.

Rule: a verdict on a text holds for every longer one that begins with it, so one that more text could change is put off.
Nothing here changes the parser; `intake.py` carries out what is decided.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from jsonseam import envelope, remarks, unescaping
from jsonseam.errors import MalformedError
from jsonseam.mending import mend_text
from jsonseam.parser import Parser
from jsonseam.records import JsonValue
from jsonseam.spots import Mended, Spot
from jsonseam.structure import pointer

FRONT = 256  # characters in front of a fault in which a bracket is looked for, and what stands before it
SIBLINGS = 8  # items in front of it
UNKNOWN = -1  # the place of a fault that more text may move
ROOT_OPENED = Mended(0, "{", (Spot("missing-open", 0, "", "{", ()),))  # in front of members that nothing opened


class Verdict(NamedTuple):
    """ "wait" until `at` characters are held; a "restart" of the document at `at`; or else "mend".

    "over": a fence, or a remark, at `at` shows that from there on this is no data any more; a place in front of the
    text is where a bracket of words begins that was taken for an array. "escaped": from `at` on,
    one level of escapes is too many.
    """

    kind: Literal["wait", "over", "restart", "escaped", "mend"]
    at: int = 0


_MEND = Verdict("mend")


def judge(parser: Parser, text: str, fault: int, restarted_at: int, *, final: bool) -> Verdict:
    """What the text behind what is settled is, in which `fault` (or UNKNOWN) is the first character that is wrong.

    `restarted_at`: where a restart was found before; it is not found there again. Cost: the text up to the fault.
    """
    if fault == UNKNOWN:
        fault, _ = parser.fault_in(text)
    fence = envelope.closing_fence(text, fault, begins_line=not parser.size, final=final)
    if fence is None:
        return Verdict("wait", len(text) + 1)
    if fence >= 0:
        return Verdict("over", fence)
    opened = _remark_opened(parser, text, final=final)
    if opened is None:
        return Verdict("wait", len(text) + 1 + len(text) // 4)
    if opened:
        return Verdict("over", opened)
    in_object = parser.tree.frames()[-1:] == ["{"]
    remark = remarks.remark_starts(text, fault, parser.ledger.last, in_object=in_object, final=final)
    if remark is None:
        return Verdict("wait", len(text) + 1 + len(text) // 4)
    if remark >= 0:
        return Verdict("over", remark)
    if fault and text[fault - 1] == '"':
        restart = envelope.restart_inside(text, fault, _head(parser, text), final=final)
        if restart is None:
            return Verdict("wait", len(text) + 1)
        if restart >= 0 and parser.size + restart > restarted_at:
            return Verdict("restart", restart)
    if text.startswith("\\", fault) and parser.size <= unescaping.LONGEST_HEAD:
        escaped = unescaping.begins_escaped(parser.text, text, fault, final=final)
        if escaped is None:
            return Verdict("wait", len(text) + 1)
        if escaped:
            return Verdict("escaped", fault)
    return _MEND


def _remark_opened(parser: Parser, text: str, *, final: bool) -> int | None:
    """How far in front of the text a remark in brackets begins, [truncated], whose bracket was read as an array's.

    As a number below 0; 0 if none does, None while that is undecided. Where an item of the array around it is an array
    of strings, this is one more.
    """
    ledger, nodes = parser.ledger, parser.tree.nodes()
    if ledger.last != "[" or len(nodes) < 2 or nodes[-1] or text[:1].isspace():
        return 0
    around = nodes[-2]
    if isinstance(around, list) and any(map(_holds_strings, around[-SIBLINGS - 1 : -1])):
        return 0
    front = ledger.since(max(ledger.begins, ledger.size - FRONT))
    if not front.endswith("["):
        return 0
    start: int | None = remarks.remark_starts(front + text, len(front) - 1, "", in_object=False, final=final)
    if start is None:
        return None
    return min(0, start - len(front)) if start >= 0 else 0


def _holds_strings(item: JsonValue) -> bool:
    return isinstance(item, list) and any(isinstance(one, str) for one in item)


def refusal(parser: Parser, text: str) -> MalformedError:
    """The error for text behind what is settled that is not mended: of one text the same, whenever it is refused."""
    at, expected = parser.fault_in(text)
    path = pointer(parser.steps())
    return MalformedError("the text is not JSON", offset=parser.size + at, path=path, expected=expected)


def _head(parser: Parser, text: str) -> str:
    """How the document begins."""
    head = parser.ledger.head(envelope.LONGEST_HEAD)
    return head if parser.size >= envelope.LONGEST_HEAD else head + text


def mend(parser: Parser, text: str, *, final: bool) -> Mended | None:
    """Strict JSON for the first faulty spot of the text; None if that cannot be decided yet, never if `final`."""
    tree = parser.tree
    frames, steps, items = "".join(tree.frames()), tree.steps(), tree.length(tree.node)
    after_value = parser.ledger.last not in ("", "{", "[")
    # Final or not, what can be decided without the end is decided without it, or chunks would make a difference.
    like = tree.likely_keys
    mended = mend_text(text, frames, after_value, final=False, steps=steps, items=items, likely_keys_of=like)
    if mended.spots or not final:
        return mended if mended.spots else None
    fence = envelope.FENCE_AT_END.search(text)  # no text, though a string may be open
    said = text[: fence.start()] if fence and fence.start() else text
    return mend_text(said, frames, after_value, final=True, steps=steps, items=items, likely_keys_of=like)

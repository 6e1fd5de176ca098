"""The answers of one conversation to the one row that tells what became of them.

Rule: whatever the answers are, there is a row. A conversation whose answers cannot be put in order is not joined at
all: a document with a gap in it that nobody sees is worse than none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from jsonseam import Accumulator, Document, JsonSeamError, MalformedError

MOST_TOLD: Final = 3  # faults that are told in words
MOST_SHOWN: Final = 60  # characters of a value in one of them


class Answer(NamedTuple):
    """One row of the input. `sequence` is as it was spelled; `fault` says why the row could not be read."""

    sequence: str | None
    text: bytes | None
    fault: str | None = None


def stitch(conversation: str | None, answers: Sequence[Answer], *, strict: bool = False) -> dict[str, Any]:
    """The row of `SCHEMA` for one conversation; the order of `answers` does not matter. Cost: their text."""
    fault = nameless(answers) if conversation is None else fault_of(answers)
    if fault is not None:
        return row(conversation, None, False, fault, fault)
    try:
        return _join(conversation, [text_of(answer) for answer in in_order(answers)], strict=strict)
    except Exception as error:  # one conversation that finds a defect must not cost the million beside it
        told = f"a defect of jsonseam: {type(error).__name__}: {error}"
        return row(conversation, None, False, told, told)


def _join(conversation: str | None, texts: Iterable[str | bytes], *, strict: bool) -> dict[str, Any]:
    accumulator = Accumulator(strict=strict)
    error: JsonSeamError | None = None
    document: Document | None = None
    try:
        for text in texts:
            accumulator.add(text)
    except JsonSeamError as failure:
        error = failure
    try:
        document = None if isinstance(error, MalformedError) else accumulator.finish()
    except JsonSeamError as failure:
        error = error or failure
    if error is not None or document is None:
        return row(conversation, document, False, str(error), str(error))
    return row(conversation, document, document.complete, reason_of(accumulator, document), None)


def reason_of(accumulator: Accumulator, document: Document) -> str:
    """Why the document is as it is, in a word or a clause."""
    if document.complete:
        return "complete"
    if not accumulator.depth:
        mended = accumulator.status == "malformed"
        return "closed by a mend, not by what was delivered" if mended else "cut inside its only value"
    containers = "1 container" if accumulator.depth == 1 else f"{accumulator.depth} containers"
    return f"cut in {accumulator.path or 'the root'}, with {containers} open"


def row(
    conversation: str | None, document: Document | None, complete: bool, reason: str, error: str | None
) -> dict[str, Any]:
    return {
        "conversation": conversation,
        "document": None if document is None else storable(document.text),
        "complete": complete,
        "reason": storable(reason),
        "seams": [_storable_record(seam) for seam in document.seams] if document else [],
        "repairs": [_storable_record(repair) for repair in document.repairs] if document else [],
        "unsafe": [storable(path) for path in document.unsafe] if document else [],
        "error": None if error is None else storable(error),
    }


def _storable_record(record: Any) -> dict[str, Any]:
    return {name: storable(value) if isinstance(value, str) else value for name, value in asdict(record).items()}


def storable(text: str) -> str:
    """Text that UTF-8 can hold; a lone surrogate as the JSON escape that it is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


def text_of(answer: Answer) -> str | bytes:
    """Bytes only where they are no text: the accumulator mends what was cut within a character."""
    text = answer.text or b""
    try:
        return text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return text


def whole_number(spelled: str) -> int | None:
    """`7`, `7.0` and `7e0` are 7; None for what is no whole number."""
    try:
        return int(spelled)
    except ValueError:
        pass
    try:
        number = float(spelled)
    except ValueError:
        return None
    return int(number) if number.is_integer() else None


def in_order(answers: Iterable[Answer]) -> list[Answer]:
    """By sequence; only for answers without a fault."""
    return sorted(answers, key=lambda answer: whole_number(answer.sequence or "") or 0)


def nameless(answers: Sequence[Answer]) -> str:
    """What is said of rows that belong to no conversation; all of them are one row of the output."""
    faults = sorted({answer.fault for answer in answers if answer.fault is not None})
    what = "1 row names no conversation" if len(answers) == 1 else f"{len(answers)} rows name no conversation"
    return f"{what}{_listed(faults)}"


def fault_of(answers: Sequence[Answer]) -> str | None:
    """Why these answers cannot be put in order, or None. It is the same in whichever order they come."""
    faults = sorted({answer.fault for answer in answers if answer.fault is not None})
    if faults:
        return f"a row cannot be read{_listed(faults)}"
    missing = sum(answer.sequence is None for answer in answers)
    if missing:
        return f"{_of(missing, len(answers))} no sequence number"
    numbers = [whole_number(answer.sequence or "") for answer in answers]
    strange = sorted({answer.sequence or "" for answer, number in zip(answers, numbers, strict=True) if number is None})
    if strange:
        shown = ", ".join(repr(spelled[:MOST_SHOWN]) for spelled in strange[:MOST_TOLD])
        return f"sequence is no whole number: {shown}"
    twice = sorted(number or 0 for number, times in Counter(numbers).items() if times > 1)
    if twice:
        return f"more than one row has sequence {', '.join(str(number) for number in twice[:MOST_TOLD])}"
    empty = sorted(number or 0 for answer, number in zip(answers, numbers, strict=True) if answer.text is None)
    if empty:
        return f"there is no text at sequence {', '.join(str(number) for number in empty[:MOST_TOLD])}"
    return None


def _of(number: int, total: int) -> str:
    return f"{number} of {total} rows {'has' if number == 1 else 'have'}"


def _listed(faults: Sequence[str]) -> str:
    if not faults:
        return ""
    more = f"; and {len(faults) - MOST_TOLD} more" if len(faults) > MOST_TOLD else ""
    return f": {'; '.join(faults[:MOST_TOLD])}{more}"

"""A thought that an answer was cut in, <think>perhaps {"a": 9}: what is drafted in it is not the document.

Rule: as long as a thought is not closed the next answer may go on with it, so nothing of it is believed. What it comes
to all the same is a document that stands there without a word of thinking, that is too long for a draft, or that the
next answer finishes; or the next answer is the document.
"""

from __future__ import annotations

import re
from typing import Final

from jsonseam import envelope, grammar, tags
from jsonseam.sides import Held

MOST_WAITED: Final = 1024  # characters without a quote inside an open string: they are its text
NOT_CLOSED: Final = "it begins with a thought that is not closed"
TOO_LONG: Final = 1024  # characters of JSON at the end of an answer, from which on it is no draft

_ONLY_WRAPPING: Final = re.compile(r"(?:\s|(?:```|~~~)[\w+.-]*)*\Z")
_LEADS_IN: Final = re.compile(r"[:：]\s*\n\s*\Z")


def is_open(text: str) -> bool:
    """Does a first answer begin with a thought that is not closed?"""
    return _opened(text) is not None


def _opened(text: str) -> re.Match[str] | None:
    return tags.THOUGHT.match(text, tags.skip_thoughts(text, final=True) or 0)


def is_no_data(held: Held, fragment: str, literal_fault: int | None) -> bool:
    """Is a fragment that is a thought, not closed so far, no text of an open string either?"""
    return not (held.in_string and (literal_fault is None or envelope.closes_string(fragment)))


def may_be_no_data(held: Held, fragment: str) -> bool:
    """Is it such a fragment inside an open string, but for a quote that may come?"""
    return held.in_string and is_open(fragment) and len(fragment) < MOST_WAITED and '"' not in fragment


def document_in(text: str, begins: int, *, last: bool) -> int | None:
    """Where in a thought that is not closed the document begins, with what the newest answer, from `begins` on, says.

    None if it may go on. `last`: no answer comes any more; `envelope.NOTHING`, if there is no document then.
    """
    drafted = envelope.find_document(text[:begins] if begins else text, final=True)
    is_drafted = drafted is not None and drafted >= 0
    if not begins:
        return drafted if last or (is_drafted and _is_no_draft(text, drafted or 0)) else None
    if is_drafted and _is_finished_by(text, drafted or 0, begins):
        return drafted
    newest = text[begins:]
    said = envelope.find_document(newest, final=True)
    if said is not None and said >= 0 and (last or _is_answer(newest, said)):
        return begins + said
    return drafted if last else None


def is_draft(text: str, start: int) -> bool:
    """Is the JSON at `start` no more than a draft in a thought that is not closed?"""
    return is_open(text[:start]) and not _is_no_draft(text, start)


def _is_no_draft(text: str, start: int) -> bool:
    """Does the JSON at `start` go to the end of the answer, and is it long, or all that stands in the thought?"""
    reading = grammar.read(text, at=start)
    to_the_end = reading.fault is None if reading.end is None else _is_wrapping(text[reading.end :])
    opened = _opened(text)
    alone = opened is not None and _is_wrapping(text[opened.end() : start])
    return to_the_end and (alone or len(text) - start >= TOO_LONG)


def _is_finished_by(text: str, start: int, begins: int) -> bool:
    """Does the text from `begins` on close, to the letter, the container that is begun at `start`, and say no more?"""
    begun, whole = grammar.read(text[:begins], at=start), grammar.read(text, at=start)
    is_open = begun.fault is None and begun.end is None
    return is_open and whole.end is not None and envelope.is_remark(text[whole.end :])


def _is_answer(text: str, start: int) -> bool:
    """Is the JSON at `start` what the text is about: nothing thought in front of it, and nothing said behind?"""
    front = text[:start]
    if not (_is_wrapping(front) or envelope.FENCE.search(front) or _LEADS_IN.search(front)):
        return False
    reading = grammar.read(text, at=start)
    return reading.end is None or _is_wrapping(text[reading.end :])


def _is_wrapping(text: str) -> bool:
    return _ONLY_WRAPPING.match(text) is not None

r"""An escape that the cut went through: the fragment goes on inside it, says it again, or says its character plainly.

Rule: `\` and `\n` together are an escaped backslash and an n, and as well a line break of which the half was said
twice. JSON allows both, so it is told by what the document escapes elsewhere, and is in doubt where it does neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import log
from typing import Final

from jsonseam import lexemes
from jsonseam.joining import Way
from jsonseam.sides import Held, Piece
from jsonseam.spelling import escaped_control

ESCAPED_AGAIN: Final = "the escape that was cut in two is said again"
SAID_PLAINLY: Final = "the character whose escape was cut off is said plainly"
A_BACKSLASH: Final = 0.05  # how often a document is thought to escape one that has not done it so far
THE_SAME: Final = 0.2  # how often it is thought to have this escape, if it had none so far
A_RUN: Final = 2.0  # nats for the reading in which a run of backslashes is escaped ones and nothing else
A_STRAY: Final = 8.0  # nats against a half escape that is dropped where backslashes mean themselves

_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_BACKSLASHES: Final = re.compile(r"\\+")
_SAID_AGAIN: Final = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_DRIVE: Final = re.compile(r"(?:\A|[^A-Za-z])[A-Za-z]:\Z")


def halves(held: Held, piece: Piece) -> Iterator[Way]:
    """At most one way. Cost: nothing where no escape is open, or else the window."""
    half = half_escape(held.partial)
    if not half:
        return
    text, start = piece.text, piece.start
    if half == "\\" and _SAID_AGAIN.match(text, start):
        yield Way("overlap", held.size, start + 1, ESCAPED_AGAIN, gain=_again(held, text, start), detail="escape")
    elif _escape_of(text[start : start + 1]).startswith(half.lower()):
        cost = A_STRAY if half == "\\" and _counts(held, text, start, "\\") else 0.0
        yield Way("resume", held.size - len(half), start, SAID_PLAINLY, cost=cost, gain=1.0, detail="escape")


def half_escape(partial: str) -> str:
    """What of an unfinished string is the beginning of an escape, or of a pair of them; "" for none."""
    if not partial.startswith('"') or "\\" not in partial:
        return ""
    return partial[1 + lexemes.decided_part(partial[1:]) :]


def _again(held: Held, text: str, start: int) -> float:
    """Nats by which an escape that is said again is more likely than an escaped backslash in front of its letter."""
    run = _BACKSLASHES.match(text, start)
    length = run.end() - start if run else 0
    if length > 1:
        return A_RUN if length % 2 == 0 else -A_RUN
    letter = text[start + 1]
    same = _counts(held, text, start, letter) + (letter == "u")  # nobody writes out the name of a character
    backslashes = _counts(held, text, start, "\\") + bool(_DRIVE.search(held.window.text[-4:-1]))
    return log((same + THE_SAME) / (backslashes + A_BACKSLASH))


def _counts(held: Held, text: str, start: int, letter: str) -> int:
    """How often the window and the fragment behind the seam escape that letter."""
    known, ahead = held.window.text[:-1], text[start + 2 : start + len(held.window.text) + 2]
    return sum(found == letter for found in (*_ESCAPE.findall(known), *_ESCAPE.findall(ahead)))


def _escape_of(character: str) -> str:
    """How JSON escapes a character that is mostly escaped, in small letters; "" for another."""
    if not character or " " <= character < "\x7f":
        return ""
    if character < " ":
        return escaped_control(character)
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))

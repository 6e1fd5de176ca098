"""How many values of a document are finished, told from its text when somebody asks.

Rule: nothing is counted while reading. The ledger keeps what was counted with its place, and forgets it with what is
taken back, so a question costs the text that came since the last one.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from jsonseam.ledger import Counted, Ledger
from jsonseam.lexemes import WHITE_SPACE, WHITE_SPACE_BYTES, blank_escapes

PORTION: Final = 1 << 15  # characters that are counted at once, from the end on
# Openers and closers of both kinds alike, and one letter for all that scalars are made of.
_SHAPES: Final = bytes({91: 123, 93: 125}.get(byte, byte if byte in b"{},:" else ord("s")) for byte in range(256))


def finished_values(ledger: Ledger) -> int:
    """Values that the settled text finishes: scalars with a delimiter behind them, and containers that closed."""
    known = ledger.counted[-1]
    if known.size == ledger.size:
        return known.values
    values = known.values + _finished_in(ledger.since(known.size), known.last)
    ledger.count(Counted(ledger.size, values, ledger.last))
    return values


def finishes_more_than(ledger: Ledger, values: int) -> bool:
    """Does the settled text finish more values than that? Cost: the text from its end on that finishes as many."""
    known = ledger.counted[-1]
    found, end = known.values, ledger.size
    while found <= values and end > known.size:
        begin = max(known.size, ledger.mark_before(end - PORTION).offset)
        found += _finished_in(ledger.part(begin, end - begin), known.last if begin == known.size else "")
        end = begin
    return found > values


def count_up_to(ledger: Ledger, offset: int) -> None:
    """Count what the text in front of `offset` finishes, before it is forgotten; what was counted earlier goes with it.

    Cost: the text that was not counted yet.
    """
    at = bisect_right(ledger.counted, offset, key=_size_of)
    known = ledger.counted[at - 1]
    text = ledger.since(known.size)[: offset - known.size]
    last = text.rstrip(WHITE_SPACE)[-1:] or known.last
    counted = Counted(offset, known.values + _finished_in(text, known.last), last)
    ledger.counted = [counted, *ledger.counted[at:]]


def _size_of(counted: Counted) -> int:
    return counted.size


def _finished_in(text: str, before: str) -> int:
    """How many values this settled text finishes; `before` is the last significant character in front of it."""
    outside = "0".join(blank_escapes(text).split('"')[::2])
    shapes = (before + outside).encode().translate(_SHAPES, WHITE_SPACE_BYTES)
    closed_before = before in ("}", "]")
    return shapes.count(b"}") - closed_before + shapes.count(b"s,") + shapes.count(b"s}")

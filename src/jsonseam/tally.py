"""How many values of a document are finished, told from its text when somebody asks.

Rule: nothing is counted while reading. The ledger keeps what was counted with its place, and forgets it with what is
taken back, so a question costs the text that came since the last one.
"""

from __future__ import annotations

import re
from typing import Final

from jsonseam.ledger import Counted, Ledger

_SPACE: Final = b" \t\r\n"
_SCALAR_END: Final = re.compile(rb"[^{}\[\],:][,}\]]")


def finished_values(ledger: Ledger) -> int:
    """Values that the settled text finishes: scalars with a delimiter behind them, and containers that closed."""
    known = ledger.counted[-1]
    if known.size == ledger.size:
        return known.values
    values = known.values + _finished_in(ledger.since(known.size), known.last)
    ledger.counted.append(Counted(ledger.size, values, ledger.last))
    return values


def _finished_in(text: str, before: str) -> int:
    """The same of settled text, `before` being the last significant character in front of it."""
    if "\\" in text:
        text = text.replace("\\\\", "__").replace('\\"', "__")
    outside = "0".join(text.split('"')[::2]).encode().translate(None, _SPACE)
    closers = outside.count(b"}") + outside.count(b"]")
    return closers + len(_SCALAR_END.findall(before.encode() + outside))

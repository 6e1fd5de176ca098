"""Forgotten: the text ends in a string that ends in the very closers of the document. Was its mark forgotten?

Rule: it was, if the closers are those of all containers that are open, none too many, and nothing in the string opens
what they close. A cut would have to fall by chance where all of that is so. A typographic mark in front of them that
nothing opens was to be that mark.
"""

from __future__ import annotations

import re
from typing import Final

from jsonseam.lexemes import CLOSER_OF, WHITE_SPACE

_SCALAR = r"(?:-?\d{1,64}+(?:\.\d{1,64}+)?|true|false|null)"
_MEMBER: Final = re.compile(rf'("[\w$.\-]{{1,64}}+)[\'”]?+[ \t]*+(:\s*+{_SCALAR})(?=[\s}}\]])')


def guess_end(string: str, closers: str) -> int:
    """Where a string that the text ends in was meant to end: in front of `closers`, which close the document; or -1.

    Cost: the string.
    """
    if not closers or not string.rstrip().endswith(closers[-1]):
        return -1
    end = len(string.rstrip("}]" + WHITE_SPACE))
    if "".join(string[end:].split()) != closers:
        return -1
    opens = any(string.count(opener, 0, end) > string.count(closer, 0, end) for opener, closer in CLOSER_OF.items())
    if opens:
        return -1
    curly = string[end - 1] == "”" and string.count("”", 0, end) > string.count("“", 0, end) + string.count("„", 0, end)
    return end - curly


def guess_member(string: str, closers: str) -> str:
    """The member that a key which the text ends in was meant to be, `"b: 2}` as `"b": 2`; "" if there is none in it."""
    end = guess_end(string, closers)
    found = _MEMBER.match(string) if end > 0 else None
    return f'{found[1]}"{found[2]}' if found and not string[found.end() : end].strip() else ""

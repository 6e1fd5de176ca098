"""Forgotten: the text ends in a string that ends in the very closers of the document. Was its mark forgotten?

Rule: it was, if the closers are those of all containers that are open, none too many, and nothing in the string opens
what they close. A cut would have to fall by chance where all of that is so. A typographic mark in front of them that
nothing opens was to be that mark.
"""

from __future__ import annotations

import re
from typing import Final

from jsonseam.lexemes import CLOSER_OF

_CLOSERS: Final = re.compile(r"[}\]\s]+\Z")
LONGEST: Final = 4096  # characters of white space and closers


def guess_end(string: str, closers: str) -> int:
    """Where a string that the text ends in was meant to end: in front of `closers`, which close the document; or -1.

    Cost: the string.
    """
    if not closers or not string.rstrip().endswith(closers[-1]):
        return -1
    begin = max(0, len(string) - LONGEST)
    run = _CLOSERS.search(string, begin)
    if run is None or "".join(run[0].split()) != closers:
        return -1
    end = run.start()
    opens = any(string.count(opener, 0, end) > string.count(closer, 0, end) for opener, closer in CLOSER_OF.items())
    if opens:
        return -1
    curly = string[end - 1] == "”" and string.count("”", 0, end) > string.count("“", 0, end) + string.count("„", 0, end)
    return end - curly

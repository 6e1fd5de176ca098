"""Tripling: a string in three quotes on each side, as Python has it, rewritten as a strict one.

Rule: it ends at the first three quotes behind which the document goes on, within LONGEST characters; what looks like an
end and is none is text.
"""

from __future__ import annotations

import re

from jsonseam.foresight import Foresight
from jsonseam.lexemes import lone_surrogate
from jsonseam.reader import Reader
from jsonseam.spelling import escaped_control
from jsonseam.spots import Note, Quoted

LONGEST = 4096  # characters
PATIENCE = 8  # places that look like the end

_INSIDE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})|\\|"|[\x00-\x1f]')


def read_tripled(reader: Reader, foresight: Foresight, at: int, *, key: bool) -> Quoted | None:
    """The string in three quotes on each side, as Python has it, if one begins at `at` and its end fits."""
    if reader.char(at + 1) != '"' or reader.char(at + 2) != '"':
        return None
    end = at
    for _ in range(PATIENCE):  # one that does not fit is the text's
        end = reader.text.find('"""', max(end, at) + 3, at + 3 + LONGEST)
        if end < 0:
            reader.char(at + 2 + LONGEST)  # it may still come
            return None
        while reader.char(end + 3) == '"':
            end += 1  # the last three of several are the end
        if foresight.follows(end + 3, key=key):
            strict = f'"{_INSIDE.sub(_spelled, reader.text[at + 3 : end])}"'
            if lone_surrogate(strict):
                return None
            return Quoted(end + 3, strict, [Note("triple-quotes", 0, reader.text[at : end + 3], strict)])
    return None


def _spelled(found: re.Match[str]) -> str:
    """What stands for a character that may not stand in a strict string; a whole escape stands for itself."""
    raw = found[0]
    if raw[0] == "\\":
        return raw if len(raw) > 1 else "\\\\"
    return '\\"' if raw == '"' else escaped_control(raw)

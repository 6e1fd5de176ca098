"""Two texts of one document, told to be the same a stretch at a time, whatever their layout and escapes.

Rule: what is found the same here is the same, token by token; nothing is found to differ. Both sides are parted at
their quotes: what stands in strings must be equal as it is spelled or as it is decoded, what stands outside without
its white space. It is done in bytes, which Python parts and joins several times as fast as characters.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from jsonseam.lexemes import SPACES, WHITE_SPACE_BYTES
from jsonseam.sides import Text

PORTION: Final = 2048  # characters of the document that are read at once
_GAP: Final = re.compile(SPACES.encode())
_SCALARS: Final = b"0123456789+-.eEtrualsfnNIity"  # what numbers and literals are made of
_SHAPES: Final = bytes(
    ord(" ") if byte in WHITE_SPACE_BYTES else ord("s" if byte in _SCALARS else ".") for byte in range(256)
)
_SCALARS_APART: Final = re.compile(b"s +s")
_GOING_ON: Final = bytes(range(0x80, 0xC0))  # every byte of a character but its first
# What stands for an escaped backslash and an escaped quote: as long, and in no text.
_BACKSLASH, _QUOTE = b"\xff\xff", b"\xff\xfe"


class Stretch:
    """The document from character `at` on, where two tokens meet, parted as far as it was read."""

    __slots__ = ("_pieces", "_until", "at")

    def __init__(self, at: int) -> None:
        self.at = self._until = at
        self._pieces = [b""]  # outside, inside, outside, ...

    def follow(self, text: str, document: Text) -> tuple[int, bool]:
        """How many characters of a text say what stands here again, and whether the rest may turn out to.

        `text` begins between two tokens, and so does the rest; this moves behind what is said. Cost: the text.
        """
        said = _part(text)
        last = (len(said) - 1) // 2 * 2  # what stands behind the last whole string
        whole = said[last].rstrip(WHITE_SPACE_BYTES + _SCALARS)
        rest, begun = said[last][len(whole) :], said[last + 1 :]
        said[last] = whole
        used = len(text) - _characters(b'"'.join([rest, *begun]))
        if used and not self._pass(said[: last + 1], used, document):
            return 0, False
        return used, self._may_go_on(rest.translate(None, WHITE_SPACE_BYTES), begun, document)

    def _pass(self, said: list[bytes], used: int, document: Text) -> bool:
        """Move behind what is said with so many characters, if that is what stands here."""
        last = len(said) - 1
        outside = b'"'.join(said[::2])
        squeezed = outside.translate(None, WHITE_SPACE_BYTES)
        here = there = b""
        while len(self._pieces) <= last or len(there) < len(squeezed):
            if len(self._pieces) > last:
                here = b'"'.join(self._pieces[0 : last + 1 : 2])
                there = here.translate(None, WHITE_SPACE_BYTES)
                if len(there) >= len(squeezed):
                    break
                if len(self._pieces) > last + 1:
                    return False  # the same strings end here, and less stands between them, however far one reads
            if not self._read_on(document):
                return False
        if not there.startswith(squeezed) or _has_scalars_apart(outside):
            return False
        pieces = self._pieces
        inside, known = said[1::2], pieces[1:last:2]
        if inside != known:
            others = [pair for pair in zip(known, inside, strict=True) if pair[0] != pair[1]]
            if not _decode_alike(others):
                return False
            used += sum(_characters(one) - _characters(other) for one, other in others)
        behind = pieces[last][_behind(pieces[last], len(squeezed) - squeezed.rfind(b'"') - 1) :]
        self.at += used - len(outside) + len(here) - len(behind)  # what stands outside is ASCII
        pieces[: last + 1] = [behind]
        return True

    def _may_go_on(self, outside: bytes, begun: list[bytes], document: Text) -> bool:
        """May a few scalars, and the string that is `begun` behind them, turn out to be what stands here?"""
        while True:
            there, *strings = self._pieces[:3]
            there = there.translate(None, WHITE_SPACE_BYTES)
            if strings:
                told = not begun or len(strings) > 1 or len(strings[0]) >= len(begun[0])
            else:
                told = len(there) > len(outside)
            if told:
                break
            if not self._read_on(document):
                return False
        if not begun:
            return there.startswith(outside)
        return there == outside and strings[0].startswith(begun[0])

    def _read_on(self, document: Text) -> bool:
        """Read more of the document, as much again as is held; False where there is no more."""
        text = document.part(self._until, max(PORTION, self._until - self.at))
        self._until += len(text)
        self._pieces[-1:] = _part(text, self._pieces[-1])
        return bool(text)


def _part(text: str, before: bytes = b"") -> list[bytes]:
    """Cut at the quotes that begin and end strings. `before`: a piece that goes on with the text."""
    data = before + text.encode("utf-8", "surrogatepass")
    if b"\\" in data:
        if b"\\\\" in data:
            data = data.replace(b"\\\\", _BACKSLASH)
        if b'\\"' in data:
            data = data.replace(b'\\"', _QUOTE)
    return data.split(b'"')


def _has_scalars_apart(outside: bytes) -> bool:
    """Is there white space between two scalars? Without it they would read as one."""
    return _SCALARS_APART.search(outside.translate(_SHAPES)) is not None


def _decode_alike(pairs: list[tuple[bytes, bytes]]) -> bool:
    """Are the strings of each pair the same, escaped in another way?"""
    decoded = _decoded([pair[0] for pair in pairs])
    return decoded is not None and decoded == _decoded([pair[1] for pair in pairs])


def _decoded(strings: list[bytes]) -> list[Any] | None:
    """The values of strings; None where one of them is no JSON."""
    spelled = b'["' + b'","'.join(strings) + b'"]'
    if b"\xff" in spelled:
        spelled = spelled.replace(_BACKSLASH, b"\\\\").replace(_QUOTE, b'\\"')
    try:
        return list(json.loads(spelled))
    except ValueError:
        return None


def _characters(data: bytes) -> int:
    return len(data) if data.isascii() else len(data.translate(None, _GOING_ON))


def _behind(piece: bytes, count: int) -> int:
    """Where the first `count` bytes end that are no white space."""
    at = 0
    while count:
        gap = _GAP.match(piece, at)
        at = gap.end() if gap else at
        step = piece[at : at + count]
        count -= len(step.translate(None, WHITE_SPACE_BYTES))
        at += len(step)
    return at

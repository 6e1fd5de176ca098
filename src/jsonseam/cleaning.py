"""Bytes or text in, clean text out: nothing that is not a character of the answer gets further than this.

UTF-8 that is cut between chunks waits for its rest; bytes that are no UTF-8 become U+FFFD. Halves of a surrogate
pair that come in two chunks are joined, a half that has no mate becomes U+FFFD. A byte order mark at the start of
a fragment is a mark and goes; a NUL is transport damage and goes. All but the mark is reported.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from typing import NamedTuple

from jsonseam import lexemes
from jsonseam.lexemes import REPLACEMENT

BOM = "\ufeff"
CLEANED = frozenset({"invalid-utf8", "lone-surrogate", "nul"})  # the kinds of stains


class Stain(NamedTuple):
    """What was cleaned: the kind, where in the clean text (characters), what was there, and what stands for it.

    `path` is known only of what was mended already and is read anew.
    """

    kind: str
    at: int
    before: str
    after: str
    path: str = ""


class Cleaner:
    """Holds what the last chunk left open: at most three bytes, or one high surrogate.

    A fragment may end in the middle of a character, and the next one go on with it. Where it does not, `late` is
    what the one before ends with.
    """

    __slots__ = ("_fresh", "_half", "_idle", "_undecoded", "late", "over")

    def __init__(self) -> None:
        self._undecoded = b""
        self._half = ""
        self._fresh = True
        self._idle = False  # the fragment has begun, and nothing is held
        self.late: tuple[str, Sequence[Stain]] | None = None
        self.over = False  # what is held is of the fragment before

    @property
    def pending(self) -> tuple[str, str, bool, bool]:
        """For a checkpoint: undecoded bytes in hex, a high surrogate's code, "nothing came yet", and `over`."""
        return self._undecoded.hex(), self._half and f"{ord(self._half):x}", self._fresh, self.over

    @classmethod
    def resume(cls, undecoded: str, half: str, fresh: bool, over: bool) -> Cleaner:
        cleaner = cls()
        cleaner._undecoded = bytes.fromhex(undecoded)
        cleaner._half = chr(int(half, 16)) if half else ""
        cleaner._fresh = fresh
        cleaner.over = over
        return cleaner

    @property
    def idle(self) -> bool:
        return not (self._undecoded or self._half)

    def start_fragment(self) -> None:
        self._fresh, self._idle = True, False
        self.over = not self.idle

    def clean(self, chunk: str | bytes | bytearray | memoryview) -> tuple[str, Sequence[Stain]]:
        """The clean text of a chunk, and what was done to it, in order. Cost: the chunk."""
        if self._idle and type(chunk) is str and lexemes.is_plain(chunk):
            return chunk, ()
        text = ""
        stains: list[Stain] = []
        if self.over and len(chunk):
            self.over = False
            if not self._goes_on_with(chunk):
                self.late = self.flush()
        plain = False
        if isinstance(chunk, str):
            if self._undecoded:
                text, stains = self.flush()
            plain = not self._half and lexemes.is_plain(chunk)
            text += chunk if plain else self._join_halves(chunk, stains)
        else:
            if self._half:
                text, stains = self.flush()
            text += self._decode(memoryview(chunk).tobytes(), len(text), stains)  # of a number, bytes() would make NULs
        if self._fresh and text:
            self._fresh = False
            if text.startswith(BOM):
                text = text[1:]
                stains = [stain._replace(at=stain.at - 1) for stain in stains]
        if not plain and "\0" in text:
            text = _without_nul(text, stains)
        self._idle = not (self._fresh or self._half or self._undecoded)
        return text, stains

    def _goes_on_with(self, chunk: str | bytes | bytearray | memoryview) -> bool:
        """Does a chunk begin with the rest of the character that is held?"""
        if isinstance(chunk, str):
            return self._half != "" and lexemes.LOW_SURROGATES[0] <= chunk[0] <= lexemes.LOW_SURROGATES[1]
        return self._undecoded != b"" and 0x80 <= bytes(chunk[:1])[0] < 0xC0

    def take_late(self) -> tuple[str, Sequence[Stain]]:
        """Hand out `late`; it is held here no more."""
        text, stains = self.late or ("", ())
        self.late = None
        return text, stains

    def flush(self) -> tuple[str, list[Stain]]:
        """The end of all delivery: what is still held will never be finished."""
        stains: list[Stain] = []
        if self._undecoded:
            stains.append(Stain("invalid-utf8", 0, self._undecoded.hex(), REPLACEMENT))
        elif self._half:
            stains.append(Stain("lone-surrogate", 0, _spelled(self._half), REPLACEMENT))
        text = REPLACEMENT if stains else ""
        self._undecoded, self._half = b"", ""
        return text, stains

    def _decode(self, data: bytes, begin: int, stains: list[Stain]) -> str:
        """Text of the bytes, with those that were held; what is no UTF-8 becomes U+FFFD."""
        # "surrogateescape" turns each bad byte into one lone surrogate, which valid UTF-8 never holds.
        text, used = codecs.utf_8_decode(self._undecoded + data, "surrogateescape", False)
        self._undecoded = (self._undecoded + data)[used:]
        if text.isascii() or not lexemes.SURROGATE.search(text):
            return text
        for match in lexemes.SURROGATE.finditer(text):
            stains.append(
                Stain("invalid-utf8", begin + match.start(), f"{ord(match.group()) - 0xDC00:02x}", REPLACEMENT)
            )
        return lexemes.SURROGATE.sub(REPLACEMENT, text)

    def _join_halves(self, text: str, stains: list[Stain]) -> str:
        """Join halves of surrogate pairs, with the one that was held; what has no mate becomes U+FFFD."""
        text = self._half + text
        self._half = ""
        if text and lexemes.HIGH_SURROGATES[0] <= text[-1] <= lexemes.HIGH_SURROGATES[1]:
            text, self._half = text[:-1], text[-1]
        if lexemes.is_encodable(text):
            return text
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        for match in lexemes.SURROGATE.finditer(text):
            stains.append(Stain("lone-surrogate", match.start(), _spelled(match.group()), REPLACEMENT))
        return lexemes.SURROGATE.sub(REPLACEMENT, text)


def _without_nul(text: str, stains: list[Stain]) -> str:
    """The text without NUL; the stains in it move up, those of the NULs come in between."""
    pieces = text.split("\0")
    others, at = stains[:], 0
    stains.clear()
    for gone, piece in enumerate(pieces):
        end = at + len(piece)
        stains += [stain._replace(at=stain.at - gone) for stain in others if at <= stain.at - gone < end]
        if gone < len(pieces) - 1:
            stains.append(Stain("nul", end, "\0", ""))
        at = end
    return "".join(pieces)


def _spelled(half: str) -> str:
    return f"\\u{ord(half):04x}"

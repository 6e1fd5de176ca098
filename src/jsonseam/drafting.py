"""Draft: the strict text that a faulty text becomes, written from left to right, with a spot wherever the two differ.

Rule: the draft holds everything up to character `at` of the delivered text, copied or mended. What was written since
the last `keep` may still hang on text that has not come, and is not given out.
"""

from __future__ import annotations

from collections.abc import Sequence

from jsonseam.containers import Ahead
from jsonseam.frames import Frames
from jsonseam.spots import Mended, Note, Spot


class Draft:
    """`frames` tell the path of each spot. Cost: what is written."""

    __slots__ = ("_frames", "_kept", "_length", "_pieces", "_spots", "_text", "at")

    def __init__(self, text: str, frames: Frames) -> None:
        self._text = text
        self._frames = frames
        self.at = 0
        self._length = 0  # of the strict text
        self._pieces: list[str] = []
        self._spots: list[Spot] = []
        self._kept = 0, 0, 0  # `at`, and how many pieces and spots there were, when it was last kept

    @property
    def is_mended(self) -> bool:
        """Does it differ from the delivered text so far?"""
        return bool(self._spots)

    def copy(self, end: int) -> None:
        """Take the text up to `end` as it was delivered."""
        if end > self.at:
            self._write(end, self._text[self.at : end])

    def mend(self, kind: str, end: int, after: str) -> None:
        """Let `after` stand for the text up to `end`."""
        self._spots.append(Spot(kind, self._length, self._text[self.at : end], after, self._frames.path()))
        self._write(end, after)

    def insert(self, kind: str, text: str) -> None:
        """Put in what is missing here."""
        self.mend(kind, self.at, text)

    def drop(self, kind: str, begin: int, end: int) -> None:
        """Leave out what stands between the two places; it is kept in the record."""
        self.copy(begin)
        self.mend(kind, end, "")

    def put_string(self, end: int, strict: str, notes: Sequence[Note]) -> None:
        """Let a strict string, with the mends in it, stand for the text up to `end`."""
        if notes:
            path = self._frames.path()
            self._spots += [Spot(note.kind, self._length + note.at, note.before, note.after, path) for note in notes]
        self._write(end, strict)

    def _write(self, end: int, strict: str) -> None:
        self._pieces.append(strict)
        self._length += len(strict)
        self.at = end

    def keep(self) -> None:
        """What was written so far stands, whatever comes."""
        self._kept = self.at, len(self._pieces), len(self._spots)

    def kept(self, ahead: Ahead | None) -> Mended:
        """What was kept; `ahead` is what was read of the delivered text."""
        used, pieces, spots = self._kept
        return Mended(used, "".join(self._pieces[:pieces]), tuple(self._spots[:spots]), ahead)

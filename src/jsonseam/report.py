"""What was done to the delivered text, told in terms of the document's text.

Rule: an offset is a place in `Document.text`. Cleaning happens before a place is known, so its spots wait here
until the text that they lie in has been taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from jsonseam.cleaning import Stain
from jsonseam.mending import Spot
from jsonseam.records import Repair, Seam
from jsonseam.structure import pointer


class Report:
    """`malformed`: delivered text was not JSON as it stood. `doubts`: JSON Pointers of values a seam may have spoilt.

    `delivered` counts the characters that came, after cleaning; `shift` is how much more that is than the place
    in the document of the text that is being read.
    """

    __slots__ = ("closed_by_repair", "delivered", "doubts", "malformed", "repairs", "seams", "shift", "stains")

    def __init__(self) -> None:
        self.seams: list[Seam] = []
        self.repairs: list[Repair] = []
        self.doubts: list[str] = []
        self.malformed = False
        self.closed_by_repair = False
        self.delivered = 0
        self.shift = 0
        self.stains: list[Stain] = []

    def stained(self, stain: Stain) -> None:
        """A spot was cleaned where the text that was delivered so far ends."""
        self.malformed = True
        self.stains.append(stain._replace(at=self.delivered))

    def align(self, rest: int, size: int) -> None:
        """The last `rest` characters that were delivered go on behind character `size` of the document."""
        self.place_stains(size, self.delivered - rest)
        self.shift = self.delivered - rest - size

    def place_stains(self, size: int, taken: int) -> None:
        """Report the cleaned spots in the first `taken` characters delivered; the document has `size` characters."""
        waiting = [stain for stain in self.stains if stain.at >= taken]
        for stain in self.stains[: len(self.stains) - len(waiting)]:
            offset = min(max(0, stain.at - self.shift), size)
            self.repairs.append(Repair(stain.kind, offset, "", stain.before, stain.after))
        self.stains = waiting

    def mended(self, spots: Iterable[Spot], offset: int, steps: list[str | int]) -> None:
        """Mends in a text whose first character stands at `offset` of the document, in the container at `steps`."""
        for spot in spots:
            path = pointer([*steps, *spot.path])
            self.repairs.append(Repair(spot.kind, offset + spot.at, path, spot.before, spot.after))

    def taken_back(self, size: int) -> None:
        """The document was shortened to `size` characters: what was done behind that is no part of it any more."""
        self.repairs = [repair for repair in self.repairs if repair.offset < size or not repair.after]

    def removed(self, kind: str, text: str, offset: int) -> None:
        """Delivered text that is no part of the document: a lead-in, a remark, a fence, a second document."""
        if text.strip():
            self.repairs.append(Repair(kind, offset, "", text, ""))

    def state(self) -> dict[str, Any]:
        """Plain JSON, for a checkpoint."""
        return {
            "seams": [asdict(seam) for seam in self.seams],
            "repairs": [asdict(repair) for repair in self.repairs],
            "doubts": self.doubts,
            "malformed": self.malformed,
            "closed_by_repair": self.closed_by_repair,
            "delivered": self.delivered,
            "shift": self.shift,
            "stains": [list(stain) for stain in self.stains],
        }

    @classmethod
    def resume(cls, state: dict[str, Any]) -> Report:
        report = cls()
        report.seams = [Seam(**seam) for seam in state["seams"]]
        report.repairs = [Repair(**repair) for repair in state["repairs"]]
        report.doubts = list(state["doubts"])
        report.malformed, report.closed_by_repair = state["malformed"], state["closed_by_repair"]
        report.delivered, report.shift = state["delivered"], state["shift"]
        report.stains = [Stain(*stain) for stain in state["stains"]]
        return report

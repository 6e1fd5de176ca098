"""What was done to the delivered text, told in terms of the document's text.

Rule: an offset is a place in `Document.text`. Cleaning happens before a place is known, so its spots wait here
until the text that they lie in has been taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from jsonseam.cleaning import CLEANED, Stain
from jsonseam.comments import is_cut
from jsonseam.dialect import AS_JSON, KINDS, QUOTED, Manner
from jsonseam.joining import IN_ONE_STRING
from jsonseam.lexemes import WHITE_SPACE
from jsonseam.parser import Parser
from jsonseam.records import Candidate, Repair, Seam
from jsonseam.seam import Decision
from jsonseam.spots import Mended
from jsonseam.structure import pointer
from jsonseam.thoughts import is_draft
from jsonseam.unescaping import Escapes, first_escapes, unescaped

FEW = 8  # the last repairs, by which it is told whether the document is in a dialect
UNFINISHED = ("comment", "rejected")  # repairs in which a comment, or a thought, may not have come to its end
RAW_LINE = "raw-control"  # repairs in which a string held a line break as it is
LONGEST_BEGUN = 1 << 14  # characters of an unfinished token that are read anew behind a seam


class Report:
    """`malformed`: delivered text was not JSON as it stood. `doubts`: JSON Pointers of values a seam may have spoilt.

    `delivered` counts the characters that came, after cleaning; `shift` is how much more that is than the place
    in the document of the text that is being read.
    """

    __slots__ = (
        "_reopened",
        "_repairs",
        "closed_by_repair",
        "delivered",
        "doubts",
        "malformed",
        "seams",
        "shift",
        "stains",
    )

    def __init__(self) -> None:
        self.seams: tuple[Seam, ...] = ()
        self._repairs: list[Repair] | None = None  # most documents have none; of many that wait, each byte counts
        self.doubts: tuple[str, ...] = ()
        self.malformed = False
        self.closed_by_repair = False
        self.delivered = 0
        self.shift = 0
        self._reopened = 0, 0  # a size, and how many repairs need not be looked at when that place is read anew
        self.stains: Sequence[Stain] = ()

    @property
    def repairs(self) -> list[Repair]:
        if self._repairs is None:
            self._repairs = []
        return self._repairs

    @repairs.setter
    def repairs(self, repairs: list[Repair]) -> None:
        self._repairs = repairs

    def manner(self, parser: Parser) -> Manner:
        """How the document is written, as far as it is read: what its last repairs tell."""
        last = (self._repairs or ())[-FEW:]
        if not last:
            return AS_JSON  # asked for at each chunk of a fragment that is undecided
        size, tail = parser.size, parser.scanner.tail
        in_dialect = any(repair.kind in KINDS for repair in last)
        cut = (repair.before for repair in last[::-1] if repair.kind in UNFINISHED and repair.offset >= size)
        begins = size - len(tail.lstrip(WHITE_SPACE))
        quote = (repair.before[0] for repair in last if repair.kind in QUOTED and repair.offset == begins)
        raw_lines = any(repair.kind == RAW_LINE and "\n" in repair.before for repair in last)
        comment, quote_begun = next(filter(is_cut, cut), ""), next(quote, "") if begins < size else ""
        return Manner(in_dialect, comment, quote_begun, raw_lines)

    def delivered_text(self, text: str, stains: Iterable[Stain] = ()) -> str:
        """Count the text that was delivered, and give it back."""
        if stains:
            self.malformed = True
            fresh = [stain._replace(at=self.delivered + stain.at) for stain in stains]
            if isinstance(self.stains, list):
                self.stains += fresh
            else:
                self.stains = fresh
        self.delivered += len(text)
        return text

    def unescaped(self, text: str, escapes: Escapes, offset: int, path: str) -> str:
        """`text`, the end of what was delivered, without its escapes: it counts as delivered so."""
        begins = self.delivered - len(text)
        stains = [stain._replace(at=stain.at - begins) for stain in self.stains if stain.at >= begins]
        self.stains = [stain for stain in self.stains if stain.at < begins]
        before = first_escapes(text)
        self.repairs.append(Repair("escaped-document", offset, path, before, unescaped(before)))
        self.delivered = begins
        return self.delivered_text(*escapes.take(text, stains))

    def delivered_late(self, text: str, stains: Iterable[Stain], size: int) -> None:
        """Count text that goes on behind character `size` of the document, whatever came in between."""
        self.delivered_text(text, stains)
        self.align(len(text), size)

    def seam_of(self, fragment: int) -> Seam | None:
        """How the fragment with this number was joined, as far as that is decided."""
        return next((seam for seam in reversed(self.seams) if seam.fragment == fragment), None)

    def came_behind_root(self, fragment: int, length: int, size: int) -> Seam:
        """The fragment, of `length` characters, came when the document, of `size`, was closed: it is rejected."""
        seam = Seam(fragment, "rejected", offset=size, path="", dropped=length, reason="the document was complete")
        self.seams = (*self.seams, seam)
        return seam

    def rejects(self, fragment: int) -> bool:
        """Was the last fragment, which has this number, rejected?"""
        return any(seam.fragment == fragment and seam.kind == "rejected" for seam in self.seams[-1:])

    def align(self, rest: int, size: int) -> None:
        """The last `rest` characters that were delivered go on behind character `size` of the document."""
        begins = self.delivered - rest
        if self.stains:
            self.place_stains(size, begins)
        self.shift = begins - size

    def place_stains(self, size: int, upto: int | None = None) -> None:
        """Report the cleaned spots in what was delivered before `upto`; the document has `size` characters.

        What stands for a spot in text that was not taken is no part of the document.
        """
        waiting = []
        for stain in self.stains:
            offset = stain.at - self.shift
            if upto is not None and stain.at >= upto:
                waiting.append(stain)
            elif 0 <= offset < size:
                self.repairs.append(Repair(stain.kind, offset, stain.path, stain.before, stain.after))
            else:
                self.repairs.append(Repair(stain.kind, size, stain.path, stain.before, ""))
        self.stains = waiting or ()

    def mended(self, text: str, mended: Mended, offset: int) -> None:
        """Mends in `text`, the end of what was delivered, which goes on at `offset`."""
        self.malformed = True
        self.align(len(text), offset)
        begins = self.delivered - len(text)
        waiting, told = [], self._moved_earlier(mended, offset, begins)
        for stain in self.stains:
            if stain.at - begins >= mended.used:
                waiting.append(stain)
                continue
            place = _place_in(mended, stain.at - begins)
            after = stain.after if mended.strict.startswith(stain.after, place) else ""
            if after or stain.before:
                told.append(Repair(stain.kind, offset + place, stain.path, stain.before, after))
        self.stains = waiting or ()
        steps, path = None, ""
        for spot in mended.spots:
            if spot.path is not steps:  # those of one string have it in common
                steps, path = spot.path, pointer(spot.path)
            told.append(Repair(spot.kind, offset + spot.at, path, spot.before, spot.after))
        self.repairs += self.in_order(told) if len(told) > 1 else told

    def _moved_earlier(self, mended: Mended, offset: int, begins: int) -> list[Repair]:
        """What was told of text that is mended once more moves with it, or goes if it stands there no more.

        What stands in front of all that is new stays where it is. Cost: what moves.
        """
        since = len(self.repairs)
        news = [spot.at for spot in mended.spots[:1]] + [stain.at - begins for stain in self.stains]
        stays = min(news, default=mended.used)
        while since and self.repairs[since - 1].offset > offset + stays:
            since -= 1
        if since == len(self.repairs):
            return []
        self._reopened = self._reopened[0], min(self._reopened[1], since)
        earlier, moved = self.repairs[since:], []
        del self.repairs[since:]
        for repair in earlier:
            at = repair.offset - offset
            if at >= mended.used:
                moved.append(replace(repair, offset=offset + at - mended.used + len(mended.strict)))
            elif mended.strict.startswith(repair.after, place := _place_in(mended, at)):
                moved.append(replace(repair, offset=offset + place))
        return moved

    def reopen(self, size: int, held: int) -> None:
        """The document was shortened to `size` characters, and the last `held` ones that came are read anew.

        What was cleaned or mended in them waits again, as a mend may move it. Cost: the repairs behind `size`.
        """
        begins = self.delivered - held
        since, known = len(self.repairs), self._reopened[1] if self._reopened[0] <= size else 0
        while since > known and self.repairs[since - 1].offset >= size:
            since -= 1
        kept, again = [], []
        for repair in self.repairs[since:]:
            if repair.after or repair.kind in CLEANED:
                at = begins + repair.offset - size
                again.append(Stain(repair.kind, at, repair.before, repair.after, repair.path))
            else:
                kept.append(repair)
        self.repairs[since:], self.stains = kept, [*again, *self.stains]
        self._reopened = size, len(self.repairs)

    def joined(self, decision: Decision, fragment: int, *, offset: int, path: str, replaced: str) -> None:
        """The fragment goes on at character `offset` of the document, in `path`, where `replaced` gave way to it."""
        way = decision.way
        seam = Seam(
            fragment,
            way.kind,
            offset=offset,
            path=path,
            dropped=way.skip,
            reason=way.reason,
            sure=decision.sure,
            detail=way.detail,
            inserted=way.insert,
            replaced=replaced,
            candidates=decision.candidates,
            seen=decision.seen,
        )
        self.seams = (*self.seams, seam)
        if way.detail == IN_ONE_STRING:
            self.repairs.append(Repair("escaped-document", offset, path, '"', ""))

    def begun(self, text: str, start: int) -> None:
        """The document begins at `start`; what stands in front of it is none, and a draft in it is in doubt."""
        self.removed("lead-in", text[:start], 0)
        if is_draft(text, start):
            self.doubt("")

    def take_unfinished(self, size: int, tail: str) -> tuple[str, str] | None:
        """The unfinished token that ends the document's `size` characters, and what came for it; None if that is all.

        Its mends are told no more. What follows must fit what came: the quote that began it ends it, a bare word may be
        a literal, and in a string with a fault in it not every quote is the end. Cost: the token, and its mends.
        """
        token = tail.lstrip(WHITE_SPACE)
        begins = size - len(token)
        since = len(self.repairs) if 0 < len(token) <= LONGEST_BEGUN else 0
        first = since
        while first and self.repairs[first - 1].offset >= begins:
            first -= 1
        inside = [repair for repair in self.repairs[first:since] if repair.after]
        if not inside or any(repair.kind in CLEANED for repair in inside):
            return None
        came, end = [], 0
        for repair in inside:
            at = repair.offset - begins
            if at < end or not token.startswith(repair.after, at):
                return None
            came += [token[end:at], repair.before]
            end = at + len(repair.after)
        self.repairs[first:since] = [repair for repair in self.repairs[first:since] if not repair.after]
        self._reopened = self._reopened[0], min(self._reopened[1], first)
        return token, "".join([*came, token[end:]])

    def taken_back(self, size: int) -> None:
        """The document was shortened to `size` characters: what was done behind that is no part of it any more."""
        self.repairs = self.within(size)
        self._reopened = 0, 0

    def within(self, size: int) -> list[Repair]:
        """The repairs that lie in the first `size` characters of the document, and all that took something off."""
        return [repair for repair in self.repairs if not repair.after or repair.offset + len(repair.after) <= size]

    def within_closed(self, text: str, begins: int, size: int) -> list[Repair]:
        """The repairs within a document that was closed: `text` is what it says from character `begins` on.

        Of a mend whose end fell to the cut, `after` is what still stands there.
        """
        standing = []
        for repair in self.repairs:
            offset, after = repair.offset, repair.after
            if not after or offset < begins or (offset < size and text.startswith(after, offset - begins)):
                standing.append(repair)
            elif offset < size and (left := _in_common(after, text[offset - begins : size - begins])):
                standing.append(replace(repair, after=left))
        return standing

    @staticmethod
    def in_order(repairs: list[Repair]) -> list[Repair]:
        """In the order of the text, whenever each was found; at one place what was dropped comes first."""
        return sorted(repairs, key=lambda repair: (repair.offset, bool(repair.after)))

    def doubt(self, path: str) -> None:
        """The value at `path` may have been spoilt by a seam; one is named once."""
        if path not in self.doubts:
            self.doubts = (*self.doubts, path)

    def ended(self, kind: str, text: str, size: int, path: str) -> None:
        """An answer ended in a string, in `text` that is none of it; a token of a talk may be, so that is in doubt."""
        self.removed(kind, text, size)
        if kind != "fence":
            self.doubt(path)

    def removed(self, kind: str, text: str, offset: int) -> None:
        """Delivered text that is no part of the document: a lead-in, a remark, a fence, a second document."""
        if text.strip():
            since = len(self.repairs)
            while since and self.repairs[since - 1].offset > offset:
                since -= 1
            inside = [replace(repair, offset=offset) for repair in self.repairs[since:]]
            self.repairs[since:] = [Repair(kind, offset, "", text, ""), *inside]

    def state(self) -> dict[str, Any]:
        """Plain JSON, for a checkpoint."""
        return {
            "seams": [{**asdict(seam), "candidates": list(map(asdict, seam.candidates))} for seam in self.seams],
            "repairs": [asdict(repair) for repair in self.repairs],
            "doubts": list(self.doubts),
            "malformed": self.malformed,
            "closed_by_repair": self.closed_by_repair,
            "delivered": self.delivered,
            "shift": self.shift,
            "stains": [list(stain) for stain in self.stains],
        }

    @classmethod
    def resume(cls, state: dict[str, Any]) -> Report:
        report = cls()
        report.seams = tuple(
            Seam(**{**seam, "candidates": tuple(Candidate(**candidate) for candidate in seam["candidates"])})
            for seam in state["seams"]
        )
        report.repairs = [Repair(**repair) for repair in state["repairs"]]
        report.doubts = tuple(state["doubts"])
        report.malformed, report.closed_by_repair = state["malformed"], state["closed_by_repair"]
        report.delivered, report.shift = state["delivered"], state["shift"]
        report.stains = [Stain(*stain) for stain in state["stains"]]
        return report


def _place_in(mended: Mended, at: int) -> int:
    """Where character `at` of a text stands in what it was mended to; what a mend stands for, at the same distance."""
    moved = 0
    for spot in mended.spots:
        start = spot.at - moved
        if at < start + len(spot.before):
            inside = max(0, at - start)
            return min(at, start) + moved + min(inside, len(spot.after))
        moved += len(spot.after) - len(spot.before)
    return at + moved


def _in_common(one: str, other: str) -> str:
    """What both begin with."""
    return one[: next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(other))]

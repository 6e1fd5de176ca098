"""The way in: one fragment's text, from the moment it is clean until it is in the parser, mended, or set aside.

Rule 1: inside a fragment chunks join literally; only where a fragment begins is anything compared or decided.
Rule 2: where in a fragment the text stands is one of four phases (`phases.py`), and `take` is the only place where
text changes hands between them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from jsonseam import envelope
from jsonseam.backlog import Backlog
from jsonseam.cleaning import Stain
from jsonseam.errors import LimitExceeded, MalformedError
from jsonseam.malformed import ROOT_OPENED, UNKNOWN, Verdict, judge, mend, refusal
from jsonseam.opening import Joined, Opening
from jsonseam.parser import SLICE, Halt, Parser
from jsonseam.phases import Phase
from jsonseam.portions import slices
from jsonseam.records import JsonValue, OnDoubt, Seam
from jsonseam.report import Report
from jsonseam.seam import splits_number
from jsonseam.spots import Mended
from jsonseam.standing import Limits
from jsonseam.structure import pointer
from jsonseam.unescaping import Escapes

_EMPTY: Final = Backlog()  # all share it that hold nothing; what is held gets its own
_OPENING: Final = Phase.OPENING  # the hot path takes a global name faster than a member
_BODY: Final = Phase.BODY


class Intake:
    """One document's parser and report, and what of the current fragment is held in front of them.

    `fragment` counts from 0. `strict`: raise `MalformedError` where text would be mended.
    """

    __slots__ = ("_backlog", "_behind", "_escapes", "_fault_at", "_restarted_at", "fragment", "opening", "parser",
                 "phase", "report", "strict")  # fmt: skip

    def __init__(self, limits: Limits, *, strict: bool, on_doubt: OnDoubt = "best") -> None:
        self.strict = strict
        self.parser = Parser(limits)
        self.report = Report()
        self.phase, self.fragment = Phase.OPENING, 0
        self.opening = Opening(on_doubt)
        self._backlog = _EMPTY  # MENDING: text from the faulty spot on
        self._behind = _EMPTY  # what stands behind the data
        self._escapes: Escapes | None = None  # given where the document came as the inside of a string
        self._fault_at = UNKNOWN  # MENDING: the first wrong character of the faulty spot
        self._restarted_at = -1  # where the document seemed to begin again inside a string; asked once for each place

    @property
    def undecided(self) -> bool:
        """Is text held about which the end of the fragment would decide?"""
        if self.strict and self.phase is Phase.MENDING:
            return False  # it was refused; what stands before it is the document
        opens = self.phase is Phase.OPENING and self.opening.undecided
        mends = self.phase is Phase.MENDING and self._backlog.size > 0
        held = opens or mends or (self._escapes is not None and self._escapes.held > 0)
        return held or self._is_behind_early_fence() or not self.parser.reads_so_far()

    def _is_behind_early_fence(self) -> bool:
        """Did a fence close the answer before the document was closed, with text behind it?"""
        return (
            self.phase is Phase.BEHIND and self._behind.size > 0 and self.parser.size > 0 and not self.parser.tree.done
        )

    @property
    def path(self) -> str:
        return pointer(self.parser.steps())

    def waiting_scalar(self) -> JsonValue:
        """A root that is no container is believed when the fragment is over; until then this is what it looks like."""
        if self.phase is not Phase.OPENING or self.parser.size or self.fragment:
            return None
        return self.opening.guess()

    def end(self, *, last: bool = False) -> Seam | None:
        """The fragment is over: decide what is open, report what stood behind the data. `last`: no other one comes."""
        if not last and not self.parser.size and self.phase is Phase.OPENING and self.opening.thinks_on():
            self.fragment += 1
            return None
        if self._escapes is not None:
            self._pass_on(self.report.delivered_text(*self._escapes.flush()))
            self._escapes.start_fragment()
        self._end_text()
        while self._is_behind_early_fence() and self._join_behind_fence():
            pass  # each turn takes at least a fence
        joined = self._report_behind()
        self.fragment, self._backlog = self.fragment + 1, _EMPTY
        self.opening.start_fragment()
        self.phase = Phase.BEHIND if self.parser.tree.done else Phase.OPENING
        return joined

    def take_late(self, text: str, stains: Iterable[Stain]) -> None:
        """Take what is known only now to have ended the fragment that is over; it goes on literally."""
        parser, report = self.parser, self.report
        report.delivered_late(text, stains, parser.size)
        if report.rejects(self.fragment - 1) or parser.tree.done or not parser.size:
            report.removed("surplus", text, parser.size)
            return
        self.fragment, self.phase = self.fragment - 1, Phase.BODY
        self._pass_on(text)
        self._end_text()
        self.fragment, self.phase = self.fragment + 1, Phase.BEHIND if parser.tree.done else Phase.OPENING

    def state(self) -> dict[str, Any]:
        """Plain JSON, for a checkpoint."""
        limits = self.parser.limits
        return {
            "limits": [limits.max_depth, limits.max_size, limits.max_held],
            "strict": self.strict,
            "text": self.parser.text,
            "settled": self.parser.ledger.size,
            "phase": self.phase.value,
            "fragment": self.fragment,
            "opening": self.opening.state(),
            "restarted_at": self._restarted_at,
            "crossed": self.parser.crossed.state() if self.parser.crossed else {},
            "backlog": [self._backlog.text, self._backlog.retry_at],
            "behind": self._behind.text,
            "escapes": self._escapes.state() if self._escapes else [],
            "report": self.report.state(),
        }

    @classmethod
    def resume(cls, state: dict[str, Any], on_doubt: OnDoubt | None = None) -> Intake:
        """The intake that `state()` was taken of. Raises what a wrong state makes of itself. Cost: the document."""
        intake = cls(Limits(*state["limits"]), strict=state["strict"])
        text, settled = state["text"], state["settled"]
        if not 0 <= settled <= len(text):
            raise ValueError("more is settled than there is text")
        intake.parser.restore(text[:settled])
        if intake.parser.scanner.held:
            intake.parser.settle_tail()
        intake.parser.restore(text[settled:])
        intake.phase, intake.fragment = Phase(state["phase"]), state["fragment"]
        intake.opening = Opening.resume(state["opening"], on_doubt)
        intake._restarted_at = state["restarted_at"]
        if state["crossed"]:
            intake.parser.crossed = LimitExceeded(**state["crossed"])
        intake._backlog = Backlog.resume(*state["backlog"])
        intake._put_behind(state["behind"])
        intake._escapes = Escapes.resume(*state["escapes"]) if state["escapes"] else None
        intake.report = Report.resume(state["report"])
        return intake

    # ------------------------------------------------------------ the phases
    def take(self, text: str, stains: Iterable[Stain] = ()) -> None:
        """Take text; long text in portions."""
        size = len(text)
        if self.phase is _BODY and 0 < size <= SLICE and not (stains or self.report.stains or self._escapes):  # mostly
            self.report.delivered += size
            if halt := self.parser.read_slice(text):
                self._pass_on(self._behind_halt(halt))
        elif self.phase is _OPENING and not (stains or self._escapes) and self.opening.passes(text, self.parser):
            self.report.delivered += size
        elif size <= SLICE:
            self._take_slice(text, stains)
        else:
            for part in slices(text, stains, self._take_block, opening=self.phase is _OPENING):
                self._take_slice(*part)

    def _take_block(self, text: str) -> bool:
        """Take it in one go, if all of it is right."""
        if self.phase is not _BODY or self.report.stains or self._escapes or not self.parser.takes(text):
            return False
        self.report.delivered += len(text)
        if halt := self.parser.end_of_root():
            self._pass_on(self._behind_halt(halt))
        return True

    def _take_slice(self, text: str, stains: Iterable[Stain]) -> None:
        if self._escapes is not None:
            text, stains = self._escapes.take(text, stains)
        self._pass_on(self.report.delivered_text(text, stains))

    def _pass_on(self, text: str) -> None:
        """Hand text on from phase to phase until it is used or held."""
        while text:
            text = self._hand(text, final=False)
        self._place_stains()
        if max(self._backlog.size, self.opening.held, self._behind.size) > self.parser.limits.max_held:
            raise self.parser.limit("max_held", "more text is held back than allowed")

    def _end_text(self) -> None:
        """The fragment brings no more text: what is held back must be decided now."""
        text = self._open(final=True) if self.phase is Phase.OPENING else ""
        while text or self.phase is Phase.MENDING or not self._tail_settled():
            text = self._hand(text, final=True)
        self._place_stains()

    def _hand(self, text: str, *, final: bool) -> str:
        """Give text to the phase that is on; return what the next one must take."""
        match self.phase:
            case Phase.BODY:
                return self._read(text)
            case Phase.OPENING:
                self.opening.backlog.add(text)
                return self._open(final=final)
            case Phase.MENDING:
                self._backlog.add(text)
                return self._mend(final=final)
            case Phase.BEHIND:
                return self._put_behind(text)

    def _put_behind(self, text: str) -> str:
        self._behind = self._behind if self._behind.size else Backlog()
        self._behind.add(text)
        return ""  # nothing is left for another phase

    def _place_stains(self) -> None:
        if self.report.stains and self.phase in (Phase.BODY, Phase.BEHIND):
            self.report.place_stains(self.parser.size)

    def _tail_settled(self) -> bool:
        """A seam needs a tail that is the beginning of a token: take off a fence; what is malformed is to be mended."""
        if self.phase is not Phase.BODY:
            return True
        parser = self.parser
        if closed := parser.close_scalar_root():
            self.phase = Phase.BEHIND
            self._put_behind(closed.rest)
            return True
        tail = parser.scanner.tail
        if ending := envelope.ending_in_string(tail, parser.ledger):
            self.report.ended(ending.kind, parser.cut(parser.ledger.size + ending.at), parser.size, self.path)
        if parser.reads_so_far():
            return True
        rest = self._fault(Halt("fault", parser.take_unsettled(), parser.size))
        self._backlog.add(rest)
        return False

    def _open(self, *, final: bool) -> str:
        """Decide how this fragment begins, if that is possible yet; return what is to be read literally."""
        if not self.parser.size:
            return self._begin(final=final)
        joined = self.opening.join(self.parser, self.report.manner(self.parser), final=final)
        return "" if joined is None else self._apply(joined)

    def _begin(self, *, final: bool) -> str:
        """Find the beginning of the document; what stands in front of it is no data."""
        if (found := self.opening.find_document(final=final)) is None:
            return ""
        start, text = found
        if start == envelope.NOTHING:
            self.phase = Phase.BEHIND
            return text
        self.report.begun(text, start)
        if not envelope.begins_member(text, start):
            return self._go_on_with(text[start:])
        self._is_malformed(text[start:])
        return self._go_on_behind(ROOT_OPENED, text[start:], final=False)

    def _apply(self, joined: Joined) -> str:
        """Carry out a seam decision; return what of the fragment is to be read literally."""
        decision, parser, report = joined.decision, self.parser, self.report
        way = decision.way
        replaced = parser.cut(way.cut) if way.cut < parser.size else ""
        report.taken_back(parser.size)
        if splits_number(way, replaced, parser.scanner.tail, joined.rest[:1]):
            report.doubt(pointer(parser.steps()))
        if way.insert:
            self._read(way.insert)
        report.joined(decision, self.fragment, offset=parser.size, path=pointer(parser.steps()), replaced=replaced)
        if decision.rejected:
            self.phase = Phase.BEHIND
            report.removed("rejected", joined.fragment, parser.size)
            return ""
        if self.phase is Phase.BEHIND:  # what was inserted showed that the root, a number, was over
            return joined.rest
        if joined.ends is not None and not self.strict:
            return self._go_on_behind(joined.ends, joined.rest, final=False)
        if not (replaced or way.insert) and (begun := report.take_unfinished(parser.size, parser.scanner.tail)):
            token, came = begun
            rest = parser.take_unsettled().removesuffix(token) + came + joined.rest
            return self._fault(Halt("fault", rest, parser.size))
        return self._go_on_with(joined.rest)

    def _go_on_with(self, text: str) -> str:
        self.phase = Phase.BODY
        self.report.align(len(text), self.parser.size)
        return text

    def _read(self, text: str) -> str:
        """Strict text; return what the next phase must take."""
        return "" if (halt := self.parser.read(text)) is None else self._behind_halt(halt)

    def _behind_halt(self, halt: Halt) -> str:
        """Reading stopped: at the end of the root, or at a fault. Return what the next phase must take."""
        if halt.kind == "end":
            self.phase = Phase.BEHIND
            return halt.rest
        return self._fault(halt)

    def _fault(self, halt: Halt) -> str:
        """The strict path stopped: at the fence that closes the fragment, or at text that must be mended."""
        self._backlog, self.phase = Backlog(), Phase.MENDING
        self._fault_at = halt.offset - self.parser.size if halt.certain else UNKNOWN
        self.report.reopen(self.parser.size, len(halt.rest))
        if self.strict and self._judge(halt.rest, final=False).kind in ("mend", "escaped"):
            self._backlog.add(halt.rest)
            self._is_malformed(halt.rest)
        return halt.rest

    def _is_malformed(self, text: str) -> None:
        """Text is to be mended, or refused."""
        self.report.malformed = True
        if self.strict:
            raise refusal(self.parser, text)

    def _judge(self, text: str, *, final: bool) -> Verdict:
        return judge(self.parser, text, self._fault_at, self._restarted_at, final=final)

    def _mend(self, *, final: bool) -> str:
        """Make strict JSON of the faulty spot, if it can be decided yet; return what stands behind it."""
        backlog, parser = self._backlog, self.parser
        if not (backlog.due or final):
            return ""
        text = backlog.text
        verdict = self._judge(text, final=final)
        match verdict.kind:
            case "wait":
                backlog.retry_at = verdict.at
                return ""
            case "over":
                return self._end_early(backlog.take(), verdict.at, Phase.BEHIND)
            case "restart":
                self._restarted_at = parser.size + verdict.at
                return self._end_early(backlog.take(), verdict.at, Phase.OPENING)
        self._is_malformed(text)
        if verdict.kind == "escaped":
            self._escapes, at = Escapes(), parser.size + verdict.at
            plain = self.report.unescaped(backlog.take()[verdict.at :], self._escapes, at, self.path)
            return self._go_on_with(text[: verdict.at] + plain)
        mended = mend(parser, text, final=final)
        if mended is None:
            backlog.retry_at = backlog.size + max(1, backlog.size // 2)
            return ""
        backlog.take()
        return self._go_on_behind(mended, text, final=final)

    def _go_on_behind(self, mended: Mended, text: str, *, final: bool) -> str:
        """Read what the faulty spot was mended to, and on behind it; return what the next phase must take."""
        parser, report = self.parser, self.report
        report.mended(text, mended, parser.size)
        rest, behind = text[mended.used :], parser.size + len(mended.strict)
        report.align(len(rest), behind)
        self.phase = Phase.BODY
        # Both at once costs less; but quotes in what stands behind a root would keep its end from being seen.
        at_once = "" if final or parser.may_end_in(mended.strict) else rest
        rest = rest[len(at_once) :]
        halt = parser.read(mended.strict + at_once, mended.ahead)
        unchanged = halt is None and final and not mended.spots and not parser.reads_so_far()
        if unchanged or (halt is not None and halt.kind == "fault" and halt.offset < behind):
            offset = parser.size if halt is None else halt.offset
            raise MalformedError("the text could not be mended", offset=offset, path=self.path, expected="JSON")
        if halt is None:
            return rest
        if halt.kind == "end" and parser.size <= behind:
            last = mended.spots[-1] if mended.spots else None
            report.closed_by_repair = last is not None and last.at + len(last.after) >= len(mended.strict.rstrip())
        return self._behind_halt(halt) + rest

    def _end_early(self, text: str, at: int, phase: Phase) -> str:
        """What stands before `at` goes on literally; what stands behind it is for the phase that is named."""
        text, at = self.parser.cut(self.parser.size + min(0, at)) + text, max(0, at)
        self._go_on_with(text)
        self.parser.read(text[:at])
        self.phase = phase
        self.opening.backlog.retry_at = 1
        return text[at:]

    # ------------------------------------------------------------ behind the data
    def _join_behind_fence(self) -> bool:
        """Data behind an early fence is one more fragment; a remark is none, unless a fence is opened behind it."""
        text = self._behind.text
        closing = envelope.fence_before_another(text)
        if not closing and envelope.is_remark(text):
            return False
        self._behind, self.phase = _EMPTY, Phase.OPENING
        self.report.removed("fence", text[:closing], self.parser.size)
        self.opening.backlog.add(text[closing:])
        self._end_text()
        return closing > 0

    def _report_behind(self) -> Seam | None:
        """Report what stood behind the data; give back how this fragment was joined."""
        text, self._behind = self._behind.text, _EMPTY
        done, size, report = self.parser.tree.done, self.parser.size, self.report
        joined = report.seam_of(self.fragment)
        if joined is None and self.fragment and done and not self.opening.begun:
            joined = report.came_behind_root(self.fragment, len(text), size)
        if done or joined is None or joined.kind != "rejected":  # what was rejected is reported already
            report.removed("remark" if envelope.is_remark(text) else "surplus", text, size)
        return joined

"""The way in: one fragment's text, from the moment it is clean until it is in the parser, mended, or set aside.

Rule 1: inside a fragment chunks join literally; only where a fragment begins is anything compared or decided.
Rule 2: where in a fragment the text stands is one of four phases, and `take` is the only place where text changes
hands between them:

    OPENING   the beginning is held until it is decided where the data begins and how it joins what is held
    BODY      strict text on its way into the tree
    MENDING   text that is not JSON is held until it can be decided what was meant
    BEHIND    behind the closed root, or behind the fence that closes this fragment: no data any more
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from enum import Enum
from typing import Any

from jsonseam import envelope, seam
from jsonseam.backlog import Backlog
from jsonseam.cleaning import Stain
from jsonseam.completion import guess_scalar
from jsonseam.errors import LimitExceeded, MalformedError
from jsonseam.mending import mend_text
from jsonseam.parser import SLICE, Halt, Limits, Parser
from jsonseam.records import Expected, JsonValue, Seam
from jsonseam.report import Report
from jsonseam.structure import pointer
from jsonseam.surprise import WINDOW

LOOK_AT_ONCE = 64  # characters of a first answer up to which each new one may begin the document


class Phase(Enum):
    OPENING = "opening"
    BODY = "body"
    MENDING = "mending"
    BEHIND = "behind"


_BODY = Phase.BODY  # the hot path takes a global name faster than a member


class Intake:
    """One document's parser and report, and what of the current fragment is held in front of them.

    `fragment` counts from 0; `expected` is what the model was asked for in this one. `strict`: raise
    `MalformedError` where text would be mended.
    """

    __slots__ = ("_backlog", "_behind", "_restarted_at", "expected", "fragment", "parser", "phase", "report", "strict")

    def __init__(self, limits: Limits, *, strict: bool) -> None:
        self.strict = strict
        self.parser = Parser(limits)
        self.report = Report()
        self.phase = Phase.OPENING
        self.fragment = 0
        self.expected: Expected = "anything"
        self._backlog = Backlog()  # OPENING: the beginning of the fragment; MENDING: the faulty spot
        self._behind: list[str] = []
        self._restarted_at = -1  # where the document seemed to begin again inside a string; asked once for each place

    @property
    def undecided(self) -> bool:
        """Is text held about which the end of the fragment would decide?"""
        if self.strict and self.phase is Phase.MENDING:
            return False  # it was refused; what stands before it is the document
        holds = self.phase in (Phase.OPENING, Phase.MENDING) and self._backlog.size > 0
        return holds or self._is_behind_early_fence() or not self.parser.reads_so_far()

    def _is_behind_early_fence(self) -> bool:
        """Did a fence close the answer before the document was closed, with text behind it?"""
        return self.phase is Phase.BEHIND and bool(self._behind) and self.parser.size > 0 and not self.parser.tree.done

    @property
    def path(self) -> str:
        return pointer(self.parser.steps())

    def waiting_scalar(self) -> JsonValue:
        """A root that is no container is believed when the fragment is over; until then this is what it looks like."""
        if self.phase is not Phase.OPENING or self.parser.size or self.fragment:
            return None
        return guess_scalar(self._backlog.text)

    def end(self) -> Seam | None:
        """The fragment is over: decide what is open, report what stood behind the data, get ready for the next one."""
        self._end_text()
        while self._is_behind_early_fence() and self._join_behind_fence():
            pass  # each turn takes at least a fence
        joined = self._report_behind()
        self.fragment += 1
        self.expected = "anything"
        self._backlog = Backlog()
        self.phase = Phase.BEHIND if self.parser.tree.done else Phase.OPENING
        return joined

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
            "expected": self.expected,
            "restarted_at": self._restarted_at,
            "crossed": self.parser.crossed.state() if self.parser.crossed else {},
            "backlog": [self._backlog.text, self._backlog.retry_at],
            "behind": "".join(self._behind),
            "report": self.report.state(),
        }

    @classmethod
    def resume(cls, state: dict[str, Any]) -> Intake:
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
        intake.expected = state["expected"]
        intake._restarted_at = state["restarted_at"]
        if state["crossed"]:
            intake.parser.crossed = LimitExceeded(**state["crossed"])
        text, retry_at = state["backlog"]
        intake._backlog = Backlog(retry_at)
        intake._backlog.add(text)
        intake._behind = [state["behind"]] if state["behind"] else []
        intake.report = Report.resume(state["report"])
        return intake

    # ------------------------------------------------------------ the phases
    def take(self, text: str, stains: Iterable[Stain] = ()) -> None:
        """Take text in slices, because what stands behind a fault is handed about until it is mended."""
        if len(text) <= SLICE:
            if self.phase is _BODY and text and not stains and not self.report.stains:  # by far the most frequent
                self.report.delivered += len(text)
                halt = self.parser.read_slice(text)
                if halt is not None:
                    self._pass_on(self._behind_halt(halt))
            else:
                self._take_slice(text, stains)
            return
        waiting = deque(stains)
        for at in range(0, len(text), SLICE):
            end = at + SLICE
            here = []
            while waiting and (waiting[0].at < end or end >= len(text)):
                stain = waiting.popleft()
                here.append(stain._replace(at=stain.at - at))
            self._take_slice(text[at:end], here)

    def _take_slice(self, text: str, stains: Iterable[Stain]) -> None:
        self.report.delivered_text(text, stains)
        self._pass_on(text)

    def _pass_on(self, text: str) -> None:
        """Hand text on from phase to phase until it is used or held."""
        while text:
            match self.phase:
                case Phase.BODY:
                    text = self._read(text)
                case Phase.OPENING:
                    self._backlog.add(text)
                    text = self._open(final=False)
                case Phase.MENDING:
                    self._backlog.add(text)
                    text = self._mend(final=False)
                case Phase.BEHIND:
                    self._behind.append(text)
                    text = ""
        if self.report.stains and self.phase in (Phase.BODY, Phase.BEHIND):
            self.report.place_stains(self.parser.size)
        if self._backlog.size > self.parser.limits.max_held:
            raise self.parser.limit("max_held", "more text is held back than allowed")

    def _end_text(self) -> None:
        """The fragment brings no more text: what is held back must be decided now."""
        text = self._open(final=True) if self.phase is Phase.OPENING else ""
        while text or self.phase is Phase.MENDING or not self._tail_settled():
            match self.phase:
                case Phase.OPENING:
                    self._backlog.add(text)
                    text = self._open(final=True)
                case Phase.MENDING:
                    self._backlog.add(text)
                    text = self._mend(final=True)
                case Phase.BEHIND:
                    self._behind.append(text)
                    text = ""
                case _:
                    text = self._read(text)

    def _tail_settled(self) -> bool:
        """A seam needs a tail that is the beginning of a token: take off a fence; what is malformed is to be mended."""
        if self.phase is not Phase.BODY:
            return True
        parser = self.parser
        closed = parser.close_scalar_root()
        if closed:
            self.phase = Phase.BEHIND
            self._behind.append(closed.rest)
            return True
        fence = envelope.FENCE_AT_END.search(parser.scanner.tail)
        if fence:
            self.report.removed("fence", parser.cut(parser.ledger.size + fence.start()), parser.size)
        if parser.reads_so_far():
            return True
        self._backlog.add(self._fault(Halt("fault", parser.take_unsettled(), parser.size, "JSON")))
        return False

    def _open(self, *, final: bool) -> str:
        """Decide how this fragment begins, if that is possible yet; return what is to be read literally."""
        return self._join(final=final) if self.parser.size else self._begin(final=final)

    def _begin(self, *, final: bool) -> str:
        """Find the beginning of the document in the first fragment that holds one; tries are made as in `_join`."""
        backlog, start = self._backlog, None
        while start is None:
            last = not backlog.due
            if last and not final:
                return ""
            start = envelope.find_document(backlog.text[: backlog.retry_at], final=last)
            backlog.retry_at += 1 if backlog.retry_at < LOOK_AT_ONCE else backlog.retry_at
        text = backlog.take()
        if start == envelope.NOTHING:
            self.phase = Phase.BEHIND
            return text
        self.report.removed("lead-in", text[:start], 0)
        return self._go_on_with(text[start:])

    def _join(self, *, final: bool) -> str:
        """Decide the seam. Tries are made at fixed lengths, so that the decision does not depend on the chunks."""
        backlog = self._backlog
        backlog.retry_at = max(backlog.retry_at, seam.FIRST_TRY)
        held = None
        while backlog.due or final:
            held = held or self.parser.side(WINDOW)
            last = not backlog.due
            decision = seam.decide(held, backlog.text[: backlog.retry_at], final=last, expected=self.expected)
            if decision is not None:
                return self._apply(decision, backlog.take())
            backlog.retry_at *= 2
        return ""

    def _apply(self, decision: seam.Decision, fragment: str) -> str:
        """Carry out a seam decision; return what of the fragment is to be read literally."""
        chosen, parser = decision.candidate, self.parser
        replaced = parser.cut(chosen.cut) if chosen.cut < parser.size else ""
        self.report.taken_back(parser.size)
        if seam.splits_number(chosen, replaced, parser.scanner.tail, fragment):
            self.report.doubts.append(pointer(parser.steps()))
        if chosen.insert:
            self._read(chosen.insert)
        self.report.seams.append(
            Seam(
                self.fragment,
                chosen.kind,
                parser.size,
                pointer(parser.steps()),
                chosen.skip,
                chosen.reason,
                decision.sure,
                chosen.detail,
                chosen.insert,
                replaced,
            )
        )
        rest = fragment[chosen.skip :]
        if decision.rejected:
            self.phase = Phase.BEHIND
            self.report.removed("rejected", fragment, parser.size)
            return ""
        if self.phase is Phase.BEHIND:  # what was inserted showed that the root, a number, was over
            return rest
        return self._go_on_with(rest)

    def _go_on_with(self, text: str) -> str:
        self.phase = Phase.BODY
        self.report.align(len(text), self.parser.size)
        return text

    def _read(self, text: str) -> str:
        """Strict text; return what the next phase must take."""
        halt = self.parser.read(text)
        return "" if halt is None else self._behind_halt(halt)

    def _behind_halt(self, halt: Halt) -> str:
        if halt.kind == "end":
            self.phase = Phase.BEHIND
            return halt.rest
        return self._fault(halt)

    def _fault(self, halt: Halt) -> str:
        """The strict path stopped: at the fence that closes the fragment, or at text that must be mended."""
        self._backlog.take()
        self._backlog.retry_at = 1
        self.phase = Phase.MENDING
        self.report.reopen(self.parser.size, len(halt.rest))
        fault = self.parser.fault_in(halt.rest)
        if self.strict and self._closing_fence(halt.rest, fault, final=False) == envelope.NOTHING:
            self._backlog.add(halt.rest)
            self.report.malformed = True
            raise MalformedError("the text is not JSON", offset=halt.offset, path=self.path, expected=halt.expected)
        return halt.rest

    def _closing_fence(self, text: str, at: int, *, final: bool) -> int | None:
        """A fence in text that goes on behind what is settled, which is never the end of a line."""
        return envelope.closing_fence(text, at, begins_line=not self.parser.size, final=final)

    def _mend(self, *, final: bool) -> str:
        """Make strict JSON of the faulty spot, if it can be decided yet; return what stands behind it."""
        backlog, parser = self._backlog, self.parser
        if not (backlog.due or final):
            return ""
        text, tree = backlog.text, parser.tree
        fault = parser.fault_in(text)
        fence = self._closing_fence(text, fault, final=final)
        restart = envelope.restart_inside(text, fault, parser.ledger.head(envelope.LONGEST_HEAD) + text, final=final)
        if fence is None or restart is None:
            backlog.retry_at = backlog.size + 1
            return ""
        if fence >= 0:
            return self._end_early(backlog.take(), fence, Phase.BEHIND)
        if restart >= 0 and parser.size + restart > self._restarted_at:
            self._restarted_at = parser.size + restart
            return self._end_early(backlog.take(), restart, Phase.OPENING)
        self.report.malformed = True
        if self.strict:
            raise MalformedError("the text is not JSON", offset=parser.size, path=self.path, expected="JSON")
        after_value = parser.ledger.last not in ("", "{", "[")
        # Final or not, what can be decided without the end is decided without it, or chunks would make a difference.
        frames, steps, items = "".join(tree.frames()), tree.steps(), len(tree.node)
        mended = mend_text(text, frames, after_value, final=False, steps=steps, items=items)
        if not mended.spots and not final:
            backlog.retry_at = backlog.size + max(1, backlog.size // 2)
            return ""
        if not mended.spots:
            mended = mend_text(text, frames, after_value, final=True, steps=steps, items=items)
        backlog.take()
        self.report.mended(text, mended, parser.size)
        rest = text[mended.used :]
        self.phase = Phase.BODY
        left = self._read_mended(mended.strict, parser.size)
        if self.phase is Phase.BEHIND:
            last = mended.spots[-1] if mended.spots else None
            self.report.closed_by_repair = last is not None and last.at + len(last.after) >= len(mended.strict.rstrip())
        self.report.align(len(rest), parser.size)
        return left + rest

    def _end_early(self, text: str, at: int, phase: Phase) -> str:
        """What stands before `at` goes on literally; what stands behind it is for the phase that is named."""
        self._go_on_with(text)
        self.parser.read(text[:at])
        self.phase = phase
        self._backlog.retry_at = 1
        return text[at:]

    def _read_mended(self, strict: str, offset: int) -> str:
        left = self._read(strict)
        if self.phase is Phase.MENDING:
            raise MalformedError("the text could not be mended", offset=offset, path=self.path, expected="JSON")
        return left

    # ------------------------------------------------------------ behind the data
    def _join_behind_fence(self) -> bool:
        """Data behind an early fence is one more fragment; a remark is none, unless a fence is opened behind it."""
        text = "".join(self._behind)
        closing = envelope.fence_before_another(text)
        if envelope.is_remark(text) and not closing:
            return False
        self._behind.clear()
        self.phase = Phase.OPENING
        self.report.removed("fence", text[:closing], self.parser.size)
        self._backlog.add(text[closing:])
        self._end_text()
        return closing > 0

    def _report_behind(self) -> Seam | None:
        """Report what stood behind the data; give back how this fragment was joined."""
        text = "".join(self._behind)
        self._behind.clear()
        remark = envelope.is_remark(text)
        joined = next((seam for seam in reversed(self.report.seams) if seam.fragment == self.fragment), None)
        if joined is None and self.fragment and self.parser.tree.done:
            joined = Seam(self.fragment, "rejected", self.parser.size, "", len(text), "the document was complete")
            self.report.seams.append(joined)
        if not (joined is not None and joined.kind == "rejected" and not self.parser.tree.done):
            self.report.removed("remark" if remark else "surplus", text, self.parser.size)
        return joined

"""Where one document under construction stands, and how text of it is taken back.

Rule: what is settled is in the tree and in the ledger, what is not is in the scanner; nothing is in both. Nothing in
here reads on: that is for `parser.py`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from jsonseam import grammar, lexemes
from jsonseam.changes import CUT, Journal
from jsonseam.errors import LimitExceeded
from jsonseam.grammar import Expect, Reading, state_behind
from jsonseam.handoff import Handoff
from jsonseam.ledger import Ledger, Mark
from jsonseam.scanner import Scanner
from jsonseam.structure import Tree, pointer
from jsonseam.tally import finished_values
from jsonseam.tokens import IDLE
from jsonseam.view import View


@dataclass(frozen=True, slots=True)
class Limits:
    """Characters, but for `max_depth`, which counts open containers."""

    max_depth: int
    max_size: int
    max_held: int


class Standing:
    """One document as far as it is read: scanner, ijson, tree and ledger, always in step with one another."""

    __slots__ = ("crossed", "handoff", "journal", "ledger", "limits", "scanner", "tokenizer", "tree", "view")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.crossed: LimitExceeded | None = None
        self.scanner, self.tokenizer = Scanner(), IDLE
        self.tree, self.view, self.ledger = Tree(), View(), Ledger()
        self.journal: Journal | None = None  # made by the first who asks what changed
        self.handoff: Handoff | None = None  # given where items are handed off

    @property
    def size(self) -> int:
        """Characters of the document so far, the unfinished tail included."""
        return self.ledger.size + self.scanner.held

    @property
    def text(self) -> str:
        return self.ledger.text + self.scanner.tail

    @property
    def finished_values(self) -> int:
        """Scalars that are finished, and containers that closed. Cost: the text that came since the last look."""
        root_is_scalar = self.tree.done and self.ledger.last not in ("}", "]")
        return finished_values(self.ledger) + root_is_scalar

    @property
    def awaits_value(self) -> bool:
        """The tail stands where a value is expected."""
        last, tree = self.ledger.last, self.tree
        return last == ":" or (tree.key is None and last in ("", "[", ",") and not tree.done)

    def park(self) -> None:
        """Take less memory while nothing comes. Cost: that of a look at the text."""
        self.tokenizer.drop()
        self.tokenizer = IDLE
        self.ledger.park()
        self.scanner.park()
        self.tree.park()

    def recalled(self) -> AbstractContextManager[None]:
        """While this lasts, the last items that were handed off stand in the tree again, if there are any."""
        return self.handoff.recalled() if self.handoff is not None else nullcontext()

    def show(self) -> None:
        """Bring the unfinished value into the live tree."""
        view, scanner = self.view, self.scanner
        if view.read != scanner.held and (view.shown or self.awaits_value):
            view.show(self.tree, scanner)

    def steps(self) -> list[str | int]:
        """Keys and indices to the value that is being written, or to the innermost open container."""
        steps = self.tree.steps()
        node, key = self.tree.node, self.tree.key
        if self.ledger.last == ":" and key is not None:
            return [*steps, key]
        if self.tree.stack and type(node) is list and self.awaits_value and self.scanner.tail.strip():
            return [*steps, self.tree.length(node) - self.view.shown]
        return steps

    def behind_stable(self) -> str:
        """The settled text behind the last finished value or opener: a comma, and perhaps a key and its colon."""
        at = self.ledger.size
        while self.ledger.last in (",", ":"):
            mark = self.ledger.mark_before(at)
            text = self.ledger.since(mark.offset)
            stable = lexemes.end_of_right_items(text)
            if stable or mark.offset == self.ledger.begins:
                return text[stable:]
            at = mark.offset
        return ""

    def may_end_in(self, text: str) -> bool:
        """Are there as many closers in `text` as containers are open?"""
        return text.count("}") + text.count("]") >= self.tree.depth

    def _read_behind_settled(self, text: str) -> Reading:
        """Read text as it would go on behind what is settled."""
        frames = self.tree.frames()
        return grammar.read(text, frames, state_behind(frames, self.ledger.last))

    def reads_so_far(self) -> bool:
        """Is the tail the beginning of a token that may stand there? Costs the tail."""
        tail = self.scanner.tail
        if not tail.strip(lexemes.WHITE_SPACE):
            return True
        reading = self._read_behind_settled(tail)
        if reading.fault is not None or reading.end is not None:
            return False
        inside = tail.lstrip(lexemes.WHITE_SPACE)[1:]
        return not ("\\u" in inside and lexemes.lone_surrogate(inside[: lexemes.decided_part(inside)]))

    def fault_in(self, text: str) -> tuple[int, str]:
        """Where text that goes on behind what is settled stops being JSON, or where its unfinished token begins.

        And what would have been right there.
        """
        reading = self._read_behind_settled(text)
        return reading.tail if reading.fault is None else reading.fault, grammar.NAMES[reading.expect]

    def limit(self, name: str, message: str) -> LimitExceeded:
        """A limit was crossed: from here on nothing is read, because text is missing behind what is held."""
        allowed = getattr(self.limits, name)
        self.crossed = LimitExceeded(message, limit=name, allowed=allowed, offset=self.size, path=pointer(self.steps()))
        return self.crossed

    # ------------------------------------------------------------ taking back
    def take_unsettled(self) -> str:
        """Take back all that stands behind the last finished value or opener."""
        return self.cut(self.ledger.size - len(self.behind_stable()))

    def cut(self, offset: int) -> str:
        """Shorten the document to `offset` characters; return what was taken back.

        `offset` lies in the tail, behind the last finished value or opener, or where an open container begins.
        """
        self.view.hide(self.tree)
        tail = self.scanner.take_tail()
        if offset >= self.ledger.size:
            keep = offset - self.ledger.size
            self.scanner.push(tail[:keep])
            return tail[keep:]
        mark = self.ledger.mark_before(offset)
        before = grammar.read(self.ledger.since(mark.offset)[: offset - mark.offset], *state_at(mark))
        taken = self.ledger.cut(offset)
        depth = len(before.frames)
        if self.tree.depth > depth:
            self.tree.cut(depth)
            if self.journal is not None:
                self.journal.events.append((CUT, depth))
            if self.handoff is not None:
                self.handoff.taken_back(self.tree, depth)
        self.tokenizer.drop()
        return taken + tail


def state_at(mark: Mark) -> tuple[list[str], Expect]:
    """The state in which a reader begins at a mark."""
    frames = list(mark.frames)
    return frames, state_behind(frames, mark.last)

"""Strict text on its way into the tree: long text as whole branches, other text through ijson.

Rule: where strict reading must stop, which the grammar reader finds out, `read` says why and gives back all the text
that it did not take. Where faults are expected, what is right is taken item by item, so that little is read slowly.
"""

from __future__ import annotations

from typing import Final, Literal

from jsonseam import grammar, lexemes
from jsonseam.brackets import end_of_fitting_items
from jsonseam.containers import Ahead
from jsonseam.grafts import graft, likely_closed
from jsonseam.grammar import Reading
from jsonseam.items import take_items
from jsonseam.scanner import Scanner
from jsonseam.standing import Limits, Standing
from jsonseam.structure import deepest
from jsonseam.tokens import IDLE, Event, Fault, Tokenizer, events_of, frames_to_openers

FINE: Final = 1024  # characters of a slice that are sent at once, when there is a fault in it
FINEST: Final = 128  # and then
FEW: Final = 256  # characters from which on text in which faults are expected is taken item by item
LONG: Final = 1024  # characters of settled text from which on a graft is faster than ijson
SLICE: Final = 8192  # characters that are read at once


class Halt:
    """Why reading stopped: the root was closed, or the text is not JSON. `rest` is what was not taken.

    For a fault, `rest` begins behind the last finished value or opener; `offset` is the faulty character's place
    in the document's text. It is not `certain` where the text ends in a token that more text may make right.
    """

    __slots__ = ("certain", "kind", "offset", "rest")

    def __init__(self, kind: Literal["end", "fault"], rest: str, offset: int, certain: bool = False) -> None:
        self.kind = kind
        self.rest = rest
        self.offset = offset
        self.certain = certain


class Parser(Standing):
    """One document under construction. Reading costs what is read; so does taking back."""

    __slots__ = ("_calm_from",)

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self._calm_from = 0  # the size up to which more faults are expected, and looked for before text is sent

    def read(self, text: str, ahead: Ahead | None = None) -> Halt | None:
        """Take `text`, which goes on literally. Raises `LimitExceeded`, and again whenever it is called after that.

        `ahead`: what has been read of it already, if nothing is held in front of it.
        """
        for at in range(0, len(text), SLICE):
            if halt := self.read_slice(text[at : at + SLICE], None if at else ahead):
                halt.rest += text[at + SLICE :]
                return halt
        return None

    def read_slice(self, text: str, ahead: Ahead | None = None) -> Halt | None:
        """`read` of at most `SLICE` characters."""
        if self.crossed is not None:
            raise self.crossed
        if len(text) >= LONG and self.takes(text):
            halt = self.end_of_root()
        elif self._calm_from > self.ledger.size and len(text) >= FEW and self._expects_items(text):
            halt = self._read_items(text, None if self.scanner.held else ahead)
        elif settled := self.scanner.push(text):
            halt = self._settle(settled)
        elif self.tree.stack or self.tree.done or (self.scanner.in_string and self.scanner.quotes < 2):
            halt = None
        else:
            halt = self.close_scalar_root()
        if halt:
            halt.rest += self.scanner.take_tail()
        elif self.scanner.held > self.limits.max_held:
            raise self.limit("max_held", "a token is longer than what may be held back")
        return halt

    def takes(self, text: str) -> bool:
        """Take a long text in one go, if all of it is right; where its last token begins is guessed and proved.

        It gives no events, so it is not for a parser whose changes are told.
        """
        tree, ledger, scanner = self.tree, self.ledger, self.scanner
        if self._calm_from > ledger.size or self.journal is not None or self.crossed is not None or tree.done:
            return False
        if scanner.held > max(LONG, len(text) // 4) or self.size + len(text) > self.limits.max_size:
            return False
        text, behind = scanner.tail + text, Scanner()
        sure = likely_closed(text, len(text))
        settled = text[: sure + len(behind.push(text[sure:]))]
        self.view.hide(tree)
        frames = tree.frames()
        if not graft(tree, ledger.last, settled, self.limits.max_depth - tree.depth):
            return False
        if ledger.size >= ledger.next_mark:
            ledger.mark(frames)
        ledger.add(settled)
        self.tokenizer.drop()
        self.scanner = behind
        return True

    def end_of_root(self) -> Halt | None:
        """How to stop if what was taken in one go closed the root."""
        return Halt("end", self.scanner.take_tail(), self.ledger.size) if self.tree.done else None

    def _settle(self, settled: str, *, fine: int = FINE) -> Halt | None:
        """Take settled text through ijson; where that faults, read slowly only what is wrong in it."""
        tree, ledger, tokenizer, view = self.tree, self.ledger, self.tokenizer, self.view
        if ledger.size + len(settled) > self.limits.max_size:
            return self._settle_what_fits(settled)
        if ledger.size >= ledger.next_mark:
            ledger.mark(tree.frames())
        if ledger.size < self._calm_from:
            right = end_of_fitting_items(settled, tree.frames())
            if right < len(settled):
                return self._settle_right_items(settled, right, fine)
        if tokenizer.idle:
            tokenizer = self._primed()
        try:
            events = tokenizer.send(settled)
        except Fault:
            if len(settled) >= FEW and self._takes_items_of(settled):
                view.hide(tree)
                rest = self._take_items(settled)
                return self._settle_slowly(rest) if rest else None
            return self._settle_right_items(settled, end_of_fitting_items(settled, tree.frames()), fine)
        room = self.limits.max_depth - len(tree.stack)
        if len(settled) > room and settled.count("{") + settled.count("[") > room and deepest(events) > room:
            view.hide(tree)
            tokenizer.drop()
            return self._settle_slowly(settled)
        if view.shown:
            view.make_way(tree)
        else:
            view.read = 0
        tree.grow(events)
        if self.journal is not None:
            self.journal.events += events
        ledger.add(settled)
        return None if tree.stack else Halt("end", "", ledger.size)

    def _primed(self) -> Tokenizer:
        """Start ijson in the state behind what is settled."""
        if self.tokenizer is IDLE:
            self.tokenizer = Tokenizer()
        self.tokenizer.prime(frames_to_openers(self.tree.frames(), self.ledger.last))
        return self.tokenizer

    def _settle_what_fits(self, settled: str) -> Halt | None:
        """The root may be closed, or a fault lie, in what may still be taken; if not, the document is too long."""
        fits = Scanner().push(settled[: self.limits.max_size - self.ledger.size])
        halt = self._settle(fits) if fits else None
        if halt is not None:
            halt.rest += settled[len(fits) :]
            return halt
        self.view.hide(self.tree)
        self.scanner.take_tail()
        raise self.limit("max_size", "the document is longer than allowed")

    def _expects_items(self, text: str) -> bool:
        """Can a piece, with the tail in front of it, be taken item by item?"""
        scanner = self.scanner
        return scanner.held <= LONG and self._takes_items_of(scanner.tail + text)

    def _takes_items_of(self, text: str) -> bool:
        """Can text in which faults are expected be taken item by item? It gives no events, as a graft gives none."""
        tree = self.tree
        return (
            self.journal is None
            and len(tree.stack) > 0
            and self.ledger.size + len(text) <= self.limits.max_size
            and lexemes.lone_surrogate(text) is None
        )

    def _read_items(self, text: str, ahead: Ahead | None) -> Halt | None:
        """Read a piece in which faults are expected: what is right in it, and then slowly what is left."""
        tree, ledger, scanner = self.tree, self.ledger, self.scanner
        self.view.hide(tree)
        if ledger.size >= ledger.next_mark:
            ledger.mark(tree.frames())
        rest = self._take_items(scanner.take_tail() + text, ahead)
        if not rest:
            return None
        reading = self._read_behind_settled(rest)
        self._refuse_depth(rest, reading)
        if reading.fault is not None or reading.end is not None:
            return self._stop(rest, reading)
        settled = scanner.push(rest)
        self._take(rest, [token for token in reading.tokens if token.end <= len(settled)], len(settled))
        return None

    def _take_items(self, text: str, ahead: Ahead | None = None) -> str:
        """Take what is right of the text, item by item; return what is left."""
        self.tokenizer.drop()
        taken = take_items(self.tree, self.ledger.last, text, self.limits.max_depth, ahead)
        if taken:
            self.ledger.add(text[:taken])
        return text[taken:]

    def _settle_right_items(self, settled: str, right: int, fine: int) -> Halt | None:
        """Most faults show in two neighbouring tokens: send what stands before, and read slowly only what is left."""
        self._calm_from = 0
        self.view.hide(self.tree)
        if right == len(settled) or (right and not self._takes_items(settled[:right])):
            halt = self._settle_finely(settled, fine) if fine >= FINEST else self._settle_slowly(settled)
        elif right and not self.tree.stack:
            halt = Halt("end", settled[right:], self.ledger.size)
        else:
            halt = self._settle_slowly(settled[right:])
        self._calm_from = self.ledger.size + SLICE
        return halt

    def _takes_items(self, items: str) -> bool:
        """Take items that end with a finished one, if ijson takes all of them and they are not nested too deeply."""
        tree, tokenizer = self.tree, self.tokenizer
        room = self.limits.max_depth - tree.depth
        if items.count("{") + items.count("[") > room:
            return False
        if len(items) >= LONG and self.journal is None and graft(tree, self.ledger.last, items, room):
            tokenizer.drop()
            self.ledger.add(items)
            return True
        if tokenizer.idle:
            tokenizer = self._primed()
        try:
            events = tokenizer.send(items + " ")  # a number at the end would be held back, as it could go on
        except Fault:
            return False
        if events and events[-1][0] == "map_key":  # a string that is no value: what stands behind it does not fit
            tokenizer.drop()
            return False
        self._grow(events)
        self.ledger.add(items)
        return True

    def _settle_finely(self, settled: str, fine: int) -> Halt | None:
        """Send the text again in small pieces, so that only the one with the fault in it must be read slowly."""
        scanner = Scanner()
        for at in range(0, len(settled), fine):
            part = scanner.push(settled[at : at + fine])
            halt = self._settle(part, fine=fine // 8) if part else None
            if halt:
                halt.rest += scanner.take_tail() + settled[at + fine :]
                return halt
        tail = scanner.take_tail()
        return self._settle_slowly(tail) if tail else None

    def _settle_slowly(self, settled: str) -> Halt | None:
        """Read with the grammar what ijson did not take: find out where it stops being JSON, if it does."""
        reading = self._read_behind_settled(settled)
        self._refuse_depth(settled, reading)
        if reading.fault is None and reading.end is None and reading.tail == len(settled):
            self._take(settled, reading.tokens, len(settled))
            return None
        return self._stop(settled, reading)

    def _refuse_depth(self, settled: str, reading: Reading) -> None:
        """Take what stands before a container too deep, and raise `LimitExceeded`, if there is one."""
        deepest = self.limits.max_depth
        crossing = next((t for t in reading.tokens if t.depth >= deepest and t.kind in ("{", "[")), None)
        if crossing is not None:
            self._take(settled, [t for t in reading.tokens if t.end <= crossing.start], crossing.start)
            self.scanner.take_tail()
            raise self.limit("max_depth", "the document is nested more deeply than allowed")

    def _stop(self, settled: str, reading: Reading) -> Halt:
        """Take what stands before the fault, or before the end of the root."""
        if reading.end is not None:
            self._take(settled, reading.tokens, reading.end)
            return Halt("end", settled[reading.end :], self.ledger.size)
        at = reading.tail if reading.fault is None else reading.fault
        offset = self.ledger.size + at
        self._take(settled, [t for t in reading.tokens if t.end <= reading.stable], reading.stable)
        rest = settled[reading.stable :]
        if not reading.stable and (behind := self.behind_stable()):
            self.ledger.cut(self.ledger.size - len(behind))
            self.tokenizer.drop()
            rest = behind + rest
        self._calm_from = self.ledger.size + SLICE
        return Halt("fault", rest, offset, reading.fault is not None)

    def _take(self, text: str, tokens: list[grammar.Token], upto: int) -> None:
        """Take text[:upto], of which the grammar reader found these tokens."""
        if upto:
            self.tokenizer.drop()  # ijson did not see this
            self._grow(events_of(text, tokens))
            self.ledger.add(text[:upto])

    def _grow(self, events: list[Event]) -> None:
        self.tree.grow(events)
        if self.journal is not None:
            self.journal.events += events

    def close_scalar_root(self) -> Halt | None:
        """Settle a root that is a finished scalar. Cost: the tail."""
        if self.tree.begun:
            return None
        tail = self.scanner.tail
        reading = grammar.read(tail)
        if reading.end is None:
            return None
        self.view.hide(self.tree)
        self.scanner.take_tail()
        self._take(tail, reading.tokens, reading.end)
        return Halt("end", tail[reading.end :], self.ledger.size)

    def restore(self, text: str) -> None:
        """Read text that was read and accepted before, which is strict JSON but for its unfinished token."""
        self._calm_from = 0  # that token is judged when it is whole, not before
        if self.read(text) is not None and self.tree.begun and not self.tree.done:
            raise ValueError("the text of the document is not JSON")

    def settle_tail(self) -> None:
        """Take the tail for finished: it ends with a value, and what stood behind that was taken back.

        Raises `ValueError` if it does not.
        """
        self.view.hide(self.tree)
        tail = self.scanner.take_tail()
        self.tokenizer.drop()
        reading = self._read_behind_settled(tail + " ")
        if reading.fault is not None or reading.tail < len(tail):
            raise ValueError("the document's text does not end with a value")
        self._take(tail, reading.tokens, len(tail))

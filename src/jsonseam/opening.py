"""The beginning of one fragment: held until it is decided where its data begins and how it joins what is held.

Rule: tries are made at fixed lengths of the fragment that double, so a decision does not depend on the chunks, and
all tries together cost twice what is held. A fragment that says a long document again is not held: it is compared
as it streams by (`repeating.py`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from jsonseam import envelope, seam
from jsonseam.backlog import Backlog
from jsonseam.doubt import FUNCTION, check_expected, check_on_doubt
from jsonseam.errors import StateError
from jsonseam.parser import Parser
from jsonseam.records import Expected, OnDoubt
from jsonseam.seam import Decision
from jsonseam.surprise import WINDOW

LOOK_AT_ONCE: Final = 64  # characters of a first answer up to which each new one may begin the document


class Joined(NamedTuple):
    """A decision, the text of the fragment as far as it was held, and what of it is to be read literally."""

    decision: Decision
    fragment: str
    rest: str


class Opening:
    """`expected`: what the model was asked for in this fragment; `on_doubt`: what decides where nothing else does."""

    __slots__ = ("backlog", "expected", "on_doubt")

    def __init__(self, on_doubt: OnDoubt) -> None:
        self.on_doubt = on_doubt
        self.expected: Expected = "anything"
        self.backlog = Backlog()

    def start_fragment(self) -> None:
        self.expected = "anything"
        self.backlog = Backlog()

    @property
    def held(self) -> int:
        """Characters of the fragment that are held."""
        return self.backlog.size

    def find_document(self, *, final: bool) -> tuple[int, str] | None:
        """Where the document begins in the first fragment that holds one (`envelope.NOTHING`: it holds none).

        With the text; None while it is undecided.
        """
        backlog, start = self.backlog, None
        while start is None:
            last = not backlog.due
            if last and not final:
                return None
            start = envelope.find_document(backlog.text[: backlog.retry_at], final=last)
            backlog.retry_at += 1 if backlog.retry_at < LOOK_AT_ONCE else backlog.retry_at
        return start, backlog.take()

    def join(self, parser: Parser, *, final: bool) -> Joined | None:
        """Decide the seam; None while it is undecided. Raises `ChoiceError`, and then nothing has happened."""
        backlog = self.backlog
        backlog.retry_at = max(backlog.retry_at, seam.FIRST_TRY)
        held = None
        while backlog.due or final:
            held = held or parser.side(WINDOW)
            last = not backlog.due
            text = backlog.text[: backlog.retry_at]
            decision = seam.decide(held, text, final=last, expected=self.expected, on_doubt=self.on_doubt)
            if decision is not None:
                fragment = backlog.take()
                return Joined(decision, fragment, fragment[decision.way.skip :])
            backlog.retry_at *= 2
        return None

    # ------------------------------------------------------------ checkpoints
    def state(self) -> dict[str, Any]:
        """Plain JSON, for a checkpoint. A function cannot be stored: only that there was one is."""
        return {
            "expected": self.expected,
            "on_doubt": FUNCTION if callable(self.on_doubt) else self.on_doubt,
            "backlog": [self.backlog.text, self.backlog.retry_at],
        }

    @classmethod
    def resume(cls, state: dict[str, Any], on_doubt: OnDoubt | None) -> Opening:
        """`on_doubt`, if it is given, takes the place of the stored one.

        Raises `StateError` where that was a function and none is given.
        """
        if on_doubt is None and state["on_doubt"] == FUNCTION:
            raise StateError(
                "on_doubt was a function, which a checkpoint cannot hold", expected="resume(state, on_doubt=...)"
            )
        opening = cls(check_on_doubt(state["on_doubt"] if on_doubt is None else on_doubt))
        opening.expected = check_expected(state["expected"])
        text, retry_at = state["backlog"]
        opening.backlog = Backlog(retry_at)
        opening.backlog.add(text)
        return opening

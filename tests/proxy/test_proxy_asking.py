"""Which requests are looked at, which answers are documents, and what the headers say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jsonseam.gateway.budget import Limits
from jsonseam.proxy.asking import lean, read_asked
from jsonseam.proxy.switches import SwitchError, read_switch

ASKED = {"model": "m", "messages": [{"role": "user", "content": "write"}]}
OBJECT = {"response_format": {"type": "json_object"}}

LOOKED_AT: dict[str, tuple[dict[str, Any], bool | None]] = {  # None: not looked at; else: was JSON asked for?
    "plain": ({}, False),
    "json_object": (OBJECT, True),
    "json_schema": ({"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {}}}}, True),
    "one choice, said": ({"n": 1}, False),
    "no tools, said": ({"tools": []}, False),
    "text only, said": ({"modalities": ["text"]}, False),
    "text": ({"response_format": {"type": "text"}}, None),
    "a format that is not known": ({"response_format": {"type": "grammar"}}, None),
    "two choices": ({"n": 2, **OBJECT}, None),
    "tools": ({"tools": [{"type": "function"}], **OBJECT}, None),
    "functions": ({"functions": [{"name": "f"}], **OBJECT}, None),
    "log probabilities": ({"logprobs": True, **OBJECT}, None),
    "audio": ({"modalities": ["text", "audio"], **OBJECT}, None),
    "a prefill of its own": ({"messages": [*ASKED["messages"], {"role": "assistant", "content": "{"}]}, None),
    "no messages": ({"messages": []}, None),
    "messages of another shape": ({"messages": "write"}, None),
}


@pytest.mark.parametrize("case", LOOKED_AT)
def test_which_requests_are_looked_at(case: str) -> None:
    more, expected = LOOKED_AT[case]
    asked = read_asked(json.dumps({**ASKED, **more}).encode())
    assert (None if asked is None else asked.json) == expected


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'"x"'])
def test_a_body_that_is_no_request_is_not_looked_at(raw: bytes) -> None:
    assert read_asked(raw) is None


LEANS = {
    "json": [
        *('{"a": 1', " \n{}", '["x"', "[[1,", "[[1],", "[[]", '[{"a"', "[1, 2", "[-1.5e3,", "[true, ", "[null,"),
        *('```json\n{"a', "```\n[[1, 2", '~~~JSON\r\n{"', '{\n  "a'),
    ],
    "text": [
        *(
            "Here it is",
            "[1]",
            "[1] The paper",
            "[x] done",
            "[ ] to do",
            "[[1]](http://x)",
            "[[page]]",
            "[a link](http://x)",
            "{name}",
            "{{ x }}",
        ),
        *("```python\n", "```\nprint(", "``x``", "-", "12", '"quoted"', "true", "# Title", "[" + " " * 300),
    ],
    None: [
        "",
        " ",
        "{",
        "[",
        "[1",
        "[12.",
        "[tr",
        "[true",
        "`",
        "```",
        "```js",
        "```json\n",
        "```json\n[ ",
        "[[",
        "[[1",
        "[[1]",
    ],
}


@pytest.mark.parametrize(("text", "expected"), [(text, name) for name, texts in LEANS.items() for text in texts])
def test_what_the_beginning_of_an_answer_shows(text: str, expected: str | None) -> None:
    assert lean(text) == expected


@pytest.mark.parametrize("text", [text for name, texts in LEANS.items() if name for text in texts])
def test_every_beginning_shows_the_same_or_is_open(text: str) -> None:
    shown = {lean(text[:size]) for size in range(len(text) + 1)} - {None}
    assert shown <= {lean(text)}


MOST = Limits(calls=8, tokens=None, seconds=20.0)
SWITCHES = {
    "": (False, 8, None, 20.0),
    "on": (False, 8, None, 20.0),
    "OFF": (True, 8, None, 20.0),
    "rounds=3": (False, 3, None, 20.0),
    "rounds=30": (False, 8, None, 20.0),
    "rounds=2, tokens=900 ,seconds=5": (False, 2, 900, 5),
}


@pytest.mark.parametrize("said", SWITCHES)
def test_the_header_asks_for_less_and_never_for_more(said: str) -> None:
    switch = read_switch({"x-jsonseam": said}, MOST)
    limits = switch.limits
    assert (switch.off, limits.calls, limits.tokens, limits.seconds) == SWITCHES[said]


@pytest.mark.parametrize("said", ["of", "rounds", "rounds=0", "rounds=-1", "rounds=x", "tokens=1.5", "rounds=²", "a=1"])
def test_a_header_that_cannot_be_understood(said: str) -> None:
    with pytest.raises(SwitchError, match="x-jsonseam"):
        read_switch({"x-jsonseam": said}, MOST)


def test_counters() -> None:
    said = "rows=sections[0].rows:100; all=items[*]"
    kpis = read_switch({"x-jsonseam-kpi": said}, MOST).kpis
    assert [(kpi.id, kpi.path, kpi.target) for kpi in kpis] == [
        ("rows", "sections[0].rows", 100),
        ("all", "items[*]", None),
    ]


@pytest.mark.parametrize("said", ["rows", "rows=a:x", "rows=a:nan", "=a:1", ";".join(f"k{n}=a:1" for n in range(9))])
def test_counters_that_cannot_be_counted(said: str) -> None:
    with pytest.raises(SwitchError, match="x-jsonseam-kpi"):
        read_switch({"x-jsonseam-kpi": said}, MOST)

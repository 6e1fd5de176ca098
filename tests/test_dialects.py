"""What models write for JSON, cut anywhere: what was begun so goes on so, in the next answer too.

The value is that of the same text in one piece; how that is mended, `test_mending.py` tells.
"""

from __future__ import annotations

from typing import Any

import pytest

import jsonseam
from tests.helpers import check, check_join

DIALECTS: list[tuple[str, Any]] = [
    ("{'name':'Bob','tags':['x y','z'],'n':1}", {"name": "Bob", "tags": ["x y", "z"], "n": 1}),
    ("{'t': 'It\\'s \"long\"', 'ok': True, 'no': None}", {"t": 'It\'s "long"', "ok": True, "no": None}),
    ("{“t”: “one, two”, “n”: [1, “x”]}", {"t": "one, two", "n": [1, "x"]}),
    ("{t: `a b`, other_key: 12, z: [true, 'c']}", {"t": "a b", "other_key": 12, "z": [True, "c"]}),
    ('{"a": True, "b": [False, None], "c": "x"}', {"a": True, "b": [False, None], "c": "x"}),
    ('{"re": "^\\d{3}\\s\\w+$", "p": "C:\\Dev\\Qt"}', {"re": "^\\d{3}\\s\\w+$", "p": "C:\\Dev\\Qt"}),
]


@pytest.mark.parametrize(("text", "value"), DIALECTS, ids=[text for text, _ in DIALECTS])
def test_cut_at_every_place(text: str, value: Any) -> None:
    check(text, value)
    wrong = []
    for at in range(1, len(text)):
        document = jsonseam.join([text[:at], text[at:]])
        if document.value != value:
            wrong.append((text[:at], text[at:], document.text))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize(
    ("fragments", "value"),
    [
        (["{'b':'lo", "ng', 'c':True}"], {"b": "long", "c": True}),
        (["{'user_na", "me': 'Bob'}"], {"user_name": "Bob"}),
        (["{“a”:“x", "y”,“b”:1}"], {"a": "xy", "b": 1}),
        (["{a:1, b", ":2, c:3}"], {"a": 1, "b": 2, "c": 3}),
        (['{"l":[red, gre', "en, blue]}"], {"l": ["red", "green", "blue"]}),
        (['{"l":[red, green,', "blue, yellow]}"], {"l": ["red", "green", "blue", "yellow"]}),
        (['{"a":1, "b": Fal', "se, 'c':None}"], {"a": 1, "b": False, "c": None}),
        (['{"a":1, "b": Non', 'e, "c": 2, "d', '": 3}'], {"a": 1, "b": None, "c": 2, "d": 3}),
        (['{"a":1, "b": N', 'one, "c": "and', ' so on"}'], {"a": 1, "b": None, "c": "and so on"}),
        (['{"h":"<a href="x.ht', 'ml" id="q">Go</a>","n":1}'], {"h": '<a href="x.html" id="q">Go</a>', "n": 1}),
        (['{"t":"See ', 'Bob said "hi" to', ' me","n":1}'], {"t": 'See Bob said "hi" to me', "n": 1}),
        (["{'t':'", 'It is a "lon', "g\" one','n':1}"], {"t": 'It is a "long" one', "n": 1}),
        (['{"re":"^\\', "d+\\", 's$"}'], {"re": "^\\d+\\s$"}),
        (['{"t":"say "hi"', ' to her","n":1}'], {"t": 'say "hi" to her', "n": 1}),
        (['{"t":"He said "y', 'es", then left","n":1}'], {"t": 'He said "yes", then left', "n": 1}),
        (['{"t":"first line\nsec', 'ond line\n\nthird","n":1}'], {"t": "first line\nsecond line\n\nthird", "n": 1}),
        (['{"t":"first\n', 'Second line\nThird line","n":1}'], {"t": "first\nSecond line\nThird line", "n": 1}),
        (['{"f":"\\a', 'lpha + \\sum_{i} x","n":1}'], {"f": "\\alpha + \\sum_{i} x", "n": 1}),
    ],
)
def test_cut_inside_a_token(fragments: list[str], value: Any) -> None:
    outcome = check_join(fragments, value)
    assert outcome.document is not None
    assert outcome.document.complete


# The element, siblings, the path or the document said again, in the dialect of the document.
THREE = [{"k": "alpha"}, {"k": "beta"}, {"k": "gamma"}]
SAID_AGAIN: list[tuple[list[str], Any, str]] = [
    (
        ["[{'k':'alpha'},{'k':'be", "{'k':'beta'},{'k':'gamma'}]"],
        [{"k": "alpha"}, {"k": "beta"}, {"k": "gamma"}],
        "resume",
    ),
    (["[{k:'alpha'},{k:'be", "{k:'beta'},{k:'gamma'}]"], [{"k": "alpha"}, {"k": "beta"}, {"k": "gamma"}], "resume"),
    (
        ["{'r':[{'k':'al'},{'k':'be'},", "{'k':'be'},{'k':'ga'}]}"],
        {"r": [{"k": "al"}, {"k": "be"}, {"k": "ga"}]},
        "resume",
    ),
    (
        ["{'r':[{'k':'al'},{'k':'b", "```python\n{'r':[{'k':'be'},{'k':'ga'}]}\n```"],
        {"r": [{"k": "al"}, {"k": "be"}, {"k": "ga"}]},
        "reopen",
    ),
    (["{'k':'al','j':'b", "{'k':'al','j':'be','l':True}\n\nDone."], {"k": "al", "j": "be", "l": True}, "restart"),
    (["{“t”:“It is", "{“t”:“It is late”}"], {"t": "It is late"}, "restart"),
    (["{'t':'It\\'s", "{'t':'It\\'s late', 'n':1}"], {"t": "It's late", "n": 1}, "restart"),
    (['{"a": True, "b": [F', '{"a": True, "b": [False], "c": 1}'], {"a": True, "b": [False], "c": 1}, "restart"),
    (['{"a": Tru', '{"a": True, "b": [None]}'], {"a": True, "b": [None]}, "restart"),
    (['[{"k": "al"}, {"k": None},', '{"k": None}, {"k": "ga"}]'], [{"k": "al"}, {"k": None}, {"k": "ga"}], "resume"),
    (["{'t':'set of ", "{1, 2}', 'n':1}"], {"t": "set of {1, 2}", "n": 1}, "continue"),
]


@pytest.mark.parametrize(("fragments", "value", "kind"), SAID_AGAIN)
def test_said_again_in_the_dialect_of_the_document(fragments: list[str], value: Any, kind: str) -> None:
    outcome = check_join(fragments, value)
    assert outcome.document is not None
    assert outcome.document.complete
    assert [seam.kind for seam in outcome.document.seams] == [kind]


@pytest.mark.parametrize(
    ("fragments", "value", "complete"),
    [
        (['"a": 1, "b": [2]}'], {"a": 1, "b": [2]}, True),
        (['\n  "a": "x",\n  "b": {"c": 2}\n}\n\nDone.'], {"a": "x", "b": {"c": 2}}, True),
        (['"items": [{"k":1},', '{"k":2}], "n": 2}'], {"items": [{"k": 1}, {"k": 2}], "n": 2}, True),
        (['"a": "x"'], {"a": "x"}, False),
        (['```json\n"a": 1, "b": 2\n}\n```'], {"a": 1, "b": 2}, True),
        (['"Result": {"a":1}'], {"a": 1}, True),  # a label in front of a document
        (['"just a string"'], "just a string", True),
        ([r'"\a": 1, {"b": 2}'], {"b": 2}, True),  # no key as JSON has it
    ],
)
def test_members_whose_brace_was_given_to_the_model(fragments: list[str], value: Any, complete: bool) -> None:
    outcome = check_join(fragments, value)
    assert outcome.document is not None
    assert outcome.document.complete == complete


def test_members_without_a_brace_are_refused_strictly() -> None:
    with pytest.raises(jsonseam.MalformedError):
        jsonseam.join(['"a": 1, "b": 2}'], strict=True)

"""What the token limit cut in two: an escape, a thought, a literal with a remark behind it, a comment, a quoted string.

Each table says what a careful reader would hold right; what nothing tells is kept literally, and told as a doubt.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import jsonseam
from tests.helpers import Outcome, check_join


def doubt_of(outcome: Outcome) -> bool:
    """Is the last seam in doubt?"""
    assert outcome.document is not None
    return outcome.document.seams[-1].sure < 0.9


# an escape that is cut in two | what follows | the string | is it in doubt?
ESCAPES: list[tuple[str, str, str, bool]] = [
    ("caf\\", "\\u00e9 au lait", "café au lait", False),
    ("a \\", "\\n b", "a \n b", True),  # as well a backslash, and an n
    ("a\\nb\\", "\\nc", "a\nb\nc", False),
    ("a\\", "\\nb\\nc", "a\nb\nc", False),
    ("say \\", '\\"yes\\" to', 'say "yes" to', False),
    ("http:\\", "\\/\\/x.org", "http://x.org", False),
    ("C:\\", "\\new", "C:\\new", True),  # a folder
    ("C:\\\\dir\\", "\\new", "C:\\dir\\new", True),  # where backslashes mean themselves
    ("\\\\frac{a}{b}\\\\alpha\\", "\\beta", "\\frac{a}{b}\\alpha\\beta", False),
    ("^\\\\d+\\", "\\s*$", "^\\d+\\s*$", False),
    ("^\\\\d+\\", "\\\\s*$", "^\\d+\\s*$", False),
    ("x \\u00", "\\u00e9", "x é", False),
    ("x \\ud83d", "\\ud83d\\ude00", "x 😀", False),
    ("x \\ud83d\\", "\\ud83d\\ude00", "x 😀", False),
    ("x \\ud83d\\", "\\ude00", "x 😀", False),
    ("x \\", "u00e9", "x é", False),  # the half of it goes on
    ("x \\u00", "e9", "x é", False),
    ("un caf\\", "é", "un café", False),  # said plainly
    ("un caf\\u00", "é", "un café", False),
    ("un caf\\u00E", "é", "un café", False),
    ("x \\ud83d\\ude", "😀", "x 😀", False),
]
# what stands around a string, and the value with it
AROUND_A_STRING: list[tuple[str, str, Any]] = [
    ('{"a": "', '", "b": 1}', lambda text: {"a": text, "b": 1}),
    ('["x", "', '", 2]', lambda text: ["x", text, 2]),
    ('{"x": 1, "', '": 2}', lambda text: {"x": 1, text: 2}),
]


@pytest.mark.parametrize(("before", "behind", "value"), AROUND_A_STRING, ids=["object", "list", "key"])
@pytest.mark.parametrize(("first", "second", "text", "doubt"), ESCAPES, ids=[f"{a}|{b}" for a, b, _, _ in ESCAPES])
def test_an_escape_cut_in_two(
    first: str, second: str, text: str, doubt: bool, before: str, behind: str, value: Any
) -> None:
    outcome = check_join([before + first, second + behind], value(text))
    assert doubt_of(outcome) == doubt


def test_who_asked_for_the_very_character_gets_it() -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.add('{"a": "a \\')
    accumulator.add('\\n b"}', expect="continue")
    assert accumulator.value == {"a": "a \\n b"}
    assert jsonseam.join(['{"a": "a \\', '\\n b"}'], on_doubt="literal").value == {"a": "a \\n b"}


DOCUMENT = '{"a": 1, "b": [1, 2]}'
# an answer that was cut in a thought | what follows
THOUGHTS: list[list[str]] = [
    ['<think>perhaps {"a": 9}', DOCUMENT],
    ['<think>perhaps {"a": 9} or', DOCUMENT],
    ['<think>perhaps {"a": 9, "b": [', DOCUMENT],
    ['<think>perhaps {"a": 9}', "```json\n" + DOCUMENT + "\n```"],
    ['<think>perhaps {"a": 9}', "Here it is:\n```json\n" + DOCUMENT + "\n```\nGoodbye."],
    ['<think>perhaps {"a": 9}', "Here it is:\n" + DOCUMENT],
    ['<think>perhaps {"a": 9}', "{'a': 1, 'b': [1, 2]}"],
    ['<think>perhaps {"a": 9} or', ' maybe {"a": 2}</think>' + DOCUMENT],
    ['<think>\nThe user wants JSON, {"a": 9}', " is it.\n</think>\n\n" + DOCUMENT],
    ["<think>\nThe user wants JSON.", " Right.\n</think>\n\n" + DOCUMENT],
    ["<think>\nThe user wants JSON.", DOCUMENT],
    ['<think>perhaps {"a": 9, "b": [', "7]} is fine</think>" + DOCUMENT],
    ['<think>perhaps {"a": 9, "b": [', '<think>better {"a": 2}</think>' + DOCUMENT],
    ['<think>perhaps\n```json\n{"a": 9}\n```\n', "so</think>\n```json\n" + DOCUMENT + "\n```"],
    ['<think>perhaps {"a": 9}</thi', "nk>" + DOCUMENT],
    ["<thi", 'nk>perhaps {"a": 9}</think>' + DOCUMENT],
    ['<thinking>perhaps {"a": 9}', "</thinking>\n" + DOCUMENT],
    ['<THOUGHT>perhaps {"a": 9}', DOCUMENT],
    ['<think>perhaps {"a": 9}', 'and {"a": 7} or', "so</think>" + DOCUMENT],
    ['<think>perhaps {"a": 9}', 'still thinking of {"a": 7}', DOCUMENT],
    ['<think>perhaps {"a": 9}', "", DOCUMENT],
    ['<think>perhaps {"a": 9}', 'so</think>{"a": 1, "b', '": [1, 2]}'],
    ['<think>perhaps {"a": 9}', '{"a": 1, "b": [1', '"b": [1, 2]}'],
    ["<think>" + DOCUMENT],  # never closed, but nothing was thought
    ['<think>perhaps {"a": 9}\n\n' + DOCUMENT],
    ["<think>" + DOCUMENT[:17], DOCUMENT[17:]],
    ["<think>The answer:\n" + DOCUMENT[:17], DOCUMENT[17:]],
    ["<answer>" + DOCUMENT + "</answer>"],  # a tag that is no thought
    ['<think>perhaps {"a": 9}</think>\n<json>\n' + DOCUMENT + "\n</json>"],
    ["<answer>" + DOCUMENT[:16], DOCUMENT[16:] + "</answer>"],
    [DOCUMENT[:16], "<answer>" + DOCUMENT[16:] + "</answer>"],
]


@pytest.mark.parametrize("fragments", THOUGHTS, ids=[" | ".join(row) for row in THOUGHTS])
def test_a_thought_that_is_cut(fragments: list[str]) -> None:
    document = check_join(fragments, {"a": 1, "b": [1, 2]}).document
    assert document is not None
    assert document.complete
    assert "rejected" not in [seam.kind for seam in document.seams]


@pytest.mark.parametrize("rest", ["", " or so"])
def test_a_draft_is_not_there_as_long_as_an_answer_may_come(rest: str) -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.add('<think>perhaps {"a": 9}' + rest)
    assert (accumulator.value, accumulator.complete, accumulator.status) == (None, False, "empty")
    document = accumulator.finish()
    assert (document.value, document.unsafe) == ({"a": 9}, ("",))  # it is all that there is
    resumed = jsonseam.Accumulator.resume(accumulator.checkpoint())
    resumed.add(" no</think>" + DOCUMENT)
    assert (resumed.value, resumed.complete, resumed.finish().unsafe) == ({"a": 1, "b": [1, 2]}, True, ())


def test_a_long_document_in_a_thought_that_is_never_closed_is_there_at_once() -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.add("<think>The answer:\n[" + "1, " * 400)
    assert accumulator.value == [1] * 400


REMARKS = [
    "\n(continued)",
    " (continued)",
    "(continued)",
    "...",
    " … [truncated]",
    "</s>",
    "<|endoftext|>",
    "\n\n*(to be continued)*",
    "\n\nI will go on in the next message.",
]
# half a token, and what the next answer makes of it
HALF_TOKENS: list[tuple[str, str, Any]] = [
    ('{"a": 1, "ok": t', 'rue, "b": [2]}', {"a": 1, "ok": True, "b": [2]}),
    ("[true, fals", "e, 3]", [True, False, 3]),
    ("[true, fals", "false, 3]", [True, False, 3]),  # said again
    ('[{"a": 1}, {"a": n', '{"a": null}]', [{"a": 1}, {"a": None}]),
    ('{"a": -', '5, "b": 2}', {"a": -5, "b": 2}),
    ("[1, -", "-2]", [1, -2]),
    ('{"a": 12e', '5, "b": 2}', {"a": 12e5, "b": 2}),
    ("[1, 12e-", "1]", [1, 1.2]),
]
HALF_NUMBER = ('{"a": 12.', '5, "b": 2}', {"a": 12.5, "b": 2})  # dots behind it would be told from it by nothing
HALF_KEYS: list[tuple[str, str, Any]] = [
    ('{"a": 1, "na', 'me": 2}', {"a": 1, "name": 2}),
    ('[{"na', 'me": 2}]', [{"name": 2}]),
    ('{"a": 1, "na', '"name": 2}', {"a": 1, "name": 2}),
]


@pytest.mark.parametrize("remark", REMARKS)
@pytest.mark.parametrize(("first", "second", "value"), HALF_TOKENS, ids=[row[0] for row in HALF_TOKENS])
def test_a_remark_behind_half_a_token(first: str, second: str, value: Any, remark: str) -> None:
    document = check_join([first + remark, second], value).document
    assert document is not None
    assert [(repair.kind, repair.before) for repair in document.repairs] == [("remark", remark)]


@pytest.mark.parametrize("remark", [remark for remark in REMARKS if remark[0] != "."])
def test_a_remark_behind_half_a_number_that_ends_in_its_point(remark: str) -> None:
    first, second, value = HALF_NUMBER
    check_join([first + remark, second], value)


@pytest.mark.parametrize("remark", [remark for remark in REMARKS if remark[0] == "\n"])
@pytest.mark.parametrize(("first", "second", "value"), HALF_KEYS, ids=[f"{row[0]} | {row[1]}" for row in HALF_KEYS])
def test_a_remark_behind_half_a_key(first: str, second: str, value: Any, remark: str) -> None:
    check_join([first + remark, second], value)


# what only looks like it
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('["x", t (blue), 3]', ["x", "t (blue)", 3]),
        ('["x", nothing (blue)', ["x", "nothing (blue)"]),
        ('{"a": 1, "na\n(x)me": 2}', {"a": 1, "na\n(x)me": 2}),
        ('{"a": 1, "b": "na\n(x)', {"a": 1, "b": "na\n(x)"}),
        ('{"a": 1, "b\n(x)"}', {"a": 1, "b\n(x)": None}),
    ],
)
def test_what_may_be_data_is_no_remark(text: str, value: Any) -> None:
    check_join([text], value)


# a comment that is cut in two | what follows | the value
COMMENTS: list[tuple[list[str], Any]] = [
    (['{"a": 1, /* the second', ' one is 12 */ "b": 2}'], {"a": 1, "b": 2}),
    (['{"a": 1, /* was 5,', ' then 7 */ "b": 2}'], {"a": 1, "b": 2}),
    (['{"a": /* was 5,', ' 7 */ 1, "b": 2}'], {"a": 1, "b": 2}),
    (['{"a": 1 /* was 5,', ' 7 */, "b": 2}'], {"a": 1, "b": 2}),
    (['{"a": 1, /* was "x": 5,', ' "y": 7 */ "b": 2}'], {"a": 1, "b": 2}),
    (['{"a": 1, /* was ', '"x": 5, ' * 40 + '*/ "b": 2}'], {"a": 1, "b": 2}),
    (["[1, /* two, 2,", " 7 */ 3]"], [1, 3]),
    (["[1 /* one, 1,", " 7 */, 3]"], [1, 3]),
    (["[1, 2 /* two, 2,", " 7 */]"], [1, 2]),
    (['{"a": 1, /* was 5 *', '/ "b": 2}'], {"a": 1, "b": 2}),
    (['{"a": 1, /* was 5', '*/ "b": 2}'], {"a": 1, "b": 2}),
    (['{"a": 1, /', '* was 5 */ "b": 2}'], {"a": 1, "b": 2}),
    (['{"a": 1, /* was 5', '/* was 5 and 7 */ "b": 2}'], {"a": 1, "b": 2}),  # said again
    (['{"a": 1, /* one', "two 5", 'three 6 */ "b": 2}'], {"a": 1, "b": 2}),
    (['{"a": 1,\n /* one\n * two 5\n thr', 'ee 6\n */\n "b": 2}'], {"a": 1, "b": 2}),
    (['{"a": 1, /* was 5', '```json\n and 6 */ "b": 2}\n```'], {"a": 1, "b": 2}),
    (["[1, // two, 2,", " 7\n3]"], [1, 3]),
    (["[1, # two, 2,", " 7\n3]"], [1, 3]),
    (["[1 // one, 1,", " 7\n, 3]"], [1, 3]),
    (["[1, 2 // two, 2,", " 7\n]"], [1, 2]),
    (["[\n  0, // zero\n  1, // o", "ne\n  2 // two\n]"], [0, 1, 2]),
    (["[\n  0, // zero\n  1, // 1", "1\n  2 // two\n]"], [0, 1, 2]),
    (['{"r": [1, 2], // rows: 1, 2', ' and 3\r\n "n": {"x": 1}}'], {"r": [1, 2], "n": {"x": 1}}),
    (['{"a": 1, // see http:', '//x.org/?a=[1]\n"b": 2}'], {"a": 1, "b": 2}),
    (['{"a": 1, // one', " two 5", ' three 6\n "b": 2}'], {"a": 1, "b": 2}),
    # the next answer says no more of it
    (['{"a": 1, /* was 5', '"b": 2}'], {"a": 1, "b": 2}),
    (['{"a": 1, /* was 5', '"b": "x*/y"}'], {"a": 1, "b": "x*/y"}),
    (['{"a": 1, // was 5', '"b": 2,\n"c": 3}'], {"a": 1, "b": 2, "c": 3}),
    (['{"a": 1, // was 5\n', '"b": 2,\n"c": 3}'], {"a": 1, "b": 2, "c": 3}),
    # no comment
    (['["a/*b', 'c*/d", "// e', 'f\\n", 2]'], ["a/*bc*/d", "// ef\n", 2]),
    (['{"a": 1, /* one\n "b": 2}'], {"a": 1, "b": 2}),
]


@pytest.mark.parametrize(("fragments", "value"), COMMENTS, ids=[" | ".join(row) for row, _ in COMMENTS])
def test_a_comment_that_is_cut(fragments: list[str], value: Any) -> None:
    document = check_join(fragments, value).document
    assert document is not None
    assert document.complete


@pytest.mark.parametrize(
    ("fragments", "value"), [(["[1, // two, 2,", " 7,\n3]"], [1, 7, 3]), (["[1, /* two, 2,", " 7,"], [1, 7])]
)
def test_what_may_be_the_rest_of_a_comment_or_data_is_kept_and_in_doubt(fragments: list[str], value: Any) -> None:
    assert doubt_of(check_join(fragments, value))


ONE = {"a": "one two", "b": 2}
LONG = "and so on, " * 40
# a string that is begun in one quote | and goes on in the other | the value
QUOTES: list[tuple[list[str], Any]] = [
    (["{'a': 'one tw", 'o", "b": 2}'], ONE),
    (["{“a”: “one tw", 'o", "b": 2}'], ONE),
    (["{`a`: `one tw", 'o", "b": 2}'], ONE),
    (["{'a': 'one two", '", "b": 2}'], ONE),
    (["{'a': '", 'one two", "b": 2}'], ONE),
    (["['x', 'one tw", 'o", "b", 2]'], ["x", "one two", "b", 2]),
    (["['one tw", 'o"]'], ["one two"]),
    (["{'a': 1, 'na", 'me": 2}'], {"a": 1, "name": 2}),
    (["{'r': [{'a': 'one tw", 'o"}, {"a": "it\'s"}], "n": 1}'], {"r": [{"a": "one two"}, {"a": "it's"}], "n": 1}),
    (["{'a': 'it\\'s tw", 'o", "b": "x\'y"}'], {"a": "it's two", "b": "x'y"}),
    (["{'a': 'one tw", 'o \\"q\\" z", "b": 2}'], {"a": 'one two "q" z', "b": 2}),
    (["{'a': 'one tw", LONG + '", "b": 2}'], {"a": "one tw" + LONG, "b": 2}),
    (["{'a': 'one tw", 'o", "b": 2,}'], ONE),
    (["{'a': 'one t", "w", 'o", "b": 2}'], ONE),
    (["{'a': 'one tw", '"a": "one two", "b": 2}'], ONE),
    (["{'a': 'one tw", 'o", "b": "x', 'y"}'], {"a": "one two", "b": "xy"}),
    # the other way round
    (['{"a": "one tw', "o', 'b': 2}"], ONE),
    (['{"a": "one tw', "o`, `b`: 2}"], ONE),
    (['{"a": "one tw', "o”, “b”: 2}"], ONE),
    (['{"a": "one two', "', 'b': 2}"], ONE),
    (['["x", "one tw', "o', 'b', 2]"], ["x", "one two", "b", 2]),
    (['{"a": "one tw', "o'}"], {"a": "one two"}),
    (['{"a": 1, "na', "me': 2}"], {"a": 1, "name": 2}),
    (['{"a": "it', "'s two', 'b': 2}"], {"a": "it's two", "b": 2}),
    (['{"r": [{"a": "one tw', "o'}, {'a': 'x'}], 'n': 1}"], {"r": [{"a": "one two"}, {"a": "x"}], "n": 1}),
    # as it was begun
    (["{'a': 'one tw", "o', 'b': 2}"], ONE),
    (["{'a': 'one tw", "o', 'b': \"it's\"}"], {"a": "one two", "b": "it's"}),
    (["{'a': 'one \"tw", "o\" x', 'b': 2}"], {"a": 'one "two" x', "b": 2}),
    (["{'a': 'say ", "\"two\", then', 'b': 2}"], {"a": 'say "two", then', "b": 2}),
    (["{'a': 'one tw", 'o" and more\', "b": 2}'], {"a": 'one two" and more', "b": 2}),
    (["{'a': 'one tw", LONG * 9 + "', 'b': 2}"], {"a": "one tw" + LONG * 9, "b": 2}),
    (['{"code": "d = {', "'a': 1, 'b': 2}\", \"c\": 1}"], {"code": "d = {'a': 1, 'b': 2}", "c": 1}),
    (['{"code": "d = {', "'a': 1, 'b': 2}"], {"code": "d = {'a': 1, 'b': 2}"}),
    (['{"code": "d = {\'a', "': 1, 'b': 2}", '", "c": 1}'], {"code": "d = {'a': 1, 'b': 2}", "c": 1}),
    (['{"q": "where a in (', "'x', 'y')\"}"], {"q": "where a in ('x', 'y')"}),
    (['{"a": "it', "'s two', 'b': 2\", \"c\": 1}"], {"a": "it's two', 'b': 2", "c": 1}),
    (['["the dogs', '\' house", "b"]'], ["the dogs' house", "b"]),
    (['["the dogs', "', and cats", '"]'], ["the dogs', and cats"]),
    (['{"a": "the dog', "s'"], {"a": "the dogs'"}),
    (['{"a": "use `x', '`, `y`", "b": 2}'], {"a": "use `x`, `y`", "b": 2}),
]


@pytest.mark.parametrize(("fragments", "value"), QUOTES, ids=[" | ".join(row)[:60] for row, _ in QUOTES])
def test_a_string_that_goes_on_in_other_quotes(fragments: list[str], value: Any) -> None:
    check_join(fragments, value)


def test_other_quotes_are_told() -> None:
    document = jsonseam.join(['{"a": "one tw', "o', 'b': 2}"])
    assert [(repair.kind, repair.offset, repair.path, repair.before, repair.after) for repair in document.repairs] == [
        ("single-quotes", 13 + 1, "/a", "'", '"'),
        ("single-quotes", 13 + 4, "", "'b'", '"b"'),
    ]
    assert jsonseam.join(['{"a": "one tw', "o', 'b': 2}"], strict=True).value == {"a": "one two', 'b': 2}"}


KEPT = [{"k": 1}, {"k": 2}]
# a document that is cut at a key | another one | the value | the kind of seam | is it in doubt?
OTHER_DOCUMENTS: list[tuple[list[str], Any, str, bool]] = [
    (['[{"k":1},{"k":2},{"k"', '{"items":[1,2],"n":{"x":1}}'], [*KEPT, {}], "rejected", True),
    (['[{"k":1},{"k":2},{"k"', '```json\n{"items":[1,2],"n":{"x":1}}\n```'], [*KEPT, {}], "rejected", True),
    (['{"r":[{"k":1},{"k":2},{"k"', '{"items":[1,2],"n":{"x":1}}'], {"r": [*KEPT, {}]}, "restart", True),
    # all that is held is said again in it
    (['[{"k":1},{"k":2},{"k"', '{"i":[{"k":1},{"k":2},{"k":3}]}'], {"i": [*KEPT, {"k": 3}]}, "restart", False),
    (['[{"k":1},{"k":2},{"k":', '{"i":[{"k":1},{"k":2},{"k":3}]}'], {"i": [*KEPT, {"k": 3}]}, "restart", False),
    (['[{"k":1},{"k":2},{"k', '{"i":[{"k":1},{"k":2},{"k":3}]}'], {"i": [*KEPT, {"k": 3}]}, "restart", False),
    (['[{"k":1},{"k":2},{"k"', '{"i":[{"k":1},{"k":2},{"k":3'], {"i": [*KEPT, {}]}, "restart", False),
    # it may as well be the value
    (['[{"k":1},{"k":2},{"k"', '{"items":[1,2],'], [*KEPT, {"k": {"items": [1, 2]}}], "continue", True),
    (['{"t":"x","rows"', '[{"a":1},{"a":2}]'], {"t": "x", "rows": [{"a": 1}, {"a": 2}]}, "continue", True),
    (['[{"k":{"a":1}},{"k"', '{"a":3}}]'], [{"k": {"a": 1}}, {"k": {"a": 3}}], "continue", True),
    (['[{"k":{"a":1}},{"k":', '{"a":3}}]'], [{"k": {"a": 1}}, {"k": {"a": 3}}], "continue", False),
    (['{"a":[1],"b"', "[2]}"], {"a": [1], "b": [2]}, "continue", True),
    # what is cut off is said again
    (['[{"k":1},{"k":2},{"k"', '{"k":3}]'], [*KEPT, {"k": 3}], "resume", False),
    (['[{"k":1},{"k":2},{"k"', '[{"k":1},{"k":2},{"k":3}]'], [*KEPT, {"k": 3}], "restart", False),
]


@pytest.mark.parametrize(
    ("fragments", "value", "kind", "doubt"), OTHER_DOCUMENTS, ids=[" | ".join(row[0]) for row in OTHER_DOCUMENTS]
)
def test_another_document_behind_a_key(fragments: list[str], value: Any, kind: str, doubt: bool) -> None:
    outcome = check_join(fragments, value)
    assert outcome.document is not None
    assert [seam.kind for seam in outcome.document.seams] == [kind]
    assert doubt_of(outcome) == doubt


SAID = 'He said "yes", then left'
# quotes inside a string that nothing escapes, and a cut behind them | the value
INNER_QUOTES: list[tuple[list[str], Any]] = [
    (['{"a": "He said "yes",', ' then left", "b": 2}'], {"a": SAID, "b": 2}),
    (['{"a": "He said "yes", ', 'then left", "b": 2}'], {"a": SAID, "b": 2}),
    (['{"a": "He said "yes", then', ' left", "b": 2}'], {"a": SAID, "b": 2}),
    (['{"a": "He said "yes"', ', then left", "b": 2}'], {"a": SAID, "b": 2}),
    (['{"a": "He said "y', 'es", then left", "b": 2}'], {"a": SAID, "b": 2}),
    (['{"a": "He said "', 'yes", then left", "b": 2}'], {"a": SAID, "b": 2}),
    (['{"a": "He said "yes",', " then le", 'ft", "b": 2}'], {"a": SAID, "b": 2}),
    (['{"a": "He said "yes",', ' then left"}'], {"a": SAID}),
    (['["He said "yes",', ' then left", "b", 2]'], [SAID, "b", 2]),
    (['[{"a": "He said "yes",', ' then left"}, {"a": "x"}]'], [{"a": SAID}, {"a": "x"}]),
    (['{"a": "He said "yes",', ' and "no", then left", "b": 2}'], {"a": 'He said "yes", and "no", then left', "b": 2}),
    # where it was the end
    (['{"a": "He said "yes"",', ' "b": 2}'], {"a": 'He said "yes"', "b": 2}),
    (['{"a": "He said "yes"",\n', ' "b": 2\n}'], {"a": 'He said "yes"', "b": 2}),
    (['{"a": "a 5" pipe",', ' "b": 2}'], {"a": 'a 5" pipe', "b": 2}),
    (['{"a": "a 5" pipe",\n', ' "b": 2\n}'], {"a": 'a 5" pipe', "b": 2}),
    (['["a 5" pipe",', ' "b", 2]'], ['a 5" pipe', "b", 2]),
    (['["a 5" pipe",', " 2]"], ['a 5" pipe', 2]),
    (
        ['[{"a": "x"}, {"a": "a 5" pipe",', ' "b": 1}, {"a": "y"}]'],
        [{"a": "x"}, {"a": 'a 5" pipe', "b": 1}, {"a": "y"}],
    ),
    (['{"a": "a 5" pipe", "b', '": 2}'], {"a": 'a 5" pipe', "b": 2}),
    (['{"a": "a 5" pipe"', "}"], {"a": 'a 5" pipe'}),
]


@pytest.mark.parametrize(("fragments", "value"), INNER_QUOTES, ids=[" | ".join(row) for row, _ in INNER_QUOTES])
def test_a_cut_behind_quotes_that_nothing_escapes(fragments: list[str], value: Any) -> None:
    check_join(fragments, value)


def test_words_behind_them_are_not_dropped() -> None:
    check_join(['{"a": "He said "yes", then le'], {"a": 'He said "yes", then le'})


# a thought in a later answer, which is cut as well
LATER_THOUGHTS: list[list[str]] = [
    [DOCUMENT[:10], '<think>I go on with {"a": 5}', DOCUMENT[10:]],
    [DOCUMENT[:10], '<think>I go on with {"a": 5}', " as it is</think>" + DOCUMENT[10:]],
    [DOCUMENT[:16], "<think>I go on with [5", DOCUMENT[16:]],
    [DOCUMENT[:16], "<think>I go on with [5", "] so</think>" + DOCUMENT[16:]],
    [DOCUMENT[:16], "<think>I go on with [5", "] so</think>\n```json\n" + DOCUMENT[16:] + "\n```"],
    [DOCUMENT[:16], "<think>I go on with [5", "] so</think>" + DOCUMENT],
    [DOCUMENT[:16], "<think>I go on with [5</thi", "nk>" + DOCUMENT[16:]],
    [DOCUMENT[:16], "<think>I go on with [5", "", "] so</think>", DOCUMENT[16:]],  # and nothing behind it
    [DOCUMENT[:10], '<think>I go on with {"a": ' + "5, " * 40, DOCUMENT[10:]],
]


@pytest.mark.parametrize("fragments", LATER_THOUGHTS, ids=[" | ".join(row) for row in LATER_THOUGHTS])
def test_a_later_thought_that_is_cut(fragments: list[str]) -> None:
    document = check_join(fragments, {"a": 1, "b": [1, 2]}).document
    assert document is not None
    assert document.complete
    assert document.seams[0].kind == "rejected"
    assert ("rejected", fragments[1]) in [(repair.kind, repair.before) for repair in document.repairs]


@pytest.mark.parametrize("fragments", [["<think>x</th", 'ink> now"]'], ["<think> first", ' now"]'], ["<think>", '"]']])
def test_a_tag_inside_a_string_is_its_text(fragments: list[str]) -> None:
    check_join(['["use ', *fragments], ["use " + "".join(fragments)[:-2]])


# Data that looks like a thought, or holds the end of one: the answers | the value
NO_THOUGHTS: list[tuple[list[str], Any]] = [
    (['{"a": 1, "b": "', "<think>\", 'c': 1}"], {"a": 1, "b": "<think>", "c": 1}),
    (['{"a": 1, "b": "', '<think>", c: 1}'], {"a": 1, "b": "<think>", "c": 1}),
    (['{"a": 1, "b": "x ', '<plan>", // c\n "d": "</plan>"}'], {"a": 1, "b": "x <plan>", "d": "</plan>"}),
    (['["', '<think>"], // c\n'], ["<think>"]),
    (["{'a': 1, 'b': 'x", ' <plan>",\n "c": 3}'], {"a": 1, "b": "x <plan>", "c": 3}),
    (['{"a": 1, ', "<think>hm", '"c": 3, "d": "x </think> y", "e": 5}'], {"a": 1, "c": 3, "d": "x </think> y", "e": 5}),
    (['{"a": 1, ', "<think>hm", '"c": 3, "d": "x </think>', ' y"}'], {"a": 1, "c": 3, "d": "x </think> y"}),
]


@pytest.mark.parametrize(("answers", "value"), NO_THOUGHTS, ids=[" | ".join(row[0][1:]) for row in NO_THOUGHTS])
def test_what_is_read_as_data_is_no_thought(answers: list[str], value: Any) -> None:
    check_join(answers, value)


def test_a_thought_comes_to_the_same_whether_its_last_answer_is_ended_or_not() -> None:
    values = []
    for is_ended in (False, True):
        accumulator = jsonseam.Accumulator()
        accumulator.add("<think>hm [1] see")
        accumulator.feed("so it is {'a': 1} then")
        if is_ended:
            accumulator.end_fragment()
            accumulator.end_fragment()
            accumulator = jsonseam.Accumulator.resume(accumulator.checkpoint())
        values.append(accumulator.finish().value)
    assert values == [{"a": 1}, {"a": 1}]


# Comments in front of data, and rests of comments with nothing behind them: the answers | the value
COMMENTED: list[tuple[list[str], Any]] = [
    (["{", ' # a note\n"a": 1, // don\'t\n "t": "x"}'], {"a": 1, "t": "x"}),
    (["{", ' # a note\n"a": { // 1, 2\n}, // don\'t\n "t": "x"}'], {"a": {}, "t": "x"}),
    (["{ /* a note,", " 'x' */ ", '"nums": [2]}'], {"nums": [2]}),
    (["{ /* it is", ' "x" */\n', '"nums": [2]}'], {"nums": [2]}),
    (['{"b": 1, // a note,', " 'x', y\n", '"nums": [2]}'], {"b": 1, "nums": [2]}),
]


@pytest.mark.parametrize(("answers", "value"), COMMENTED, ids=[" | ".join(row[0]) for row in COMMENTED])
def test_comments_take_no_data_with_them(answers: list[str], value: Any) -> None:
    check_join(answers, value)


@pytest.mark.parametrize(
    "answers",
    [
        ["[41, 104, 204, 387, 404, 504, 60", "4, 704, 804, 904, 1004, 1104, 1211, 1304]"],
        ["[1, 8, 17, 22, 29, 36, 43, 5", "0, 57, 64, 71, 78, 89, 92]"],
    ],
)
def test_a_count_that_ends_far_behind_the_seam_tells_nothing_of_a_number_cut_at_it(answers: list[str]) -> None:
    check_join(answers, json.loads("".join(answers)))

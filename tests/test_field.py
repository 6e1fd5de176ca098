"""Kinds of faults that were reported in public and once got wrong here, each beside what looks like it and is none.

All cases of those reports are in `data/field_reports.jsonl`; see `test_report_cases.py`.
"""

from __future__ import annotations

from typing import Any

import pytest

import jsonseam
from tests.helpers import check_join

# delivered, one answer or several | value that is meant | mends that must be told, all of them
Case = tuple[str | tuple[str, ...], Any, str]

ESCAPED_LINE_ENDS: list[Case] = [
    ('{"l": "leek\\\nbean\\\npea"}', {"l": "leek\nbean\npea"}, "bad-escape raw-control bad-escape raw-control"),
    ('{"l": "leek\\\r\nbean"}', {"l": "leek\r\nbean"}, "bad-escape raw-control"),
    (('{"l": "leek\\', '\nbean"}'), {"l": "leek\nbean"}, "bad-escape raw-control"),
    ('{"l": "a\\\tb"}', {"l": "a\tb"}, "bad-escape raw-control"),
    # a shell's own, and the last one of a folder
    ('{"l": "run \\\n -p 80 \\\n x"}', {"l": "run \\\n -p 80 \\\n x"}, "bad-escape raw-control bad-escape raw-control"),
    ('{"l": "C:\\dir\\\n", "b": 1}', {"l": "C:\\dir\\\n", "b": 1}, "bad-escape bad-escape raw-control"),
]
ESCAPED_SPACE: list[Case] = [
    ('{"a": "x", "r": \\n[21, 25]\\n\\n}', {"a": "x", "r": [21, 25]}, "escaped-space escaped-space"),
    ('{\\n  "a": 1,\\n  "b": "x\\ny"\\n}', {"a": 1, "b": "x\ny"}, "escaped-space escaped-space escaped-space"),
    ("[1,\\n\\t2\\n, true\\r\\n]", [1, 2, True], "escaped-space escaped-space escaped-space"),
    (('{"r": \\n[21,', " 25]\\n}"), {"r": [21, 25]}, "escaped-space escaped-space"),
    ('{"a": \\[1, 2\\], "b": 3}', {"a": [1, 2], "b": 3}, "bad-escape bad-escape"),  # as Markdown would have it
    # words, and the inside of strings
    ('{"a": \\network\\share, "b": 2}', {"a": "\\network\\share", "b": 2}, "bare-word"),
    ('{"a": "{\\n "b": "c"\\n}", "n": 1}', {"a": '{\n "b": "c"\n}', "n": 1}, " ".join(["inner-quote"] * 4)),
    ('["say "a"\\n"b", "c"]', ['say "a"\n"b', "c"], "inner-quote inner-quote inner-quote"),
]
STRAY_MARKS: list[Case] = [
    ('{"a": 12", "b": 1}', {"a": 12, "b": 1}, "extra-quote"),
    ('{"a": true",\n "b": [1]", "c": {}"}', {"a": True, "b": [1], "c": {}}, " ".join(["extra-quote"] * 3)),
    ('["a", 5", "b"]', ["a", 5, "b"], "extra-quote"),
    ('{"t": "take 50", if any" }', {"t": "take 50"}, "stray-text stray-text extra-quote"),
    # keys and items
    ('{"a": 1 "}": 2}', {"a": 1, "}": 2}, "missing-comma"),
    ('["a" "," "]" "b"]', ["a", ",", "]", "b"], "missing-comma missing-comma missing-comma"),
    ('{"a": 1"b": 2}', {"a": 1, "b": 2}, "missing-comma"),
]  # fmt: skip
OWN_BRACKETS: list[Case] = [
    ('{"w": "as {"b": "x"} is; so", "n": 1}', {"w": 'as {"b": "x"} is; so', "n": 1}, " ".join(["inner-quote"] * 4)),
    ('{"w": "he said "no"} and went"}', {"w": 'he said "no"} and went'}, "inner-quote inner-quote"),
    ("{t: a{b c}d e}", {"t": "a{b c}d e"}, "bare-key bare-word"),
    ("{t: x[0] and y, b: 2}", {"t": "x[0] and y", "b": 2}, "bare-key bare-word bare-key"),
    ('{"a": "if x {\n y\n}\n', {"a": "if x {\n y\n}\n"}, "raw-control raw-control raw-control cut-string closed"),
    ('{"a": "x {y},\n"b": 2}', {"a": "x {y}", "b": 2}, "unclosed-string"),
    # the document's
    ('{"w": "he said "no""} Then more', {"w": 'he said "no"'}, "inner-quote inner-quote remark"),
    ("{t: a{b}", {"t": "a{b"}, "bare-key bare-word"),
]  # fmt: skip
FORGOTTEN_MARKS: list[Case] = [
    ('{"v": [{"k": "a"}, {"k": "go \'on\'}]}', {"v": [{"k": "a"}, {"k": "go 'on'"}]}, "unclosed-string closed"),
    ('{"city": "New York}', {"city": "New York"}, "unclosed-string closed"),
    ("{'t': 'Sean O'Hara, 'nr': '5'}", {"t": "Sean O'Hara", "nr": "5"}, " ".join(["single-quotes"] * 4)),
    ('{"a": 1, "b: 2}', {"a": 1, "b": 2}, "unclosed-string closed"),
    ('{"a": [{"c": "x", "d”: true}]}', {"a": [{"c": "x", "d": True}]}, "unclosed-string closed"),
    # the string's own, and a key that was cut
    ('{"a": 1, "b: x}', {"a": 1}, "dangling-key closed"),
    ('{"a": 1, "b: 2', {"a": 1}, "dangling-key closed"),
    ('{"c": "if (x) { y(); }', {"c": "if (x) { y(); }"}, "cut-string closed"),
    ('{"a": "b}}', {"a": "b}}"}, "cut-string closed"),
    ("{'t': 'x, 'y' and z', 'b': 2}", {"t": "x, 'y' and z", "b": 2}, " ".join(["single-quotes"] * 3)),
    (('{"a": "x}', '{y", "b": 1}'), {"a": "x}{y", "b": 1}, ""),
]
MARKS_OF_TWO_KINDS: list[Case] = [
    ('{"a": "one”, "b": "two"}', {"a": "one", "b": "two"}, "smart-quotes"),
    ('{"a”: "one",\n "l": ["x”, "y"]}', {"a": "one", "l": ["x", "y"]}, "smart-quotes smart-quotes"),
    ('{"a": "b”}', {"a": "b"}, "unclosed-string closed"),
    ('{"a\': "one", "b": 2}', {"a": "one", "b": 2}, "single-quotes"),
    # pairs, and signs of measure
    ('{"a": "x\ny “z”", "b": "“”"}', {"a": "x\ny “z”", "b": "“”"}, "raw-control"),
    ('{"a": "x\n”y”, ”z”", "b": 1}', {"a": "x\n”y”, ”z”", "b": 1}, "raw-control"),
    ('["\n5” pipe", "6”"]', ["\n5” pipe", "6”"], "raw-control"),
]
NAMELESS: list[Case] = [
    ('{"a": {"x": 1}, {"y": 2}, "b": 3}', {"a": {"x": 1}, "": {"y": 2}, "b": 3}, "missing-key"),
    ('{"a": 1, [1, 2], "b": 3}', {"a": 1, "": [1, 2], "b": 3}, "missing-key"),
    ('{"a": ["x"] ["y"]}', {"a": ["x"], "": ["y"]}, "missing-comma missing-key"),
    # opened twice
    ('[{{"a": 1}]', [{"a": 1}], "extra-open"),
    ('[{"a": 1, {"b": 2}]', [{"a": 1}, {"b": 2}], "missing-close"),
]
CLOSERS_BEFORE_A_CUT: list[Case] = [
    # one too many | one is missing: which, tells the next object
    (
        ('{"s": [{"t": "a", "e": [{"x": 1}, {"x": 2}}, {"x": 3}, {"x": 4', '}], "n": 1}]}'),
        {"s": [{"t": "a", "e": [{"x": 1}, {"x": 2}, {"x": 3}, {"x": 4}], "n": 1}]},
        "extra-close",
    ),
    (
        ('{"s": [{"t": "a", "e": [{"x": 1}, {"x": 2}}, {"t": "b", "e": [', '{"x": 3}]}]}'),
        {"s": [{"t": "a", "e": [{"x": 1}, {"x": 2}]}, {"t": "b", "e": [{"x": 3}]}]},
        "missing-close",
    ),
    (
        ('{"e": [{"h": [1], "r": 1}, {"h": [2]], "r": [2', ", 3]}]}"),
        {"e": [{"h": [1], "r": 1}, {"h": [2], "r": [2, 3]}]},
        "extra-close",
    ),
    (
        ('{"e": [{"h": [1], "r": 1}, {"h": [2]], "z": [2', ", 3]}"),
        {"e": [{"h": [1], "r": 1}, {"h": [2]}], "z": [2, 3]},
        "missing-close",
    ),
]
OTHER_LANGUAGES: list[Case] = [
    (
        '{"i": ObjectId("5f1"), "t": new Date(\'2020\'), "n": NumberLong(5)}',
        {"i": "5f1", "t": "2020", "n": 5},
        "typed-scalar typed-scalar typed-scalar",
    ),
    ('{"c": """print("""Hi""")"""\n}', {"c": 'print("""Hi""")'}, "triple-quotes"),
    # more than a type around a scalar
    ('{"a": ObjectId("5f1").str, "b": f(5)}', {"a": 'ObjectId("5f1").str', "b": "f(5)"}, "bare-word bare-word"),
]
TABLES = {
    "escaped-line-ends": ESCAPED_LINE_ENDS,
    "escaped-space": ESCAPED_SPACE,
    "stray-marks": STRAY_MARKS,
    "own-brackets": OWN_BRACKETS,
    "forgotten-marks": FORGOTTEN_MARKS,
    "marks-of-two-kinds": MARKS_OF_TWO_KINDS,
    "nameless": NAMELESS,
    "closers-before-a-cut": CLOSERS_BEFORE_A_CUT,
    "other-languages": OTHER_LANGUAGES,
}


@pytest.mark.parametrize(
    ("delivered", "meant", "mends"),
    [pytest.param(*case, id=f"{name}-{number}") for name, table in TABLES.items() for number, case in enumerate(table)],
)
def test_a_kind_of_fault(delivered: str | tuple[str, ...], meant: Any, mends: str) -> None:
    outcome = check_join([delivered] if isinstance(delivered, str) else delivered, meant)
    assert outcome.document is not None
    assert [repair.kind for repair in outcome.document.repairs] == mends.split()


@pytest.mark.parametrize(("before", "closers"), [('{"city": "New York', "}"), ('{"v": [{"k": "go on', "}]}")])
def test_a_forgotten_mark_is_a_guess(before: str, closers: str) -> None:
    document = jsonseam.join([before + closers])
    assert document.text == f'{before}"{closers}'
    assert not document.complete
    assert len(document.unsafe) == 1
    assert jsonseam.join([before + closers], strict=True).text == f'{before}{closers}"{closers}'


def test_lines_of_a_string_that_hold_its_items_are_no_lead_in() -> None:
    first = '[\n  {\n    "foo": "Fee bor",\n    "tag": "#fee"\n  },\n'
    text = first + '  {\n    "foo": "the "fee" bor",\n    "tag": "#bor"\n  }\n]'
    meant = [{"foo": "Fee bor", "tag": "#fee"}, {"foo": 'the "fee" bor', "tag": "#bor"}]
    for at in range(text.index('"#fee"') + 1, len(first)):
        assert jsonseam.join([text[:at], text[at:]]).value == meant, text[:at]

"""Mending, seen through a caller that is as small as can be (`strict_driver`)."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.inputs import almost_json, damaged, layouts
from fuzz.inputs import frames as frames_given
from fuzz.inputs import values as json_values
from jsonseam.frames import Frames
from jsonseam.mending import Transducer, mend_text
from tests.strict_driver import Driver, completion, drive

SHARED = next(
    (up / "shared" for up in Path(__file__).resolve().parents if (up / "shared" / "eval").is_dir()), Path("shared")
)
WHOLE = 1 << 30

# fault | delivered | value that is meant
CASES: list[tuple[str, str, Any]] = [
    ("trailing-comma", '{"a": [1, 2,], "b": 3,}', {"a": [1, 2], "b": 3}),
    ("trailing-comma", '{"a": "x, y, ]", /* last */ , }', {"a": "x, y, ]"}),
    ("double-comma", '[1,, 2, , 3]', [1, 2, 3]),
    ("double-comma", '{, "a": 1}', {"a": 1}),
    ("missing-comma", '["a" "b"\n"c" 1 {"d": 2} [3]]', ["a", "b", "c", 1, {"d": 2}, [3]]),
    ("missing-comma", '{"a": "x" "b": 1 "c": true\n"d": {} "e": []}', {"a": "x", "b": 1, "c": True, "d": {}, "e": []}),
    ("wrong-comma", '{"a": 1; "b": [1；2]}'.replace("；", ";"), {"a": 1, "b": [1, 2]}),
    ("wrong-comma", '{"a": 1，"b": 2}', {"a": 1, "b": 2}),
    ("missing-colon", '{"a" 1, "b" "x", "c" {"d" [true]}}', {"a": 1, "b": "x", "c": {"d": [True]}}),
    ("missing-colon", '{"a" b, "c" d}', {"a": "b", "c": "d"}),
    ("missing-colon", '[{"a" b, "c" d}, {"g": h, "i" j}]', [{"a": "b", "c": "d"}, {"g": "h", "i": "j"}]),
    ("double-colon", '{"a":: 1}', {"a": 1}),
    ("equals-sign", '{"a" = 1, "b"=>2, "c" := 3, d = "e"}', {"a": 1, "b": 2, "c": 3, "d": "e"}),
    ("equals-sign", '{"a"： 1}', {"a": 1}),
    ("raw-control", '{"a": "one\ntwo\tthree\r\nfour", "b": "\x00"}', {"a": "one\ntwo\tthree\r\nfour", "b": "\0"}),
    ("raw-control", '["one,\nthen {x}: \\"no\\", and\n[that], so"]', ['one,\nthen {x}: "no", and\n[that], so']),
    ("bad-escape", r'''["\d+ it\'s \_ \x41 \$ \u12 C:\dir"]''', ["\\d+ it's \\_ \\x41 \\$ \\u12 C:\\dir"]),
    ("lone-surrogate", r'["\ud83d", "\ude00 x", "\ud83d\ude00"]', ["\ufffd", "\ufffd x", "\U0001f600"]),
    ("inner-quote", '{"a": "he said "no" twice", "b": 1}', {"a": 'he said "no" twice', "b": 1}),
    ("inner-quote", '{"a": "he said "no", then left", "b": 1}', {"a": 'he said "no", then left', "b": 1}),
    ("inner-quote", '{"a": "he said "no"", "b": ""x" y"}', {"a": 'he said "no"', "b": '"x" y'}),
    ("inner-quote", '["a 5" nail", "the "new" {plan}", "b"]', ['a 5" nail', 'the "new" {plan}', "b"]),
    ("inner-quote", '{"a": "see "x": it is", "b": [1]}', {"a": 'see "x": it is', "b": [1]}),
    ("inner-quote", '{"a": "if (b == "c") { return "d"; }", "e": 1}', {"a": 'if (b == "c") { return "d"; }', "e": 1}),
    ("unclosed-string", '{"r":[{"s":"a:1","e":"b:2},{"s":"c"}]}', {"r": [{"s": "a:1", "e": "b:2"}, {"s": "c"}]}),
    ("single-quotes", "{'a': 'it's \"so\"', 'b': ['x', 'y']}", {"a": 'it\'s "so"', "b": ["x", "y"]}),
    ("single-quotes", r"['it\'s']", ["it's"]),
    ("single-quotes", "[{k: 'a'}, {k: 'b', j: 'c'}]", [{"k": "a"}, {"k": "b", "j": "c"}]),
    ("single-quotes", "{a: {b: 'x'}, c: [{d: 'it's'}, {e: 'y'}]}", {"a": {"b": "x"}, "c": [{"d": "it's"}, {"e": "y"}]}),
    ("smart-quotes", "{“a”: „b“, ‘c’: «d»}", {"a": "b", "c": "d"}),
    ("backtick", "{`a`: `b`}", {"a": "b"}),
    ("bare-key", "{a: 1, b_2: {$c: 2}, 3: 4, k-v: 5}", {"a": 1, "b_2": {"$c": 2}, "3": 4, "k-v": 5}),
    ("literal", "[True, FALSE, None, undefined, nil, NULL]", [True, False, None, None, None, None]),
    ("literal", "[nan, inf]", [math.nan, math.inf]),
    ("number-style", "[+1, .5, 5., 007, -.5]", [1, 0.5, 5.0, 7, -0.5]),
    ("number-style", "[0x1F, 1_000, 1.e3, -inf]", [31, 1000, 1e3, -math.inf]),
    ("bare-word", "[None of them, 2024-01-05, 1.2.3, 50%]", ["None of them", "2024-01-05", "1.2.3", "50%"]),
    ("bare-word", '{"a": see http://x.org/y, and go, "b": 1}', {"a": "see http://x.org/y, and go", "b": 1}),
    ("unopened-string", '{"a": hello", "b": 1}', {"a": "hello", "b": 1}),
    ("string-prefix", "[u'a', b'c']", ["a", "c"]),
    ("comment", '{"a": 1, // note: "x"\n "b": /* {2} */ 2 # end\n}', {"a": 1, "b": 2}),
    ("missing-close", '{"a": {"b": [1, 2}, "c": 3}', {"a": {"b": [1, 2]}, "c": 3}),
    ("missing-close", '[{"a": 1, {"b": 2}]', [{"a": 1}, {"b": 2}]),
    ("missing-close", '{"a": [1, 2, "b": 3}', {"a": [1, 2], "b": 3}),
    ("extra-close", '{"a": [{"b": 1}}, {"b": 2}], "c": 3}', {"a": [{"b": 1}, {"b": 2}], "c": 3}),
    ("wrong-close", '{"a": [1, 2}, "b": {"c": 3], "d": 4}', {"a": [1, 2], "b": {"c": 3}, "d": 4}),
    ("extra-open", '{{"a": 1}', {"a": 1}),
    ("missing-open", '["a": 1, "b": 2]', [{"a": 1, "b": 2}]),
    ("unclosed-string", '{"a": "one,\n"b": "two\n}', {"a": "one", "b": "two"}),
    ("unclosed-string", '["one,\n  "two",\n  "three"]', ["one", "two", "three"]),
    ("unclosed-string", '[{"a": "one},\n{"a": "two"}]', [{"a": "one"}, {"a": "two"}]),
    ("unclosed-string", '{"a": "one, "b": 2}', {"a": "one", "b": 2}),
    ("unclosed-string", '{"a: 1, "b": 2}', {"a": 1, "b": 2}),
    ("odd-space", '\ufeff{\u200b"a"\u00a0:\u20281,\x00"b"\x0b: "\u00a0"}', {"a": 1, "b": "\u00a0"}),
    ("ellipsis", '{"a": [1, 2, ...], ... "b": [..., 3, …]}', {"a": [1, 2], "b": [3]}),
    ("missing-value", '{"a": , "b":, "c": }', {"a": None, "b": None, "c": None}),
    ("missing-value", '{"a", "b"}', {"a": None, "b": None}),
    ("missing-key", '{: 1}', {"": 1}),
    ("stray-text", '{"a": 12 kg, "b": 1}', {"a": 12, "b": 1}),
    ("stray-text", '{"a": 1, and that is all, "b": 2}', {"a": 1, "b": 2}),
    ("inner-quote", '["he said "no", "yes", and left", "b"]', ['he said "no", "yes", and left', "b"]),
    ("inner-quote", '{"a": "print("x")", "b": "5" x 3""}', {"a": 'print("x")', "b": '5" x 3"'}),
    ("inner-quote", '{"a": "x = {"a": 1, "b": 2}", "n": 2}', {"a": 'x = {"a": 1, "b": 2}', "n": 2}),
    ("bad-escape", r'{"a": "C:\dir\", "b": "D:\x\"}', {"a": "C:\\dir\\", "b": "D:\\x\\"}),
    ("single-quotes", "['it's', 'they're', 'x']", ["it's", "they're", "x"]),
    ("missing-comma", "[1 2 3 true None]", [1, 2, 3, True, None]),
    ("bare-key", "{d e f: 3, g: h i, j: [k l, m]}", {"d e f": 3, "g": "h i", "j": ["k l", "m"]}),
    ("missing-value", '{"a":\n"b": 1}', {"a": None, "b": 1}),
    ("isolated", "[(1, 'a'), 2]", [[1, "a"], 2]),
    ("concatenation", '{"a": "x" + "y", "b": ["1 + 1" +\n "z" + "!", 2]}', {"a": "xy", "b": ["1 + 1z!", 2]}),
    ("inner-quote", '{"a": "he said "b" + "c" loudly", "d": 1}', {"a": 'he said "b" + "c" loudly', "d": 1}),
    ("triple-quotes", '{"a": """one "two"\n\\n\\d""", "b": ["""x""", """y, z"""]}',
     {"a": 'one "two"\n\n\\d', "b": ["x", "y, z"]}),
    ("bare-word", '{"a" b, "c": {"d" e}}', {"a": "b", "c": {"d": "e"}}),
    ("inner-quote", '{"the "new" plan": 1}', {'the "new" plan': 1}),
    ("huge-integer", "[" + "9" * 4301 + ", -" + "8" * 4301 + "]", ["9" * 4301, "-" + "8" * 4301]),
]  # fmt: skip


def same(a: Any, b: Any) -> bool:
    return json.dumps(a) == json.dumps(b)


@pytest.mark.parametrize(("kind", "text", "meant"), CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)])
@pytest.mark.parametrize("chunk", [WHOLE, 1, 3])
def test_fault_is_mended_and_told(kind: str, text: str, meant: Any, chunk: int) -> None:
    driver = drive(text, chunk)
    value = driver.end()
    assert same(value, meant)
    assert kind in {spot.kind for spot in driver.spots}


def test_path_leads_from_the_root_if_the_steps_to_the_container_are_given() -> None:
    result = mend_text(', 1}, {"b": .5}', "[[{", True, final=True, steps=[4, 2], items=None)
    assert [spot.path for spot in result.spots][-1] == (4, 3, "b")
    assert mend_text(", .5", "[", True, final=True, steps=[], items=7).spots[-1].path == (7,)


@pytest.mark.parametrize(
    ("text", "frames", "after_value", "path"),
    [
        ('"a": {"b": [1, .5]}', "{", False, ("a", "b", 1)),
        ("1, {'x': 2}", "[", False, (1,)),
        (", .5", "[", True, ()),
        ('"a": 1}, .5', "[{", False, ()),
    ],
)
def test_path_is_told_as_far_as_it_is_known(text: str, frames: str, after_value: bool, path: tuple[Any, ...]) -> None:
    assert mend_text(text, frames, after_value, final=True).spots[-1].path == path


@pytest.mark.parametrize(
    ("text", "strict"),
    [
        ('{"a": "b', '{"a": "b'),
        ('{"a": "b\\', '{"a": "b\\'),
        ('{"a": "\\u12', '{"a": "\\u12'),
        ('{"a": "\\ud83d', '{"a": "\\ud83d'),
        ('{"a": tr', '{"a": tr'),
        ('{"a": Fal', '{"a": fal'),
        ("[12, 1.", "[12, 1."),
        ("[1, -", "[1, -"),
        ("[1e", "[1e"),
        ('{"a": 1,', '{"a": 1,'),
        ('{"a": "b" // more', '{"a": "b" '),
        ("{total_co", '{"total_co'),
        ("{'a': 'it", '{"a": "it'),
    ],
)
def test_cut_document_stays_cut(text: str, strict: str) -> None:
    assert mend_text(text, "", False, final=True).strict == strict


UNDECIDED = ['{"a": "he said "no"', '{"a": 1,', '["a" "b', '{"a": [1}', "[1, ``", '{"a": 1 /', "[.", "[1 /* x"]


@pytest.mark.parametrize("text", UNDECIDED)
def test_undecided_text_is_held(text: str) -> None:
    driver = Driver()
    driver.feed(text)
    assert driver.spots == []


def test_what_follows_the_root_is_left_alone() -> None:
    result = mend_text(",] , and more [text]", "[", True, final=True)
    assert (result.used, result.strict) == (2, "]")
    assert mend_text(" }", "", True, final=True).used == 0


# ---------------------------------------------------------------- what must hold always
def undone(strict: str, spots: Any) -> str:
    for spot in reversed(spots):
        assert strict[spot.at : spot.at + len(spot.after)] == spot.after
        strict = strict[: spot.at] + spot.before + strict[spot.at + len(spot.after) :]
    return strict


@settings(deadline=None)
@given(json_values, layouts)
def test_valid_json_passes_to_the_letter_from_every_state(value: Any, layout: dict[str, Any]) -> None:
    text = json.dumps(value, **layout) + " "
    for at, frames, after_value in states_of(text):
        result = mend_text(text[at:], frames, after_value, final=True)
        assert result.spots == ()
        assert result.strict == text[at:][: result.used]
        assert text[at + result.used :].strip() == ""


def states_of(text: str) -> list[tuple[int, str, bool]]:
    driver, states = Driver(held=text), [(0, "", False)]
    while text[0] in "{[" and not driver.closed:
        driver._read()
        states.append((len(text) - len(driver.held), driver.frames, driver.after_value))
    return states


@settings(max_examples=300, deadline=None)
@given(almost_json | damaged() | st.text(max_size=30), frames_given, st.booleans(), st.booleans())
def test_all_delivered_text_is_in_the_result_or_in_the_record(text: str, frames: str, after: bool, final: bool) -> None:
    result = mend_text(text, frames, after, final=final)
    assert undone(result.strict, result.spots) == text[: result.used]


@settings(max_examples=300, deadline=None)
@given(almost_json | damaged() | st.text(max_size=30))
def test_a_final_text_always_becomes_json(text: str) -> None:
    result = mend_text(text, "", False, final=True)
    json.loads(result.strict + completion(result.strict))
    if result.used < len(text):
        assert completion(result.strict) == ""


@settings(max_examples=300, deadline=None)
@given(almost_json | damaged(), frames_given, st.booleans())
def test_a_longer_text_never_changes_a_decision(text: str, frames: str, after_value: bool) -> None:
    whole = mend_text(text, frames, after_value, final=False)
    for size in range(len(text)):
        part = mend_text(text[:size], frames, after_value, final=False)
        assert part.used <= whole.used
        assert whole.strict.startswith(part.strict)
        assert whole.spots[: len(part.spots)] == part.spots


@settings(max_examples=300, deadline=None)
@given(almost_json | damaged(), st.integers(1, 7))
def test_any_chunking_gives_the_same_document(text: str, chunk: int) -> None:
    whole, parts = drive(text, WHOLE), drive(text, chunk)
    whole._go(final=True)
    parts._go(final=True)
    assert parts.completed() == whole.completed()
    assert [(s.kind, s.before, s.after) for s in parts.spots] == [(s.kind, s.before, s.after) for s in whole.spots]


HOSTILE = {
    "quotes": '["' + '"' * 1000,
    "spaced quotes": '["' + ' "' * 1000,
    "quoted commas": '["\n' + '", ' * 1000,
    "backslashes": '["\n' + "\\" * 1001,
    "backslash quotes": '["\n' + '\\"' * 1000,
    "openers": "[" * 1000 + "]}" * 500,
    "wrong closers": '{"a": ' * 500 + "]" * 500,
    "closers both ways": "[" * 100 + "}]" * 500,
    "commas": "[1" + "," * 1000,
    "comments": "[1," + "/**/" * 500 + "2",
    "comments in a string": '["' + '" // ' * 500,
    "line ends": '["\n' + "\n" * 1000,
    "listed line ends": '["a' + ",\n1" * 500,
    "closing line ends": '["a' + "\n]" * 500,
    "odd spaces": "[" + "\u200b \u00a0" * 300,
    "dots": "[" + "... , " * 300,
    "false ends": '["\n' + '",x"\n' * 300,
    "keys": "{" + "a:1 b " * 300,
    "words": '{"a": ' + "word, " * 300,
    "parentheses": "[" + "(" * 1000,
    "number": "[" + "1" * 3000 + "x",
    "letters": "[" + "a" * 3000,
    "apostrophes": "['" + "it's " * 300,
    "escapes": '["\n' + "\\ud83d" * 300,
    "every token": "{a = .5; 'b' => [1,,2 3],} " * 60,
    "colons": '{"a"' + ":" * 1000,
    "fences": "[" + "```json " * 300,
    "keys in text": '{"a": "x\n' + '", "b' * 300,
    "closers in text": '{"a": "x\n' + '"}' * 500,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("final", [True, False])
def test_hostile_text_costs_linear_visits(name: str, final: bool) -> None:
    head, unit = HOSTILE[name][:2], HOSTILE[name][2:]

    def visits(times: int) -> int:
        transducer = Transducer(head + unit * times, Frames("", after_value=False), False, final=final)
        transducer.run()
        return transducer.visits

    small, large = visits(8), visits(64)
    assert large <= 8.8 * small + 1000
    assert small <= 40 * len(head + unit * 8)


def test_many_small_chunks_cost_linear_visits() -> None:
    def calls(size: int) -> int:
        driver = Driver()
        for _ in range(size):
            driver.feed('"')
        return driver.calls

    assert calls(4000) <= 2 * calls(500)


# ---------------------------------------------------------------- the shared evaluation, in small
def load_mendsim() -> Any:
    if not (SHARED / "eval").is_dir():
        pytest.skip("the shared evaluation is not beside the project")
    if str(SHARED / "eval") not in sys.path:
        sys.path.append(str(SHARED / "eval"))
    import mendsim

    return mendsim


@pytest.mark.parametrize("chunk", [WHOLE, 16])
def test_shared_faults(chunk: int) -> None:
    mendsim = load_mendsim()
    wrong = []
    for fault in mendsim.FAULTS:
        for number, (text, meant) in enumerate(mendsim.cases(fault, 12, 7)):
            if not mendsim.same(drive(text, chunk).end(), meant):
                wrong.append(f"{fault} {number}")
    assert len(wrong) <= 3, wrong


def test_suite_of_rejected_files_ends_in_json() -> None:
    suite = SHARED / "data" / "JSONTestSuite"
    if not suite.is_dir():
        pytest.skip("JSONTestSuite is not beside the project")
    for file in sorted(suite.glob("n_*.json")):
        text = file.read_bytes().decode("utf-8", "replace")
        result = mend_text(text, "", False, final=True)
        assert undone(result.strict, result.spots) == text[: result.used], file.name
        completion(result.strict)


def test_the_last_resort_is_imported_when_an_item_needs_it() -> None:
    code = (
        "import sys, jsonseam; jsonseam.join(['{a: 1}']); assert 'json_repair' not in sys.modules;"
        "jsonseam.join(['[(1, 2)]']); assert 'json_repair' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)

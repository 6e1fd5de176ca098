"""Chunks join literally: cut anywhere, as text or as bytes, a document is what json.loads makes of the whole."""

from __future__ import annotations

import json
from typing import Any

import pytest

import jsonseam
from tests.helpers import DATA, check, cut, shared, spelled

DEEP = [[[{"a": [[], {}, [[]]]}]]]

# what is special about it | text
CASES: list[tuple[str, str]] = [
    ("empty containers", ' {"a": [], "b": {}, "c": [[], {}]} '),
    ("all literals", '[true, false, null, [true], {"a": null}]'),
    ("numbers", "[0, -0, -0.0, 1, -1, 1.5, 1e5, 1E5, 1e+5, 1e-5, 0.1, 1.0, 123456789]"),
    ("big integers", "[18446744073709551616, -9223372036854775809, 123456789012345678901234567890123456789]"),
    ("2**63 and its neighbours", "[9223372036854775807, 9223372036854775808, -9223372036854775808]"),
    ("a big integer as the last member", '{"a": 123456789012345678901234567890}'),
    ("floats out of range", "[1e400, -1e400, 1e-400, -1e-400, 1e308, 5e-324]"),
    ("floats of 17 digits", "[0.1, 1e16, 1.7976931348623157e308, 2.2250738585072014e-308, 0.30000000000000004]"),
    ("NaN and Infinity", "[NaN, Infinity, -Infinity, 1]"),
    ("duplicate keys", '{"a": 1, "b": 2, "a": 3, "a": {"a": [], "a": 4}}'),
    ("duplicate keys, first a container", '{"a": {"x": [1]}, "a": "later"}'),
    ("empty key", '{"": {"": ""}}'),
    ("short escapes", r'["\" \\ \/ \b \f \n \r \t", "\\\\", "\\\"", "\\"]'),
    ("unicode escapes", r'["\u0041\u00e9\u6771", "\u0000", "\u001F", "\uFFFF"]'),
    ("pairs of surrogates, escaped", r'{"\ud83d\ude00": "\ud83d\ude00\ud83d\ude00 \uD834\uDD1E"}'),
    ("astral characters, raw", '{"😀": "😀😀 𝄞 東京"}'),
    ("quotes, brackets and commas in strings", r'{"a,]}": "x\", [1, {\"b\": \\", "c": ":,{}[]"}'),
    ("ends in backslashes", r'["\\", "a\\", "\\\\\\", "\\\""]'),
    ("odd white space", '\r\n\t [ 1\r\n,\t2 , "a"\n:x"]'.replace('\n:x"', '\n"').replace('"a"\n"', '"a"')),
    ("no white space", '{"a":[1,2,{"b":null}],"c":"d"}'),
    ("line separators raw in a string", '["\u2028\u2029\x7f\x85\xa0"]'),
    ("fences in a string", '{"code": "```json\\n[1]\\n```"}'),
    ("deep", json.dumps(DEEP)),
    ("a long string", json.dumps("x" * 5000 + '"\\é😀' * 300)),
    ("a long key", json.dumps({"k" * 5000: 1})),
    ("more than one slice", json.dumps([{"id": i, "t": "é" * (i % 7)} for i in range(400)], ensure_ascii=False)),
    ("a long number", "[" + "1" * 4300 + "]"),
    ("a string", '"just \\u00e9 text"'),
    ("an integer, with space", "42 "),
    ("a float, with space", " -1.5e3\n"),
    ("a literal", "null"),
]


@pytest.mark.parametrize("text", [text for _, text in CASES], ids=[name for name, _ in CASES])
def test_every_cut_gives_what_json_gives(text: str) -> None:
    outcome = check(text, json.loads(text))
    assert outcome.document is not None
    assert outcome.document.complete
    assert outcome.status == "complete"
    assert outcome.document.text.strip() == text.strip()
    assert outcome.document.repairs == ()
    assert outcome.document.seams == ()
    assert outcome.document.unsafe == ()


@pytest.mark.parametrize("text", ["42", "-1.5e3", " 0"])
def test_a_root_number_at_the_very_end_may_have_been_cut(text: str) -> None:
    outcome = check(text, json.loads(text))
    assert outcome.document is not None
    assert (outcome.status, outcome.document.complete, outcome.document.unsafe) == ("partial", False, ("",))


# what is wrong with the text | delivered | value | kinds of repairs
STAINED: list[tuple[str, str | bytes, Any, list[str]]] = [
    ("a byte order mark", b'\xef\xbb\xbf{"a": 1}', {"a": 1}, []),
    ("bytes that are no UTF-8", b'{"a": "x\xffy\xc3"}', {"a": "x�y�"}, ["invalid-utf8", "invalid-utf8"]),
    ("an overlong byte sequence", b'["\xc0\xaf"]', ["��"], ["invalid-utf8", "invalid-utf8"]),
    ("a surrogate in UTF-8", b'["\xed\xa0\x80"]', ["���"], ["invalid-utf8"] * 3),
    ("a raw lone surrogate", '["a\ud83db"]', ["a�b"], ["lone-surrogate"]),
    ("a raw pair of surrogates", '["a\ud83d\ude00b"]', ["a😀b"], []),
    ("an escaped lone surrogate", '["a\\ud83db", 1]', ["a�b", 1], ["lone-surrogate"]),
    ("an escaped low surrogate", '{"\\ude00": "\\ude00"}', {"�": "�"}, ["lone-surrogate", "lone-surrogate"]),
    ("two high ones and a low one", '["\\ud83d\\ud83d\\ude00"]', ["�😀"], ["lone-surrogate"]),
    ("a NUL", '{"a\0": "x\0y"}', {"a": "xy"}, ["nul", "nul"]),
]


@pytest.mark.parametrize(("delivered", "value", "kinds"), [row[1:] for row in STAINED], ids=[row[0] for row in STAINED])
def test_damage_is_never_silent(delivered: str | bytes, value: Any, kinds: list[str]) -> None:
    outcome = check(delivered, value)
    assert outcome.document is not None
    assert [repair.kind for repair in outcome.document.repairs] == kinds
    assert (outcome.status == "malformed") == bool(kinds)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_all_kinds_of_bytes_are_taken(kind: Any) -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.add(kind('["é"]'.encode()))
    assert accumulator.finish().value == ["é"]


def test_a_small_real_document_in_every_delivery() -> None:
    text = (DATA / "tweets.json").read_text("utf-8")
    check(text, json.loads(text))


KPIS = {
    "twitter.json": {
        "tweets": "statuses",
        "names": "statuses[*].user.name",
        "members": "statuses[3]",
        "retweets": "$.statuses[*].retweet_count",
        "urls": "statuses[*].entities.urls",
    },
    "citm_catalog.json": {
        "performances": "performances",
        "events": "events",
        "prices": "performances[*].prices",
        "seats": "performances[*].seatCategories[*].areas",
        "amounts": "performances[*].prices[*].amount",
    },
}


def recount(name: str, value: Any) -> dict[str, float]:
    """The same counters, written out by hand."""
    if name == "twitter.json":
        tweets = value["statuses"]
        return {
            "tweets": len(tweets),
            "names": sum(len(t["user"]["name"]) for t in tweets),
            "members": len(tweets[3]),
            "retweets": sum(t["retweet_count"] for t in tweets),
            "urls": sum(len(t["entities"]["urls"]) for t in tweets),
        }
    shows = value["performances"]
    return {
        "performances": len(shows),
        "events": len(value["events"]),
        "prices": sum(len(p["prices"]) for p in shows),
        "seats": sum(len(s["areas"]) for p in shows for s in p["seatCategories"]),
        "amounts": sum(price["amount"] for p in shows for price in p["prices"]),
    }


@pytest.mark.parametrize("size", [1, 16, 8192])
@pytest.mark.parametrize("name", ["twitter.json", "citm_catalog.json"])
def test_large_real_documents(name: str, size: int) -> None:
    text = shared(f"data/{name}").read_text("utf-8")
    accumulator = jsonseam.Accumulator([jsonseam.Kpi(key, path) for key, path in KPIS[name].items()])
    for chunk in cut(text, size):
        accumulator.feed(chunk)
    accumulator.end_fragment()
    assert accumulator.complete
    document = accumulator.finish()
    value = json.loads(text)
    assert document.value == value
    assert spelled(document.value) == spelled(value)
    assert document.text == text
    assert document.kpis == accumulator.kpis == recount(name, value)


@pytest.mark.parametrize("flags", [560, 581, 600])
def test_a_seam_is_as_sure_however_what_is_held_came(flags: int) -> None:
    """How sure it is comes of a window, and where that begins must not come of the pieces in which text was settled."""
    string = '{"text": "' + "lorem ipsum " * 50 + '"'
    held = '{"a": [' + "1, " * 1500 + string + ', "flags": [' + "1, 0, " * flags + "1, 0"
    seams = set()
    for size in (1, 100, 900, 5000):
        accumulator = jsonseam.Accumulator()
        for at in range(0, len(held), size):
            accumulator.feed(held[at : at + size])
        accumulator.end_fragment()
        resumed = jsonseam.Accumulator.resume(accumulator.checkpoint())
        seams |= {accumulator.add("1, 0, 1, 0, 3]}]}").seam, resumed.add("1, 0, 1, 0, 3]}]}").seam}
    assert len(seams) == 1


@pytest.mark.parametrize("space", ["\xa0", "\v", "\x1f", "\u3000"])
@pytest.mark.parametrize("size", [1, 1000])
def test_an_answer_that_ends_in_space_that_is_none_in_json_is_mended_before_the_seam(space: str, size: int) -> None:
    held = '{"a": [1 2, ' + '"lorem", ' * 50 + "{  " + space  # behind a fault long pieces are read otherwise
    accumulator = jsonseam.Accumulator()
    for at in range(0, len(held), size):
        accumulator.feed(held[at : at + size])
    accumulator.end_fragment()
    seam = accumulator.add('"b": 1}]}').seam
    assert seam is not None
    assert (seam.kind, seam.offset, seam.sure) == ("continue", len(held), 1.0)

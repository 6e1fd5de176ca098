"""What was sent is never taken back: the outlet on documents that grow, and on ones that are written anew."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jsonseam.proxy.outlet import Outlet
from jsonseam.proxy.sound import Sound


def test_the_end_waits_until_more_stands_behind_it() -> None:
    outlet = Outlet(hold=4)
    assert outlet.flow('["one', final=False, changed=False) == "["
    assert outlet.held == 4
    assert outlet.flow('["one two', final=False, changed=False) == '"one'
    assert outlet.flow('["one two"]', final=True, changed=False) == ' two"]'
    assert (outlet.sent, outlet.held, outlet.taken_back) == ('["one two"]', 0, False)


DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)


@given(
    DOCUMENTS, st.booleans(), st.sampled_from((None, 1)), st.integers(0, 9), st.lists(st.integers(1, 9), max_size=30)
)
def test_the_pieces_are_the_text_each_once(
    value: object, ascii_only: bool, indent: int | None, hold: int, sizes: list[int]
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    outlet, said, at = Outlet(hold), [], 0
    for size in sizes:
        at = min(len(text), at + size)
        said.append(outlet.flow(text[:at], final=False, changed=False))
        assert text.startswith("".join(said))
    said.append(outlet.flow(text, final=True, changed=False))
    assert "".join(said) == text


@given(DOCUMENTS.filter(lambda value: isinstance(value, list | dict)), st.integers(1, 9))
def test_all_but_the_unfinished_token_of_a_document_is_sound(value: object, size: int) -> None:
    text = json.dumps(value)
    sound = Sound()
    for at in range(0, len(text) + size, size):
        end = sound.advance(text[:at])
        assert not re.search(r'["{}\[\]:,]', text[end:at]), "what waits is a number, a literal or half an escape"
    assert sound.end == len(text)


UNSOUND = {  # how far it is sound
    "{'a": 1,
    '{"a": Tru': 5,
    '{"a": 12': 5,
    '{"a": 12,': 9,
    '["one" "two': 6,
    '{"a" = "b': 4,
    '["a\nb': 3,
    '["a\\d': 3,
    '["a\\u12': 3,
    '["a\\u1234': 9,
    '{"a": 1}}': 8,
    '{"a": 1]': 7,
    "[1,]": 3,
    '{"a": 1,}': 8,
    "{1: 2}": 1,
    "[: 1]": 1,
    "[01]": 1,
    "[NaN, -Infinity]": 16,
    "[1] // done": 3,
}


@pytest.mark.parametrize("text", UNSOUND)
def test_how_far_a_text_is_sound(text: str) -> None:
    assert Sound().advance(text) == UNSOUND[text]
    by_character = Sound()
    for at in range(len(text) + 1):
        by_character.advance(text[:at])
    assert by_character.end == UNSOUND[text]


def test_depth_is_no_recursion() -> None:
    assert Sound().advance("[" * 100_000) == 100_000


WRITTEN_ANEW = {  # sent so far -> text now, was that announced?, is what was sent taken back?
    "the same": ("[1, 2, ", "[1, 2, 3,", True, False),
    "other text at the end": ("[1, 2, ", "[1, 3, 4,", True, True),
    "other text at the beginning": ("[1, 2, ", "{1, 2, 3,", True, True),
    "shorter for a while": ("[1, 2, ", "[1,", True, False),
    "shorter and other": ("[1, 2, ", "[2", True, True),
    "shorter, not announced": ("[1, 2, ", "[2", False, True),
    "other at the end, not announced": ("[1, 2, ", "[1, 3, 4,", False, True),
}


@pytest.mark.parametrize("case", WRITTEN_ANEW)
def test_text_that_was_written_anew(case: str) -> None:
    before, now, changed, taken_back = WRITTEN_ANEW[case]
    outlet = Outlet(hold=0)
    sent = outlet.flow(before, final=False, changed=False)
    said = outlet.flow(now, final=False, changed=changed)
    assert outlet.taken_back is taken_back
    assert said == ("" if taken_back else now[len(sent) :])


def test_what_waits_may_be_written_anew_and_is_read_again() -> None:
    outlet = Outlet(hold=8)
    said = outlet.flow('["' + "long " * 999 + 'he said "', final=False, changed=False)
    mended = '["' + "long " * 999 + 'he said \\"yes\\" and went", 1, "and so on'
    said += outlet.flow(mended, final=False, changed=True)
    assert said == mended[:-8]


def test_a_document_that_ends_shorter_than_what_was_sent_is_taken_back() -> None:
    outlet = Outlet(hold=0)
    outlet.flow("[1, 2,", final=False, changed=False)
    outlet.flow("[1", final=True, changed=False)
    assert outlet.taken_back
    assert outlet.go_on_from_sent() == "[1, 2,"
    assert outlet.flow("[1, 2, 3]", final=True, changed=True) == " 3]"

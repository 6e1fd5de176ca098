"""Inputs: JSON, almost JSON, and how it is cut into pieces."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

PIECES = [
    *"{}[],:\"'`;=/#\\.-+0179aeEntu \n\t\r", "“", "”", "\u200b", "\ufeff", "\x00", "//", "/*", "*/", "...", "```",
    "true", "None", "undefined", "NaN", "Infinity", '"a"', '"b": ', '"no"', "word", "\\u", "\\ud83d", "\\ude00",
    '\\"', "\\\\", "12", "1.5", "1e400", ', "', '": "', '",\n', "},\n", '"}', '"]', "(", ")", "é", "😀", "=>", "key: ",
    "```json\n", "\n```\n", "Here is the JSON:\n", "<think>", "</think>",
]  # fmt: skip

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=6), inner, max_size=5),
    max_leaves=20,
)
documents = st.lists(values, max_size=5) | st.dictionaries(st.text(max_size=6), values, max_size=5)
layouts = st.sampled_from([{}, {"indent": 2}, {"separators": (",", ":")}, {"ensure_ascii": False}])
almost_json = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
# Wrappers, beginnings, halves of tokens and of characters, as no document has them: what chunks must not part.
SOUP = [
    "```json\n", "\n```\n", "```", "~~~\n", "<think>", "</think>", "Sure! Here it is: ", '{"a": ', '{"b": [1, 2',
    '"k": "v"',
    ', "x": ', "}\n", "]\n", "true,", "tru", "-", "1.", "1e", '"""', '""', '"he said "no" x"', '"x" + "y"', "\\",
    "\\u00", "\\ud83d", "\ufeff", "\x00", "\ud83d", "\ude00", *"{}[],:\"' \n",
]  # fmt: skip
soups = st.lists(st.sampled_from(SOUP), max_size=25).map("".join)
cuts = st.lists(st.integers(1, 9), min_size=1, max_size=6)
frames = st.text(alphabet="{[", max_size=4)


@st.composite
def valid(draw: st.DrawFn) -> str:
    """A JSON document in one of the common layouts."""
    layout: dict[str, Any] = draw(layouts)
    return json.dumps(draw(documents), **layout)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A JSON document in which some characters were dropped, doubled, or replaced by something common."""
    text = draw(valid())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(["", *PIECES])) + text[at + draw(st.integers(0, 2)) :]
    return text


texts = soups | valid() | damaged() | almost_json | st.text(max_size=30)


def pieces(text: str, sizes: list[int]) -> list[str]:
    """The text in pieces of these sizes, over and over."""
    out, at, turn = [], 0, 0
    while at < len(text):
        out.append(text[at : at + sizes[turn % len(sizes)]])
        at += len(out[-1])
        turn += 1
    return out

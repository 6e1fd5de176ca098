"""What stands in front of the data of an answer, in the ways of models and of the servers in front of them.

Each mark is put in front of the rest of a document that was cut at every character: between tokens, in a number, in a
word, in a string. What may as well be the text of the open string is in a table of its own.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import jsonseam
from tests.helpers import check_join

DOCUMENT = '{"rows": [{"id": 17, "name": "Ann Lee"}, {"id": 2, "ok": true}],\n "n": -12.5, "z": null}'
VALUE = json.loads(DOCUMENT)
IN_STRING = [at for at in range(1, len(DOCUMENT)) if DOCUMENT[:at].count('"') % 2]
OUTSIDE = [at for at in range(1, len(DOCUMENT)) if at not in IN_STRING]

# on a line of its own, in front of what no string holds: a raw line break
LINES = [
    "<|im_start|>assistant\n",
    "<|start_header_id|>assistant<|end_header_id|>\n\n",
    "<start_of_turn>model\n",
    "[/INST]\n",
    "assistant\n",
    "json\n\n",
    "```` json\n",
    "```json5\n",
    "```{.json}\n",
    '``` json title="out.json"\n',
    "```json {1-3}\n",
    "```json lines\n",
    "~~~~\n",
    "'''json\n",
    "## Part 2\n\n",
    "---\n",
    "=== continued ===\n",
    "[continued]\n",
    "[Part 2/3]\n\n",
    "[...]\n",
    "（续）\n",
    "2/3\n\n",
    "<!-- part 2 -->\n",
    "… continued\n",
    "// continued\n",
    "/* part 2 */\n",
    "> continued\n",
    "👇\n",
    "続き:\n",
    '<think>\nIt was cut at {"id": 1, so ]}\n</think>\n\n',
    '<thinking mode="deep">\n{"draft": [1]}\n</thinking>\n',
    "[THINK]It goes on\n[/THINK]\n",
    "◁think▷It goes on\n◁/think▷",
    '<|channel|>analysis<|message|>Go on with {"a": 1}<|end|><|start|>assistant<|channel|>final<|message|>\n',
    "<think>I <think>think</think> so.\n</think>\n",
    "\nIt was cut in its middle, I go on.\n</think>\n\n",  # the server took the opening tag
    '<think>\n```json\n{"a": 1}\n```\n</think>\n```json\n',
]
# on the line of the data: only outside of strings
INLINE = [
    "<s>",
    "<|begin_of_text|>",
    "<｜Assistant｜>",
    "[INST] go on [/INST] ",
    "Assistant: ",
    "data: ",
    "event: message\ndata: ",
    "(continued) ",
    "(cont'd) ",
    "... (continued) ",
    "/* continued */ ",
    "</think>",
    "\u200b\u200b",
    "\u2060",
]


def wrongly_joined(mark: str, places: list[int]) -> list[str]:
    """The places at which the mark is taken for data."""
    joined = ((at, jsonseam.join([DOCUMENT[:at], mark + DOCUMENT[at:]])) for at in places)
    return [DOCUMENT[:at] for at, document in joined if document.value != VALUE or not document.complete]


@pytest.mark.parametrize("mark", LINES)
def test_a_line_in_front_of_the_data(mark: str) -> None:
    assert wrongly_joined(mark, IN_STRING + OUTSIDE) == []


@pytest.mark.parametrize("mark", INLINE)
def test_a_mark_on_the_line_of_the_data(mark: str) -> None:
    assert wrongly_joined(mark, OUTSIDE) == []


@pytest.mark.parametrize("mark", [LINES[0], LINES[29], LINES[33], LINES[35], INLINE[7]])
def test_however_it_is_delivered(mark: str) -> None:
    at = DOCUMENT.index("true") + 2
    outcome = check_join([DOCUMENT[:at], mark + DOCUMENT[at:]], VALUE)
    assert outcome.document is not None
    assert outcome.document.complete


STATEMENTS = ["const x = ", "let data: Row[] = ", "export default ", "module.exports = ", "return ", "data = "]


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("fence", ["", "```js\n"])
def test_the_document_as_the_value_of_a_statement(statement: str, fence: str) -> None:
    for at in range(4, len(DOCUMENT), 3):
        first = jsonseam.join([fence + statement + DOCUMENT[:at], DOCUMENT[at:] + ";"])
        assert first.value == VALUE, DOCUMENT[:at]
        again = jsonseam.join([DOCUMENT[:at], fence + statement + DOCUMENT + ";"])
        assert again.value == VALUE, DOCUMENT[:at]


# what reads as the text of the open string | the value | is it in doubt?
TEXT: list[tuple[list[str], Any, bool]] = [
    (['{"t": "use ', '<|im_end|> to stop", "b": 1}'], {"t": "use <|im_end|> to stop", "b": 1}, True),
    (['{"t": "<|im_start|> or ', '<|im_end|>x"}'], {"t": "<|im_start|> or <|im_end|>x"}, False),
    (['{"eos": "', '<|im_end|>", "x": 1}'], {"eos": "<|im_end|>", "x": 1}, False),
    (['{"html": "<p><s>old', '</s> new</p>"}'], {"html": "<p><s>old</s> new</p>"}, False),
    (['{"a": "see ', '[1] and [2]"}'], {"a": "see [1] and [2]"}, False),
    (['{"a": "use ', '<think>so</think> tags"}'], {"a": "use <think>so</think> tags"}, True),
    (['{"a": "wait', '... and see"}'], {"a": "wait... and see"}, False),
    # and what does not: a token that the tokenizer left, dots in front of what was said
    (['{"t": "lor', '<|im_start|>em ipsum", "b": 1}'], {"t": "lorem ipsum", "b": 1}, True),
    (
        ['{"t": "the quick brown fox jumps over the la', '...brown fox jumps over the lazy dog"}'],
        {"t": "the quick brown fox jumps over the lazy dog"},
        False,
    ),
]


@pytest.mark.parametrize(("fragments", "value", "doubt"), TEXT, ids=[" | ".join(row[0]) for row in TEXT])
def test_what_may_be_the_text_of_the_open_string(fragments: list[str], value: Any, doubt: bool) -> None:
    outcome = check_join(fragments, value)
    assert outcome.document is not None
    assert (outcome.document.seams[-1].sure < 0.9) == doubt


NOTHING_IN_IT = ["```", "```json\n", "~~~\n~~~", "\n", "<|im_end|>", '<think>\nWell, {"a": 1}\n</think>\n']


@pytest.mark.parametrize("answer", NOTHING_IN_IT)
def test_an_answer_without_data(answer: str) -> None:
    for at in OUTSIDE + (IN_STRING if "\n" in answer or "|" in answer else []):
        document = jsonseam.join([DOCUMENT[:at], answer, DOCUMENT[at:]])
        assert (document.value, document.complete) == (VALUE, True), DOCUMENT[:at]


FIRST_ANSWERS = [
    ("<|im_start|>assistant\n", ""),
    ("[/INST] ", "</s>"),
    ("const rows = ", ";"),
    ('I think of {"a": 1} first.\n</think>\n\n', ""),
    ('<|channel|>analysis<|message|>Hm, {"a": 1}<|end|><|start|>assistant<|channel|>final<|message|>', "<|return|>"),
    ('[THINK]{"a": 1}[/THINK]', ""),
    ("````json\n", "\n````"),
]


@pytest.mark.parametrize(("front", "end"), FIRST_ANSWERS)
def test_the_same_around_the_first_answer(front: str, end: str) -> None:
    check_join([front + DOCUMENT + end], VALUE)
    for at in range(12, len(DOCUMENT), 5):
        assert jsonseam.join([front + DOCUMENT[:at], DOCUMENT[at:]]).value == VALUE, DOCUMENT[:at]


@pytest.mark.parametrize(
    "root", ['[\r\n  {\r\n    "qty": 2', '{"items": [{"a": 1, "b": 2}, {"a', '{"x": {"y": {"z": [[1']
)
def test_a_short_first_answer_behind_words_begins_with_its_outermost_opener(root: str) -> None:
    assert jsonseam.join(["Here it is: " + root]).text[:6] == root[:6]


@pytest.mark.parametrize("end", ["</s>", "<|im_end|>", "<|eot_id|>", "<end_of_turn>", "<｜end▁of▁sentence｜>"])
def test_a_token_at_the_end_of_an_answer_that_was_cut(end: str) -> None:
    for at in IN_STRING:
        document = jsonseam.join([DOCUMENT[:at] + end, DOCUMENT[at:]])
        assert document.value == VALUE, DOCUMENT[:at]
        assert [(repair.kind, repair.before) for repair in document.repairs] == [("remark", end)]


def test_such_a_token_is_text_where_another_stands_in_the_string() -> None:
    assert jsonseam.join(['{"a": "<|im_end|> and <|im_end|>', ' end"}']).value == {"a": "<|im_end|> and <|im_end|> end"}


def test_a_line_is_text_where_strings_hold_line_breaks_as_they_are() -> None:
    answers = ['{"body": "Intro\nIt begins.\n', "## Part two\nIt goes on.\n", '---\nIt ends.", "n": 1}']
    check_join(answers, {"body": "Intro\nIt begins.\n## Part two\nIt goes on.\n---\nIt ends.", "n": 1})

"""What a model says behind the cut is no data, whatever brackets it stands in; and what only looks like it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

import jsonseam
from tests.helpers import check_join

REMARKS = [
    "\n\n(continued in the next message)",
    "\n\n（続く）",
    "\n... (truncated)",
    "... [truncated]",
    " … [Ausgabe gekürzt]",
    " <truncated>",
    "\n<!-- more -->",
    "<|im_end|>",
    "</s>\n<|endoftext|>",
    "\n\n*Continues*",
    "\n\nTo be continued...",
    "\n\nI have reached the length limit. Shall I go on?",
    "\n\nJ'ai atteint la limite, dois-je continuer ?",
    "\n\nNow say (if you like) go on!",
    "\n\n---\n\nLet me know when to go on.",
    "\n... [truncated]\n```",
    "\n\n(continued)\n```\n\nShall I go on?",
    "\n\n**[continued]**",
    "\n\n*(continued)*",
    "\n\n(to be continued)\n\n(part 1 of 2) ...",
    "\n\n(...)",
    "\n[Output truncated]",
    "\n[continued in next message]",
    "\n[未完]",
    "\n[DONE]",
    "\n\ndata: [DONE]",
    "\n(1/3)",
    "\n[Part 1 of 3]",
    "\n... and 12 more",
    "\n--- truncated ---",
    "\n==== CUT ====",
    "<end_of_turn>",
    "\n\nHuman:",
]
# the same on the line of the data, but not behind a colon, where it may be the value
ON_THE_LINE = ["[truncated]", " [Output truncated]", " [… 12 more items]", "[...]", " [INST]", "... 15 more items ..."]
# how the cut-off answer ends | how the next one goes on | the value
CUTS: list[tuple[str, str, Any]] = [
    ('{"l":["ant","bee"', ',"cow"]}', {"l": ["ant", "bee", "cow"]}),
    ('{"l":["ant","bee",', '"cow"]}', {"l": ["ant", "bee", "cow"]}),
    ('{"l":[{"n":"ant"},{"n":"bee"}', ',{"n":"cow"}]}', {"l": [{"n": "ant"}, {"n": "bee"}, {"n": "cow"}]}),
    ('{"l":[{"n":"ant"},', '{"n":"bee"}]}', {"l": [{"n": "ant"}, {"n": "bee"}]}),
    ('{"l":[', '"ant"]}', {"l": ["ant"]}),
    ('{"l":', '{"n":1}}', {"l": {"n": 1}}),
    ('{"n":12,', '"ok":true}', {"n": 12, "ok": True}),
    ('{"n":12, "ok":true', ',"z":null}', {"n": 12, "ok": True, "z": None}),
]


@pytest.mark.parametrize("remark", REMARKS)
@pytest.mark.parametrize(("cut", "rest", "value"), CUTS, ids=[cut for cut, _, _ in CUTS])
def test_a_remark_behind_the_cut(cut: str, rest: str, value: Any, remark: str) -> None:
    outcome = check_join([cut + remark, rest], value)
    assert outcome.document is not None
    assert outcome.document.complete
    assert [(repair.kind, repair.before) for repair in outcome.document.repairs] == [("remark", remark)]


@pytest.mark.parametrize("remark", ON_THE_LINE)
@pytest.mark.parametrize(
    ("cut", "rest", "value"),
    [row for row in CUTS if row[0][-1] != ":"],
    ids=[row[0] for row in CUTS if row[0][-1] != ":"],
)
def test_a_remark_on_the_line_of_the_cut(cut: str, rest: str, value: Any, remark: str) -> None:
    outcome = check_join([cut + remark, rest], value)
    assert outcome.document is not None
    assert [(repair.kind, repair.before) for repair in outcome.document.repairs] == [("remark", remark)]


@pytest.mark.parametrize("remark", ['\n\nPlease write "go on" if you want the rest.', "\n\nNote: this was cut!"])
def test_a_remark_with_quotes_or_a_colon_behind_a_comma(remark: str) -> None:
    check_join(['{"l":["ant",' + remark, '"bee"]}'], {"l": ["ant", "bee"]})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[\n\nred,\n\ngreen,\n\nblue", ["red", "green", "blue"]),  # words without quotes, as before
        ('{"a": (red, green), "b": (x, y)', {"a": ["red", "green"], "b": ["x", "y"]}),
        ('["a", (b, c)', ["a", ["b", "c"]]),
        ('{"a": [red]', {"a": ["red"]}),
        ("[[red], [green], [blue]", [["red"], ["green"], ["blue"]]),  # as the items before it
        ("[[1, 2], [red, green", [[1, 2], ["red", "green"]]),
        ('["a", [b, c]', ["a", ["b", "c"]]),
        ('{"t":"one "two"\n\n(three)', {"t": 'one "two"\n\n(three)'}),
        ("['a', 'b', (c, d)\n```", ["a", "b", ["c", "d"]]),
        ('{"t":"one\n\n(continued)', {"t": "one\n\n(continued)"}),
    ],
)
def test_what_may_be_data_is_kept(text: str, value: Any) -> None:
    check_join([text], value)


LEAD_INS = [
    "Here is the rest:\n\n",
    "Voici la suite :\n",
    "以下是剩余部分：\n\n",
    "(continued)\n\n",
    "**Continuation:**\n\n",
    "```json\n",
    "Sure! It goes on so:\n\n```json\n",
    "<|im_start|>assistant\n",
]
DOCUMENT = '{"rows": [{"id": 1, "name": "Ann Lee"}, {"id": 2}],\n "n": -12.5}'


@pytest.mark.parametrize("lead_in", LEAD_INS)
def test_a_lead_in_at_every_place(lead_in: str) -> None:
    wrong = []
    for at in range(1, len(DOCUMENT)):
        joined = jsonseam.join([DOCUMENT[:at], lead_in + DOCUMENT[at:]])
        if joined.value != json.loads(DOCUMENT):
            wrong.append((DOCUMENT[:at], DOCUMENT[at:], joined.text))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("lead_in", ["Continuing from where I left off: ", "Apologies for the cut. "])
def test_a_lead_in_on_the_line_of_the_data(lead_in: str) -> None:
    for at in (i for i in range(1, len(DOCUMENT)) if DOCUMENT[:i].count('"') % 2 == 0):  # inside a string, it is text
        assert jsonseam.join([DOCUMENT[:at], lead_in + DOCUMENT[at:]]).value == json.loads(DOCUMENT), DOCUMENT[:at]

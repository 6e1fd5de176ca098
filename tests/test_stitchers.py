"""The comparison with other ways of joining runs and tells what it counts; its two stitchers do as they are told."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest

from benchmarks import seams, stitchers
from benchmarks.stitchers import Tally, behind_echo, behind_overlap, stitcher
from tests.helpers import ROOT, shared

CASES = 2
JOINERS = ["jsonseam", "plain joining", "longest overlap", "OmniRoute", "CRP"]
LONG = "".join(f"<{number}>" for number in range(400))  # more than any window, and nothing in it twice


@pytest.mark.parametrize(
    ("held", "answer", "rest"),
    [
        ('{"a": "one', ' two"}', ' two"}'),
        ('{"a": "one', 'one two"}', ' two"}'),
        ('{"a": [1, 1', "1, 1, 2]}", ", 2]}"),  # the longest, right or not
        (LONG, LONG[-512:] + "on", "on"),
        (LONG, LONG[-513:] + "on", LONG[-513:] + "on"),  # one more than it looks at
        ('{"a', "", ""),
    ],
)
def test_a_beginning_that_repeats_the_end_is_taken_off_within_the_window(held: str, answer: str, rest: str) -> None:
    assert behind_overlap(held, answer) == rest


@pytest.mark.parametrize(
    ("held", "answer", "rest"),
    [
        (LONG, LONG[-20:] + "on", "on"),
        (LONG, LONG[-19:] + "on", LONG[-19:] + "on"),  # too short to be an echo
        (LONG, "Here it is:\n" + LONG[-40:] + "on", "on"),  # what stands in front goes with it
        (LONG, "." * 1960 + LONG[-40:] + "on", "on"),
        (LONG, "." * 1981 + LONG[-40:] + "on", "." * 1981 + LONG[-40:] + "on"),  # begins in its window, ends behind it
        (LONG, "", ""),
    ],
)
def test_an_echo_of_twenty_characters_is_taken_off_with_what_stands_in_front(held: str, answer: str, rest: str) -> None:
    assert behind_echo(held, answer) == rest


def test_what_is_no_json_after_joining_is_repaired_and_not_called_complete() -> None:
    join = stitcher(behind_overlap)
    assert join(['{"a": [1, 2', "3, 4]}"]) == ({"a": [1, 23, 4]}, True)
    assert join(['{"a": ["one", "tw', '"tw']) == ({"a": ["one", "tw"]}, False)


def test_lost_scalars_are_counted_with_their_keys() -> None:
    class Case(NamedTuple):
        value: Any
        complete: bool = True

    tally = Tally()
    tally.add(Case({"a": [1, 1, True], "b": {"a": 1}}), {"a": [1, True], "b": {"c": 1}}, False)
    tally.add(Case({"a": [1]}), {"a": [1]}, True)
    assert (tally.cases, tally.right, tally.called, tally.scalars, tally.lost) == (2, 1, 1, 5, 2)
    assert tally.cell() == "50 / 40 / 50"
    assert [stitchers.percent(share) for share in (0, 0.001, 0.5, 0.999, 1)] == ["0", "0.10", "50", "99.90", "100"]


def cells(line: str) -> list[str]:
    return [cell.strip(" *") for cell in line.strip("|").split("|")]


def test_every_behaviour_is_measured_for_every_joiner_on_both_sources() -> None:
    shared("eval/seamsim.py")
    measured = list(stitchers.figures(CASES, seed=3))
    rows = [cells(line) for line in stitchers.table(measured) if line and not line.startswith("|--")]
    heads = [number for number, row in enumerate(rows) if row[1:] == JOINERS]
    assert [rows[number][0] for number in heads] == ["simulated documents", "real documents"]
    for begin, end in zip(heads, [heads[1], len(rows)], strict=True):
        part = rows[begin + 1 : end]
        assert [row[0] for row in part] == [*seams.simulation().BEHAVIOURS, "all"]
        assert all(re.fullmatch(r"[\d.]+ / [\d.]+ / [\d.]+", cell) for row in part for cell in row[1:])
        exact = part[0]
        assert exact[1] == exact[2] == "100 / 0 / 100"  # nothing is easier, and nothing lost on the way to the joiners
        assert float(part[-1][2].split(" / ")[0]) < 50 < float(part[-1][1].split(" / ")[0])
    short = [cells(line) for line in stitchers.short_table(measured) if not line.startswith("|--")]
    assert [row[0] for row in short[1:]] == list(stitchers.KINDS)
    assert short[0][1:] == JOINERS
    assert short[2][1] == "100 / 100"
    assert {row.behaviour for row in measured} == set(seams.simulation().BEHAVIOURS)
    assert f"all {len(seams.simulation().BEHAVIOURS)} ways" in stitchers.KINDS


def row(source: str, behaviour: str, right: int) -> stitchers.Row:
    return stitchers.Row(source, behaviour, {"one": Tally(cases=10, right=right), "other": Tally(cases=10, right=10)})


def test_the_short_table_puts_sources_side_by_side_and_behaviours_of_a_kind_together() -> None:
    measured = [
        row("made", "element", 0),
        row("made", "token", 5),
        row("made", "exact", 10),
        row("found", "element", 4),
        row("found", "token", 4),
        row("found", "exact", 9),
    ]
    assert list(stitchers.short_table(measured)) == [
        "| how it goes on | one | other |",
        "|---|---|---|",
        "| all 22 ways | 50 / 57 | 100 / 100 |",
        "| exact | 100 / 90 | 100 / 100 |",
        "| token or element again | 25 / 40 | 100 / 100 |",
    ]


def test_the_table_in_the_readme_has_its_rows_and_says_how_to_see_it_again() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    table = readme[readme.index(stitchers.BEGIN) : readme.index(stitchers.END)]
    command = re.search(r"`python -m benchmarks\.stitchers --cases (\d+)`", table)
    assert command
    assert int(command[1]) >= 100
    rows = [cells(line) for line in table.splitlines() if line.startswith("| ")]
    assert rows[0][1:] == JOINERS
    assert [row[0] for row in rows[1:]] == list(stitchers.KINDS)
    assert all(re.fullmatch(r"[\d.]+ / [\d.]+", cell) for row in rows[1:] for cell in row[1:])


def test_the_readme_is_rewritten_between_the_marks_only(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{stitchers.BEGIN}old\n{stitchers.END}after\n", "utf-8")
    monkeypatch.setattr(stitchers, "README", readme)
    stitchers.write_into_readme(["| a |", ""], 7)
    text = readme.read_text("utf-8")
    assert text.startswith(f"before\n{stitchers.BEGIN}Conversations whose value came out right, per cent, of 7 ")
    assert text.endswith(f"| a |\n{stitchers.END}after\n")
    assert "old" not in text

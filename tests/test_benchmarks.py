"""The comparison tells the truth: who reads wrong, is late or is not there gets a reason, never a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks import peers, results, table, texts, workloads
from benchmarks.comparing import Comparison
from benchmarks.peers import Peer
from benchmarks.results import Fact, Results, Row
from benchmarks.workloads import Case, Workload

TEXT = json.dumps({"rows": [{"id": number, "name": "Zürich 😀"} for number in range(40)]})


def values(pieces: Iterable[str]) -> Iterator[Any]:
    """A peer that parses everything again, with nothing but json."""
    text = ""
    for piece in pieces:
        text += piece
        yield json.loads(text) if text == TEXT else {}


def wrong(pieces: Iterable[str]) -> Iterator[Any]:
    yield from ([] for _ in pieces)


def raising(pieces: Iterable[str]) -> Iterator[Any]:
    raise ValueError("no\nsecond line")


def lazy(pieces: Iterable[str]) -> Iterator[Any]:
    yield from (range(3) for _ in pieces)


def slow(pieces: Iterable[str]) -> Iterator[Any]:
    for value in values(pieces):
        sum(range(200_000))
        yield value


def peer(name: str, chunks: Any, square: bool = False) -> Peer:
    return Peer(name, (), chunks, "-", "-", "-", square=square)


def case(size: int) -> Case:
    return Case("W1", "rows", size, lambda: TEXT, 16)


def compare(*others: Peer, patience: float = 1.0, size: int = 1000) -> tuple[Comparison, Row]:
    comparison = Comparison([peers.jsonseam(), *others], 2, patience, lambda text: None)
    return comparison, comparison.row(WORKLOAD, case(size), TEXT, {"absent": "not installed"})


WORKLOAD = Workload("W1", "chunks", "chunks", [], [])
# peer | its reason begins with
REASONS = [
    (wrong, "reads another value"),
    (raising, "ValueError: no"),
    (lazy, "gives ['range'], not plain values"),
    ("pulls", "pulls"),
]


@pytest.mark.parametrize(("chunks", "reason"), REASONS, ids=[reason for _, reason in REASONS])
def test_who_cannot_do_it_has_a_reason_and_no_time(chunks: Any, reason: str) -> None:
    _, row = compare(peer("other", chunks), peer("right", values))
    assert row.reasons.pop("other").startswith(reason)
    assert row.reasons == {"absent": "not installed"}
    assert {name: len(seconds) for name, seconds in row.seconds.items()} == {"jsonseam": 2, "right": 2}


def test_a_slow_stream_is_given_up() -> None:
    _, row = compare(peer("slow", slow), patience=0.05)
    assert row.reasons["slow"].startswith("given up after 0.2 s, with ")
    assert "slow" not in row.seconds


@pytest.mark.parametrize(("square", "size", "begun"), [(True, 8, True), (True, 40, False), (False, 40, True)])
def test_what_would_take_too_long_is_not_begun(square: bool, size: int, begun: bool) -> None:
    """By the square of the growth for a peer that parses all again, else by the growth; nothing is extrapolated."""
    other = peer("other", values, square)
    comparison, _ = compare(other)
    comparison.slowest["W1", "rows", "other"] = (100, 0.01)
    reason = comparison.too_slow(other, case(size * 100), size * 100)
    assert (reason is None) is begun
    if reason is not None:
        assert reason == "not begun: parses all of it again for each chunk, 0.01 s at 0 kB"


def test_what_is_saved_is_read_again_the_same(tmp_path: Path) -> None:
    _, row = compare(peer("right", values))
    row.seconds = {"jsonseam": [0.1, 0.2, 0.25], "right": [0.2, 0.2, 1.0]}
    found = Results(
        {"python": "3"}, {"jsonseam": "1"}, {"absent": "?"}, [row], [Fact("W4", "x", 1.5, "MB")], {"W": "-"}
    )
    found.save(tmp_path)
    assert results.load(tmp_path) == found
    assert row.ratio("right") == 2.0
    assert row.ratio("absent") is None


def test_the_table_has_a_dash_and_its_reason() -> None:
    rows = [
        Row(
            "W1",
            "rows",
            20_000,
            "W1",
            {"jsonseam": [0.010], "jiter": [0.025]},
            {"orjson": "reads whole documents only"},
        ),
        Row("W3", "rows", 1_000_000, "W3", {"jsonseam": [0.5], "orjson": [0.05]}, {"jiter": "not today"}),
        Row("W3", "odd", 1_000_000, "W3 odd", {"jiter": [0.02], "orjson": [0.05]}, {"jsonseam": "reads another value"}),
    ]
    assert list(table.compared(rows)) == [
        "| case | size | jsonseam | jiter | orjson |",
        "| --- | --- | ---: | ---: | ---: |",
        "| W1 rows | 20 kB | 10 ms | 2.50× | – |",
        "| W3 rows | 1 MB | 500 ms | – | 0.10× |",
        "| W3 odd | 1 MB | – | 20 ms | 50 ms |",
    ]
    assert list(table.reasons(rows, peers.NAMES)) == [
        "- jsonseam: reads another value (W3 odd).",
        "- jiter: not today (W3).",
        "- orjson: reads whole documents only (W1).",
    ]


def test_the_short_table_names_cases_that_there_are() -> None:
    cases = {case.name for workload in workloads.TIMED.values() for case in workload.cases}
    assert set(table.HEADLINES) <= cases


def test_only_what_stands_between_the_marks_is_written() -> None:
    readme = f"above\n{table.BEGIN}\nold\n{table.END}\nbelow {table.END}\n"
    assert table.into(readme, "new \\1\n") == f"above\n{table.BEGIN}\nnew \\1\n{table.END}\nbelow {table.END}\n"
    with pytest.raises(ValueError, match="no <!-- benchmarks"):
        table.into("no marks", "new")


def test_the_project_readme_has_the_marks() -> None:
    assert table.into(table.README.read_text(encoding="utf-8"), "x\n").count(table.BEGIN) == 1


@pytest.mark.parametrize("name", texts.MADE)
@pytest.mark.parametrize("with_shared", [True, False])
def test_documents_have_the_size_asked_for_with_and_without_the_shared_makers(
    name: str, with_shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not with_shared:
        monkeypatch.setattr(texts, "shared_makers", lambda: None)
    text = texts.text.__wrapped__(name, 50_000)
    assert json.loads(text)
    assert 40_000 < len(text) < 60_000
    assert text == texts.text.__wrapped__(name, 50_000)


def test_every_workload_asks_what_jsonseam_answers() -> None:
    own = peers.jsonseam()
    for workload in workloads.TIMED.values():
        assert callable(own.way(workload.question))
        assert workload.quick
        assert {case.name for case in workload.quick} <= {case.name for case in workload.cases}

"""A chunk costs what it costs: what is visited and sent is counted, and grows with the text, not with the document."""

from __future__ import annotations

import cProfile
import json
import pstats
import time
from collections.abc import Callable
from typing import Any

import pytest

import jsonseam
from benchmarks import faults, seam_cost
from jsonseam import handoff, ledger, opening, parser, tally
from jsonseam.past import Past
from jsonseam.scanner import Scanner
from jsonseam.tokens import Tokenizer
from tests.helpers import cut

ROW = {"id": 1234, "name": 'Anna "Nan" Schmidt', "tags": ["a", "b\\c"], "score": 12.5, "note": "naïve 東京 😀"}


def document(rows: int) -> str:
    return json.dumps({"rows": [ROW] * rows}, ensure_ascii=False)


def deliver(text: str, size: int) -> jsonseam.Accumulator:
    accumulator = jsonseam.Accumulator()
    for chunk in cut(text, size):
        accumulator.feed(chunk)
        assert accumulator.value is not None or not accumulator.text
    accumulator.end_fragment()
    assert accumulator.complete
    return accumulator


if jsonseam.COMPILED:
    pytest.skip("visits are counted inside the rooms, where compiled code lets nobody look", allow_module_level=True)


class Visits:
    """Characters that the scanner looked at, and those that ijson or json was given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.scanned = self.read = 0
        push, send, graft = Scanner.push, Tokenizer.send, parser.graft

        def counting_push(scanner: Scanner, text: str) -> str:
            self.scanned += len(text)
            return push(scanner, text)

        def counting_send(tokenizer: Tokenizer, text: str) -> Any:
            self.read += len(text)
            return send(tokenizer, text)

        def counting_graft(tree: Any, last: str, text: str, room: int) -> bool:
            self.read += len(text)
            return graft(tree, last, text, room)

        monkeypatch.setattr(Scanner, "push", counting_push)
        monkeypatch.setattr(Tokenizer, "send", counting_send)
        monkeypatch.setattr(parser, "graft", counting_graft)


@pytest.fixture
def visits(monkeypatch: pytest.MonkeyPatch) -> Visits:
    return Visits(monkeypatch)


@pytest.mark.parametrize("size", [1, 16, 1000])
@pytest.mark.parametrize("rows", [50, 800])
def test_each_character_is_visited_once_and_read_once(visits: Visits, rows: int, size: int) -> None:
    text = document(rows)
    deliver(text, size)
    assert visits.scanned == len(text)
    assert visits.read == len(text)


@pytest.mark.parametrize("size", [4096, 1 << 20])
def test_a_long_chunk_is_read_once_but_for_its_ends(visits: Visits, size: int) -> None:
    """The piece that begins the root and the one that closes it are tried in one way and read in another."""
    text = document(3000)
    deliver(text, size)
    assert visits.scanned + visits.read <= 1.2 * len(text) + 4 * parser.SLICE
    assert visits.read >= len(text)


@pytest.mark.parametrize("size", [8, 16])
def test_one_long_string_is_visited_once(visits: Visits, size: int) -> None:
    text = json.dumps({"text": "lorem ipsum " * 90_000})
    deliver(text, size)
    assert len(text) > 1_000_000
    assert visits.scanned == len(text)
    assert visits.read == len(text)


@pytest.mark.parametrize("size", [16, 1000, 1 << 20])
def test_handing_off_costs_what_the_text_costs(visits: Visits, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """It is read once as ever; what is forgotten is looked at once, and what is counted in it."""
    forgotten = counted = left = 0
    add, finished_in, take_out = Past.add, tally._finished_in, handoff._first_children

    def counting_add(past: Past, text: str) -> None:
        nonlocal forgotten
        forgotten += len(text)
        add(past, text)

    def counting_finished(text: str, before: str) -> int:
        nonlocal counted
        counted += len(text)
        return finished_in(text, before)

    def counting_take_out(*which: Any) -> Any:
        nonlocal left
        children = take_out(*which)
        left += len(children)
        return children

    monkeypatch.setattr(Past, "add", counting_add)
    monkeypatch.setattr(tally, "_finished_in", counting_finished)
    monkeypatch.setattr(handoff, "_first_children", counting_take_out)
    text = document(3000)
    assert sum(1 for _ in jsonseam.items([cut(text, size)], "rows")) == left == 3000
    assert visits.scanned + visits.read <= 2.1 * len(text) + 4 * parser.SLICE
    assert 0.9 * len(text) < forgotten <= len(text)
    assert counted <= 1.1 * len(text)


@pytest.mark.parametrize(("rows", "size"), [(120, 4000), (1200, 8000), (2400, 32_000)])
def test_fragments_are_visited_once_apart_from_their_window(visits: Visits, rows: int, size: int) -> None:
    """Each seam reads a window; all of them together stay within a fixed number of characters a seam."""
    text = document(rows)
    accumulator = jsonseam.Accumulator()
    pieces = cut(text, size)
    for piece in pieces:
        accumulator.add(piece)
    assert accumulator.complete
    assert visits.scanned <= len(text) + 4096 * len(pieces)
    assert visits.read <= len(text) + 4096 * len(pieces)


def test_a_crowd_in_turn_does_the_work_of_each_alone(visits: Visits) -> None:
    """No state is shared: chunks of many documents in turn are visited and sent once, as if each came by itself."""
    texts = [document(rows) for rows in range(1, 60)]
    crowd = [jsonseam.Accumulator() for _ in texts]
    for start in range(0, max(map(len, texts)), 512):
        for accumulator, text in zip(crowd, texts, strict=True):
            accumulator.feed(text[start : start + 512])
    assert all(accumulator.complete for accumulator in crowd)
    assert visits.scanned == sum(map(len, texts))
    assert visits.read == sum(map(len, texts))


@pytest.mark.parametrize(("size", "most"), [(64, 2.1), (1 << 30, 6)])
@pytest.mark.parametrize("characters", [20_000, 200_000])
@pytest.mark.parametrize("fault", [*faults.FAULTS, faults.ALL])
def test_a_fault_is_read_again_within_its_neighbourhood(
    visits: Visits, fault: str, characters: int, size: int, most: float
) -> None:
    """A fault every 2 kB: what is visited and sent again is a fixed share of the text, however long that is."""
    text = faults.document(characters, fault)
    accumulator = jsonseam.Accumulator()
    for chunk in cut(text, size):
        accumulator.feed(chunk)
    accumulator.end_fragment()
    assert accumulator.value == faults.meant(characters, fault)
    if fault == faults.ALL:
        most = 6  # where a closer is missing, other faults wait with it, in longer pieces
    assert visits.scanned <= most * len(text)
    assert visits.read <= most * len(text)


def seconds(work: Callable[[], object]) -> float:
    """The better of three runs."""
    best = 1e9
    for _ in range(3):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def feed_all(text: str, size: int) -> Callable[[], object]:
    def work() -> None:
        accumulator = jsonseam.Accumulator([jsonseam.Kpi("rows", "rows"), jsonseam.Kpi("score", "rows[*].score")])
        for chunk in cut(text, size):
            accumulator.feed(chunk)
            assert accumulator.kpis is not None
        accumulator.end_fragment()

    return work


def single_quoted(rows: int) -> str:
    return repr(json.loads(document(rows)))


# what grows | the text of a size | chunk
GROWTHS: list[tuple[str, Callable[[int], str], int]] = [
    ("rows, read after each chunk", document, 64),
    ("one string", lambda rows: json.dumps({"text": "lorem ipsum " * 9 * rows}), 8),
    ("one string with escapes", lambda rows: json.dumps({"text": 'é"\n😀' * 9 * rows}), 8),
    ("one key", lambda rows: json.dumps({"k" * 90 * rows: 1}), 8),
    ("white space", lambda rows: "[1," + " " * 90 * rows + "2]", 8),
    ("a lead-in", lambda rows: "word { " * 20 * rows + "\n" + document(2), 16),
    ("a remark", lambda rows: document(2) + "word [ " * 20 * rows, 16),
    ("mends", lambda rows: single_quoted(rows // 8), 16),
    ("mends, all at once", lambda rows: single_quoted(rows // 8), 1 << 30),
    ("an unclosed quote", lambda rows: "['" + "word, " * 15 * rows, 16),
    ("quotes in an array", lambda rows: "[" + '"' * 6 * rows, 16),
    ("backslashes and quotes", lambda rows: '["' + '\\\\" ' * 6 * rows, 16),
    ("bad escapes", lambda rows: '["' + "\\d\\u12" * 6 * rows + '"]', 16),
    ("one unfinished number", lambda rows: "[" + "1" * 90 * rows, 16),
    ("fences", lambda rows: "```json\n" * 9 * rows, 16),
    ("a fence line that does not end", lambda rows: "```" + " " * 9 * rows + "x" * 9 * rows + " " * 9 * rows + "!", 16),
    ("closers that do not fit", lambda rows: "[" + "[{}, ]}" * 4 * rows, 16),
    ("a fault on every token", lambda rows: "{" + "a: 'x', \"b\" True,, 'c' = +1; d: [1 2,], " * 2 * rows, 16),
    ("deep, a fault in each item", lambda rows: "[" * 500 + "[True], " * rows, 16),
    ("commas alone", lambda rows: "[" + "," * 2 * rows, 16),
    ("colons alone", lambda rows: "{" + ":" * 2 * rows, 16),
    ("stray words", lambda rows: '{"a": 1, ' + "b * c, " * 2 * rows, 16),
    ("stray words behind a comma", lambda rows: '{"a": 1, ' + "word " * 9 * rows + '"b": 2}', 16),
    ("stray words in front of a key", lambda rows: "{" + "word " * 9 * rows + '"b": 2}', 16),
    ("escaped white space", lambda rows: "[" + "1\\n,\\t" * 6 * rows, 16),
    ("closers at the end of a string", lambda rows: '{"a": "' + "} ]\\n" * 9 * rows, 16),
    ("brackets in bare words", lambda rows: "{a: " + "b{c}[d] " * 6 * rows, 16),
    ("containers without a name", lambda rows: "{" + '"a": [1], [2], ' * 3 * rows, 16),
    ("typographic marks", lambda rows: '["\n' + "a” b, " * 9 * rows, 16),
    ("three quotes", lambda rows: '["""' + 'a""" b ' * 9 * rows, 16),
    ("a raw line break in a long string", lambda rows: '["' + "word\n" * 10 * rows + '"]', 16),
]


@pytest.mark.parametrize(("make", "size"), [row[1:] for row in GROWTHS], ids=[row[0] for row in GROWTHS])
def test_time_grows_with_the_text(make: Callable[[int], str], size: int) -> None:
    """Eight times the text takes about eight times as long; twenty times would tell of a square in it."""
    small, large = make(100), make(800)
    once = seconds(feed_all(small, size))
    assert seconds(feed_all(large, size)) < 20 * once * len(large) / len(small) / 8 + 0.01


def test_a_read_of_value_and_counters_does_not_depend_on_the_document() -> None:
    def reads(rows: int) -> float:
        accumulator = jsonseam.Accumulator([jsonseam.Kpi("rows", "rows"), jsonseam.Kpi("tags", "rows[*].tags[*]")])
        accumulator.feed(document(rows)[:-1])
        assert accumulator.kpis["rows"] == rows
        return seconds(lambda: [(accumulator.value, accumulator.kpis, accumulator.path) for _ in range(300)])

    assert reads(3000) < 5 * reads(30) + 0.005


@pytest.mark.parametrize("text", ['"' + "x" * 40_000 + '"', "[" + " " * 40_000 + "1]", " " * 40_000 + "[1]"])
def test_looks_at_what_may_be_a_root_scalar_are_linear(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    looked: list[int] = []
    guess = opening.guess_scalar

    def counting(token: str) -> Any:
        looked.append(len(token))
        return guess(token)

    monkeypatch.setattr(opening, "guess_scalar", counting)
    accumulator = jsonseam.Accumulator()
    for chunk in cut(text, 8):
        accumulator.feed(chunk)
        _ = accumulator.value
    assert sum(looked) < 6 * len(text)
    accumulator.end_fragment()
    assert accumulator.value == json.loads(text)


@pytest.mark.parametrize("opened", ["", '{"rows": ['], ids=["the item", "and the path"])
def test_what_says_the_last_item_again_is_not_looked_for_in_all_of_the_document(
    monkeypatch: pytest.MonkeyPatch, opened: str
) -> None:
    text = json.dumps({"rows": [{"id": at, "name": f"row {at * 7919 % 9973}"} for at in range(20_000)]})
    cut_at = text.index('"name"', 600_000) + 12
    accumulator = jsonseam.Accumulator()
    accumulator.add(text[:cut_at])
    read, part = [0], ledger.Ledger.part

    def counting(self: ledger.Ledger, offset: int, size: int) -> str:
        found = part(self, offset, size)
        read[0] += len(found)
        return found

    monkeypatch.setattr(ledger.Ledger, "part", counting)
    assert accumulator.add(opened + text[text.rindex('{"id"', 0, cut_at) :]).complete
    assert read[0] <= 100_000


def calls_of_a_decision(way: str, size: int) -> int:
    """Every call, of C code as well, until a seam is decided, behind another one that makes all that is made once."""
    cut = seam_cost.make_cut(size, 32_000)
    held = jsonseam.Accumulator()
    held.add(cut.held)
    state, fragment = held.checkpoint(), seam_cost.WAYS[way](cut)[:32_000]
    for profile in (cProfile.Profile(), cProfile.Profile()):
        accumulator = jsonseam.Accumulator.resume(state)
        with profile:
            seam_cost.decide(accumulator, fragment)
    return pstats.Stats(profile).total_calls


@pytest.mark.parametrize("way", seam_cost.WAYS)
def test_a_decision_does_the_same_work_on_a_document_twenty_times_as_long(way: str) -> None:
    assert calls_of_a_decision(way, 2_000_000) < 1.02 * calls_of_a_decision(way, 100_000)

"""`run_batch`: files in, partition files out; what a rerun does, and what it leaves alone."""

from __future__ import annotations

import gzip
import json
import shutil

import pytest

pa = pytest.importorskip("pyarrow", reason="batches need pyarrow: pip install 'jsonseam[batch]'")

import pyarrow.dataset as ds  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from jsonseam.batches import (  # noqa: E402
    SCHEMA,
    BatchBroken,
    BatchError,
    Columns,
    LocalEngine,
    Progress,
    run_batch,
    stitch_batch,
)
from tests.batches.logs import log, write_lines  # noqa: E402

ROWS = log(8)
MADE = stitch_batch(pa.Table.from_pylist(ROWS)).to_pylist()


def rows_in(out):
    """All rows of the output as any reader of folders sees them, sorted."""
    rows = ds.dataset(out, format="parquet").to_table()
    assert rows.schema.equals(SCHEMA)
    return sorted(rows.to_pylist(), key=lambda row: (row["conversation"] is not None, row["conversation"] or ""))


def files_in(out):
    return {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}


def marks_of(out):
    """What changes when a file is written again."""
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in out.glob("part-*")}


def write_parquet(path, rows, group=10):
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=group)
    return path


# ------------------------------------------------------------ what is read
def lay_out(folder, kind):
    """The same rows in files of a kind; gives back what `run_batch` is told to read."""
    half = len(ROWS) // 2
    if kind == "a file":
        return [str(write_lines(folder / "log.jsonl", ROWS))]
    if kind == "a file with a strange name":
        return [str(write_lines(folder / "log", ROWS))]
    if kind == "parquet":
        return [str(write_parquet(folder / "log.parquet", ROWS))]
    if kind == "parquet with a strange name":
        return [str(write_parquet(folder / "log", ROWS))]
    if kind == "packed":
        path = write_lines(folder / "log.jsonl", ROWS)
        packed = folder / "log.jsonl.gz"
        packed.write_bytes(gzip.compress(path.read_bytes()))
        return [str(packed)]
    write_lines(folder / "day" / "a.jsonl", ROWS[:half])
    write_parquet(folder / "day" / "deep" / "b.parquet", ROWS[half:])
    write_lines(folder / "day" / "_notes.jsonl", ["not data"])
    write_lines(folder / "day" / "readme.txt", ["not data"])
    if kind == "a folder":
        return [str(folder / "day")]
    if kind == "a pattern":
        return [str(folder / "**" / "[ab].*")]
    assert kind == "doubles"
    return [str(folder / "day"), str(folder / "day" / "a.jsonl"), str(folder / "day" / ".." / "day")]


KINDS = ["a file", "a file with a strange name", "parquet", "parquet with a strange name", "packed"]
KINDS += ["a folder", "a pattern", "doubles"]


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_all_kinds_give_the_same_rows(tmp_path, kind):
    summary = run_batch(lay_out(tmp_path / "in", kind), tmp_path / "out", partitions=3, unit=4000)
    assert rows_in(tmp_path / "out") == MADE
    assert (summary.conversations, summary.rows, summary.partitions) == (8, len(ROWS), 3)


@settings(max_examples=10)
@given(unit=st.integers(40, 6000), order=st.permutations(ROWS[:12]), partitions=st.integers(1, 4))
def test_wherever_the_input_is_divided_no_row_is_lost_or_read_twice(tmp_path_factory, unit, order, partitions):
    folder = tmp_path_factory.mktemp("cut")
    path = write_lines(folder / "log.jsonl", order)
    summary = run_batch([str(path)], folder / "out", unit=unit, partitions=partitions)
    assert summary.rows == len(order)
    assert rows_in(folder / "out") == stitch_batch(pa.Table.from_pylist(order)).to_pylist()


class Watching(LocalEngine):
    """Looks how much text was put away, behind each stage."""

    def __init__(self, folder):
        self.folder, self.bytes = folder, []

    def each(self, work, items):
        yield from super().each(work, items)
        self.bytes.append(sum(path.stat().st_size for path in self.folder.rglob("*.arrow")))


@pytest.mark.parametrize("write", [write_lines, write_parquet])
def test_text_that_belongs_to_no_conversation_is_not_held(tmp_path, write):
    rows = [{"conversation": None, "sequence": number, "text": "x" * 10_000} for number in range(100)]
    watching = Watching(tmp_path / "out")
    summary = run_batch([str(write(tmp_path / "log", rows))], tmp_path / "out", engine=watching)
    assert (summary.rows, summary.errors) == (100, 1)
    assert 0 < watching.bytes[0] < 100_000
    assert rows_in(tmp_path / "out")[0]["error"].startswith("100 rows name no conversation")


def test_the_output_in_the_input_folder_is_not_read(tmp_path):
    write_lines(tmp_path / "log.jsonl", ROWS)
    for _ in range(2):
        assert run_batch([str(tmp_path)], tmp_path / "out").rows == len(ROWS)


def test_json_lines_come_out_too(tmp_path):
    path = write_lines(tmp_path / "log.jsonl", ROWS)
    run_batch([str(path)], tmp_path / "out", form="jsonl", partitions=2)
    lines = [json.loads(line) for file in files_in(tmp_path / "out").values() for line in file.splitlines()]
    assert sorted(lines, key=lambda row: row["conversation"]) == MADE


# a line of the log                                              conversation  a word of its error
LINES = [
    ("nothing of JSON",                                          None, "log.jsonl at byte 55: the line is not JSON"),
    ('["bad"]',                                                  None, "the line is not a JSON object"),
    ("[" * 100_000,                                              None, "the line is not JSON"),
    ('{"sequence": 0, "text": "[]"}',                            None, "there is no 'conversation'"),
    ('{"conversation": true, "sequence": 0, "text": "[]"}',      None, "neither text nor a number"),
    ('{"conversation": "bad", "text": "[]"}',                    "bad", "1 of 1 rows has no sequence number"),
    ('{"conversation": "bad", "sequence": true, "text": "[]"}',  "bad", "sequence is no whole number: 'true'"),
    ('{"conversation": "bad", "sequence": [1], "text": "[]"}',   "bad", "sequence is no whole number: '[1]'"),
    ('{"conversation": "bad", "sequence": 0}',                   "bad", "there is no text at sequence 0"),
    ('{"conversation": "bad", "sequence": 0, "text": null}',     "bad", "there is no text at sequence 0"),
    ('{"conversation": "bad", "sequence": 0, "text": {}}',       "bad", "'text' is not a string"),
    ('{"conversation": "bad", "sequence": 0, "text": "Hello"}',  "bad", "no JSON document has begun"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "name", "word"), LINES, ids=range(len(LINES)))
def test_a_bad_line_is_a_row_with_its_error(tmp_path, line, name, word):
    good = {"conversation": "good", "sequence": 0, "text": "[1]"}
    path = write_lines(tmp_path / "log.jsonl", [good, line, "", {**good, "sequence": 1, "text": " "}])
    summary = run_batch([str(path)], tmp_path / "out")
    rows = {row["conversation"]: row for row in rows_in(tmp_path / "out")}
    assert rows.keys() == {name, "good"}
    assert word in rows[name]["error"]
    assert rows["good"]["document"].strip() == "[1]"
    assert (summary.errors, summary.complete) == (1, 1)


# how a name or a number is spelled in JSON Lines      what it is
SPELLED = [
    ('{"conversation": 7, "sequence": 0,     "text": "[1"}', '{"conversation": "7", "sequence": 1, "text": "]"}', "7"),
    ('{"conversation": "", "sequence": "9",  "text": "[1"}', '{"conversation": "", "sequence": 10.0, "text": "]"}', ""),
    ('{"conversation": "\\ud83d", "sequence": 0, "text": "[1]"}', "", "\\ud83d"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "name"), SPELLED, ids=range(len(SPELLED)))
def test_names_and_numbers_may_be_spelled_in_several_ways(tmp_path, first, second, name):
    run_batch([str(write_lines(tmp_path / "log.jsonl", [first, second]))], tmp_path / "out")
    [row] = rows_in(tmp_path / "out")
    assert (row["conversation"], row["document"], row["error"]) == (name, "[1]", None)


def test_a_log_that_cuts_within_a_character_gives_the_whole_one(tmp_path):
    whole = '{\\"a\\": \\"größer\\"}'.encode()
    at = whole.index("ö".encode()) + 1
    begin = b'{"conversation": "c", "sequence": %d, "text": "%s"}\n'
    path = tmp_path / "log.jsonl"
    path.write_bytes(begin % (0, whole[:at]) + begin % (1, whole[at:]))
    run_batch([str(path)], tmp_path / "out")
    assert json.loads(rows_in(tmp_path / "out")[0]["document"]) == {"a": "größer"}


# ------------------------------------------------------------ what cannot begin
def test_what_cannot_be_read_is_told_before_anything_is_written(tmp_path):
    write_parquet(tmp_path / "names.parquet", [{"id": "c", "turn": 0, "text": ""}])
    (tmp_path / "half.parquet").write_bytes(b"PAR1 and no more")
    (tmp_path / "out.file").write_text("")
    (tmp_path / "empty").mkdir()
    write_lines(tmp_path / "log.jsonl", ROWS)
    # inputs                             output      a word of the error
    cases = [
        ([tmp_path / "none.jsonl"],      "out",      "there is no file"),
        ([tmp_path / "empty"],           "out",      "no data in the folder"),
        ([tmp_path / "names.parquet"],   "out",      "has no column 'conversation'"),
        ([tmp_path / "half.parquet"],    "out",      "is no Parquet file"),
        ([tmp_path / "log.jsonl"],       "out.file", "is a file"),
        ([tmp_path / "log.jsonl"],       ".",        "nothing to read but what was written"),
    ]  # fmt: skip
    for inputs, out, word in cases:
        with pytest.raises(BatchError, match=word) as caught:
            run_batch([str(path) for path in inputs], tmp_path / out)
        assert not isinstance(caught.value, BatchBroken)
    assert not (tmp_path / "out").exists()


def test_columns_can_have_other_names(tmp_path):
    rows = [{"id": row["conversation"], "turn": row["sequence"], "said": row["text"], "more": 1} for row in ROWS]
    columns = Columns("id", "turn", "said")
    for path in (write_lines(tmp_path / "log.jsonl", rows), write_parquet(tmp_path / "log.parquet", rows)):
        run_batch([str(path)], tmp_path / "out", columns=columns)
        assert rows_in(tmp_path / "out") == MADE


# ------------------------------------------------------------ again
def test_a_rerun_does_nothing_and_gives_the_same_figures(tmp_path):
    path = write_lines(tmp_path / "log.jsonl", ROWS)
    first = run_batch([str(path)], tmp_path / "out", partitions=4)
    marks = marks_of(tmp_path / "out")
    again = run_batch([str(path)], tmp_path / "out", partitions=4)
    assert marks_of(tmp_path / "out") == marks
    assert again.skipped == 4
    assert {**again.state(), "skipped": 0} == first.state()


def test_the_same_rows_give_the_same_bytes_anywhere(tmp_path):
    run_batch([str(write_lines(tmp_path / "log.jsonl", ROWS))], tmp_path / "one", partitions=3)
    run_batch([str(write_parquet(tmp_path / "b" / "log.parquet", ROWS[::-1]))], tmp_path / "two", partitions=3)
    assert files_in(tmp_path / "one") == files_in(tmp_path / "two")


def test_only_partitions_with_other_rows_are_made_again(tmp_path):
    write_lines(tmp_path / "in" / "a.jsonl", ROWS)
    run_batch([str(tmp_path / "in")], tmp_path / "out", partitions=8)
    marks = marks_of(tmp_path / "out")
    write_lines(tmp_path / "in" / "b.jsonl", [{"conversation": "new", "sequence": 0, "text": "[1]"}])
    summary = run_batch([str(tmp_path / "in")], tmp_path / "out", partitions=8)
    now = marks_of(tmp_path / "out")
    assert summary.skipped == 7
    assert sum(marks[name] != now[name] for name in marks) == 1
    assert [row["conversation"] for row in rows_in(tmp_path / "out")] == sorted([*(f"c{n}" for n in range(8)), "new"])


def test_the_same_rows_in_other_files_are_not_joined_again(tmp_path):
    path = write_lines(tmp_path / "log.jsonl", ROWS)
    run_batch([str(path)], tmp_path / "out", partitions=3)
    path.unlink()
    other = write_parquet(tmp_path / "other.parquet", ROWS[::-1])
    assert run_batch([str(other)], tmp_path / "out", partitions=3).skipped == 3


# what happened to the output of a run, in words, and to the first partition
def _cut(out, part):
    part.write_bytes(part.read_bytes()[:-100])


def _garbled(out, part):
    part.write_bytes(bytes(reversed(part.read_bytes())))


def _gone(out, part):
    part.unlink()


def _note_gone(out, part):
    (out / "_jsonseam" / f"{part.name}.json").unlink()


def _note_cut(out, part):
    (out / "_jsonseam" / f"{part.name}.json").write_text('{"fingerprint": "')


def _half_left(out, part):
    (out / f".{part.name}.0123.half").write_bytes(b"PAR1")
    (out / "_jsonseam" / "spill-0123" / "unit-00000.0123.half").mkdir(parents=True)


def _plan_cut(out, part):
    (out / "_jsonseam" / "plan.json").write_text("{")


@pytest.mark.parametrize("damage", [_cut, _garbled, _gone, _note_gone, _note_cut, _half_left, _plan_cut])
def test_what_is_not_whole_is_made_again(tmp_path, damage):
    path = write_lines(tmp_path / "log.jsonl", ROWS)
    out = tmp_path / "out"
    run_batch([str(path)], out, partitions=3)
    whole, part = files_in(out), sorted(out.glob("part-*"))[0]
    damage(out, part)
    summary = run_batch([str(path)], out, partitions=3)
    assert summary.skipped == (3 if damage in (_half_left, _plan_cut) else 2)
    assert files_in(out) == whole
    assert not list((out / "_jsonseam").glob("spill-*"))


def test_another_number_of_partitions_leaves_nothing_of_the_first(tmp_path):
    path = write_lines(tmp_path / "log.jsonl", ROWS)
    run_batch([str(path)], tmp_path / "out", partitions=5)
    (tmp_path / "out" / "mine.txt").write_text("not of a batch")
    run_batch([str(path)], tmp_path / "out", partitions=2)
    assert sorted(files_in(tmp_path / "out")) == [
        "mine.txt",
        "part-00000-of-00002.parquet",
        "part-00001-of-00002.parquet",
    ]
    assert rows_in_parts(tmp_path / "out") == MADE


def rows_in_parts(out):
    rows = [row for path in out.glob("part-*") for row in pq.read_table(path).to_pylist()]
    return sorted(rows, key=lambda row: row["conversation"])


def test_other_settings_make_all_of_it_again(tmp_path):
    path = write_lines(tmp_path / "log.jsonl", [{"conversation": "c", "sequence": 0, "text": "[1,]"}])
    assert run_batch([str(path)], tmp_path / "out").complete == 1
    assert run_batch([str(path)], tmp_path / "out", strict=True).errors == 1


class Stopping(LocalEngine):
    """Stops behind a number of results, of reading and joining together."""

    def __init__(self, after, error):
        self.left, self.error = after, error

    def each(self, work, items):
        for result in super().each(work, items):
            if not self.left:
                raise self.error
            self.left -= 1
            yield result


@pytest.mark.parametrize("after", range(7))
@pytest.mark.parametrize(
    ("error", "comes"), [(OSError("disk full"), BatchBroken), (KeyboardInterrupt(), KeyboardInterrupt)]
)
def test_wherever_it_stops_what_was_finished_stays_and_a_rerun_goes_on(tmp_path, after, error, comes):
    rows = ROWS[:20]
    path = write_lines(tmp_path / "log.jsonl", rows)
    unit = path.stat().st_size // 3 + 1
    with pytest.raises(comes):
        run_batch([str(path)], tmp_path / "out", partitions=4, unit=unit, engine=Stopping(after, error))
    marks = marks_of(tmp_path / "out")
    if after >= 3:  # the reading was finished: the log is not needed any more
        assert len(marks) == after - 3 + 1
    summary = run_batch([str(path)], tmp_path / "out", partitions=4, unit=unit)
    assert summary.skipped == len(marks)
    assert marks.items() <= marks_of(tmp_path / "out").items()
    assert rows_in(tmp_path / "out") == stitch_batch(pa.Table.from_pylist(rows)).to_pylist()


def test_what_was_read_is_not_read_again(tmp_path, monkeypatch):
    path = write_lines(tmp_path / "log.jsonl", ROWS)
    with pytest.raises(BatchBroken):
        run_batch([str(path)], tmp_path / "out", partitions=4, engine=Stopping(2, OSError("disk full")))
    monkeypatch.setattr("jsonseam.batches.spill.read_rows", lambda *_: pytest.fail("it was read again"))
    run_batch([str(path)], tmp_path / "out", partitions=4)
    assert rows_in(tmp_path / "out") == MADE


def test_progress_ends_with_all_of_it(tmp_path):
    class Told(Progress):
        def __init__(self):
            self.read, self.joined = [], []

        def reading(self, done, total):
            self.read.append((done, total))

        def stitching(self, rows, total, conversations, skipped):
            self.joined.append((rows, total, conversations, skipped))

    path = write_lines(tmp_path / "log.jsonl", ROWS)
    told = Told()
    run_batch([str(path)], tmp_path / "out", partitions=3, progress=told, unit=4000)
    size = path.stat().st_size
    assert told.read[0] == (0, size)
    assert told.read[-1] == (size, size)
    assert told.joined == sorted(told.joined)
    assert told.joined[-1] == (len(ROWS), len(ROWS), 8, 0)
    assert len({conversations for _, _, conversations, _ in told.joined}) == 9
    again = Told()
    run_batch([str(path)], tmp_path / "out", partitions=3, progress=again, unit=4000)
    assert (again.read, again.joined) == ([], [(len(ROWS), len(ROWS), 8, len(ROWS))])
    shutil.rmtree(tmp_path / "out")

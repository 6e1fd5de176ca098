"""`jsonseam batch` as a shell sees it: what it tells, what it exits with, and what a killed one leaves behind."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

pytest.importorskip("pyarrow", reason="batches need pyarrow: pip install 'jsonseam[batch]'")

from rich.console import Console

from jsonseam.batches import run_batch
from jsonseam.batches.cli_bar import Bar, figures_of
from tests.batches.logs import log, write_lines
from tests.batches.test_batch_files import files_in, marks_of, rows_in
from tests.test_cli import COMMAND, ENVIRONMENT, call

MIXED = [
    {"conversation": "ada", "sequence": 1, "text": '"Grace", "Joan"]}'},
    {"conversation": "ada", "sequence": 0, "text": '{"names": ["Ada", "Grace"'},
    {"conversation": "bob", "sequence": 0, "text": '{"rows": [1, 2'},
    {"conversation": "eve", "sequence": 0, "text": "I am sorry."},
]
REPORT = """\
3 conversations of 4 answers: 1 complete, 1 incomplete, 1 in error
  seams       overlap 1
  repairs     closed 1, cut-number 1
  partitions  1, 0 of them finished before
  error in eve: no JSON document has begun; expected text that holds a JSON value
"""


def test_bad_conversations_are_told_and_are_no_failure(tmp_path):
    write_lines(tmp_path / "log.jsonl", MIXED)
    done = call("batch", "log.jsonl", "out", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, REPORT, "")
    assert [row["complete"] for row in rows_in(tmp_path / "out")] == [True, False, False]
    again = call("batch", "log.jsonl", "out", "--json", cwd=tmp_path)
    told = json.loads(again.stdout)
    assert (again.returncode, again.stderr) == (0, "")
    assert (told["conversations"], told["complete"], told["incomplete"], told["errors"]) == (3, 1, 1, 1)
    assert (told["seams"], told["skipped"]) == ({"overlap": 1}, 1)


def test_a_batch_without_any_document_asks_for_its_columns(tmp_path):
    write_lines(tmp_path / "log.jsonl", [{"id": "ada", "turn": 0, "answer": "[1]"}])
    done = call("batch", "log.jsonl", "out", "--conversation", "id", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("1 conversation of 1 answer: 0 complete, 0 incomplete, 1 in error")
    assert done.stdout.endswith("do --conversation, --sequence and --text name the columns?\n")


def test_silence(tmp_path):
    write_lines(tmp_path / "log.jsonl", MIXED)
    done = call("batch", "log.jsonl", "out", "-q", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_many_inputs_and_names_of_columns(tmp_path):
    for number, row in enumerate(MIXED):
        renamed = {"id": row["conversation"], "turn": row["sequence"], "answer": row["text"]}
        write_lines(tmp_path / "in" / f"{number}.jsonl", [renamed])
    names = ["--conversation", "id", "--sequence", "turn", "--text", "answer"]
    inputs = ["in/0.jsonl", "in/[12].jsonl", "in"]
    done = call("batch", *inputs, "out", *names, "--format", "jsonl", "--partitions", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 conversations of 4 answers: 1 complete")
    assert sorted(files_in(tmp_path / "out")) == ["part-00000-of-00002.jsonl", "part-00001-of-00002.jsonl"]


# arguments                                        exit  a word of the error
WRONG = [
    (["none.jsonl", "out"],                         2, "there is no file 'none.jsonl'"),
    (["empty", "out"],                              2, "there is no data in the folder 'empty'"),
    (["log.jsonl", "log.jsonl"],                    2, "is a file"),
    (["log.jsonl", "foreign"],                      2, "was written by no batch"),
    (["log.jsonl", "out", "--dask", "nowhere:x"],   2, "no Dask scheduler answers at nowhere:x"),
    (["log.jsonl", "broken"],                       1, "the batch broke off"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "code", "word"), WRONG)
def test_what_is_wrong_is_told_in_a_line(tmp_path, arguments, code, word):
    if "--dask" in arguments:
        pytest.importorskip("distributed", reason="needs a Dask client: pip install 'jsonseam[dask]'")
    write_lines(tmp_path / "log.jsonl", MIXED)
    write_lines(tmp_path / "broken" / "_jsonseam", ["a file where the notes should be"])
    (tmp_path / "empty").mkdir()
    write_lines(tmp_path / "foreign" / "part-00000-of-00002.jsonl", ["data of another tool"])
    done = call("batch", *arguments, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert word in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr
    assert "another tool" in (tmp_path / "foreign" / "part-00000-of-00002.jsonl").read_text()


@pytest.mark.parametrize(("package", "extra"), [("pyarrow", "jsonseam[cli,batch]"), ("distributed", "jsonseam[dask]")])
def test_without_a_package_it_is_said_what_to_install(tmp_path, package, extra):
    write_lines(tmp_path / "log.jsonl", MIXED)
    arguments = ["jsonseam", "batch", "log.jsonl", "out", "--dask", "tcp://localhost:1"]
    program = f"import sys; sys.modules[{package!r}] = None; sys.argv = {arguments!r}\n"
    program += "from jsonseam.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=ENVIRONMENT, check=False, cwd=tmp_path
    )
    assert done.returncode == 2
    assert f"pip install '{extra}'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_bar_shows_conversations_and_rows_a_second():
    assert figures_of(1200, 300, 2.0) == "300 conversations, 600 rows/s"
    assert figures_of(0, 0, 0.0) == "0 conversations"
    told = io.StringIO()
    with Bar(Console(file=told, force_terminal=True, width=120), wanted=True) as bar:
        bar.reading(500_000, 2_000_000)
        bar.stitching(0, 40, 0, 0)
        time.sleep(0.01)
        bar.stitching(30, 40, 12, 0)
    shown = told.getvalue()
    assert all(word in shown for word in ("0.5 of 2.0 MB", "12 conversations, ", "rows/s", "75%"))
    silent = io.StringIO()
    with Bar(Console(file=silent), wanted=True) as bar:
        bar.reading(1, 2)
    assert silent.getvalue() == ""


# ------------------------------------------------------------ killed, interrupted
MANY = log(96)
PARTITIONS = 16


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The files of a run that nobody disturbs."""
    folder = tmp_path_factory.mktemp("undisturbed")
    run_batch([str(write_lines(folder / "log.jsonl", MANY))], folder / "out", partitions=PARTITIONS)
    return files_in(folder / "out")


def start(folder):
    arguments = ["batch", "log.jsonl", "out", "--partitions", str(PARTITIONS), "--json"]
    return subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Where the tests run in the background, Ctrl-C is ignored, and by whom they start.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def finished(out):
    return len(list(out.glob("_jsonseam/part-*")))


def disturb(folder, sent):
    """Start it, and send the signal when some partitions are finished and others are not; what it exits with and tells.

    On a busy machine it may be through before the signal comes: then nothing was disturbed, and it is done once more.
    """
    for _ in range(20):
        process = start(folder)
        until = time.monotonic() + 60
        while finished(folder / "out") < 2 and process.poll() is None:
            assert time.monotonic() < until
            time.sleep(0.002)
        process.send_signal(sent)
        _, told = process.communicate(timeout=60)
        if finished(folder / "out") < PARTITIONS:
            return process.returncode, told
        shutil.rmtree(folder / "out")
    raise AssertionError("it was always through before the signal came")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_a_killed_run_is_gone_on_with(tmp_path, undisturbed, sent, code):
    write_lines(tmp_path / "log.jsonl", MANY)
    returncode, told = disturb(tmp_path, sent)
    assert returncode == code, told
    assert b"Traceback" not in told
    notes = {path.name.removesuffix(".json") for path in (tmp_path / "out" / "_jsonseam").glob("part-*")}
    before = {name: mark for name, mark in marks_of(tmp_path / "out").items() if name in notes}
    assert 2 <= len(before) < PARTITIONS
    again = start(tmp_path)
    output, told = again.communicate(timeout=120)
    assert again.returncode == 0, told
    assert json.loads(output)["skipped"] == len(before)
    assert before.items() <= marks_of(tmp_path / "out").items()
    assert not [path for path in (tmp_path / "out").rglob("*") if "half" in path.name or "spill" in path.name]
    assert files_in(tmp_path / "out") == undisturbed

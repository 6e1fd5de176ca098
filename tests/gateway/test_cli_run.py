"""The commands `run` and `resume`, in processes of their own, against a server on loopback."""

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from jsonseam.gateway import Limits, ScriptedModel, SqliteStore, run
from jsonseam.gateway.cli_bars import Bars, report
from jsonseam.gateway.cli_run import demo_loop, mount
from jsonseam.gateway.truncating_server import TruncatingServer

ROOT = Path(__file__).parents[2]
DOCUMENT = {"rows": [[n, f"row {n * n}"] for n in range(40)]}
SCRIPT = "import typer; from jsonseam.gateway.cli_run import mount; app = typer.Typer(); mount(app); app()"


@pytest.fixture(scope="module")
def server():
    documents = {"rows": json.dumps(DOCUMENT), "slow": json.dumps(DOCUMENT)}
    with TruncatingServer(documents, seed=2, budget=200, chunk=10, stall=15) as running:
        yield running


@pytest.fixture
def asked(tmp_path, server, monkeypatch):
    """The arguments that every command here has; the files they name are in a folder of the test."""
    monkeypatch.setenv("JSONSEAM_STORE", str(tmp_path / "runs.db"))
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Write the rows.")
    return ["run", "--base-url", server.base_url, "--prompt-file", str(prompt)]


@pytest.fixture
def app():
    mounted = typer.Typer()
    mount(mounted)
    return mounted


def test_run_prints_the_document_and_reports_on_standard_error(app, asked):
    done = CliRunner().invoke(app, [*asked, "--model", "truncating/exact/rows", "--kpi", "rows=rows:40"])
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout) == DOCUMENT
    assert "Complete" in done.stderr
    assert "rows: 40 of 40" in done.stderr


def test_run_writes_a_file_and_asks_for_kpis_itself(app, asked, tmp_path):
    out = tmp_path / "out.json"
    done = CliRunner().invoke(app, [*asked, "--model", "truncating/mixed/rows", "--out", str(out)])
    assert done.exit_code == 0, done.stderr
    assert json.loads(out.read_text()) == DOCUMENT
    assert done.stdout == ""
    assert "kpi_0" in done.stderr


def test_a_run_that_a_limit_stopped_says_how_to_go_on_and_goes_on(app, asked):
    first = CliRunner().invoke(app, [*asked, "--model", "truncating/exact/rows", "--max-calls", "3"])
    assert first.exit_code == 1
    assert "Call limit" in first.stderr
    assert json.loads(first.stdout)["rows"] == DOCUMENT["rows"][: len(json.loads(first.stdout)["rows"])]
    run_id = re.search(r"jsonseam resume (\w+)", first.stderr)[1]
    second = CliRunner().invoke(app, ["resume", run_id])
    assert second.exit_code == 0, second.stderr
    assert json.loads(second.stdout) == DOCUMENT


def test_ctrl_c_leaves_a_run_that_can_be_resumed(app, asked, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *asked, "--model", "truncating/exact+stall-mid@2/slow"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"COLUMNS": "200"},
    )
    store = SqliteStore(tmp_path / "runs.db")
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not (store.ids() and store.load(store.ids()[0]).version >= 4):
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    said, told = process.communicate(timeout=20)
    assert process.returncode == 130, told
    assert "Cancelled" in told
    assert 0 < len(json.loads(said)["rows"]) < 40
    run_id = re.search(r"jsonseam resume (\w+)", told)[1]
    second = CliRunner().invoke(app, ["resume", run_id])
    assert second.exit_code == 0, second.stderr
    assert json.loads(second.stdout) == DOCUMENT


# options that are wrong                                   a word of the error
WRONG = [
    (["--kpi", "rows"],                                    "is not id=path:target"),
    (["--kpi", "=rows:3"],                                 "is not id=path:target"),
    (["--kpi", "a="],                                      "is not id=path:target"),
    (["--kpi", "a=rows:many"],                             "is not a number"),
    (["--kpi", "a=rows:nan"],                              "a finite number"),
    (["--kpi", "a=rows[:3"],                               "cannot be read"),
    (["--base-url", "localhost:8000"],                     "must be an http or https URL, not 'localhost:8000'"),
    (["--base-url", "http://"],                            "must be an http or https URL, not 'http://'"),
    (["--base-url", "http://host:many/v1"],                "'http://host:many/v1' cannot be read: Port"),
    (["--provider", "psychic"],                            "unknown provider 'psychic'"),
    (["--prompt-file", "empty.txt"],                       "is empty"),
    (["--prompt-file", "none.txt"],                        "cannot be read: No such file"),
    (["--store", "prompt.txt"],                            "is no file of saved runs"),
    (["--store", "prompt.txt/runs.db"],                    "is no file of saved runs"),
    (["--max-calls", "0"],                                 "greater than or equal to 1"),
    (["--max-seconds", "-1"],                              "greater than or equal to 0.1"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "word"), WRONG, ids=[" ".join(options) for options, _ in WRONG])
def test_what_is_wrong_is_told_before_anything_is_asked(app, asked, server, tmp_path, monkeypatch, options, word):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.txt").write_text(" \n")
    calls = len(server.calls)
    done = CliRunner().invoke(app, [*asked, "--model", "truncating/exact/rows", *options], env={"COLUMNS": "200"})
    assert (done.exit_code, done.stdout) == (2, ""), done.stderr
    assert word in " ".join(done.stderr.replace("│", " ").split())
    assert len(server.calls) == calls


def test_a_prompt_from_standard_input(app, asked):
    options = ["--model", "truncating/exact/rows", "--prompt-file", "-", "--kpi", "rows=rows:40"]
    done = CliRunner().invoke(app, [*asked, *options], input="Write the rows.")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout) == DOCUMENT


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_document_that_cannot_be_written_is_kept_and_it_is_said_how_to_have_it(app, asked, tmp_path):
    store = ["--store", str(tmp_path / "some runs.db")]
    options = ["--model", "truncating/exact/rows", "--kpi", "rows=rows:40", "--out", "/dev/full", *store]
    done = CliRunner().invoke(app, [*asked, *options])
    assert done.exit_code == 2, done.stderr
    again = re.search(r"No space left on device; the document is kept: jsonseam (.*)", done.stderr)[1]
    assert json.loads(CliRunner().invoke(app, shlex.split(again)).stdout) == DOCUMENT


# a file, what it holds, a word of the error
WRONG_FILES = {
    "binary prompt": ("--prompt-file", b"\xff\xfe\x00", "cannot be read as UTF-8 text"),
    "schema that is no JSON": ("--schema", b"{", "is not JSON"),
    "binary schema": ("--schema", b"\xff", "cannot be read as UTF-8 text"),
    "schema too deep to read": ("--schema", b"[" * 100_000, "is not JSON"),
    "schema that is no object": ("--schema", b"[1]", "is no JSON schema"),
}


@pytest.mark.parametrize("kind", WRONG_FILES)
def test_a_file_that_cannot_be_read_is_told_before_anything_is_asked(app, asked, server, tmp_path, kind):
    option, content, word = WRONG_FILES[kind]
    (tmp_path / "wrong").write_bytes(content)
    calls = len(server.calls)
    options = ["--model", "truncating/exact/rows", option, str(tmp_path / "wrong")]
    done = CliRunner().invoke(app, [*asked, *options], env={"COLUMNS": "400"})
    assert done.exit_code == 2, done.output
    assert f"{tmp_path / 'wrong'}' {word}" in done.stderr
    assert len(server.calls) == calls


@pytest.mark.parametrize("out", [".", "no/such/folder/out.json"])
def test_where_nothing_can_be_written_nothing_is_asked(app, asked, server, tmp_path, monkeypatch, out):
    monkeypatch.chdir(tmp_path)
    calls = len(server.calls)
    done = CliRunner().invoke(app, [*asked, "--model", "truncating/exact/rows", "--out", out])
    assert done.exit_code == 2, done.output
    assert "cannot be written" in " ".join(done.stderr.split())
    assert len(server.calls) == calls


def test_a_run_that_nobody_knows(app, tmp_path):
    SqliteStore(tmp_path / "runs.db").close()
    done = CliRunner().invoke(app, ["resume", "nobody", "--store", str(tmp_path / "runs.db")])
    assert done.exit_code == 2
    assert "there is no run nobody" in done.stderr


def test_to_resume_makes_no_file_of_runs(app, tmp_path):
    done = CliRunner().invoke(app, ["resume", "nobody", "--store", str(tmp_path / "runs.db")])
    assert done.exit_code == 2
    assert "there is no file of saved runs" in done.stderr
    assert not (tmp_path / "runs.db").exists()


@pytest.mark.parametrize("about", [{}, {"model": "m"}])
def test_a_run_that_another_program_began_does_not_tell_its_server(app, tmp_path, about):
    path = tmp_path / "runs.db"
    run(ScriptedModel(["[1, 2"]), "List.", SqliteStore(path), run_id="mine", limits=Limits(calls=1), about=about)
    done = CliRunner().invoke(app, ["resume", "mine", "--store", str(path)], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert "run mine was not begun by jsonseam run" in done.stderr


def test_nothing_that_a_model_says_acts_on_the_terminal_or_on_the_report():
    named = {"id": "[/red]\x1b[31m", "description": "", "jsonPath": "rows", "targetValue": 9}
    refused = {**named, "jsonPath": "[/x]\x1b]0;title\x07"}
    model = ScriptedModel(['{"rows": [1, 2', ", 3]}"], kpis=[json.dumps({"kpis": [kpi]}) for kpi in (refused, named)])
    told = io.StringIO()
    console = Console(file=told, width=200)
    with Bars(console) as bars:
        result = run(model, "List.", on_event=bars.tell)
    report(result, console)
    assert result.complete
    assert "KPIs refused, asking once more" in told.getvalue()
    assert "[/red]\\u001b[31m: 3 of 9" in told.getvalue()
    assert not {"\x1b", "\x07"} & set(told.getvalue())


def test_the_demo_plays_the_whole_loop_on_the_simulated_model():
    console = Console(file=io.StringIO(), width=200)
    result = demo_loop("scripted", console)
    told = console.file.getvalue()
    assert result.complete
    assert result.seams
    for part in ("seam 1", "Complete", "kpi_0"):
        assert part in told

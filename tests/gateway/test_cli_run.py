"""The commands `run` and `resume`, in processes of their own, against a server on loopback."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from jsonseam.gateway import SqliteStore
from jsonseam.gateway.cli_run import demo_loop, mount, parse_kpi
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


@pytest.mark.parametrize("text", ["rows", "=rows:3", "a=", "a=rows:many", "a=rows[:3"])
def test_a_kpi_that_cannot_be_read_is_refused(text):
    with pytest.raises(typer.BadParameter):
        parse_kpi(text)


def test_kpis_on_the_command_line():
    assert (parse_kpi("a=x.y[0]:12").path, parse_kpi("a=x.y[0]:12").target) == ("x.y[0]", 12)
    assert parse_kpi("a=x.y").target is None


WRONG_FILES = {
    "binary prompt": ("--prompt-file", b"\xff\xfe\x00"),
    "schema that is no JSON": ("--schema", b"{"),
    "binary schema": ("--schema", b"\xff"),
    "schema too deep to read": ("--schema", b"[" * 100_000),
}


@pytest.mark.parametrize("kind", WRONG_FILES)
def test_a_file_that_cannot_be_read_is_told_before_anything_is_asked(app, asked, server, tmp_path, kind):
    option, content = WRONG_FILES[kind]
    (tmp_path / "wrong").write_bytes(content)
    calls = len(server.calls)
    done = CliRunner().invoke(app, [*asked, "--model", "truncating/exact/rows", option, str(tmp_path / "wrong")])
    assert done.exit_code == 2, done.output
    assert "cannot be read" in done.stderr or "is not JSON" in done.stderr
    assert len(server.calls) == calls


@pytest.mark.parametrize("out", [".", "no/such/folder/out.json"])
def test_where_nothing_can_be_written_nothing_is_asked(app, asked, server, tmp_path, monkeypatch, out):
    monkeypatch.chdir(tmp_path)
    calls = len(server.calls)
    done = CliRunner().invoke(app, [*asked, "--model", "truncating/exact/rows", "--out", out])
    assert done.exit_code == 2, done.output
    assert "cannot be written" in " ".join(done.stderr.split())
    assert len(server.calls) == calls


def test_a_run_that_nobody_knows(app, asked):
    done = CliRunner().invoke(app, ["resume", "nobody"])
    assert done.exit_code == 2
    assert "nobody" in done.stderr


def test_the_demo_plays_the_whole_loop_on_the_simulated_model():
    console = Console(file=io.StringIO(), width=200)
    result = demo_loop("scripted", console)
    told = console.file.getvalue()
    assert result.complete
    assert result.seams
    for part in ("seam 1", "Complete", "kpi_0"):
        assert part in told

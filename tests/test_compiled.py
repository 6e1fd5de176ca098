"""Which rooms a wheel holds compiled, and that one without a compiler is whole. CI tests the compiled ones as well."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.helpers import ROOT
from tests.test_layers import ROOMS

INTERPRETED = {
    "__init__": "gives the names to callers",
    "stream": "callers ask it for its signature",
    "mojibake": "callers ask it for its signature",
    "accumulator": "callers ask it for its signature and its text, and may make classes on top of it",
    "changes": "callers ask `replay` for its signature",
    "errors": "callers make classes of their own on top of them",
    "records": "callers copy, pickle and replace them",
    "counters": "a count is an int and stays one; compiled, a number that may be either is a float",
    "isolation": "loads json-repair when it is needed",
}


def build(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build a wheel in this environment, with no compiler that works: so compiling fails, if it is tried."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )


def names_in(folder: Path) -> list[str]:
    (wheel,) = folder.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    return zipfile.ZipFile(wheel).namelist()


def test_every_room_is_compiled_but_those_that_have_a_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    compiled = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["rooms"]
    assert compiled == [room for room in ROOMS if room not in INTERPRETED]


@pytest.mark.parametrize(
    ("asked", "compiler"),
    [("0", "cc"), ("", "no-such-compiler"), ("", "false")],
    ids=["not wanted", "no compiler", "one that fails"],
)
def test_a_wheel_that_is_not_compiled_is_a_whole_one(tmp_path: Path, asked: str, compiler: str) -> None:
    done = build(tmp_path, JSONSEAM_COMPILE=asked, CC=compiler)
    assert done.returncode == 0, done.stdout
    names = names_in(tmp_path)
    assert {f"jsonseam/{room}.py" for room in ROOMS} <= set(names)
    assert "jsonseam/py.typed" in names


def test_who_asks_for_compiled_rooms_is_told_why_there_are_none(tmp_path: Path) -> None:
    done = build(tmp_path, JSONSEAM_COMPILE="1", CC="no-such-compiler")
    assert done.returncode != 0
    assert "the rooms could not be compiled" in done.stdout
    assert not list(tmp_path.glob("*.whl"))

"""The README's examples and what they print. `python -m tests.readme_outputs` writes what they print now into it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"(?<=^```python\n)(.*?)(^```\n\nprints\n\n```text\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
SESSION = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
ENVIRONMENT = {**os.environ, "NO_COLOR": "1", "COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}


def run_example(code: str) -> str:
    """What a block of Python prints. Raises CalledProcessError."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=ENVIRONMENT)
    return done.stdout.decode()


def run_session(session: str) -> str:
    """The session with what its commands print now, in a folder of its own; `jsonseam` is the one under test."""
    with tempfile.TemporaryDirectory() as folder:
        wrapper = Path(folder) / "bin" / "jsonseam"
        wrapper.parent.mkdir()
        wrapper.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m jsonseam "$@"\n')
        wrapper.chmod(0o755)
        environment = {**ENVIRONMENT, "PATH": f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}"}
        said = ""
        for line in session.splitlines():
            if line.startswith("$ "):
                done = subprocess.run(
                    line[2:], shell=True, cwd=folder, env=environment, capture_output=True, check=False
                )
                said += f"{line}\n{done.stdout.decode()}{done.stderr.decode()}"
    return "".join(line.rstrip() + "\n" for line in said.splitlines())


def rewrite() -> None:
    text = README.read_text(encoding="utf-8")
    text = EXAMPLE.sub(lambda found: found[1] + found[2] + run_example(found[1]), text)
    text = SESSION.sub(lambda found: run_session(found[1]), text)
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    rewrite()

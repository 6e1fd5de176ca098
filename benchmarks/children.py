"""A measurement in a process of its own, where memory and imports begin at nothing.

Rule: a child measures one thing and prints one line of JSON; what goes wrong in it is the reason that is shown.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


class ChildError(Exception):
    """The child ended without a figure; the text is the last line of what it complained of."""


def ask(module: str, *arguments: object, limit: float = 600) -> dict[str, Any]:
    """What `python -m module arguments` prints last, as JSON. Raises `ChildError`, also after `limit` seconds."""
    return run([sys.executable, "-m", module, *map(str, arguments)], limit)


def ask_code(code: str, limit: float = 60) -> dict[str, Any]:
    """What this program prints last, as JSON, without the site's own start-up noise. Raises `ChildError`."""
    return run([sys.executable, "-c", code], limit)


def cached() -> dict[str, str]:
    """The environment, but with compiled modules kept: otherwise an import measures the compiler."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(command: list[str], limit: float) -> dict[str, Any]:
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=limit, check=False, env=cached()
        )
    except subprocess.TimeoutExpired as error:
        raise ChildError(f"not done after {limit:g} s") from error
    if done.returncode:
        raise ChildError((done.stderr.strip().splitlines() or ["no word"])[-1])
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def resident() -> int:
    """Bytes of memory that this process holds now. Linux alone tells; elsewhere `ChildError`."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError as error:
        raise ChildError("the memory held is read from /proc, which is not here") from error
    import resource

    return pages * resource.getpagesize()


def most_resident() -> int:
    """The most bytes that this process has held."""
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024

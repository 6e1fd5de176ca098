"""A measurement in a process of its own, where memory and imports begin at nothing.

Rule: a child measures one thing and prints one line of JSON; what goes wrong in it is the reason that is shown.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
Environment = Mapping[str, str]
NOTHING: Environment = {}


class ChildError(Exception):
    """The child ended without a figure; the text is the last line of what it complained of."""


def ask(module: str, *arguments: object, limit: float = 600, environment: Environment = NOTHING) -> dict[str, Any]:
    """What `python -m module arguments` prints last, as JSON. Raises `ChildError`, also after `limit` seconds."""
    return run([sys.executable, "-m", module, *map(str, arguments)], limit, environment)


def ask_code(code: str, limit: float = 60) -> dict[str, Any]:
    """What this program prints last, as JSON, without the site's own start-up noise. Raises `ChildError`."""
    return run([sys.executable, "-c", code], limit, NOTHING)


def cached() -> dict[str, str]:
    """The environment, but with compiled modules kept: otherwise an import measures the compiler."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(command: list[str], limit: float, environment: Environment) -> dict[str, Any]:
    env = {**cached(), **environment}
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=limit, check=False, env=env)
    except subprocess.TimeoutExpired as error:
        raise ChildError(f"not done after {limit:g} s") from error
    if done.returncode:
        raise ChildError((done.stderr.strip().splitlines() or ["no word"])[-1])
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


class GlibcMemory(ctypes.Structure):
    """What `mallinfo2` gives: `uordblks` bytes in use within the heap, `hblkhd` in mappings of their own."""

    _names = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    _fields_ = [(name, ctypes.c_size_t) for name in _names]


def allocated() -> int:
    """Bytes that are allocated now, by Python, yajl and Rust alike; only with PYTHONMALLOC=malloc and glibc."""
    library = ctypes.CDLL(None)
    try:
        ask_glibc = library.mallinfo2
    except AttributeError as error:
        raise ChildError("what is allocated is told by glibc 2.33, which is not here") from error
    ask_glibc.restype = GlibcMemory
    told = ask_glibc()
    return int(told.hblkhd + told.uordblks)


def resident() -> int:
    """Bytes of memory that this process holds now, with what is free in between. Linux alone tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError as error:
        raise ChildError("the memory held is read from /proc, which is not here") from error
    import resource

    return pages * resource.getpagesize()

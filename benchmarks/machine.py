"""Where it was measured: the machine, the Python, how busy they were, and whether jsonseam is compiled there."""

from __future__ import annotations

import os
import platform
from datetime import date
from pathlib import Path

import jsonseam


def described() -> dict[str, str]:
    return {
        "date": date.today().isoformat(),
        "cpu": cpu(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load": load(),
        "jsonseam": "compiled" if jsonseam.COMPILED else "interpreted",
    }


def cpu() -> str:
    """The name that Linux knows it by, or what the platform says."""
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def load() -> str:
    """Processes that were waiting for a core on average, in the last minute, at the beginning."""
    try:
        return f"{os.getloadavg()[0]:.1f}"
    except OSError:
        return "unknown"

"""Building a wheel: the rooms that the hot path runs through are compiled with mypyc, if that can be done here.

Rule: the same files, compiled or not, do the same; a wheel without compiled rooms is whole. So where there is no C
compiler, or it fails, the wheel is a pure one, and says so. The environment variable JSONSEAM_COMPILE decides
otherwise: "0" never compiles, "1" fails where it cannot. An editable installation is never compiled, because there
an edit must be seen at once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MOST_TOLD = 2000  # characters of what the compiler said
REQUIRED = ["mypy>=1.15", "setuptools>=70"]
# What runs is mostly Python's own C code, so more optimization costs 30 s of building and gains nothing measurable.
SETUP = """
from mypyc.build import mypycify
from setuptools import setup

rooms = mypycify({arguments!r}, opt_level="1", debug_level="0")
for room in rooms:
    room.extra_compile_args += {flags!r}
setup(name="jsonseam", package_dir={{"": "src"}}, ext_modules=rooms)
"""
# Calls between rooms that nobody else can call take no detour by the linker's table: a seam decision 10 to 15 % faster.
FLAGS = [] if sys.platform == "win32" else ["-fvisibility=hidden"]
TYPES = ["--ignore-missing-imports", "--follow-imports=silent", "--no-error-summary"]


class CompiledRooms(BuildHookInterface[Any]):
    """The option `rooms` of the hook, in `pyproject.toml`, names the files that are compiled."""

    def dependencies(self) -> list[str]:
        return REQUIRED if self._wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or not self._wanted():
            return
        folder = Path(mkdtemp(prefix="jsonseam-"))
        try:
            built = self._compile(folder)
        except (OSError, subprocess.CalledProcessError) as error:
            shutil.rmtree(folder, ignore_errors=True)
            why = str(getattr(error, "output", None) or error)[-MOST_TOLD:]
            if _asked() == "1":
                self.app.abort(f"the rooms could not be compiled: {why}")
            self.app.display_warning(f"jsonseam is built without compiled rooms, and slower for it: {why}")
            return
        self._folder = folder
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(path): str(path.relative_to(folder / "src")) for path in built})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            shutil.rmtree(self._folder, ignore_errors=True)

    def _wanted(self) -> bool:
        return self.target_name == "wheel" and _asked() != "0" and (_asked() == "1" or _has_compiler())

    def _compile(self, folder: Path) -> list[Path]:
        """Compile a copy, so that no trace of it is left in the project."""
        shutil.copytree(Path(self.root) / "src" / "jsonseam", folder / "src" / "jsonseam")
        rooms = [f"src/jsonseam/{room}.py" for room in self.config["rooms"]]
        (folder / "setup.py").write_text(SETUP.format(arguments=[*TYPES, *rooms], flags=FLAGS), encoding="utf-8")
        command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        subprocess.run(command, cwd=folder, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        return sorted((folder / "src").rglob(f"*{suffix}"))


def _asked() -> str:
    return os.environ.get("JSONSEAM_COMPILE", "")


def _has_compiler() -> bool:
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cl").split()[0]
    headers = Path(sysconfig.get_paths()["include"]) / "Python.h"
    return shutil.which(compiler) is not None and headers.exists()

"""What is not installed is told by the part that needs it, in one line that names the extra."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest

from tests.helpers import ROOT

NEEDS = [
    ("jsonseam.gateway", "pydantic", "gateway"),
    ("jsonseam.gateway.openai_model", "openai", "openai"),
    ("jsonseam.gateway.truncating_server", "uvicorn", "server"),
    ("jsonseam.gateway.valkey_store", "valkey", "valkey"),
    ("jsonseam.live", "valkey", "valkey"),
    ("jsonseam.proxy", "starlette", "serve"),
    ("jsonseam.batches", "pyarrow", "batch"),
]
WITHOUT = """
import sys
sys.modules[{package!r}] = None
try:
    import {module}
except ModuleNotFoundError as error:
    print(error.name.partition(".")[0], "|", error)
"""


@pytest.mark.parametrize(("module", "package", "extra"), NEEDS, ids=[module for module, _, _ in NEEDS])
def test_a_module_whose_package_is_missing_names_the_extra(module: str, package: str, extra: str) -> None:
    program = WITHOUT.format(package=package, module=module)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    head, _, told = done.stdout.strip().partition(" | ")
    assert head == package, done.stderr
    assert told.startswith(package)
    assert told.endswith(f"is not installed; run: pip install 'jsonseam[{extra}]'")
    assert "\n" not in told


def test_the_readme_tells_of_every_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    readme = (ROOT / "README.md").read_text("utf-8")
    table = readme[readme.index("| extra | for |") :].split("\n\n")[0]
    assert [name for name in project["optional-dependencies"] if f"`{name}`" not in table] == []

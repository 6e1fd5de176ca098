"""The evaluation scripts beside the project, with floors: each later change may only raise them.

Few cases from a fixed seed, so that the suite stays short; the full runs are the scripts' own business.
"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache

import pytest

from tests.helpers import ROOT, shared

SEAM_CASES = 12  # a behaviour
SEAM_FLOOR = 100.0  # per cent rebuilt, of each behaviour
SEAM_OVERALL, SEAM_CALLED_COMPLETE = 100.0, 100.0
MEND_CASES = 30
CASES_RIGHT = 58  # of 58
PREFILL_RIGHT, SHRANK = 11, 0


@cache
def run(script: str, *arguments: str) -> str:
    """What a script prints; it must not fail on its own account."""
    path = shared(f"eval/{script}")
    done = subprocess.run(
        [sys.executable, str(path), *arguments], capture_output=True, text=True, encoding="utf-8", cwd=ROOT, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def rates(output: str) -> dict[str, float]:
    """Behaviour or fault -> per cent."""
    return {name: float(rate) for name, rate in re.findall(r"^(\S+) +jsonseam +([\d.]+)%$", output, re.MULTILINE)}


def seamsim() -> str:
    return run("seamsim.py", "--joiner", "jsonseam", "--cases", str(SEAM_CASES))


def test_seams_overall() -> None:
    found = re.search(r"jsonseam: ([\d.]+)% rebuilt to the value, ([\d.]+)% called complete rightly", seamsim())
    assert found
    assert float(found[1]) >= SEAM_OVERALL
    assert float(found[2]) >= SEAM_CALLED_COMPLETE


def test_seams_of_each_behaviour() -> None:
    measured = rates(seamsim())
    assert len(measured) >= 20
    below = {name: rate for name, rate in measured.items() if rate < SEAM_FLOOR}
    assert not below


def test_mends() -> None:
    output = run("mendsim.py", "--parser", "jsonseam", "--cases", str(MEND_CASES))
    measured = rates(output)
    assert len(measured) >= 20
    assert {name: rate for name, rate in measured.items() if rate < 100.0} == {}


def test_report_cases() -> None:
    found = re.search(r"^(\d+)/(\d+) right", run("runcases.py"), re.MULTILINE)
    assert found
    assert int(found[1]) >= CASES_RIGHT


def test_real_conversations() -> None:
    pattern = r"prefill (\d+)/\d+ right; user turns: (\d+) shrank, (\d+) invalid, (\d+) escaped"
    found = re.search(pattern, run("runreal.py"))
    assert found
    assert int(found[1]) >= PREFILL_RIGHT
    assert int(found[2]) <= SHRANK
    assert (found[3], found[4]) == ("0", "0")


def test_a_floor_can_be_missed() -> None:
    """The reading of the scripts' output is tested, too: a change of their print-out must not make floors vacuous."""
    printed = "exact                jsonseam  99.50%\necho                 jsonseam 100.00%\n"
    assert rates(printed) == {"exact": 99.5, "echo": 100}
    with pytest.raises(pytest.skip.Exception):
        shared("eval/there_is_no_such_script.py")

"""Without ijson's C backend: a clear warning, and the pure-Python one gives the same."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.helpers import DATA, ROOT

PROGRAM = """
import json, sys, warnings
import ijson

if sys.argv[1] == "without":
    get_backend = ijson.get_backend

    def without_yajl(name, *args, **kwargs):
        if name == "yajl2_c":
            raise ImportError("not here")
        return get_backend(name, *args, **kwargs)

    ijson.get_backend = without_yajl

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import jsonseam
    from jsonseam.tokens import BACKEND
    from tests.helpers import DATA, cut, make_text, spelled
    import random

    rng = random.Random(5)
    texts = [make_text(rng) for _ in range(60)]
    texts += ['[123456789012345678901234567890, 1e400, -0.0, 1e-400]', '{"a": [1, 2', '[1,, 2]', "{'a': None}", '["\\\\ud83d"]',
              '["\\\\ud83d\\\\ude00"]', '[1] [2]', '{"a": 1, "a": 2}', '[NaN, Infinity]', '["x\\ny"]', '[1}', "", "nul", '[1\\f]']
    texts.append((DATA / "tweets.json").read_text("utf-8"))
    out = []
    for number, text in enumerate(texts):
        accumulator = jsonseam.Accumulator([jsonseam.Kpi("n", "$")])
        middle = len(text) // 2
        for fragment in (text[:middle], text[middle:]):
            for chunk in cut(fragment, 1 + number % 7):
                accumulator.feed(chunk)
            accumulator.end_fragment()
        try:
            document = accumulator.finish()
            out.append([spelled(document.value), document.text, document.report()])
        except jsonseam.JsonSeamError as error:
            out.append(str(error))

json.dump({"backend": BACKEND.__name__, "warnings": [f"{w.category.__name__}: {w.message}" for w in caught], "out": out},
          sys.stdout)
"""


def run(how: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, encoding="utf-8", cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "a coroutine that is dropped unfinished complains there"
    result: dict[str, object] = json.loads(done.stdout)
    return result


def test_the_pure_python_backend_gives_the_same_and_says_so() -> None:
    assert (DATA / "tweets.json").exists()
    with_yajl, without = run("with"), run("without")
    assert str(with_yajl["backend"]).endswith("yajl2_c")
    assert with_yajl["warnings"] == []
    assert str(without["backend"]).endswith("python")
    (warning,) = without["warnings"]  # type: ignore[misc]
    assert warning.startswith("RuntimeWarning")
    assert "yajl2_c" in warning
    assert "ijson wheel" in warning
    assert without["out"] == with_yajl["out"]

"""python -m fuzz.coverage [libFuzzer options]: bytes chosen by the code they reach, against the first two targets.

Needs atheris (the extra `fuzz`). The first byte says how the rest is cut. Any crash is an input for
`regressions.jsonl`; `-runs=100000` or `-max_total_time=600` ends it, a folder as argument keeps its corpus.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["jsonseam"]):
    from fuzz.regressions import keep
    from fuzz.targets import any_cutting_gives_the_same_document, only_our_errors_escape


def one_input(data: bytes) -> None:
    """Only our errors escape, and any cutting gives the same document."""
    if not data:
        return
    text = data[1:].decode("utf-8", "replace")
    sizes = [1 + data[0] % 16, 1 + data[0] // 16]
    try:
        only_our_errors_escape(text, sizes, strict=False, as_bytes=False)
        any_cutting_gives_the_same_document(text, sizes)
    except Exception:
        keep("any_cutting_gives_the_same_document", {"text": text, "sizes": sizes})
        raise


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()

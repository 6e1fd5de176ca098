"""What mending costs where there is nothing to mend: the same accumulator with all of mending taken out, side by side.

    python -m benchmarks.strict_path [--size 1000000] [--rounds 41]

Taken out, by substitution in a copy of the source of the method that every chunk passes: the look for a fault behind
a fault, and what is done when ijson refuses text; the mending rooms themselves are replaced by ones that refuse to
work, so that a text which needs them cannot be measured by mistake. Both kinds take turns, and the order within a
round changes, so that a machine that slows down slows both; figures are medians of process time. It reports; it
asserts nothing.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import statistics
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jsonseam
from benchmarks.faults import document
from jsonseam import intake, parser

# What mending adds to `Parser._settle` | what stands there without it.
TAKEN_OUT = [
    (r"        if ledger\.size < self\._calm_from:\n(?:            .*\n)+", ""),
    (r"        except Fault:\n(?:            .*\n)+", "        except Fault:\n            raise\n"),
]


def _refuse(*_: Any, **__: Any) -> Any:
    raise AssertionError("the text is not clean: mending was asked for")


def _settle_without_mending() -> Callable[..., Any]:
    source = textwrap.dedent(inspect.getsource(parser.Parser._settle)).replace("\n", "\n    ")
    source = "class Bare:\n    " + source
    for pattern, instead in TAKEN_OUT:
        source, count = re.subn(pattern, instead, source)
        if count != 1:
            raise SystemExit(f"Parser._settle has changed; {pattern!r} is there {count} times")
    names = dict(vars(parser))
    exec(compile(source, "<Parser._settle without mending>", "exec"), names)
    return names["Bare"]._settle  # type: ignore[no-any-return]


@contextmanager
def mending_taken_out() -> Iterator[None]:
    bare = {
        (parser.Parser, "_settle"): _settle_without_mending(),
        (intake, "mend"): _refuse,
        (intake, "judge"): _refuse,
    }
    kept = {place: getattr(*place) for place in bare}
    for place, instead in bare.items():
        setattr(*place, instead)
    try:
        yield
    finally:
        for place, there in kept.items():
            setattr(*place, there)


def seconds(chunks: list[str]) -> float:
    accumulator = jsonseam.Accumulator()
    start = time.process_time()
    for chunk in chunks:
        accumulator.feed(chunk)
    accumulator.end_fragment()
    took = time.process_time() - start
    assert accumulator.complete
    return took


def compare(chunks: list[str], rounds: int) -> tuple[float, float]:
    """Median seconds with mending and without it."""
    with_it: list[float] = []
    without: list[float] = []
    for turn in range(rounds + 2):
        for bare in (turn % 2 == 0, turn % 2 == 1):
            if bare:
                with mending_taken_out():
                    took = seconds(chunks)
            else:
                took = seconds(chunks)
            if turn >= 2:  # the first two warm up
                (without if bare else with_it).append(took)
    return statistics.median(with_it), statistics.median(without)


def main() -> None:
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--size", type=int, default=1_000_000, help="characters")
    parse.add_argument("--rounds", type=int, default=41)
    args = parse.parse_args()
    if jsonseam.COMPILED:
        parse.error("parts of the parser are taken out here, which compiled rooms do not let happen: pip install -e .")
    texts = {
        "records": document(args.size, None),
        "one string": json.dumps({"text": "lorem ipsum " * (args.size // 12)}),
    }
    for name, text in texts.items():
        for size in (len(text), 32_768, 4096, 16):
            chunks = [text[at : at + size] for at in range(0, len(text), size)]
            with_it, without = compare(chunks, max(5, args.rounds // (4 if size == 16 else 1)))
            print(
                f"{name}, chunks of {size}: {1e3 * with_it:.2f} ms, without mending {1e3 * without:.2f} ms,"
                f" {100 * (with_it / without - 1):+.1f} %",
                flush=True,
            )


if __name__ == "__main__":
    main()

"""How time grows with hostile text: the exponent (slope of log time over log size), 1 being linear.

    python -m benchmarks.linear [--largest 800000] [--only WORD]

Each text is delivered in one go and in 16-character chunks, and finished; time is process time, the best of three.
The exponent is taken over the three largest sizes, each twice the one before. It reports; it asserts nothing.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable

import jsonseam


def fill(piece: str, size: int) -> str:
    return (piece * (size // len(piece) + 1))[:size]


def broken_tokens(size: int) -> str:
    return "{" + fill('a: \'x\', "b" True,, \'c\' = +1; d: [1 2,], "e": "he said "no" x"\n', size)


# name | the text of a size
HOSTILE: dict[str, Callable[[int], str]] = {
    "brackets for ever": lambda size: "[" * size,
    "deep arrays": lambda size: "[" + fill("[" * 500 + "]" * 500 + ",", size),
    "deep objects": lambda size: "[" + fill('{"a":' * 500 + "1" + "}" * 500 + ",", size),
    "deep and never closed": lambda size: "[" * 500 + fill("[1, 2], ", size),
    "deep, closers mixed up": lambda size: "[" + fill("[{" * 200 + "]}" * 200 + ",", size),
    "deep, a fault in each item": lambda size: "[" * 500 + fill("[True], ", size),
    "quotes alone": lambda size: '"' * size,
    "quotes in an array": lambda size: "[" + '"' * size,
    "quotes in a string": lambda size: '{"a": "x ' + fill('" y ', size),
    "backslashes": lambda size: '["' + "\\" * size,
    "backslashes and quotes": lambda size: '["' + fill('\\\\" ', size),
    "bad escapes": lambda size: '["' + fill("\\d\\u12", size) + '"]',
    "lone surrogates": lambda size: '["' + fill("\\ud800", size) + '"]',
    "one unfinished string": lambda size: '{"a": "' + fill("lorem ipsum ", size),
    "one unfinished number": lambda size: "[" + "1" * size,
    "one unfinished bare word": lambda size: "[" + "a" * size,
    "one string of line ends": lambda size: '["' + fill("word\n", size) + '"]',
    "an unclosed single quote": lambda size: "['" + fill("word, ", size),
    "commas": lambda size: "[" + "," * size,
    "colons": lambda size: "{" + ":" * size,
    "closers": lambda size: "[" + "}" * size,
    "white space": lambda size: "[1," + " " * size + "2]",
    "odd space": lambda size: "[1," + "\u200b" * size + "2]",
    "a comment": lambda size: "[1, /* " + fill("more ", size),
    "comments": lambda size: "[1, " + fill("/* x */ ", size) + "2]",
    "parentheses": lambda size: "[" + fill("(1, ", size),
    "fences": lambda size: fill("```json\n", size),
    "fences in a document": lambda size: "[1,\n" + fill("```\n", size),
    "braces in prose": lambda size: fill("word { and [ so ", size),
    "think tags": lambda size: fill("<think> no ", size),
    "a remark of braces": lambda size: "[1]" + fill(" word { [", size),
    "a fault on every token": broken_tokens,
    "big integers": lambda size: "[" + fill("123456789012345678901234567890, ", size),
    "huge integers": lambda size: "[" + fill("9" * 4301 + ", ", size),
    "half a seam": lambda size: '{"a": "' + fill("ab", size),
}
SIXTEEN = 16


def seconds(text: str, size: int) -> float:
    best = math.inf
    for _ in range(3):
        accumulator = jsonseam.Accumulator()
        start = time.process_time()
        try:
            for at in range(0, len(text), size):
                accumulator.feed(text[at : at + size])
            accumulator.end_fragment()
            accumulator.finish()
        except jsonseam.JsonSeamError:
            pass  # a clear error is an answer as well; what counts is how long it took
        took = time.process_time() - start
        best = min(best, took)
        if took > 2:
            break
    return best


def exponent(sizes: list[int], times: list[float]) -> float:
    """The slope of the line that fits best through the points, on two logarithmic scales."""
    xs, ys = [math.log(size) for size in sizes], [math.log(max(took, 1e-6)) for took in times]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / sum((x - mean_x) ** 2 for x in xs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=800_000, help="characters")
    parser.add_argument("--only", default="", help="texts whose name has this in it")
    args = parser.parse_args()
    sizes = [args.largest // 4, args.largest // 2, args.largest]
    print(f"{'':28} in one go             16 characters a chunk   ({args.largest} characters)")
    for name, make in HOSTILE.items():
        if args.only not in name:
            continue
        columns = []
        for chunk in (1 << 30, SIXTEEN):
            times = [seconds(make(size), chunk) for size in sizes]
            columns.append(f"{exponent(sizes, times):5.2f} {1e3 * times[-1]:8.0f} ms")
        print(f"{name:28} {'     '.join(columns)}", flush=True)


if __name__ == "__main__":
    main()

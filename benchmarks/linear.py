"""How time grows with hostile text: the exponent (slope of log time over log size), 1 being linear.

    python -m benchmarks.linear [--largest 64000] [--only WORD] [--patience 10]

Each text is delivered in one go and in 16-character chunks, and finished; time is process time, the best of three
where it is short. The exponent is taken over three sizes, each twice the one before; where one run takes longer than
the patience, in seconds, larger ones are left out, and the size that was reached is told. All of it takes about two
minutes; a line is printed when it is measured. It reports; it asserts nothing.
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
    "stray words": lambda size: '{"a": 1, ' + fill("word ", size) + '"b": 2}',
    "escaped white space": lambda size: '["a", ' + fill('"b"\\n,\\t', size),
    "brackets in bare words": lambda size: "{a: " + fill("b{c}[d] ", size),
    "three quotes": lambda size: '["""' + fill('a""" b ', size),
    "big integers": lambda size: "[" + fill("123456789012345678901234567890, ", size),
    "huge integers": lambda size: "[" + fill("9" * 4301 + ", ", size),
    "half a seam": lambda size: '{"a": "' + fill("ab", size),
}
SIXTEEN = 16
SHORT = 0.5  # seconds: what takes longer is measured once


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
        if took > SHORT:
            break
    return best


def exponent(sizes: list[int], times: list[float]) -> float:
    """The slope of the line that fits best through the points, on two logarithmic scales."""
    xs, ys = [math.log(size) for size in sizes], [math.log(max(took, 1e-6)) for took in times]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / sum((x - mean_x) ** 2 for x in xs)


def growth(make: Callable[[int], str], chunk: int, largest: int, patience: float) -> str:
    """The exponent, the time for the largest size that was reached, and that size if it is not the largest."""
    sizes: list[int] = []
    times: list[float] = []
    for size in (largest // 4, largest // 2, largest):
        sizes.append(size)
        times.append(seconds(make(size), chunk))
        if times[-1] > patience:
            break
    slope = f"{exponent(sizes, times):5.2f}" if len(sizes) > 1 else "    ?"
    reached = "" if sizes[-1] == largest else f" at {sizes[-1]}"
    return f"{slope} {1e3 * times[-1]:8.0f} ms{reached}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=64_000, help="characters")
    parser.add_argument("--only", default="", help="texts whose name has this in it")
    parser.add_argument("--patience", type=float, default=10, help="seconds")
    args = parser.parse_args()
    chosen = {name: make for name, make in HOSTILE.items() if args.only in name}
    print(f"{'':36} in one go             16 characters a chunk   ({args.largest} characters)")
    for number, (name, make) in enumerate(chosen.items(), 1):
        print(f"{number:2} of {len(chosen):2}  {name:28}", end="", flush=True)
        for chunk in (1 << 30, SIXTEEN):
            print(f"{growth(make, chunk, args.largest, args.patience):22}", end="", flush=True)
        print(flush=True)


if __name__ == "__main__":
    main()

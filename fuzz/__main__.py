"""python -m fuzz --minutes N [--target NAME]: every target in turn, until the time is up or one fails."""

from __future__ import annotations

import argparse
import sys
import time

from fuzz.running import run
from fuzz.targets import TARGETS

ROUND = 300  # inputs a target and round


def main() -> int:
    parser = argparse.ArgumentParser(
        "python -m fuzz", description="Every target in turn, until the time is up or one fails."
    )
    parser.add_argument("--minutes", type=float, default=5, help="of all targets together; 5 where it is not said")
    parser.add_argument(
        "--target", action="append", choices=TARGETS, metavar="NAME", help="one of: " + ", ".join(TARGETS)
    )
    args = parser.parse_args()
    chosen = [TARGETS[name] for name in args.target or TARGETS]
    until = time.monotonic() + 60 * args.minutes
    tried = {target.name: 0 for target in chosen}
    failures: list[str] = []
    while time.monotonic() < until and not failures:
        for target in chosen:
            failure = run(target, ROUND)
            tried[target.name] += ROUND
            if failure:
                failures.append(failure)
            if time.monotonic() >= until:
                break
    for target in chosen:
        print(f"{tried[target.name]:8} inputs  {target.sentence}")
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(failures)} failed" if failures else "all held")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

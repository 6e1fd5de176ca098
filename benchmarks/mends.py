"""python benchmarks/mends.py [--cases N] [--seed N] [--chunk N]: the shared mend simulation, on real documents.

The faults of `../shared/eval/mendsim.py` are made in sub-documents (300 to 12,000 characters) of the two API
answers in `../shared/data`. Prints the share of documents that come back whole, for each fault and over all.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHARED = next((up / "shared" for up in Path(__file__).resolve().parents if (up / "shared" / "eval").is_dir()), None)
SHORTEST, LONGEST = 300, 12_000


def subdocuments() -> list[Any]:
    """Every object and array of a fitting size in the real documents."""
    assert SHARED is not None
    found: list[Any] = []
    for name in ("twitter.json", "citm_catalog.json"):
        waiting = [json.loads((SHARED / "data" / name).read_text(encoding="utf-8"))]
        while waiting:
            value = waiting.pop()
            if not isinstance(value, dict | list):
                continue
            if SHORTEST < len(json.dumps(value)) < LONGEST:
                found.append(value)
            waiting += value.values() if isinstance(value, dict) else value
    return found


def main() -> int:
    if SHARED is None:
        print("the shared evaluation is not beside the project", file=sys.stderr)
        return 2
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--chunk", type=int, default=1 << 30)
    args = parser.parse_args()
    sys.path.append(str(SHARED / "eval"))
    import documents
    import mendsim

    real = subdocuments()

    def source(rng: random.Random) -> Iterator[tuple[str, Any]]:
        while True:
            yield "real", rng.choice(real)

    documents.gateway_documents = source
    right = 0
    for fault in mendsim.FAULTS:
        good = 0
        for text, meant in mendsim.cases(fault, args.cases, args.seed):
            try:
                good += mendsim.same(mendsim.parse_jsonseam(text, args.chunk), meant)
            except Exception as error:  # counted as wrong, and told
                print(f"{fault}: {error!r}", file=sys.stderr)
        right += good
        print(f"{fault:16} {good / args.cases:7.2%}", flush=True)
    print(f"all {right / (args.cases * len(mendsim.FAULTS)):.3%} of {args.cases * len(mendsim.FAULTS)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

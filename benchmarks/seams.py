"""Seams on documents and phrases that the simulation does not make: how often is the document rebuilt?

    python -m benchmarks.seams [--cases 50] [--seed 1] [--behaviour echo] [--show 2]

The ways of going on are those of ../shared/eval/seamsim.py. The documents are sub-documents (1 to 15 kB) of the
real JSON in ../shared/data; the lead-ins, apologies and remarks are others, in several languages, with quotes and
brackets in them. It reports; it asserts nothing.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHARED = next((up / "shared" for up in Path(__file__).parents if (up / "shared" / "eval").is_dir()), Path("../shared"))
LEAD_INS = [
    "Here's the rest of the JSON {as you asked}:",
    "Natürlich! Hier geht es ab Eintrag [14] weiter:",
    "Voici la suite du document « JSON » :",
    'Continúo exactamente donde se cortó ("items"):',
    "好的，以下是剩余的内容：",
    "Continuation — part 2 of 3 [no changes above]",
    "Конечно, продолжаю:",
    "**Continuing:**",
]
REMARKS = [
    "\n```\n\nIch hoffe, das hilft! [Ende]",
    '\n\nNote: I kept the keys "as is" {see above}.',
    "\n```\nC'est tout.",
    "\n\n以上就是完整的 JSON。",
    "\n\nDone ✅",
]
APOLOGIES = [
    "",
    "Es tut mir leid, dabei kann ich nicht helfen.",
    'Je suis désolé, je ne peux pas continuer "cette" réponse.',
    "抱歉，我无法继续。",
    "I apologize for the confusion. Could you clarify [which part] you need?",
    "~~~json\n~~~",
]


def sub_documents(rng: random.Random) -> Iterator[tuple[str, Any]]:
    """Objects and arrays of 1 to 15 kB out of the real documents, wrapped as an answer would be."""
    found: list[tuple[str, Any]] = []
    for name in ("twitter.json", "citm_catalog.json"):
        todo = [json.loads((SHARED / "data" / name).read_text("utf-8"))]
        while todo:
            value = todo.pop()
            if isinstance(value, dict | list) and value:
                size = len(json.dumps(value, ensure_ascii=False))
                if 1000 <= size <= 15000:
                    found.append((name.split(".")[0], value))
                if size > 1500:
                    todo += value.values() if isinstance(value, dict) else value
            if isinstance(value, list) and len(value) > 8:
                at = rng.randrange(len(value) - 4)
                part = value[at : at + rng.randint(4, 12)]
                if len(json.dumps(part, ensure_ascii=False)) <= 15000:
                    found.append((name.split(".")[0] + " part", {"part": part}))
    while True:
        yield rng.choice(found)


def simulation() -> Any:
    """The simulation as it is."""
    sys.path.insert(0, str(SHARED / "eval"))
    import seamsim

    return seamsim


def changed_simulation() -> Any:
    """The simulation, with these documents and phrases in place of its own."""
    seamsim = simulation()
    seamsim.documents.gateway_documents = sub_documents
    seamsim.PROSE, seamsim.REMARKS, seamsim.REFUSALS = LEAD_INS, REMARKS, APOLOGIES
    return seamsim


def cases(behaviour: str, count: int, seed: int) -> Iterator[Any]:
    """As many as asked for, without those whose text the simulation's own change of layout has damaged."""
    found = (case for case in changed_simulation().cases(behaviour, 3 * count, seed) if is_whole(behaviour, case))
    yield from itertools.islice(found, count)


def is_whole(behaviour: str, case: Any) -> bool:
    """The simulation's change of layout takes an escaped quote for the end of a string."""
    return not behaviour.startswith("restyled") or '\\"' not in "".join(case.fragments)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=50, help="conversations for each behaviour")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--behaviour", action="append")
    args = parser.parse_args()
    if not SHARED.is_dir():
        print(f"skipped: {SHARED} is not here", file=sys.stderr)
        return 0
    import jsonseam

    sim = simulation()
    right = total = 0
    for behaviour in args.behaviour or sim.BEHAVIOURS:
        good = 0
        for case in cases(behaviour, args.cases, args.seed):
            document = jsonseam.join(case.fragments)
            good += document.value == case.value and document.complete
        print(f"{behaviour:20} {good / args.cases:7.2%}", flush=True)
        right += good
        total += args.cases
    print(f"all: {right / total:.2%} of {total} rebuilt and called complete")
    return 0


if __name__ == "__main__":
    sys.exit(main())

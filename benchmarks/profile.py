"""Where jsonseam's time goes in a workload.

    python -m benchmarks.profile W1 [--document records] [--size 300000] [--top 25] [--by cumulative]

The functions that took most, by cProfile; it makes small functions look dearer than they are, so believe an order of
functions here and a time only from `python -m benchmarks`.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections.abc import Callable

from benchmarks import comparing, handoff, measuring, peers, streams, texts, turns, workloads


def timed(name: str, document: str, size: int) -> tuple[str, measuring.Work]:
    """The case that comes nearest, and the work that is looked at. Raises `MissingError`; ValueError: no such one."""
    workload = workloads.TIMED[name]
    fitting = [case for case in workload.cases if case.group.split(",")[0] == document]
    if not fitting:
        raise ValueError(f"{name} knows {sorted({case.group.split(',')[0] for case in workload.cases})}")
    case = min(fitting, key=lambda case: (abs(case.size - size), -case.chunk))
    delivery = case.delivery(case.make())
    way = peers.jsonseam().way(workload.question)
    assert callable(way)
    return case.name, comparing.work(workload.question, way, delivery)


def many() -> tuple[str, measuring.Work]:
    documents, library = streams.Documents(), streams.LIBRARIES["jsonseam"]()
    return "W4, 300 streams in turn", lambda: turns.in_turn(library, documents, 300)


def handed_off() -> tuple[str, measuring.Work]:
    return "W5, 2 MB of items", lambda: measuring.drain(handoff.by_jsonseam(2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workload", choices=[*workloads.TIMED, *OTHERS])
    parser.add_argument("--document", default="sections", help="sections, records, twitter, citm; of W6: a fault")
    parser.add_argument("--size", type=int, default=300_000, help="characters")
    parser.add_argument("--top", type=int, default=25)
    parser.add_argument("--by", default="tottime", choices=["tottime", "cumulative", "ncalls"])
    args = parser.parse_args()
    try:
        if args.workload in OTHERS:
            name, work = OTHERS[args.workload]()
        else:
            name, work = timed(args.workload, args.document, args.size)
    except texts.MissingError as missing:
        parser.exit(0, f"left out: {missing}\n")
    except ValueError as error:
        parser.error(str(error))
    print(f"{name}: {1e3 * min(measuring.once(work) for _ in range(3)):.1f} ms when nobody looks")
    profile = cProfile.Profile()
    profile.runcall(work)
    pstats.Stats(profile).strip_dirs().sort_stats(args.by).print_stats(args.top)


OTHERS: dict[str, Callable[[], tuple[str, measuring.Work]]] = {"W4": many, "W5": handed_off}

if __name__ == "__main__":
    main()

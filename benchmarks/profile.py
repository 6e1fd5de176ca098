"""Where jsonseam's time goes in a workload.

    python -m benchmarks.profile W1 [--document records] [--size 300000] [--top 25] [--by cumulative]

The functions that took most, by cProfile; it makes small functions look dearer than they are, so believe an order of
functions here and a time only from `python -m benchmarks`.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats

from benchmarks import measuring, peers, texts, workloads


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workload", choices=list(workloads.TIMED))
    parser.add_argument("--document", default="sections", help="sections, records, twitter, citm; of W6: a fault")
    parser.add_argument("--size", type=int, default=300_000, help="characters")
    parser.add_argument("--top", type=int, default=25)
    parser.add_argument("--by", default="tottime", choices=["tottime", "cumulative", "ncalls"])
    args = parser.parse_args()
    workload = workloads.TIMED[args.workload]
    fitting = [case for case in workload.cases if case.group.split(",")[0] == args.document]
    if not fitting:
        parser.error(f"{args.workload} knows {sorted({case.group.split(',')[0] for case in workload.cases})}")
    case = min(fitting, key=lambda case: (abs(case.size - args.size), -case.chunk))
    try:
        delivery = case.delivery(case.make())
    except texts.MissingError as missing:
        parser.exit(0, f"left out: {missing}\n")
    way = peers.jsonseam().way(workload.question)
    assert callable(way)

    def work() -> None:
        result = way(delivery)
        if workload.question in ("chunks", "answers"):
            measuring.drain(result)

    print(f"{case.name}: {1e3 * min(measuring.once(work) for _ in range(3)):.1f} ms when nobody looks")
    profile = cProfile.Profile()
    profile.runcall(work)
    pstats.Stats(profile).strip_dirs().sort_stats(args.by).print_stats(args.top)


if __name__ == "__main__":
    main()

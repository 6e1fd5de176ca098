"""The comparison: every workload, every peer, one process.

    python -m benchmarks [--quick] [--only W1,W3] [--rounds 7] [--out FOLDER] [--readme]

Writes results.json, a table (README.md) and plots into the folder: benchmarks/results, or for a run that is not whole
(--quick, --only) benchmarks/results/partial, which git does not keep. Ctrl-C ends it and keeps what was measured. It
reports; it asserts nothing. Needs `pip install -e '.[bench]'`; without a peer, that peer is left out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks import crowd, handoff, importing, machine, peers, plotting, table, texts, workloads
from benchmarks.comparing import Comparison
from benchmarks.results import Fact, Results

FOLDER = Path(__file__).parent / "results"
ELSEWHERE = {"W7 seams": "measured for being right, not for speed: python -m benchmarks.seams, .stitchers"}
Told = Callable[[str], None]
# Figures that are no comparison of times in this process: quick or not, and whom to tell what goes on.
FIGURES: dict[str, Callable[[bool, Told], Iterable[Fact | tuple[str, str]]]] = {
    "W4": lambda quick, told: crowd.facts(1000 if quick else 10_000, told),
    "W5": lambda quick, told: handoff.facts((4, 16) if quick else handoff.SIZES, told),
    "import": lambda quick, told: importing.facts(5 if quick else 21),
}
ORDER = sorted([*workloads.TIMED, *FIGURES])


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer sizes and rounds, about two minutes")
    parser.add_argument("--only", help="workloads, by commas, of " + ",".join(ORDER))
    parser.add_argument("--rounds", type=int, help="of each case; 7, quick 3")
    parser.add_argument("--patience", type=float, help="seconds for one peer in one case; 5, quick 1")
    parser.add_argument("--out", type=Path, help="folder for results, table and plots")
    parser.add_argument("--readme", action="store_true", help="write the short table into README.md too")
    args = parser.parse_args()
    args.chosen = args.only.split(",") if args.only else ORDER
    unknown = [name for name in args.chosen if name not in ORDER]
    if unknown:
        parser.error(f"no workload {', '.join(unknown)}; there are {', '.join(ORDER)}")
    return args


def tell(text: str) -> None:
    """What goes on, in one line that the next one takes the place of; nothing where nobody looks."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text[:110]}", end="", file=sys.stderr, flush=True)


def run(args: argparse.Namespace, found: Results) -> None:
    here, found.missing = peers.installed()
    found.versions = peers.versions(here)
    print(table.provenance(found), flush=True)
    rounds = args.rounds or (3 if args.quick else 7)
    comparison = Comparison(here, rounds, args.patience or (1.0 if args.quick else 5.0), tell)
    found.left_out.update(ELSEWHERE)
    for name in args.chosen:
        if name in FIGURES:
            figures(name, args.quick, found)
        else:
            timed(name, args.quick, comparison, found)


def figures(name: str, quick: bool, found: Results) -> None:
    print(f"\n{name}", flush=True)
    for fact in FIGURES[name](quick, tell):
        tell("")
        if isinstance(fact, Fact):
            found.facts.append(fact)
            print(f"{fact.what}: {table.figure(fact)} ({fact.note})", flush=True)
        else:
            found.left_out[fact[0]] = fact[1]
            print(f"{fact[0]}: left out: {fact[1]}", flush=True)


def timed(name: str, quick: bool, comparison: Comparison, found: Results) -> None:
    workload = workloads.TIMED[name]
    print(f"\n{workload.id}: {workload.title}", flush=True)
    for case in workload.quick if quick else workload.cases:
        try:
            row = comparison.row(workload, case, case.make(), found.missing)
        except texts.MissingError as missing:
            found.left_out[case.name] = str(missing)
            continue
        found.rows.append(row)
        tell("")
        cells = [f"{peer} {table.cell(row, peer)}" for peer in row.seconds if peer != "jsonseam"]
        if "jsonseam" in row.reasons:
            print(f"{case.name}: jsonseam {row.reasons['jsonseam']}", flush=True)
        print(f"{case.name}: {table.own(row)}; " + ", ".join(cells), flush=True)


def main() -> int:
    args = arguments()
    began = time.monotonic()
    found = Results(machine.described(), {})
    try:
        run(args, found)
    except KeyboardInterrupt:
        found.interrupted = True
        print("\ninterrupted; what was measured is kept", file=sys.stderr)
    whole = not (args.quick or args.only or found.interrupted)
    folder = args.out or (FOLDER if whole else FOLDER / "partial")
    found.save(folder)
    plots = plotting.draw(found, folder)
    (folder / "README.md").write_text(table.full(found) + plotting.shown(plots), encoding="utf-8")
    if args.readme:
        table.README.write_text(table.into(table.README.read_text("utf-8"), table.short(found)), encoding="utf-8")
    print("\n" + table.full(found))
    print(f"in {folder}, after {time.monotonic() - began:.0f} s")
    return 130 if found.interrupted else 0


if __name__ == "__main__":
    sys.exit(main())

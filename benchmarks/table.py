"""The results as tables of Markdown: a short one for the README, a long one with every case.

    python -m benchmarks.table [--readme]      from benchmarks/results/results.json

Rule: a cell of a peer says how many times as long as jsonseam it takes; over 1 it is the slower one (where jsonseam has
no time itself, the cell is a time). A dash has its reason under the table.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks import peers, results, texts
from benchmarks.results import Fact, Results, Row

HERE = Path(__file__).parent
README = HERE.parent / "README.md"
BEGIN, END = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"
DASH = "–"
HEADLINES = [
    *(f"W1 sections {size}" for size in ("20 kB", "100 kB", "1 MB")),
    "W1 records 1 MB",
    *(f"W1 {name}" for name in texts.REAL),
    *(f"W2 {name}, answers of 8 kB 100 kB" for name in texts.MADE),
    *(f"W2 {name}, answers of 32 kB 1 MB" for name in texts.MADE),
    *(f"W3 {name} 1 MB" for name in texts.MADE),
    *(f"W3 {name}" for name in texts.REAL),
    "W6 single quotes 1 MB",
    "W6 missing comma 1 MB",
]


def spelled(seconds: float) -> str:
    """Three digits and a unit."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.2g} µs"


def times(ratio: float) -> str:
    if ratio >= 100:
        return f"{ratio:.0f}×"
    return f"{ratio:.1f}×" if ratio >= 10 else f"{ratio:.2f}×"


def kilobytes(size: int) -> str:
    return f"{size / 1e6:.3g} MB" if size >= 999_500 else f"{size / 1e3:.0f} kB"


# ------------------------------------------------------------ rows
def columns(rows: Iterable[Row]) -> list[str]:
    """The peers that were measured at all, in their order."""
    measured = {name for row in rows for name, seconds in row.seconds.items() if seconds}
    return [name for name in peers.NAMES if name in measured and name != "jsonseam"]


def own(row: Row) -> str:
    return time_of(row, "jsonseam")


def cell(row: Row, peer: str) -> str:
    """Times as long as jsonseam; the time itself where jsonseam has none."""
    ratio = row.ratio(peer)
    return time_of(row, peer) if ratio is None else times(ratio)


def time_of(row: Row, peer: str) -> str:
    median = row.median(peer)
    return DASH if median is None else spelled(median)


def line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def compared(rows: list[Row]) -> Iterator[str]:
    names = columns(rows)
    yield line(["case", "size", "jsonseam", *names])
    yield line(["---"] * 2 + ["---:"] * (len(names) + 1))
    for row in rows:
        cells = (cell(row, name) for name in names)
        yield line([f"{row.workload} {row.group}", kilobytes(row.size), own(row), *cells])


def reasons(rows: list[Row], names: Iterable[str]) -> Iterator[str]:
    """One line for each peer that has a dash somewhere in these rows: each reason, and the cases if not in all."""
    for name in names:
        why: dict[str, list[str]] = {}
        for row in rows:
            if name in row.reasons:
                why.setdefault(row.reasons[name], []).append(row.case)
        told = [
            reason if len(cases) == len(rows) else f"{reason} ({', '.join(cases)})" for reason, cases in why.items()
        ]
        if told:
            yield f"- {name}: {'; '.join(told)}."


def stated(facts: list[Fact]) -> Iterator[str]:
    yield line(["what", "figure", "note"])
    yield line(["---", "---:", "---"])
    for fact in facts:
        yield line([f"{fact.workload} {fact.what}", figure(fact), fact.note])


def figure(fact: Fact) -> str:
    return (f"{fact.value:,.0f}" if abs(fact.value) >= 100 else f"{fact.value:.3g}") + f" {fact.unit}"


# ------------------------------------------------------------ tables
def headline(rows: list[Row]) -> list[Row]:
    """The cases that the README shows; all of them if none of those was measured."""
    return [row for row in rows if row.case in HEADLINES] or rows


def provenance(found: Results) -> str:
    machine = found.machine
    how = {"jsonseam": f" ({machine['jsonseam']})"}
    packages = ", ".join(f"{name}{how.get(name, '')} {version}" for name, version in found.versions.items())
    return (
        f"Measured on {machine['date']} with {machine['python']} on {machine['cpu']} ({machine['cores']} cores, load "
        f"{machine['load']}), CPU time, medians of interleaved rounds: {packages}."
    )


def full(found: Results) -> str:
    """Everything, by workload."""
    parts = [provenance(found)]
    if found.interrupted:
        parts.append("The run was interrupted; this is what it had measured.")
    for workload in dict.fromkeys(row.workload for row in found.rows):
        rows = [row for row in found.rows if row.workload == workload]
        parts.append(f"### {workload}\n\n" + "\n".join(compared(rows)))
        parts.append("\n".join(reasons(rows, peers.NAMES)))
    if found.facts:
        parts.append("### Figures\n\n" + "\n".join(stated(found.facts)))
    parts += [f"Left out: {what}: {why}." for what, why in found.left_out.items()]
    if found.missing:
        parts.append(f"Not here: {', '.join(found.missing)}; `pip install -e '.[bench]'` brings them.")
    return "\n\n".join(part for part in parts if part) + "\n"


def short(found: Results) -> str:
    """For the README."""
    parts = [provenance(found), "\n".join(compared(headline(found.rows)))]
    parts.append(
        "The column of jsonseam is its time, the others how many times as long as that a peer takes; over 1 it is the "
        f"slower one. {DASH}: it cannot, or it would take minutes; the reasons, all sizes and the plots are in "
        "`benchmarks/results/README.md`. In W2 the peers join literally, as `jsonseam, no seams` does, and jsonseam "
        "looks at every seam."
    )
    if found.facts:
        parts.append("\n".join(stated(found.facts)))
    return "\n\n".join(parts) + "\n"


def into(readme: str, text: str) -> str:
    """The README with the text between its marks. Raises ValueError if it has none."""
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    if not pattern.search(readme):
        raise ValueError(f"no {BEGIN} … {END} in it")
    return pattern.sub(lambda _: f"{BEGIN}\n{text}{END}", readme)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--readme", action="store_true", help="write the short table between the marks in README.md")
    args = parser.parse_args()
    found = results.load(args.results)
    if args.readme:
        README.write_text(into(README.read_text(encoding="utf-8"), short(found)), encoding="utf-8")
    print(short(found) if args.readme else full(found))


if __name__ == "__main__":
    main()

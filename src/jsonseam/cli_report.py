"""What a command tells of a document: for people, in lines; for programs, as one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.console import Console
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from jsonseam import Document, Kpi, Repair, Seam
from jsonseam.cli_excerpt import Excerpt, candidate_lines, printable, shorten
from jsonseam.records import Status

SHOWN: Final = 12  # seams, repairs, or paths; the rest is counted
DOUBTFUL: Final = 0.9  # a seam less sure than this is pointed out
WRAPPING: Final = ("lead-in", "remark", "surplus")  # kinds of repair that leave the document as it was delivered
_STATUS: Final[dict[Status, tuple[str, str]]] = {
    "complete": ("green", "complete"),
    "partial": ("yellow", "cut; closed here"),
    "malformed": ("magenta", "mended"),
    "empty": ("red", "nothing"),
}


def report_for_programs(document: Document, status: Status, fragments: int, kpis: Sequence[Kpi]) -> dict[str, Any]:
    """`Document.report()`, with what the command knows besides."""
    return {
        "status": status,
        "fragments": fragments,
        "characters": len(document.text),
        **document.report(),
        "targets": {kpi.id: kpi.target for kpi in kpis},
    }


def print_json(value: Any, console: Console) -> None:
    console.file.write(json.dumps(value, ensure_ascii=True) + "\n")


def print_report(
    console: Console,
    document: Document,
    status: Status,
    fragments: int,
    kpis: Sequence[Kpi] = (),
    excerpts: Mapping[int, Excerpt] | None = None,
) -> None:
    """A headline; then a line for each seam, each repair, each KPI. With `excerpts`, all of them, with their text."""
    shown = SHOWN if excerpts is None else None
    _print(console, headline(document, status, fragments))
    for seam in document.seams[:shown]:
        _print(console, seam_line(seam))
        if excerpts and seam.fragment in excerpts:
            for line in (*excerpts[seam.fragment].lines(), *candidate_lines(seam)):
                _print(console, line)
    _rest(console, len(document.seams), shown, "seams")
    for repair in document.repairs[:shown]:
        _print(console, repair_line(repair))
    _rest(console, len(document.repairs), shown, "repairs")
    if document.unsafe:
        paths = ", ".join(shorten(path) or "the whole" for path in document.unsafe[:SHOWN])
        more = f" and {len(document.unsafe) - SHOWN} more" if len(document.unsafe) > SHOWN else ""
        _print(console, Text(f"  perhaps too short, because of a cut: {printable(paths)}{more}", "yellow"))
    if kpis:
        console.print(kpi_bars(kpis, document.kpis))


def headline(document: Document, status: Status, fragments: int) -> Text:
    colour, word = _STATUS[status]
    if status == "malformed":
        word = "mended; complete" if document.complete else "mended; not closed by what was delivered"
    figures = (
        f"{count(fragments, 'fragment')}, {count(len(document.text), 'character')}, "
        f"{count(len(document.seams), 'seam')}, {count(len(document.repairs), 'repair')}"
    )
    return Text.assemble((word, f"bold {colour}"), f": {figures}")


def seam_line(seam: Seam) -> Text:
    """One seam, with what speaks for it."""
    figures = [f"at {seam.offset:,}"]
    if seam.path:
        figures.append(f"in {printable(shorten(seam.path))}")
    if seam.dropped:
        figures.append(f"{seam.dropped:,} dropped")
    if seam.inserted:
        figures.append(f"{printable(seam.inserted)!r} put in")
    colour = "red" if seam.kind == "rejected" else "cyan"
    kind, where = (f"{seam.kind:<8}", colour), f" {', '.join(figures)}: {seam.reason}"
    line = Text.assemble(f"  seam {seam.fragment} ", kind, where)
    if seam.sure < DOUBTFUL:
        line.append(f" (in doubt, {seam.sure:.2f} sure)", "yellow")
    return line


def repair_line(repair: Repair) -> Text:
    where = f"at {repair.offset:,}" + (f" in {printable(shorten(repair.path))}" if repair.path else "")
    before, after = (printable(shorten(text, 40)) for text in (repair.before, repair.after))
    line = Text.assemble("  ", (repair.kind, "magenta"), f" {where}: ")
    if repair.kind in WRAPPING:
        return line.append(f"{before}", "dim").append(" taken off")
    if not before:
        return line.append(after, "green").append(" put in")
    if repair.after.startswith(repair.before):
        added = printable(shorten(repair.after[len(repair.before) :]))
        return line.append(added, "green").append(" put in behind ").append(before)
    if not after:
        return line.append(before, "red").append(" dropped")
    return line.append(before, "red").append(" → ").append(after, "green")


def kpi_bars(kpis: Sequence[Kpi], values: Mapping[str, float]) -> Table:
    """A bar for each KPI that has a target, a figure for the others."""
    grid = Table.grid(padding=(0, 1))
    for kpi in kpis:
        value = values.get(kpi.id, 0)
        bar = ProgressBar(kpi.target, min(value, kpi.target), width=20) if kpi.target else Text()
        grid.add_row(Text("  " + printable(kpi.id)), bar, figure(value, kpi.target), Text(printable(kpi.path), "dim"))
    return grid


def figure(value: float, target: float | None) -> str:
    return f"{value:,.10g}" + (f" of {target:,.10g}" if target is not None else "")


def count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _print(console: Console, line: Text) -> None:
    console.print(line, soft_wrap=True, highlight=False)


def _rest(console: Console, number: int, shown: int | None, what: str) -> None:
    if shown is not None and number > shown:
        _print(console, Text(f"  … and {number - shown:,} more {what}; --explain and --json tell all", "dim"))

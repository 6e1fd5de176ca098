"""Batches: one process and a Dask cluster of one and two worker processes on the same log, rows and bytes a second.

    python -m benchmarks.batches [--conversations 200] [--answer 2000] [--folder FOLDER]

The log is made of simulated conversations: documents cut every so many characters, half of the continuations with the
last words said again. Wall time, and the processor time of the busiest process; a rerun over finished output is
measured too. It reports; it asserts nothing.
"""

from __future__ import annotations

import argparse
import json
import operator
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from jsonseam.batches import DaskEngine, Engine, LocalEngine, Summary, run_batch
from jsonseam.gateway.samples import sample_text

KINDS = ("report", "table", "records")


def answers(number: int, size: int, rng: random.Random) -> Iterator[dict[str, object]]:
    """The rows of one conversation about a document of five answers' length."""
    kind = KINDS[number % len(KINDS)]
    parts: list[object] = []
    while sum(len(json.dumps(part)) for part in parts) < 5 * size:
        parts.append(json.loads(sample_text(kind, rng.randrange(10**6))))
    document = json.dumps({"parts": parts}, ensure_ascii=False)
    for sequence, at in enumerate(range(0, len(document), size)):
        echo = rng.choice((0, 40)) if at else 0
        text = document[max(0, at - echo) : at + size]
        yield {"conversation": f"conversation {number}", "sequence": sequence, "text": text}


def write_log(path: Path, conversations: int, size: int) -> None:
    rng = random.Random(1)
    rows = [row for number in range(conversations) for row in answers(number, size, rng)]
    rng.shuffle(rows)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Run:
    """`processor` is what the busiest process used: on a machine with other work, the figure to compare."""

    seconds: float
    processor: float
    summary: Summary


def timed(log: Path, out: Path, engine: Engine, partitions: int, clocks: Callable[[], list[float]]) -> Run:
    before, start = clocks(), time.perf_counter()
    summary = run_batch([str(log)], out, engine=engine, partitions=partitions)
    seconds = time.perf_counter() - start
    return Run(seconds, max(map(operator.sub, clocks(), before)), summary)


def here() -> list[float]:
    return [time.process_time()]


def on_dask(log: Path, out: Path, workers: int, partitions: int) -> Run:
    from distributed import Client, LocalCluster

    options = {"threads_per_worker": 1, "processes": True, "dashboard_address": None, "silence_logs": 50}
    with LocalCluster(n_workers=workers, **options) as cluster, Client(cluster, set_as_default=False) as client:
        return timed(log, out, DaskEngine(client), partitions, lambda: list(client.run(time.process_time).values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=200)
    parser.add_argument("--answer", type=int, default=2000, help="characters of one answer")
    parser.add_argument("--partitions", type=int, default=16)
    parser.add_argument("--folder", help="where to put the log and the output; a temporary folder without it")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        folder = Path(name)
        log = folder / "log.jsonl"
        write_log(log, args.conversations, args.answer)
        size = log.stat().st_size / 1e6
        alone = timed(log, folder / "alone", LocalEngine(), args.partitions, here)
        runs = {
            "one process": alone,
            "the same again, nothing to do": timed(log, folder / "alone", LocalEngine(), args.partitions, here),
            "Dask, 1 worker": on_dask(log, folder / "dask1", 1, args.partitions),
            "Dask, 2 workers": on_dask(log, folder / "dask2", 2, args.partitions),
        }
    print(
        f"{alone.summary.conversations:,} conversations, {alone.summary.rows:,} rows, {size:.1f} MB of JSON Lines, "
        f"{args.partitions} partitions, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    table = Table("engine", "seconds", "rows/s", "MB/s", "busiest process, CPU s", "rows per CPU s of it")
    for what, run in runs.items():
        rows = run.summary.rows
        figures = (run.seconds, rows / run.seconds, size / run.seconds, run.processor, rows / run.processor)
        table.add_row(what, *(f"{figure:,.2f}" if figure < 100 else f"{figure:,.0f}" for figure in figures))
    Console(width=110).print(table)


if __name__ == "__main__":
    main()

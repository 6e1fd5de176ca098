"""Batches: one process and a Dask cluster of one and two worker processes on the same log, rows and bytes a second.

    python -m benchmarks.batches [--conversations 400] [--answer 2000] [--folder FOLDER]

The log is made of simulated conversations: documents cut every so many characters, half of the continuations with the
last words said again. Wall time, best of two; a rerun over finished output is measured too. It reports; it asserts
nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
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


def timed(log: Path, out: Path, engine: Engine, partitions: int) -> tuple[float, Summary]:
    start = time.perf_counter()
    summary = run_batch([str(log)], out, engine=engine, partitions=partitions)
    return time.perf_counter() - start, summary


def best(log: Path, folder: Path, name: str, engine: Engine, partitions: int) -> tuple[float, Summary]:
    return min((timed(log, folder / f"{name}{run}", engine, partitions) for run in range(2)), key=lambda run: run[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=400)
    parser.add_argument("--answer", type=int, default=2000, help="characters of one answer")
    parser.add_argument("--partitions", type=int, default=16)
    parser.add_argument("--folder", help="where to put the log and the output; a temporary folder without it")
    args = parser.parse_args()
    table = Table("engine", "seconds", "rows/s", "MB/s", "times one process")
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        folder = Path(name)
        log = folder / "log.jsonl"
        write_log(log, args.conversations, args.answer)
        size = log.stat().st_size / 1e6
        begun = time.process_time()
        alone, summary = best(log, folder, "alone", LocalEngine(), args.partitions)
        processor = (time.process_time() - begun) / 2

        def add(what: str, seconds: float) -> None:
            rate = f"{summary.rows / seconds:,.0f}"
            table.add_row(what, f"{seconds:.2f}", rate, f"{size / seconds:.2f}", f"{alone / seconds:,.2f}")

        add("one process", alone)
        add("one process, processor time alone", processor)
        add("one process, again over finished output", timed(log, folder / "alone0", LocalEngine(), args.partitions)[0])
        for workers in (1, 2):
            add(f"Dask, {workers} worker{'s' * (workers > 1)}", on_dask(log, folder, workers, args.partitions))
    Console().print(
        f"{summary.conversations:,} conversations, {summary.rows:,} rows, {size:.1f} MB of JSON Lines, "
        f"{args.partitions} partitions, {os.cpu_count()} cores (load {os.getloadavg()[0]:.1f})",
        table,
        sep="\n",
    )


def on_dask(log: Path, folder: Path, workers: int, partitions: int) -> float:
    from distributed import LocalCluster

    options = {"threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with (
        LocalCluster(n_workers=workers, **options) as cluster,
        closing(DaskEngine.connect(cluster.scheduler_address)) as engine,
    ):
        return best(log, folder, f"dask{workers}-", engine, partitions)[0]


if __name__ == "__main__":
    main()

"""The way of a run: find the inputs, sort their rows into partitions, join each partition, tell what came of it.

Rule: a run does what is not done. What was finished is known by what it was made from: the reading by the files'
names, sizes and times, a partition by its rows and the settings. So a rerun after a kill goes on, and one after
nothing has changed does nothing.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from .columns import Columns
from .engines import Engine, LocalEngine
from .errors import BatchBroken, BatchError
from .inputs import Source, bytes_of, find_sources, units_of
from .partition import HALF, NOTES, Format, Partition, finished, skipped, whole_or_not, write_partition
from .progress import Progress
from .spill import Content, Unit, spill
from .summary import Summary

UNIT: Final = 1 << 26  # bytes that are read in one go
PARTITION: Final = 1 << 22  # bytes of input that a partition is planned for: some seconds of work
PLAN: Final = "plan.json"


def run_batch(
    inputs: Iterable[str],
    out: str | Path,
    *,
    columns: Columns = Columns(),  # noqa: B008 - it is frozen
    form: Format = "parquet",
    partitions: int | None = None,
    strict: bool = False,
    engine: Engine | None = None,
    progress: Progress | None = None,
    unit: int = UNIT,
) -> Summary:
    """Join the logged answers in `inputs` (files, folders, patterns) into partition files of `SCHEMA` in `out`.

    The same inputs give the same files, byte for byte, on any engine. `partitions`: how many files; without it as many
    as the size of the inputs asks for (a power of two, of about 4 MB of text each). `unit`: bytes that are read in
    one go. Only one run at a time may write to `out`. Raises `BatchError` before anything is written, `BatchBroken`
    when it breaks off; a KeyboardInterrupt passes. Whatever ends it, finished partitions stay, and a rerun goes on.

    Cost: reading, a copy of the text on disk in `out` until the end, and the joins; memory for one partition and
    its largest document in each process.
    """
    out = Path(out).absolute()
    if out.exists() and not out.is_dir():
        raise BatchError(f"{out} is a file", expected="a folder for the partition files")
    _refuse_foreign(out)
    try:
        sources = find_sources(inputs, columns, out)
    except OSError as error:
        raise BatchError(str(error)) from error
    count = partitions or partitions_for(sources)
    job = _Job(
        sources,
        out,
        count=count,
        columns=columns,
        form=form,
        strict=strict,
        engine=engine or LocalEngine(),
        progress=progress or Progress(),
        unit=unit,
    )
    try:
        return job.run()
    except (BatchBroken, KeyboardInterrupt):
        raise
    except Exception as error:  # an engine may raise what it likes for a lost worker or a full disk
        raise BatchBroken(f"the batch broke off: {str(error) or type(error).__name__}") from error


def _refuse_foreign(out: Path) -> None:
    """Other tools name their files as we do, and a run clears away what no run needs: never theirs."""
    theirs = None if (out / NOTES).exists() else next(out.glob("part-*-of-*"), None)
    if theirs is not None:
        raise BatchError(f"{theirs} was written by no batch", expected="a folder of its own for the partition files")


def partitions_for(sources: Sequence[Source]) -> int:
    """A power of two, so that an input that grows a little keeps its partitions."""
    size = sum(bytes_of(source) for source in sources)
    return 1 << max(0, -(-size // PARTITION) - 1).bit_length()


class _Job:
    """One run. `settings` is all that the result depends on besides the rows."""

    def __init__(
        self,
        sources: Sequence[Source],
        out: Path,
        *,
        count: int,
        columns: Columns,
        form: Format,
        strict: bool,
        engine: Engine,
        progress: Progress,
        unit: int,
    ) -> None:
        self.out, self.count, self.form, self.strict = out, count, form, strict
        self.engine, self.progress = engine, progress
        self.settings = stamp([version("jsonseam"), strict, form])
        files = [[source.path, source.size, source.modified] for source in sources]
        self.plan = stamp([files, asdict(columns), count, unit, self.settings])
        self.spill = out / NOTES / f"spill-{self.plan}"
        pieces = units_of(sources, unit)
        self.units = [
            Unit(number, unit_pieces, str(self.spill), count, columns) for number, unit_pieces in enumerate(pieces)
        ]

    def run(self) -> Summary:
        (self.out / NOTES).mkdir(parents=True, exist_ok=True)
        told = self._planned()
        before = None if told is None else [finished(partition) for partition in self._partitions(told)]
        if told is None or before is None or None in before:
            self._clear_away(keep=self.spill)
            told = self._read()
            whole_or_not(self.out / NOTES / PLAN, lambda stream: stream.write(self._plan_of(told or [])))
            before = [finished(partition) for partition in self._partitions(told)]
        summary = self._stitch(self._partitions(told), before)
        self._clear_away(keep=None)
        return summary

    def _partitions(self, contents: Sequence[Content]) -> list[Partition]:
        return [
            Partition(
                number=number,
                count=self.count,
                out=str(self.out),
                form=self.form,
                strict=self.strict,
                fingerprint=stamp([content.rows, f"{content.digest:x}", self.settings]),
                rows=content.rows,
                spill=str(self.spill),
                units=len(self.units),
            )
            for number, content in enumerate(contents)
        ]

    # ------------------------------------------------------------ the plan, as it is kept
    def _planned(self) -> list[Content] | None:
        """What a run before this one read from the very same files; None if it did not."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept: dict[str, Any] = json.loads((self.out / NOTES / PLAN).read_text(encoding="utf-8"))
            if kept["plan"] == self.plan:
                return [Content(rows, int(digest, 16)) for rows, digest in kept["contents"]]
        return None

    def _plan_of(self, contents: Sequence[Content]) -> bytes:
        told = [[content.rows, f"{content.digest:x}"] for content in contents]
        return json.dumps({"plan": self.plan, "contents": told}).encode()

    # ------------------------------------------------------------ the work
    def _read(self) -> list[Content]:
        contents = [Content()] * self.count
        done, total = 0, sum(unit.size for unit in self.units)
        self.progress.reading(done, total)
        for spilled in self.engine.each(spill, self.units):
            for number, content in spilled.contents.items():
                contents[number] += content
            done += spilled.size
            self.progress.reading(done, total)
        return contents

    def _stitch(self, partitions: Sequence[Partition], before: Sequence[Summary | None]) -> Summary:
        summary = sum((skipped(done) for done in before if done is not None), Summary())
        total, there = sum(partition.rows for partition in partitions), summary.rows
        self.progress.stitching(there, total, summary.conversations, there)
        wanted = [partition for partition, done in zip(partitions, before, strict=True) if done is None]

        def tell(rows: int, conversations: int) -> None:
            self.progress.stitching(summary.rows + rows, total, summary.conversations + conversations, there)

        work: Callable[[Partition], Summary] = (
            partial(write_partition, tell=tell) if self.engine.near else write_partition
        )
        for made in self.engine.each(work, wanted):
            summary += made
            self.progress.stitching(summary.rows, total, summary.conversations, there)
        return summary

    def _clear_away(self, keep: Path | None) -> None:
        """What no run needs any more: half-written files, spilled rows, files of another number of partitions."""
        own = {partition.path.name for partition in self._partitions([Content()] * self.count)}
        for path in self.out.glob("part-*-of-*"):
            if path.name not in own and path.suffix in (".parquet", ".jsonl"):
                path.unlink()
                (self.out / NOTES / f"{path.name}.json").unlink(missing_ok=True)
        for path in [*self.out.glob(f".*.{HALF}"), *(self.out / NOTES).glob(f".*.{HALF}")]:
            path.unlink()
        for folder in (self.out / NOTES).glob("spill-*"):
            if folder != keep:
                shutil.rmtree(folder, ignore_errors=True)
        if keep is not None:
            for half in keep.glob(f"*.{HALF}"):
                shutil.rmtree(half, ignore_errors=True)


def stamp(what: Any) -> str:
    """A short name for settings, in plain JSON."""
    return blake2b(json.dumps(what).encode(), digest_size=12).hexdigest()

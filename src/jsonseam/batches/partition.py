"""One partition of the output: a file that is whole or not there, and a note of what it was made from.

Rule: the file is written under another name, brought to disk, and then renamed; the note comes behind it. A file
without a note, with another note, or with other bytes than its note tells is not finished.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Final, Literal
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from .schema import SCHEMA
from .spill import read_partition
from .stitch import stitch_rows, to_tables
from .summary import Summary

Format = Literal["parquet", "jsonl"]
Tell = Callable[[int, int], None]
NOTES: Final = "_jsonseam"  # a name that readers of folders of data leave aside
HALF: Final = "half"  # the suffix of what is being written


@dataclass(frozen=True, slots=True)
class Partition:
    """What one call of `write_partition` makes, and from what. `fingerprint` stands for the rows and the settings."""

    number: int
    count: int
    out: str
    form: Format
    strict: bool
    fingerprint: str
    rows: int
    spill: str
    units: int

    @property
    def path(self) -> Path:
        return Path(self.out) / f"part-{self.number:05}-of-{self.count:05}.{self.form}"

    @property
    def note(self) -> Path:
        return Path(self.out) / NOTES / f"{self.path.name}.json"


def finished(partition: Partition) -> Summary | None:
    """What a finished partition holds, None for one that is not finished. Cost: its file is read."""
    try:
        note: dict[str, Any] = json.loads(partition.note.read_text(encoding="utf-8"))
        if note["fingerprint"] != partition.fingerprint or note["digest"] != _digest(partition.path):
            return None
        return Summary.resume(note["summary"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_partition(partition: Partition, tell: Tell | None = None) -> Summary:
    """Join the conversations of a partition and write its file. Raises OSError.

    `tell` hears after each conversation how many rows and conversations are done.
    Cost: the text of the partition, which is held; of the result no more than a piece.
    """
    summary = Summary(partitions=1)

    def counted(documents: Iterable[tuple[int, dict[str, Any]]]) -> Iterable[dict[str, Any]]:
        nonlocal summary
        for rows, document in documents:
            summary = summary.with_document(rows, document)
            if tell is not None:
                tell(summary.rows, summary.conversations)
            yield document

    rows = read_partition(partition.spill, partition.units, partition.number)
    tables = to_tables(counted(stitch_rows(rows, strict=partition.strict)))
    partition.note.unlink(missing_ok=True)
    whole_or_not(partition.path, lambda stream: WRITERS[partition.form](tables, stream))
    note = {
        "fingerprint": partition.fingerprint,
        "digest": _digest(partition.path),
        "summary": summary.state(),
    }
    whole_or_not(partition.note, lambda stream: stream.write(json.dumps(note).encode()))
    return summary


def skipped(summary: Summary) -> Summary:
    """The summary of a partition that was finished before this run."""
    return replace(summary, skipped=1)


def whole_or_not(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file that has its name only once it is whole. Raises OSError, and what `write` raises."""
    half = path.parent / f".{path.name}.{uuid4().hex}.{HALF}"
    try:
        with half.open("wb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(half, path)
    finally:
        half.unlink(missing_ok=True)


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "blake2b").hexdigest()


def _write_parquet(tables: Iterable[pa.Table], stream: IO[bytes]) -> None:
    with pq.ParquetWriter(stream, SCHEMA, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table)


def _write_lines(tables: Iterable[pa.Table], stream: IO[bytes]) -> None:
    for table in tables:
        for row in table.to_pylist():
            stream.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")


WRITERS: Final[dict[Format, Callable[[Iterable[pa.Table], IO[bytes]], None]]] = {
    "parquet": _write_parquet,
    "jsonl": _write_lines,
}

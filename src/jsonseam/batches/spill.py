"""The rows of all inputs, sorted into partitions on disk: what makes any size of input fit into memory.

Rule: a unit of reading is a folder of its own, which gets its name when it is whole; what a killed run left is another
name, and is made again. The folder also tells what the rows of each partition are, whatever their order.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pyarrow as pa

from .columns import Columns
from .inputs import Piece
from .partitioning import partition_of, split_at
from .reading import read_rows
from .rows import ROWS

MOST_HELD: Final = 1 << 25  # bytes of rows that wait for being written
TOLD: Final = "unit.json"
DIGEST: Final = 16  # bytes


@dataclass(frozen=True, slots=True)
class Unit:
    """What one call of `spill` reads, and where it puts the rows."""

    number: int
    pieces: tuple[Piece, ...]
    folder: str
    partitions: int
    columns: Columns

    @property
    def size(self) -> int:
        """Bytes to be read."""
        return sum(piece.size for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Content:
    """The rows of one partition: how many, and a sum over them that no order changes."""

    rows: int = 0
    digest: int = 0

    def __add__(self, other: Content) -> Content:
        return Content(self.rows + other.rows, (self.digest + other.digest) % (1 << 8 * DIGEST))


@dataclass(frozen=True, slots=True)
class Spilled:
    """What is in the partitions after one unit; those without rows are not told."""

    size: int
    contents: dict[int, Content]


def spill(unit: Unit) -> Spilled:
    """Read a unit and put its rows away; one that was finished before is not read again.

    Cost: the unit; memory for `MOST_HELD` bytes. Raises what `read_rows` raises.
    """
    final = unit_folder(unit.folder, unit.number)
    if (final / TOLD).exists():
        return _told(final, unit)
    made = final.with_name(f"{final.name}.{uuid4().hex}.half")
    made.mkdir(parents=True)
    try:
        contents = _write(unit, made)
        told = {number: [content.rows, f"{content.digest:x}"] for number, content in contents.items()}
        (made / TOLD).write_text(json.dumps(told), encoding="utf-8")
        os.rename(made, final)
    except OSError:
        if not (final / TOLD).exists():  # else another worker was asked for the same, and was faster
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return _told(final, unit)


def _told(folder: Path, unit: Unit) -> Spilled:
    told: dict[str, Any] = json.loads((folder / TOLD).read_text(encoding="utf-8"))
    contents = {int(number): Content(rows, int(digest, 16)) for number, (rows, digest) in told.items()}
    return Spilled(unit.size, contents)


def _write(unit: Unit, folder: Path) -> dict[int, Content]:
    contents: dict[int, Content] = {}
    waiting: dict[int, list[pa.Table]] = {}
    size = flushed = 0
    for piece in unit.pieces:
        for rows in read_rows(piece, unit.columns):
            for number, part in split_at(rows, partition_of(rows.column("conversation"), unit.partitions)).items():
                contents[number] = contents.get(number, Content()) + content_of(part)
                waiting.setdefault(number, []).append(part)
            size += rows.nbytes
            if size > MOST_HELD:
                _flush(waiting, folder, flushed)
                size, flushed = 0, flushed + 1
    _flush(waiting, folder, flushed)
    return contents


def _flush(waiting: dict[int, list[pa.Table]], folder: Path, flushed: int) -> None:
    for number, parts in waiting.items():
        path = folder / f"{number:05}-{flushed:03}.arrow"
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, ROWS) as stream:
            stream.write_table(pa.concat_tables(parts))
    waiting.clear()


def content_of(rows: pa.Table) -> Content:
    """Each row counts by its own digest, so that the sum is the same in any order."""
    total = 0
    for fields in zip(*(column.to_pylist() for column in rows.columns), strict=True):
        digest = blake2b(digest_size=DIGEST)
        for value in fields:
            spelled = value.encode() if isinstance(value, str) else value
            digest.update(b"-" if spelled is None else b"%d:" % len(spelled) + spelled)
        total += int.from_bytes(digest.digest())
    return Content(rows.num_rows, total % (1 << 8 * DIGEST))


def unit_folder(folder: str, number: int) -> Path:
    return Path(folder) / f"unit-{number:05}"


def read_partition(folder: str, units: int, number: int) -> pa.Table:
    """All rows of one partition. Raises OSError."""
    return pa.concat_tables([ROWS.empty_table(), *_read(folder, units, number)])


def _read(folder: str, units: int, number: int) -> Iterator[pa.Table]:
    for unit in range(units):
        for path in sorted(unit_folder(folder, unit).glob(f"{number:05}-*.arrow")):
            with pa.OSFile(str(path), "rb") as file, pa.ipc.open_stream(file) as stream:
                yield stream.read_all()

"""Which files a batch reads, and into which units of reading they fall.

Rule: files, folders and patterns come to one sorted list without doubles, whatever the order in which they were told.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from .columns import Columns
from .errors import BatchError

Kind = Literal["parquet", "lines", "packed lines"]
LINES: Final = (".jsonl", ".ndjson")
PACKED: Final = (".gz", ".bz2", ".zst", ".lz4")
UNPACKED_BYTES: Final = 5  # that a packed byte is taken for, where only a guess is needed


@dataclass(frozen=True, slots=True)
class Source:
    """One file. `name` is the path as it was told; `size` and `modified` (ns) tell whether it is still the same.

    `parts` are where it can be divided, as (size in bytes, unpacked): the row groups of Parquet.
    """

    path: str
    name: str
    kind: Kind
    size: int
    modified: int
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a file: bytes of JSON Lines, row groups of Parquet, from `start` up to `stop`."""

    path: str
    name: str
    kind: Kind
    start: int
    stop: int
    size: int


def find_sources(inputs: Iterable[str], columns: Columns, out: Path) -> list[Source]:
    """All files of the inputs, but for what lies in `out`. Raises `BatchError`, and OSError."""
    found: dict[Path, Source] = {}
    for told in inputs:
        paths = sorted(_paths(told))
        if not paths:
            nothing = (
                f"there is no data in the folder {told!r}" if Path(told).is_dir() else f"there is no file {told!r}"
            )
            raise BatchError(nothing, expected="JSON Lines or Parquet; a file, folder or pattern")
        for path in paths:
            resolved = path.resolve()
            if not resolved.is_relative_to(out.resolve()) and resolved not in found:
                found[resolved] = _source(resolved, str(path), columns)
    if not found:
        raise BatchError("there is nothing to read but what was written", expected="inputs outside the output folder")
    return [found[path] for path in sorted(found)]


def _paths(told: str) -> Iterator[Path]:
    path = Path(told)
    if path.is_dir():
        yield from (file for file in path.rglob("*") if _is_data(file, path))
    elif path.exists():
        yield path
    else:
        for name in glob.glob(told, recursive=True):
            inner = Path(name)
            yield from _paths(name) if inner.is_dir() else (inner,)


def _is_data(file: Path, folder: Path) -> bool:
    """Names that begin with a dot or an underscore are notes of other tools, as everywhere with data in folders."""
    hidden = any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)
    return not hidden and _known(file) is not None and file.is_file()


def _known(file: Path) -> Kind | None:
    name = file.name.lower()
    if name.endswith((".parquet", ".pq")):
        return "parquet"
    if name.endswith(LINES):
        return "lines"
    return "packed lines" if name.endswith(tuple(f"{kind}{pack}" for kind in LINES for pack in PACKED)) else None


def _source(path: Path, name: str, columns: Columns) -> Source:
    status = path.stat()
    kind = _known(path)
    if kind is None:
        with path.open("rb") as stream:
            kind = "parquet" if stream.read(4) == b"PAR1" else "lines"
    parts: tuple[int, ...] = ()
    if kind == "parquet":
        parts = _row_groups(path, name, columns)
    return Source(str(path), name, kind, status.st_size, status.st_mtime_ns, parts)


def _row_groups(path: Path, name: str, columns: Columns) -> tuple[int, ...]:
    try:
        with pq.ParquetFile(path) as file:
            there, about = file.schema_arrow.names, file.metadata
            missing = [column for column in columns.names() if column not in there]
            if missing:
                raise BatchError(f"{name} has no column {missing[0]!r}", expected=f"one of {there}")
            return tuple(about.row_group(group).total_byte_size for group in range(about.num_row_groups))
    except pa.ArrowException as error:
        raise BatchError(f"{name} is no Parquet file ({error})") from error


def bytes_of(source: Source) -> int:
    """Unpacked, as well as can be known without reading."""
    if source.kind == "parquet":
        return sum(source.parts)
    return source.size * (UNPACKED_BYTES if source.kind == "packed lines" else 1)


def units_of(sources: Sequence[Source], unit: int) -> list[tuple[Piece, ...]]:
    """Pieces of all sources in their order, put together to about `unit` bytes."""
    units: list[tuple[Piece, ...]] = []
    held: list[Piece] = []
    size = 0
    for piece in (piece for source in sources for piece in _pieces(source, unit)):
        if held and size + piece.size > unit:
            units.append(tuple(held))
            held, size = [], 0
        held.append(piece)
        size += piece.size
    return [*units, tuple(held)] if held else units


def _pieces(source: Source, unit: int) -> Iterator[Piece]:
    path, name, kind = source.path, source.name, source.kind
    if kind == "parquet":
        for group, size in enumerate(source.parts):
            yield Piece(path, name, kind, group, group + 1, size)
    elif kind == "lines":
        for start in range(0, source.size, unit):
            stop = min(start + unit, source.size)
            yield Piece(path, name, kind, start, stop, stop - start)
    else:
        yield Piece(path, name, kind, 0, os.stat(path).st_size, bytes_of(source))

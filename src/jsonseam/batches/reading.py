"""The rows of a piece of a file, a few thousand at a time.

Rule: a line that cannot be read is a row with its fault, told by the byte at which it begins; the file goes on.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from .columns import Columns
from .errors import BatchError
from .inputs import Piece
from .rows import ROWS, as_rows

MOST_ROWS: Final = 4096  # held at once
MOST_BYTES: Final = 1 << 23  # likewise, of JSON Lines

Row = tuple[str | None, str | None, bytes | None, str | None]  # the fields of ROWS


def read_rows(piece: Piece, columns: Columns) -> Iterator[pa.Table]:
    """Tables of `ROWS`. Raises `BatchError` for a file that is not what it was, and OSError."""
    try:
        yield from _read_parquet(piece, columns) if piece.kind == "parquet" else _read_lines(piece, columns)
    except (pa.ArrowException, BatchError) as error:
        raise BatchError(f"{piece.name} cannot be read: {error}") from error


def _read_parquet(piece: Piece, columns: Columns) -> Iterator[pa.Table]:
    with pq.ParquetFile(piece.path) as file:
        groups = range(piece.start, piece.stop)
        for batch in file.iter_batches(MOST_ROWS, row_groups=groups, columns=columns.names()):
            yield as_rows(pa.Table.from_batches([batch]), columns)


def _read_lines(piece: Piece, columns: Columns) -> Iterator[pa.Table]:
    rows: list[Row] = []
    size = 0
    for at, line in _lines(piece):
        if not line.strip():
            continue
        rows.append(row_of(line, columns, f"{piece.name} at byte {at:,}"))
        size += len(line)
        if len(rows) == MOST_ROWS or size > MOST_BYTES:
            yield _table(rows)
            rows, size = [], 0
    if rows:
        yield _table(rows)


def _lines(piece: Piece) -> Iterator[tuple[int, bytes]]:
    """The lines that begin within the piece, each with its place; of a packed file all."""
    if piece.kind == "packed lines":
        with pa.input_stream(piece.path, compression="detect") as packed, io.BufferedReader(packed) as stream:
            yield from _numbered(stream.readline, 0, None)
        return
    with open(piece.path, "rb") as stream:
        at = piece.start
        if at:  # the line that begins before the piece belongs to the one before
            stream.seek(at - 1)
            at += len(stream.readline()) - 1
        yield from _numbered(stream.readline, at, piece.stop)


def _numbered(readline: Callable[[], bytes], at: int, stop: int | None) -> Iterator[tuple[int, bytes]]:
    while (stop is None or at < stop) and (line := readline()):
        yield at, line
        at += len(line)


def _table(rows: list[Row]) -> pa.Table:
    fields = zip(*rows, strict=True)
    made = [pa.array(values, field.type) for values, field in zip(fields, ROWS, strict=True)]
    return pa.table(made, schema=ROWS)


def row_of(line: bytes, columns: Columns, where: str) -> Row:
    """One line as a row of `ROWS`. Text of no conversation is left aside, for all such rows are held at once."""
    try:
        said, errors = parse(line)
    except (ValueError, RecursionError):
        return None, None, None, f"{where}: the line is not JSON"
    if not isinstance(said, dict):
        return None, None, None, f"{where}: the line is not a JSON object"
    name, sequence, text = (said.get(column) for column in columns.names())
    fault = None
    if isinstance(name, bool) or not isinstance(name, str | int | float):
        missing = "there is no" if name is None else "the name is neither text nor a number in"
        name, text, fault = None, None, f"{where}: {missing} {columns.conversation!r}"
    elif text is not None and not isinstance(text, str):
        text, fault = None, f"{where}: {columns.text!r} is not a string"
    spelled = sequence if sequence is None or isinstance(sequence, str) else json.dumps(sequence)
    stored = text.encode("utf-8", errors) if isinstance(text, str) else None
    return (
        None if name is None else encodable(str(name)),
        None if spelled is None else encodable(spelled),
        stored,
        fault,
    )


def parse(line: bytes) -> tuple[Any, str]:
    """What a line says, and how its strings become the bytes that they were. Raises ValueError, RecursionError.

    A log may cut within a character. Such bytes are no fault of the line: they reach the accumulator as they are.
    """
    try:
        return json.loads(line), "surrogatepass"
    except UnicodeDecodeError:
        said = line.decode("utf-8", "surrogateescape")
    parsed = json.loads(said)
    try:
        json.dumps(parsed, ensure_ascii=False).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # there are lone surrogates as well; those of the bytes become such
        return parsed, "surrogatepass"
    return parsed, "surrogateescape"


def encodable(text: str) -> str:
    """Names that UTF-8 can hold."""
    return text.encode("utf-8", "backslashreplace").decode()

"""One form for the rows of all inputs: names as text, sequence as it was spelled, text as bytes, and what is wrong.

Rule: nothing is judged here. A value that cannot be what its column asks for is kept as it was spelled, and the
conversation it belongs to says so; only a column that is missing or of a hopeless type is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from .columns import Columns
from .errors import BatchError

ROWS: Final = pa.schema(
    [
        ("conversation", pa.string()),
        ("sequence", pa.string()),
        ("text", pa.large_binary()),  # UTF-8, lone surrogates passed on: the accumulator cleans and reports them
        ("fault", pa.string()),  # why the row could not be read as it should be
    ]
)


def as_rows(table: pa.Table, columns: Columns) -> pa.Table:
    """A table of the caller's as `ROWS`. Raises `BatchError`."""
    for name in columns.names():
        if name not in table.schema.names:
            raise BatchError(f"there is no column {name!r}", expected=f"one of {table.schema.names}")
        if table.schema.names.count(name) > 1:
            raise BatchError(f"there is more than one column {name!r}", expected="names that differ")
    names, text = _converted(table, columns.conversation, _named), _converted(table, columns.text, _bytes)
    if names.null_count:  # text that belongs to no conversation is left aside: all such rows are held at once
        text = pc.if_else(names.is_null(), pa.scalar(None, pa.large_binary()), text)
    made = [
        names,
        _converted(table, columns.sequence, _spelled),
        text,
        pa.nulls(table.num_rows, pa.string()),
    ]
    return pa.table(made, schema=ROWS)


def _converted(table: pa.Table, name: str, convert: Callable[[pa.ChunkedArray], pa.ChunkedArray]) -> pa.ChunkedArray:
    column = table.column(name)
    try:
        return convert(_plain(column))
    except pa.ArrowException as error:
        raise BatchError(f"column {name!r} cannot be read: it holds {column.type} ({error})") from error


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Without the wrapping of extension types and dictionaries."""
    if isinstance(column.type, pa.BaseExtensionType):
        column = column.cast(column.type.storage_type)
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _named(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Bytes that are no text (a UUID) are named in hexadecimal if all have one length, else with escapes."""
    if pa.types.is_fixed_size_binary(column.type):
        return _each(column, bytes.hex)
    if column.type in (pa.binary(), pa.large_binary()):
        return _each(column, lambda name: name.decode("utf-8", "backslashreplace"))
    return column.cast(pa.string())


def _spelled(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(pa.string())


def _bytes(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(pa.large_binary())


def _each(column: pa.ChunkedArray, spell: Callable[[bytes], str]) -> pa.ChunkedArray:
    spelled = [None if value is None else spell(value) for value in column.to_pylist()]
    return pa.chunked_array([pa.array(spelled, pa.string())])

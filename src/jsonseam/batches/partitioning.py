"""Which partition a conversation belongs to: the same on every machine, in every version, whatever else is there."""

from __future__ import annotations

from zlib import crc32

import pyarrow as pa
import pyarrow.compute as pc

from .columns import Columns
from .rows import as_rows


def partition_of(conversations: pa.ChunkedArray, partitions: int) -> pa.ChunkedArray:
    """The partition of each name, from 0 to `partitions` - 1; names that are null are in 0. Cost: the names."""
    pieces = []
    for piece in conversations.cast(pa.string()).chunks:
        encoded = piece.dictionary_encode()
        numbers = [0 if name is None else crc32(name.encode()) % partitions for name in encoded.dictionary.to_pylist()]
        pieces.append(pc.fill_null(pa.array(numbers, pa.int32()).take(encoded.indices), 0))
    return pa.chunked_array(pieces, pa.int32())


def split_batch(table: pa.Table, partitions: int, *, columns: Columns = Columns()) -> dict[int, pa.Table]:  # noqa: B008
    """The rows of `table` by partition; a partition without rows is not there. Raises `BatchError`.

    All rows of a conversation come into the same partition, whichever table they stand in: the partitions of
    several tables, put together by their number, are what `stitch_batch` asks for. Cost: a copy of the table.
    """
    return split_at(table, partition_of(as_rows(table, columns).column("conversation"), partitions))


def split_at(table: pa.Table, numbers: pa.ChunkedArray) -> dict[int, pa.Table]:
    """The rows of `table` by the number that stands for each."""
    order = pc.sort_indices(numbers)
    ordered, counts = table.take(order), pc.value_counts(numbers).to_pylist()
    found, begins = {}, 0
    for count in sorted(counts, key=lambda count: count["values"]):
        found[count["values"]] = ordered.slice(begins, count["counts"])
        begins += count["counts"]
    return found

"""A table of answers to a table of documents: the function that every engine calls.

Rule: it knows no files and no engine, and its result depends on the rows alone, not on their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import pyarrow as pa

from .columns import Columns
from .conversation import Answer, stitch
from .rows import as_rows
from .schema import SCHEMA

MOST_ROWS: Final = 1000  # of one piece of the result
MOST_CHARACTERS: Final = 1 << 24  # likewise; a column of strings cannot hold 2 GiB in one piece


def stitch_batch(table: pa.Table, *, columns: Columns = Columns(), strict: bool = False) -> pa.Table:  # noqa: B008
    """One row of `SCHEMA` for each conversation in `table`, sorted by conversation.

    The answers of a conversation are joined in the order of `sequence` (whole numbers; gaps are no fault). All rows
    of a conversation must be in this one table: group by conversation first, or use `split_batch` or
    `partition_of`. A conversation that cannot be joined is a row with its `error`; rows that name no conversation
    are one row together, whose conversation is null. `strict`: text that is not JSON is an error, and not mended.

    Raises `BatchError` for a column that is missing or of a type that cannot be read, and nothing because of values.
    Cost: the text; all of `table` is held, and the result.
    """
    return to_table(document for _, document in stitch_rows(as_rows(table, columns), strict=strict))


def stitch_rows(rows: pa.Table, *, strict: bool) -> Iterator[tuple[int, dict[str, Any]]]:
    """The same for a table of `ROWS`, one conversation after the other: how many rows it had, and its own row."""
    places: dict[str | None, list[int]] = {}
    for place, name in enumerate(rows.column("conversation").to_pylist()):
        places.setdefault(name, []).append(place)
    for name in sorted(places, key=lambda name: (name is not None, name or "")):
        answers = _answers(rows.take(pa.array(places[name], pa.int64())))
        yield len(answers), stitch(name, answers, strict=strict)


def to_table(documents: Iterable[dict[str, Any]]) -> pa.Table:
    """The rows as one table, in pieces that a column can hold."""
    return pa.concat_tables([SCHEMA.empty_table(), *to_tables(documents)])


def to_tables(documents: Iterable[dict[str, Any]]) -> Iterator[pa.Table]:
    held: list[dict[str, Any]] = []
    characters = 0
    for document in documents:
        held.append(document)
        characters += len(document["document"] or "")
        if len(held) == MOST_ROWS or characters > MOST_CHARACTERS:
            yield pa.Table.from_pylist(held, SCHEMA)
            held, characters = [], 0
    if held:
        yield pa.Table.from_pylist(held, SCHEMA)


def _answers(rows: pa.Table) -> list[Answer]:
    columns = (rows.column(name).to_pylist() for name in ("sequence", "text", "fault"))
    return [Answer(*values) for values in zip(*columns, strict=True)]

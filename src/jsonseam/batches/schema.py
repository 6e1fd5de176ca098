"""The columns that a batch gives, fixed: the same for every engine, every format, and every conversation.

Rule: every field may be null and strings are of the plain type, because Spark compares both to the letter.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa

_TEXT: Final = pa.string()
_COUNT: Final = pa.int64()

CANDIDATE: Final = pa.struct(
    [
        ("kind", _TEXT),
        ("skip", _COUNT),
        ("replaced", _COUNT),
        ("insert", _TEXT),
        ("score", pa.float64()),
        ("against", _TEXT),
        ("reason", _TEXT),
    ]
)
SEAM: Final = pa.struct(
    [
        ("fragment", _COUNT),
        ("kind", _TEXT),
        ("offset", _COUNT),
        ("path", _TEXT),
        ("dropped", _COUNT),
        ("reason", _TEXT),
        ("sure", pa.float64()),
        ("detail", _TEXT),
        ("inserted", _TEXT),
        ("replaced", _TEXT),
        ("candidates", pa.list_(CANDIDATE)),
        ("seen", _COUNT),
    ]
)
REPAIR: Final = pa.struct(
    [("kind", _TEXT), ("offset", _COUNT), ("path", _TEXT), ("before", _TEXT), ("after", _TEXT)],
)
SCHEMA: Final = pa.schema(
    [
        ("conversation", _TEXT),  # as it was named; numbers in digits
        ("document", _TEXT),  # the JSON text; null where there is none
        ("complete", pa.bool_()),  # was the root closed by delivered text?
        ("reason", _TEXT),  # "complete", where it was cut, or the error
        ("seams", pa.list_(SEAM)),  # as jsonseam.Seam
        ("repairs", pa.list_(REPAIR)),  # as jsonseam.Repair
        ("unsafe", pa.list_(_TEXT)),  # JSON Pointers of values that a cut may have shortened
        ("error", _TEXT),  # null where the answers could be joined
    ]
)

_SPARK: Final = {_TEXT: "string", pa.bool_(): "boolean", _COUNT: "bigint", pa.float64(): "double"}


def _spark(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"array<{_spark(kind.value_type)}>"
    if pa.types.is_struct(kind):
        return f"struct<{', '.join(f'`{field.name}`: {_spark(field.type)}' for field in kind)}>"
    return _SPARK[kind]


SPARK_SCHEMA: Final = ", ".join(f"`{field.name}` {_spark(field.type)}" for field in SCHEMA)
"""`SCHEMA` in the words of Spark's DDL, for `applyInArrow`."""

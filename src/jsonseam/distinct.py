"""Does an item come twice in an array?

Rule: an item is known by a sketch of bounded size, so two that differ only deep inside, or far back, pass for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

SKETCHED: Final = 8  # members of an item that are looked at


def are_distinct(arrays: Sequence[Sequence[Any]], enough: int = 0) -> bool:
    """Has no item come twice in one of the arrays, and are there `enough` of them all to tell? Cost: the items."""
    return sum(map(len, arrays)) >= enough and all(map(_has_none_twice, arrays))


def _has_none_twice(items: Sequence[Any]) -> bool:
    seen: set[str] = set()
    for item in items:
        sketch = _sketch(item)
        if sketch in seen:
            return False
        seen.add(sketch)
    return True


def _sketch(item: Any) -> str:
    """Enough of an item to tell it from others; equal items have the same. Cost: bounded."""
    if isinstance(item, dict | list) and item:
        pairs = islice(item.items() if isinstance(item, dict) else enumerate(item), SKETCHED)
        return repr([(key, _sketch_leaf(value)) for key, value in pairs])
    return _sketch_leaf(item)


def _sketch_leaf(value: Any) -> str:
    if isinstance(value, dict | list):
        return f"{type(value).__name__} {len(value)}"
    return repr(value)

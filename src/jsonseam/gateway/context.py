"""Context: what a model must know of the document so far to go on with it, in a size that does not grow with it.

Long arrays are shown by their first and last ten items, the end by its exact text. Pure; what it costs is bounded by
what it shows, except for one copy of the held text.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jsonseam import Accumulator

from .places import Cursor, spell

EDGE = 10  # items shown at each end of a long array
SUMMARY = 6_000  # characters of the summary
ELEMENT = 1_500  # characters of one element
TAIL = 1_500  # characters of the exact end
LONG_STRING = 300  # characters; a longer one is shown by its two ends
MEMBERS = 60  # members shown of one object
DEPTH = 24  # levels shown; bounds the recursion
LINES = 60  # lines of the structure


@dataclass(frozen=True, slots=True)
class Context:
    """All texts are ready for a prompt; an empty one means that there is no such thing.

    `tail` is the end of the delivered text to the character; `open_array` is the path of the innermost array that is
    open, and `open_items` what it has.
    """

    summary: str
    structure: str
    last_complete: str
    cut_off: str
    tail: str
    open_path: str
    open_array: str
    open_items: int
    characters: int


def read_context(accumulator: Accumulator) -> Context:
    """The context of what an accumulator holds. Costs one copy of the held text, and what is shown."""
    value = accumulator.value
    text = accumulator.text
    cursor = Cursor.of(accumulator.path, accumulator.depth)
    last, cut = last_elements(value, cursor, text)
    array = _open_array(value, cursor)
    return Context(
        summary=summarize(value),
        structure=structure(value),
        last_complete=last,
        cut_off=cut,
        tail=text[-TAIL:],
        open_path=spell(_typed(value, cursor)),
        open_array="" if array is None else spell(array),
        open_items=0 if array is None else len(_at(value, array)),
        characters=len(text),
    )


def abbreviate(value: Any, edge: int = EDGE, depth: int = DEPTH) -> Any:
    """The value with long arrays cut to their first and last `edge` items, and long strings to their ends."""
    if isinstance(value, str):
        if len(value) <= LONG_STRING:
            return value
        half = LONG_STRING // 2
        return f"{value[:half]} ... {value[-half:]}"
    if isinstance(value, list | Mapping) and depth == 0:
        return "..."
    if isinstance(value, list):
        if len(value) <= 2 * edge:
            return [abbreviate(item, edge, depth - 1) for item in value]
        left_out = f"... {len(value) - 2 * edge} items left out here ..."
        first = [abbreviate(item, edge, depth - 1) for item in value[:edge]]
        return [*first, left_out, *(abbreviate(item, edge, depth - 1) for item in value[-edge:])]
    if isinstance(value, Mapping):
        shown = {key: abbreviate(item, edge, depth - 1) for key, item in _members(value)}
        return shown if len(value) <= MEMBERS else {**shown, "...": f"{len(value) - MEMBERS} members left out here"}
    return value


def summarize(value: Any, limit: int = SUMMARY) -> str:
    """The abbreviated value as JSON text, with ever shorter array ends until it has at most `limit` characters."""
    text = ""
    for edge in (EDGE, 5, 3, 2, 1):
        text = _spelled(abbreviate(value, edge))
        if len(text) <= limit:
            return text
    return f"{text[: limit // 2]} ... {text[-limit // 2 :]}"


def structure(value: Any) -> str:
    """The containers by path, with what they hold: a line each, outermost first, the ends of arrays only."""
    lines: list[str] = []
    todo: deque[tuple[tuple[str | int, ...], Any]] = deque([((), value)])
    while todo and len(lines) < LINES:
        steps, here = todo.popleft()
        if isinstance(here, Mapping):
            lines.append(f"{spell(steps)}: object with {', '.join(key for key, _ in _members(here)) or 'nothing yet'}")
            todo.extend(((*steps, key), item) for key, item in _members(here))
        elif isinstance(here, list):
            kinds = ", ".join(sorted({_kind(item) for item in (*here[:3], *here[-2:])})) or "nothing yet"
            lines.append(f"{spell(steps)}: array of {len(here)} items so far ({kinds})")
            shown = range(len(here)) if len(here) <= 4 else (0, len(here) - 1)
            todo.extend(((*steps, index), here[index]) for index in shown)
    return "\n".join(lines)


def last_elements(value: Any, cursor: Cursor, text: str) -> tuple[str, str]:
    """The last complete element and the cut-off one, as JSON text; "" where there is none.

    An element is an item of the innermost open array; where no array is open, a member of the innermost open object.
    """
    array = _open_array(value, cursor)
    home_at = _typed(value, cursor)[: max(0, cursor.depth - 1)] if array is None else array
    home = _at(value, home_at)
    if not cursor.depth or not isinstance(home, list | Mapping):
        return "", ""
    elements: list[Any] = home[-2:] if isinstance(home, list) else [{key: home[key]} for key in list(home)[-2:]]
    inside = len(home_at) + 1 < cursor.depth  # a deeper container is open, so the last element is not finished
    if not elements:
        return "", ""
    if inside or _is_cut(elements[-1], text):
        return (_element(elements[-2]) if len(elements) > 1 else ""), _element(elements[-1])
    return _element(elements[-1]), ""


def _open_array(value: Any, cursor: Cursor) -> tuple[str | int, ...] | None:
    """The way to the innermost open array, None where no array is open."""
    steps = _typed(value, cursor)
    for depth in reversed(range(min(cursor.depth, len(steps) + 1))):
        if isinstance(_at(value, steps[:depth]), list):
            return steps[:depth]
    return None


def _is_cut(element: Any, text: str) -> bool:
    """Is this scalar the unfinished end of the text? Finished ones have a comma, or their last quote, behind them."""
    end = text.rstrip()
    if not end or end[-1] in ",[]{}":
        return False
    if isinstance(element, Mapping):
        element = next(iter(element.values()), None)
    if isinstance(element, str):
        return not end.endswith(f"{json.dumps(element, ensure_ascii=False)[-20:]}")
    return True


def _typed(value: Any, cursor: Cursor) -> tuple[str | int, ...]:
    """The tokens of the open path, with indices as numbers."""
    out: list[str | int] = []
    here = value
    for token in cursor.tokens:
        step = int(token) if isinstance(here, list) and token.isdigit() else token
        out.append(step)
        here = _step(here, step)
    return tuple(out)


def _at(value: Any, steps: Iterable[str | int]) -> Any:
    for step in steps:
        value = _step(value, step)
    return value


def _step(here: Any, step: str | int) -> Any:
    if isinstance(here, Mapping):
        return here.get(step)
    if isinstance(here, list) and isinstance(step, int) and step < len(here):
        return here[step]
    return None


def _members(value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [pair for pair, _ in zip(value.items(), range(MEMBERS), strict=False)]


def _element(element: Any) -> str:
    return summarize(element, ELEMENT)


def _spelled(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _kind(value: Any) -> str:
    names = {dict: "objects", list: "arrays", str: "strings", bool: "booleans", type(None): "nulls"}
    return names.get(type(value), "numbers")

"""KPIs: a path bound to the live tree, read as often as one likes, and the rule that judges progress.

What is counted: closed items of an array, closed members of an object, the value of a number, the length of a
string in characters, 1 and 0 for true and false; 0 where there is nothing yet, and for NaN. A number counts as no more
than `MOST`, so that every sum is a number that JSON can spell. `[*]` sums over the items of an array. A read costs the
number of KPIs: what is closed never changes, so a sum over it is kept and only its new items are visited. What the view
shows at the end of the text is counted as it stands and never kept: a mend may still make another value of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, NamedTuple

from jsonseam.errors import KpiError
from jsonseam.records import JsonValue
from jsonseam.structure import NONE_LEFT, Left, Tree

ALLOWED: Final = "names, indices from 0 and [*], as in sections[0].elements[*].rows; $. in front is allowed"
EACH: Final = None  # the step [*]
MOST: Final = 1e200
Step = str | int | None


@dataclass(frozen=True, slots=True)
class Kpi:
    """A counter on a path, with a target.

    `path` is in the dialect that `ALLOWED` names; `target` is in items, members, characters, or the unit of the
    number, whatever the path leads to, and finite; None: there is none. Raises `KpiError` for what cannot be counted.
    """

    id: str
    path: str
    target: float | None = None
    description: str = ""

    def __post_init__(self) -> None:
        if not self.id:
            raise KpiError("a KPI needs an id", expected="a name that is not empty")
        if isinstance(self.target, float) and not isfinite(self.target):
            raise KpiError(f"the target of the KPI {self.id!r} is {self.target}", expected="a finite number")
        parse_path(self.path)


def parse_path(path: str) -> tuple[Step, ...]:
    """The steps of a KPI path: names, indices, and None for [*]. Raises `KpiError` that says what is allowed."""
    import jsonpath  # here, because it takes 60 ms to import and only those who count need it

    rooted = path.strip()
    if not rooted.startswith("$"):
        rooted = ("$" if rooted.startswith("[") else "$.") + rooted  # so that a name may be a word like "none" or "in"
    try:
        segments = jsonpath.compile(rooted).segments  # type: ignore[union-attr]
    except Exception as error:  # its errors have no common base
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise KpiError(f"the KPI path {path!r} cannot be read ({reason})", expected=ALLOWED) from None
    steps = tuple(_step(path, segment) for segment in segments)
    if steps.count(EACH) != path.count("[*]"):
        raise KpiError(f"the KPI path {path!r} is not in the dialect", expected=ALLOWED)
    return steps


def _step(path: str, segment: Any) -> Step:
    selectors: list[Any] = list(getattr(segment, "selectors", ()))
    if type(segment).__name__ == "JSONPathChildSegment" and len(selectors) == 1:
        selector = selectors[0]
        match type(selector).__name__:
            case "NameSelector":
                return str(selector.name)
            case "IndexSelector" if selector.index >= 0:
                return int(selector.index)
            case "WildcardSelector":
                return EACH
    raise KpiError(f"the KPI path {path!r} has a part that cannot be counted: {segment}", expected=ALLOWED)


class Counter:
    """One KPI on one tree. `_sums[level]`: the array at the level-th [*], how many of its items are summed, the sum."""

    __slots__ = ("_steps", "_sums", "kpi")

    def __init__(self, kpi: Kpi) -> None:
        self.kpi = kpi
        self._steps = parse_path(kpi.path)
        self._sums: dict[int, tuple[Any, int, float]] = {}

    def state(self, tree: Tree) -> list[list[float]]:
        """What is summed of items that are gone, as plain JSON: of the arrays that can still grow."""
        first_each = self._steps.index(EACH) if EACH in self._steps else len(self._steps)
        nodes = tree.nodes()
        return [
            [at, upto, total]
            for at, (items, upto, total) in self._sums.items()
            if at <= first_each or any(items is node for node in nodes)
        ]

    def resume(self, state: list[list[float]]) -> None:
        """Go on from `state()`: the first array that is met on each level is the one that was."""
        self._sums = {int(at): (_RESUMED, int(upto), total) for at, upto, total in state}

    def read(self, tree: Tree, state: _Open) -> float:
        """The current value."""
        return self._count(tree.holder[0], 0, state) if tree.holder else 0

    def _count(self, value: JsonValue, at: int, state: _Open) -> float:
        steps = self._steps
        while at < len(steps):
            step = steps[at]
            if step is EACH:
                return self._sum(value, at, state) if isinstance(value, list) else 0
            if state.left is not NONE_LEFT:
                return self._one(value, step, at, state)
            value = _child(value, step)
            if value is _MISSING:
                return 0
            at += 1
        return _measure(value, at, state)

    def _sum(self, items: list[Any], at: int, state: _Open) -> float:
        """The sum over the items of an array: what is kept of the closed ones, the new closed ones, the last one."""
        kept, upto, total = self._sums.get(at, (None, 0, 0.0))
        if kept is not items and kept is not _RESUMED:
            upto, total = 0, 0
        gone, unsettled = state.gone(items), state.has_unsettled_child(items, at)
        closed = gone + len(items) - unsettled
        for index in range(max(upto, gone), closed):
            total += self._count(items[index - gone], at + 1, state)
        self._sums[at] = (items, closed, total)
        return total + (self._count(items[-1], at + 1, state) if unsettled else 0)

    def _one(self, container: Any, step: str | int, at: int, state: _Open) -> float:
        """What one child counts; when it was handed off, what it counted last."""
        kept, _, total = self._sums.get(at, (None, 0, 0.0))
        child = _child(container, step - state.gone(container) if isinstance(step, int) else step)
        if child is not _MISSING:
            total = self._count(child, at + 1, state)
        elif kept is not container and kept is not _RESUMED:
            total = 0
        self._sums[at] = (container, 0, total)
        return total


_MISSING: Any = object()
_RESUMED: Any = object()


def _child(value: JsonValue, step: Step) -> JsonValue:
    if isinstance(value, dict) and isinstance(step, str):
        return value.get(step, _MISSING)
    if isinstance(value, list) and isinstance(step, int):
        return value[step] if 0 <= step < len(value) else _MISSING
    return _MISSING


class _Open(NamedTuple):
    """The end of the tree. `leaf_shown`: the last child of the innermost of the open `nodes` is not settled;
    `leaf_open`: nor is it finished, as far as can be seen."""

    nodes: Sequence[Any]
    leaf_shown: bool
    leaf_open: bool
    left: Mapping[int, Left]

    def gone(self, container: Any) -> int:
        """How many children of the container were handed off."""
        left = self.left.get(id(container)) if self.left else None
        return left.count if left else 0

    def has_open_child(self, container: Any, depth: int) -> int:
        """1 if the last child of `container`, which stands at `depth` (root: 0), is still open, else 0."""
        if depth >= len(self.nodes) or self.nodes[depth] is not container:
            return 0
        return 1 if depth + 1 < len(self.nodes) else int(self.leaf_open)

    def has_unsettled_child(self, container: Any, depth: int) -> int:
        """As `has_open_child`, but for one that is finished and may still become another value, it is 1 as well."""
        if depth >= len(self.nodes) or self.nodes[depth] is not container:
            return 0
        return 1 if depth + 1 < len(self.nodes) else int(self.leaf_shown)


def _measure(value: JsonValue, depth: int, state: _Open) -> float:
    if isinstance(value, (list, dict)):
        return state.gone(value) + len(value) - state.has_open_child(value, depth)
    if isinstance(value, str):
        return len(value)
    if value is None or isinstance(value, bool):
        return int(bool(value))
    return value if -MOST <= value <= MOST else _bounded(value)


def _bounded(value: float) -> float:
    return 0 if value != value else max(-MOST, min(value, MOST))  # NaN is not even itself


def read_all(
    counters: Sequence[Counter], tree: Tree, *, leaf_shown: bool = False, leaf_open: bool = False
) -> dict[str, float]:
    """The current value of every KPI, by id. `leaf_shown`: the tree shows a value that is not settled, and that may be
    finished, if it is not `leaf_open`."""
    state = _Open(tree.nodes() if counters else [], leaf_shown, leaf_open, tree.left)
    return {counter.kpi.id: counter.read(tree, state) for counter in counters}


class Verdict(NamedTuple):
    """Whether to go on, and why, in the words of the original plan."""

    proceed: bool
    reason: str


BACKWARDS: Final = "KPI went backwards"
STANDSTILL: Final = "No progress"
COMPLETE: Final = "Complete"
PROGRESS: Final = "Progress"


def judge_progress(
    before: Mapping[str, float], after: Mapping[str, float], targets: Mapping[str, float | None], *, complete: bool
) -> Verdict:
    """The progress rule (KPI adaptation plan, section 5).

    Complete when the document is, or when every KPI has reached its target; stop when any went down, and when
    none went up; go on when at least one did. A KPI that was not there before counts from 0.
    """
    reached = bool(targets) and all(
        target is not None and after.get(name, 0) >= target for name, target in targets.items()
    )
    if complete or reached:
        return Verdict(True, COMPLETE)
    changes = [value - before.get(name, 0) for name, value in after.items()]
    if any(change < 0 for change in changes):
        return Verdict(False, BACKWARDS)
    if any(change > 0 for change in changes):
        return Verdict(True, PROGRESS)
    return Verdict(False, STANDSTILL)

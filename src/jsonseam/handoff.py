"""Items handed off: the closed children of the containers that a path names go to the caller and leave the tree.

Rule 1: an item goes when nothing can take it back any more: when a window of text lies behind it, so that no seam
reaches it, or when the root is closed. So each goes once, and in the order of the document. Rule 2: with them goes
their text; what is kept of it is the window, and what `past.py` remembers. Rule 3: the last few are remembered, and
stand in the tree again while a seam is decided, because a document is judged by how it has been so far.
"""

from __future__ import annotations

import marshal
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final, NamedTuple

from jsonseam.counters import EACH, Counter, parse_path, read_all
from jsonseam.errors import HandoffError, KpiError
from jsonseam.events import copy_of
from jsonseam.ledger import MARK_EVERY, Ledger, Mark
from jsonseam.lexemes import WHITE_SPACE
from jsonseam.likeness import MOST_ITEMS, SIBLINGS
from jsonseam.records import JsonValue
from jsonseam.structure import Container, Left, Tree, escaped, pointer
from jsonseam.surprise import WINDOW
from jsonseam.tally import count_up_to
from jsonseam.writing import spell

Callback = Callable[[JsonValue, str], object]
KEPT: Final = 3 * WINDOW  # characters of text from which on it is cut back to a window


class Route:
    """One path, and whom its items go to. `_passed[level]`: the array at a [*], and how many of its items are done."""

    __slots__ = ("_passed", "callback", "path", "steps")

    def __init__(self, path: str, callback: Callback) -> None:
        self.path, self.callback = path, callback
        try:
            self.steps = parse_path(path)
        except KpiError as error:
            raise HandoffError(error.message.replace("KPI path", "path"), expected=error.expected) from None
        self._passed: dict[int, tuple[list[Any], int]] = {}

    def containers(self, tree: Tree) -> Iterator[tuple[Container, tuple[str | int, ...], int]]:
        """The containers that the path leads to, their steps, and how many children of each are finished.

        What was closed at the last call is passed over, so a call costs what is new.
        """
        if tree.holder:
            yield from self._find(tree.holder[0], 0, (), tree.nodes())

    def _find(
        self, value: JsonValue, at: int, steps: tuple[str | int, ...], nodes: list[Container]
    ) -> Iterator[tuple[Container, tuple[str | int, ...], int]]:
        """What the steps from number `at` on lead to from `value`, which stands at `steps`."""
        for level in range(at, len(self.steps)):
            step = self.steps[level]
            if step is EACH:
                if isinstance(value, list):
                    yield from self._each(value, level, steps, nodes)
                return
            if not (step in value if isinstance(value, dict) else isinstance(value, list) and _has_index(value, step)):
                return
            value = value[step]
            steps = (*steps, step)
        if isinstance(value, (list, dict)):
            yield value, steps, len(value) - _has_open_child(value, len(self.steps), nodes)

    def _each(
        self, items: list[Any], level: int, steps: tuple[str | int, ...], nodes: list[Container]
    ) -> Iterator[tuple[Container, tuple[str | int, ...], int]]:
        """What the step [*] number `level` leads to: items that were closed at the last call are passed over."""
        kept, upto = self._passed.get(level, (None, 0))
        for index in range(upto if kept is items else 0, len(items)):
            yield from self._find(items[index], level + 1, (*steps, index), nodes)
        self._passed[level] = (items, len(items) - _has_open_child(items, level, nodes))


class Closed(NamedTuple):
    """At `offset` of the text, `finished` children of a container were finished."""

    offset: int
    route: Route
    container: Container
    steps: tuple[str | int, ...]
    finished: int


def _has_index(items: list[Any], step: str | int) -> bool:
    return isinstance(step, int) and step < len(items)


def _has_open_child(container: Container, depth: int, nodes: list[Container]) -> bool:
    """Is a child of the container, which stands at `depth` (root: 0), still open?"""
    return depth + 1 < len(nodes) and nodes[depth] is container


class Handoff:
    """The routes of one document, what waits to be certain, and what waits to be handed over.

    `counters` are brought up to date before anything leaves. `next_look`: the size of the text from which on a look
    at what is finished is worth its cost. `frozen`: nothing leaves, for a copy that has no callers.
    """

    __slots__ = ("_recent", "_waiting", "counters", "frozen", "left", "next_look", "outbox", "routes")

    def __init__(self, callbacks: Mapping[str, Callback], counters: Sequence[Counter]) -> None:
        self.routes = [Route(path, callback) for path, callback in callbacks.items()]
        for number, route in enumerate(self.routes):
            _refuse_nested(route, self.routes[:number])
        self.counters = counters
        self.frozen = False
        self.next_look = 0
        self.left: dict[int, Left] = {}
        self.outbox: deque[tuple[Route, str, JsonValue]] = deque()
        self._waiting: deque[Closed] = deque()
        self._recent: deque[Left] = deque()  # the containers that items left last

    @property
    def paths(self) -> list[str]:
        return [route.path for route in self.routes]

    # ------------------------------------------------------------ what is certain
    def note(self, tree: Tree, ledger: Ledger) -> None:
        """See what has been finished since the last time; let go of what lies a window behind. The view is hidden.

        Cost: what is new, and what goes.
        """
        self.next_look = ledger.size + MARK_EVERY
        if self.frozen:
            return
        self._see(tree, ledger.size)
        if ledger.size - ledger.begins > KEPT:
            mark = ledger.mark_before(ledger.size - WINDOW)
            self.forget(ledger, _stable_before(ledger, mark), mark.frames)
            self._let_go(tree, mark.offset)

    def let_all_go(self, tree: Tree, size: int) -> None:
        """No text comes any more that could take anything back. The view is hidden."""
        if not self.frozen:
            self._see(tree, size)
            self._let_go(tree, size)

    def forget(self, ledger: Ledger, offset: int, frames: str) -> None:
        """Hold no text in front of `offset`; what it finished stays counted."""
        if not self.frozen and offset > ledger.begins:
            count_up_to(ledger, offset)
            ledger.forget(offset, frames)

    def taken_back(self, tree: Tree, depth: int) -> None:
        """The open child of the container at `depth` (0: what holds the root) was cut off the tree."""
        gone: tuple[str | int, ...] = ()
        if depth:
            gone = (*tree.steps(), tree.length(tree.node) if tree.key is None else tree.key)
        self._waiting = deque(closed for closed in self._waiting if closed.steps[: len(gone)] != gone)

    def _see(self, tree: Tree, size: int) -> None:
        """Note what has been finished in the containers since the last time, and where in the text that was."""
        waiting = self._waiting
        for route in self.routes:
            for container, steps, finished in route.containers(tree):
                gone = tree.length(container) - len(container)
                count = gone + finished
                known = bool(waiting) and waiting[-1].container is container and waiting[-1].finished == count
                if finished and not known:
                    waiting.append(Closed(size, route, container, steps, count))

    def _let_go(self, tree: Tree, offset: int) -> None:
        """What was finished at `offset` of the text leaves the tree."""
        waiting = self._waiting
        if waiting and waiting[0].offset <= offset:
            read_all(self.counters, tree)
        while waiting and waiting[0].offset <= offset:
            self._take_out(waiting.popleft(), tree)

    def _take_out(self, closed: Closed, tree: Tree) -> None:
        """What was finished then leaves its container, and waits to be handed over."""
        container, steps = closed.container, closed.steps
        left = self.left.get(id(container))
        if left is None:
            left = self.left[id(container)] = Left(container, steps)
        children = _first_children(container, closed.finished - left.count, tree, left)
        if not children:
            return
        left.count += len(children)
        prefix = pointer(steps)
        for name, child in children:
            step = escaped(name) if isinstance(name, str) else name
            self.outbox.append((closed.route, f"{prefix}/{step}", child))
        self._remember(left, children)

    # ------------------------------------------------------------ what is remembered
    def _remember(self, left: Left, children: list[tuple[str | int, JsonValue]]) -> None:
        """Copies, because what was handed over is the caller's."""
        scalars = not isinstance(children[-1][1], (dict, list))
        most = MOST_ITEMS if scalars else SIBLINGS + 1
        left.last = [*left.last, *((name, _copy(child)) for name, child in children[-most:])][-most:]
        if left in self._recent:
            self._recent.remove(left)
        self._recent.append(left)
        if len(self._recent) > SIBLINGS + 1:
            self._recent.popleft().last = []

    @contextmanager
    def recalled(self) -> Iterator[None]:
        """The last children that left stand in the tree again, for a look at it."""
        back = [(left, [one for one in left.last if not _has(left.container, one[0])]) for left in self._recent]
        for left, children in back:
            _put_in_front(left.container, children)
            left.count -= len(children)
        try:
            yield
        finally:
            for left, children in back:
                _take_from_front(left.container, children)
                left.count += len(children)

    # ------------------------------------------------------------ handing over
    def deliver(self) -> None:
        """Call back for all that left. What a callback raises goes out; that item counts as handed over."""
        while self.outbox:
            route, where, item = self.outbox.popleft()
            route.callback(item, where)

    # ------------------------------------------------------------ checkpoints
    def state(self, tree: Tree) -> dict[str, Any]:
        """Plain JSON, but for the callbacks. Cost: what is remembered, and a number for each container left."""
        read_all(self.counters, tree)
        old = [left for left in self.left.values() if left not in self._recent]
        return {
            "paths": self.paths,
            "left": [[list(left.steps), left.count, spell([*map(list, left.last)])] for left in (*old, *self._recent)],
            "outbox": [[self.routes.index(route), where, spell(item)] for route, where, item in self.outbox],
            "counters": [counter.state(tree) for counter in self.counters],
        }

    def restore(self, state: dict[str, Any], tree: Tree, read: Callable[[str], JsonValue]) -> None:
        """Be as the one that `state` was taken of, with the tree that was. `read` reads a JSON text."""
        for steps, count, last in state["left"]:
            container = tree.holder[0]
            for step in steps:
                container = container[step]
            left = self.left[id(container)] = Left(container, tuple(steps), count)
            left.last = [(name, child) for name, child in read(last)]
            if left.last:
                self._recent.append(left)
        for index, where, item in state["outbox"]:
            self.outbox.append((self.routes[index], where, read(item)))
        for counter, sums in zip(self.counters, state["counters"], strict=True):
            counter.resume(sums)


# ------------------------------------------------------------ children of a container
def _copy(child: JsonValue) -> JsonValue:
    if not isinstance(child, (dict, list)):
        return child
    try:
        return marshal.loads(marshal.dumps(child))
    except ValueError:  # too deep for it
        return copy_of(child)


def _first_children(container: Container, most: int, tree: Tree, left: Left) -> list[tuple[str | int, JsonValue]]:
    """Take the first children out; the open child, which may stand anywhere in an object, stays."""
    if isinstance(container, list):
        taken = container[: max(0, most)]
        del container[: len(taken)]
        return list(enumerate(taken, left.count))
    open_at = next((key for node, key in zip(tree.stack[1:], tree.keys[1:], strict=True) if node is container), None)
    names = list(islice((name for name in container if name != open_at), max(0, most)))
    return [(name, container.pop(name)) for name in names]


def _has(container: Container, name: str | int) -> bool:
    return isinstance(container, dict) and name in container


def _put_in_front(container: Container, children: list[tuple[str | int, JsonValue]]) -> None:
    """Put children into a container in front of those that are there."""
    if isinstance(container, list):
        container[:0] = [child for _, child in children]
        return
    behind = dict(container)
    container.clear()
    container.update(children)
    container.update(behind)


def _take_from_front(container: Container, children: list[tuple[str | int, JsonValue]]) -> None:
    if isinstance(container, list):
        del container[: len(children)]
        return
    for name, _ in children:
        del container[name]


# ------------------------------------------------------------ where the text is cut back
def _stable_before(ledger: Ledger, mark: Mark) -> int:
    """Behind the last finished value or opener in front of the mark: there may be a comma, a key and a colon between.

    Settled text is strict, so a key is found backwards: inside of it each quote is escaped.
    """
    before = ledger.text[: mark.offset - ledger.begins].rstrip(WHITE_SPACE)
    if before.endswith(":"):
        before = before[:-1].rstrip(WHITE_SPACE)[:-1]
        while _is_escaped(before, at := before.rindex('"')):
            before = before[:at]
        before = before[:at].rstrip(WHITE_SPACE)
    return ledger.begins + len(before.removesuffix(","))


def _is_escaped(text: str, at: int) -> bool:
    return (at - len(text[:at].rstrip("\\"))) % 2 == 1


def _refuse_nested(route: Route, others: list[Route]) -> None:
    for other in others:
        same = zip(route.steps, other.steps, strict=False)
        if all(one == another or EACH in (one, another) for one, another in same):
            problem = f"the items of {route.path!r} may stand in items of {other.path!r}, or the other way round"
            raise HandoffError(problem, expected="paths of which none leads into another")

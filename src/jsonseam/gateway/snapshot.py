"""Snapshot: a run as plain JSON, and back. What is coming in at the moment is not in it: the store's tail has that."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from jsonseam import Accumulator, StateError

from .budget import Limits, Reason
from .ledger import Ledger
from .loop import Loop
from .progress import Measure
from .prompts import Prompts
from .states import State
from .store import Saved
from .task import Task

VERSION = 1


def snapshot(loop: Loop) -> dict[str, Any]:
    """The run after its last whole answer. Costs one copy of the document."""
    return {
        "jsonseam-run": VERSION,
        "task": loop.task.plain(),
        "state": loop.state.name,
        "reason": loop.reason,
        "accumulator": loop.accumulator.checkpoint(),
        "measure": None if loop.measure is None else loop.measure.plain(),
        "ledger": loop.ledger.plain(loop.seconds),
    }


def restore(
    run_id: str,
    saved: Saved,
    *,
    limits: Limits | None = None,
    prompts: Prompts | None = None,
    clock: Callable[[], float] = monotonic,
) -> Loop:
    """A run that was saved, ready to go on, the pieces that came in after it joined. A complete one has nothing to do.

    Raises StateError where what was saved is not a run, or of another version.
    """
    kept = saved.state
    try:
        if kept["jsonseam-run"] != VERSION:
            raise StateError(f"a run of version {kept['jsonseam-run']!r}, and this one reads {VERSION}")
        loop = Loop(Task.of(kept["task"]), limits=limits, prompts=prompts, run_id=run_id, clock=clock)
        loop.accumulator = Accumulator.resume(kept["accumulator"])
        loop.ledger = Ledger.of(kept["ledger"])
        loop.measure = None if kept["measure"] is None else Measure.of(kept["measure"])
        loop.state = State[kept["state"]]
        reason = None if kept["reason"] is None else Reason(kept["reason"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StateError(f"this is no saved run: {error!r}") from error
    loop.version = saved.version
    if reason is Reason.COMPLETE:
        loop.reason = reason
        loop.saved(saved.version)
    elif loop.state is State.STOPPED:
        loop.take_over()
    if saved.tail and loop.state is State.ASK:
        loop.replay(saved.tail)
    return loop

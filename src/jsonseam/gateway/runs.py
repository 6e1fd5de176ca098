"""Runs: the calls that a user of the gateway makes. Each one sets up a loop and lets a driver run it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any, TypedDict, Unpack, cast

from jsonseam import Kpi

from .budget import Limits
from .drivers import Cancel, adrive, drive
from .events import Event, Stopped
from .loop import Loop
from .model import AsyncModel, AsyncStreamingModel, Model, StreamingModel
from .prompts import Prompts
from .result import Result
from .snapshot import restore
from .store import SqliteStore, Store
from .task import Task

SyncModel = Model | StreamingModel
AnyAsyncModel = AsyncModel | AsyncStreamingModel
Listener = Callable[[Event], None]


class Asking(TypedDict, total=False):
    """What may be said of the document; see `Task`."""

    schema: Mapping[str, Any] | None
    kpis: Sequence[Kpi] | None
    max_tokens: int | None
    definition_tokens: int | None
    options: Mapping[str, Any]
    parsing: Mapping[str, Any]
    about: Mapping[str, Any]
    limits: Limits
    prompts: Prompts
    run_id: str


class Driving(TypedDict, total=False):
    """How it is run. `stream=False` asks for whole answers. `store` keeps the run after every answer, and every piece
    that streams in; without one nothing is kept."""

    stream: bool
    cancel: Cancel | None


class Settings(Asking, Driving):
    """All that `run` and its kin take."""


def iterate(model: SyncModel, prompt: str, store: Store | None = None, **settings: Unpack[Settings]) -> Iterator[Event]:
    """Run, telling what happens; the last event is `Stopped`, with the result."""
    asking, driving = _apart(settings)
    return drive(begin(prompt, **asking), model, store, **driving)


def run(
    model: SyncModel,
    prompt: str,
    store: Store | None = None,
    on_event: Listener | None = None,
    **settings: Unpack[Settings],
) -> Result:
    """Ask a model for a JSON document, and go on asking until it is whole or there is a reason to stop.

    Never raises because of what the model says or because it fails: the result has the reason, and all that was
    delivered. Raises StoreConflict where another process has taken the run over.
    """
    return _last(iterate(model, prompt, store, **settings), on_event)


def aiterate(
    model: AnyAsyncModel, prompt: str, store: Store | None = None, **settings: Unpack[Settings]
) -> AsyncIterator[Event]:
    """As `iterate`, for asyncio."""
    asking, driving = _apart(settings)
    return adrive(begin(prompt, **asking), model, store, **driving)


async def arun(
    model: AnyAsyncModel,
    prompt: str,
    store: Store | None = None,
    on_event: Listener | None = None,
    **settings: Unpack[Settings],
) -> Result:
    """As `run`, for asyncio."""
    return await _alast(aiterate(model, prompt, store, **settings), on_event)


def resume(
    run_id: str,
    model: SyncModel,
    store: Store | None = None,
    on_event: Listener | None = None,
    *,
    limits: Limits | None = None,
    prompts: Prompts | None = None,
    **driving: Unpack[Driving],
) -> Result:
    """Go on with a saved run, from another process as well; without a store, from the default `SqliteStore`.

    Limits are not saved with a run: they are what this call says. Raises UnknownRun, StoreConflict or StateError.
    """
    store = store or SqliteStore()
    loop = restore(run_id, store.load(run_id), limits=limits, prompts=prompts)
    return _last(drive(loop, model, store, **driving), on_event)


async def aresume(
    run_id: str,
    model: AnyAsyncModel,
    store: Store | None = None,
    on_event: Listener | None = None,
    *,
    limits: Limits | None = None,
    prompts: Prompts | None = None,
    **driving: Unpack[Driving],
) -> Result:
    """As `resume`, for asyncio."""
    store = store or SqliteStore()
    loop = restore(run_id, store.load(run_id), limits=limits, prompts=prompts)
    return await _alast(adrive(loop, model, store, **driving), on_event)


def begin(prompt: str, **asking: Unpack[Asking]) -> Loop:
    """A loop that has not begun, for a driver of one's own."""
    about: dict[str, Any] = {**asking}
    loop_settings = {name: about.pop(name) for name in ("limits", "prompts", "run_id") if name in about}
    if about.get("kpis") is not None:
        about["kpis"] = tuple(about["kpis"])
    return Loop(Task(prompt, **about), **loop_settings)


def _apart(settings: Settings) -> tuple[Asking, Driving]:
    """What is said of the document, and how it is run. Raises TypeError for a name that there is not."""
    if strange := sorted(settings.keys() - Settings.__annotations__):
        raise TypeError(f"there is no setting {strange[0]!r}; there are {', '.join(sorted(Settings.__annotations__))}")
    asking = {name: value for name, value in settings.items() if name in Asking.__annotations__}
    driving = {name: value for name, value in settings.items() if name in Driving.__annotations__}
    return cast(Asking, asking), cast(Driving, driving)


def _last(events: Iterator[Event], on_event: Listener | None) -> Result:
    result: Result | None = None
    for event in events:
        if on_event is not None:
            on_event(event)
        if isinstance(event, Stopped):
            result = event.result
    assert result is not None
    return result


async def _alast(events: AsyncIterator[Event], on_event: Listener | None) -> Result:
    result: Result | None = None
    async for event in events:
        if on_event is not None:
            on_event(event)
        if isinstance(event, Stopped):
            result = event.result
    assert result is not None
    return result

"""Drivers: they call, stream, save and wait, as the loop tells them; one for threads, one for asyncio.

Neither knows what a document is. What an answer costs here is one hand-over for each piece.
"""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import aclosing, closing, suppress
from functools import cache
from typing import Any

from .budget import Reason
from .events import Event, Joined, Stopped
from .loop import Loop
from .model import Answer, AsyncModel, AsyncStreamingModel, Chunk, Model, Request, StreamingModel, Usage
from .snapshot import snapshot
from .states import Append, Call, Save, Stop
from .store import Store
from .telemetry import Telemetry

POLL = 0.05  # seconds between two looks at a cancellation, while a model is silent


class Cancel:
    """Stops a run from elsewhere: another thread, a signal handler, another task. The result says "Cancelled"."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def __call__(self) -> None:
        self._event.set()

    @property
    def asked(self) -> bool:
        return self._event.is_set()


# ---------------------------------------------------------------- threads
def drive(
    loop: Loop,
    model: Model | StreamingModel,
    store: Store | None = None,
    *,
    stream: bool = True,
    cancel: Cancel | None = None,
) -> Iterator[Event]:
    """Run to the end, telling what happens. Closing this iterator early leaves the run as it was saved last.

    `stream=False` asks for whole answers where the model can give them. With a time limit or a `cancel`, the model
    is called in a thread of its own, so that a silent one cannot hold the run; such a thread is left to end by itself.
    """
    while True:
        _look(loop, cancel)
        match loop.next():
            case Save():
                loop.saved(_save(loop, store))
            case Call(request):
                yield from _told(loop)
                yield from _listen(loop, _waiting(_pieces(model, request, stream), loop, cancel), store)
            case Stop():
                yield from _told(loop)
                return
        yield from _told(loop)


def _listen(loop: Loop, pieces: Generator[Chunk | None, None, None], store: Store | None) -> Iterator[Event]:
    with closing(pieces):
        while loop.listening:
            try:
                chunk = next(pieces, _END)
            except Exception as error:
                loop.fail(error)
            else:
                _append(store, _take(loop, chunk))
            yield from _told(loop)


def _pieces(model: Model | StreamingModel, request: Request, stream: bool) -> Generator[Chunk, None, None]:
    if isinstance(model, StreamingModel) and (stream or not isinstance(model, Model)):
        yield from model.stream(request)
    elif isinstance(model, Model):
        yield _whole(model.answer(request))
    else:
        raise TypeError(f"{type(model).__name__} has neither answer() nor stream()")


def _waiting(
    pieces: Generator[Chunk, None, None], loop: Loop, cancel: Cancel | None
) -> Generator[Chunk | None, None, None]:
    """The pieces, and None for each look at the clock in between. Stops waiting once the loop is not listening."""
    if loop.seconds_left is None and cancel is None:
        yield from pieces
        return
    arrived: queue.SimpleQueue[Any] = queue.SimpleQueue()
    left = threading.Event()

    def pump() -> None:
        try:
            with closing(pieces):
                for chunk in pieces:
                    arrived.put(chunk)
                    if left.is_set():
                        break
            arrived.put(_END)
        except BaseException as error:
            arrived.put(error)

    threading.Thread(target=contextvars.copy_context().run, args=(pump,), daemon=True, name="jsonseam-model").start()
    try:
        while loop.listening:
            with suppress(queue.Empty):
                piece = arrived.get(timeout=_patience(loop, cancel))
                if piece is _END:
                    return
                if isinstance(piece, BaseException):
                    raise piece
                yield piece
            _look(loop, cancel)
            yield None
    finally:
        left.set()


def _save(loop: Loop, store: Store | None) -> int:
    return loop.version if store is None else store.save(loop.id, loop.version, snapshot(loop))


def _append(store: Store | None, append: Append | None) -> None:
    if store is not None and append is not None:
        store.append(append.run_id, append.version, append.text)


# ---------------------------------------------------------------- asyncio
async def adrive(
    loop: Loop,
    model: AsyncModel | AsyncStreamingModel,
    store: Store | None = None,
    *,
    stream: bool = True,
    cancel: Cancel | None = None,
) -> AsyncGenerator[Event, None]:
    """The same for asyncio. The store is called in a thread. A cancelled task leaves the run in the store, with the
    pieces that came in, ready to be resumed."""
    while True:
        _look(loop, cancel)
        match loop.next():
            case Save():
                loop.saved(loop.version if store is None else await asyncio.to_thread(_save, loop, store))
            case Call(request):
                for event in _told(loop):
                    yield event
                async with aclosing(_alisten(loop, _apieces(model, request, stream), store, cancel)) as events:
                    async for event in events:
                        yield event
            case Stop():
                for event in _told(loop):
                    yield event
                return
        for event in _told(loop):
            yield event


async def _alisten(
    loop: Loop, pieces: AsyncGenerator[Chunk, None], store: Store | None, cancel: Cancel | None
) -> AsyncGenerator[Event, None]:
    async with aclosing(_awaiting(pieces, loop, cancel)) as waiting:
        while loop.listening:
            try:
                chunk = await anext(waiting, _END)
            except Exception as error:
                loop.fail(error)
            else:
                append = _take(loop, chunk)
                if store is not None and append is not None:
                    await asyncio.to_thread(_append, store, append)
            for event in _told(loop):
                yield event


async def _apieces(
    model: AsyncModel | AsyncStreamingModel, request: Request, stream: bool
) -> AsyncGenerator[Chunk, None]:
    if isinstance(model, AsyncStreamingModel) and (stream or not isinstance(model, AsyncModel)):
        async for chunk in model.astream(request):
            yield chunk
    elif isinstance(model, AsyncModel):
        yield _whole(await model.aanswer(request))
    else:
        raise TypeError(f"{type(model).__name__} has neither aanswer() nor astream()")


async def _awaiting(
    pieces: AsyncGenerator[Chunk, None], loop: Loop, cancel: Cancel | None
) -> AsyncGenerator[Chunk | None, None]:
    """As `_waiting`. One task reads all the pieces of an answer: clients that scope by task see one task."""
    arrived: asyncio.Queue[Any] = asyncio.Queue()

    async def pump() -> None:
        try:
            async with aclosing(pieces):
                async for chunk in pieces:
                    arrived.put_nowait(chunk)
            arrived.put_nowait(_END)
        except Exception as error:
            arrived.put_nowait(error)

    reader = asyncio.create_task(pump())
    try:
        while loop.listening:
            try:
                piece = await asyncio.wait_for(arrived.get(), _patience(loop, cancel))
            except TimeoutError:
                piece = None
            if piece is _END:
                return
            if isinstance(piece, Exception):
                raise piece
            yield piece
            _look(loop, cancel)
    finally:
        reader.cancel()
        with suppress(asyncio.CancelledError):
            await reader


# ---------------------------------------------------------------- both
_END: Any = object()


def _take(loop: Loop, chunk: Any) -> Append | None:
    if chunk is _END:
        if loop.listening:
            loop.end()
        return None
    return None if chunk is None else loop.receive(chunk)


def _whole(answer: Answer) -> Chunk:
    usage = None if answer.usage == Usage() else answer.usage
    return Chunk(answer.text, answer.finish_reason, usage, answer.prefilled, answer.retries)


def _told(loop: Loop) -> Iterator[Event]:
    """What happened, counted on its way out."""
    for event in loop.events():
        match event:
            case Joined(seam=seam) if seam is not None:
                _telemetry().seam(seam.kind)
            case Stopped(reason=reason, result=result):
                _telemetry().run(reason, result.iterations)
        yield event


@cache
def _telemetry() -> Telemetry:
    return Telemetry()


def _patience(loop: Loop, cancel: Cancel | None) -> float | None:
    """Seconds to wait for a piece before the next look; None: as long as it takes."""
    waits = [wait for wait in (loop.seconds_left, None if cancel is None else POLL) if wait is not None]
    return min(waits, default=None)


def _look(loop: Loop, cancel: Cancel | None) -> None:
    if cancel is not None and cancel.asked:
        loop.interrupt(Reason.CANCELLED)
    elif loop.seconds_left == 0:
        loop.interrupt(Reason.TIME)

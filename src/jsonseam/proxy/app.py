"""App: the proxy as one ASGI application. Its own paths are `/`, `/health`, `/metrics` and those below `/live/`;
every other one is the upstream's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from .conversation import Listener
from .live import Hub
from .metrics import Metrics
from .page import page_routes
from .relay import Relay
from .settings import Settings


def create_app(settings: Settings) -> Starlette:
    """The application. Raises ValueError for an upstream that is no URL, or a provider that is not known."""
    metrics, hub = Metrics(), Hub()
    listeners: tuple[Listener, ...] = (metrics, hub) if settings.page else (metrics,)
    relay = Relay(settings, metrics, listeners)

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def count(request: Request) -> Response:
        text, kind = metrics.text()
        return Response(text, headers={"content-type": kind})

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await relay.upstream.close()

    own: list[BaseRoute] = [Route("/health", health), Route("/metrics", count)]
    if settings.page:
        own += page_routes(hub)
    return Starlette(routes=[*own, Mount("/", relay)], lifespan=lifespan)

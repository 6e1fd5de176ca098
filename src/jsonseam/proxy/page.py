"""Page: the files of `/`, and the stream of changes that it listens to. What is shown is said by `live`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from .live import Hub

EVERY: Final = 0.2  # seconds between two looks at what changed
SILENCE: Final = 15.0  # seconds after which a comment is sent

_FILES: Final = {
    "/": ("page.html", "text/html"),
    "/live/page.css": ("page.css", "text/css"),
    "/live/page.js": ("page.js", "text/javascript"),
    "/live/icon.svg": ("icon.svg", "image/svg+xml"),
}
# nothing from elsewhere, nothing inline, nobody may frame it: text of models and of clients is shown here
_SAFE: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


def page_routes(hub: Hub) -> list[BaseRoute]:
    """The page, its files, and its stream."""

    async def changes(request: Request) -> Response:
        headers = {**_SAFE, "cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(_listen(hub), media_type="text/event-stream", headers=headers)

    return [*(_file(path, *about) for path, about in _FILES.items()), Route("/live/changes", changes)]


def _file(path: str, name: str, kind: str) -> BaseRoute:
    body = files(__package__).joinpath("static", name).read_bytes()

    async def serve(request: Request) -> Response:
        return Response(body, media_type=kind, headers=_SAFE)

    return Route(path, serve)


async def _listen(hub: Hub) -> AsyncIterator[str]:
    since, silent = -1, 0.0
    while True:
        if hub.version != since:
            changes = hub.changes(since)
            since, silent = changes["version"], 0.0
            yield f"data: {json.dumps(changes)}\n\n"
        elif silent >= SILENCE:
            silent = 0.0
            yield ": here\n\n"
        await asyncio.sleep(EVERY)
        silent += EVERY

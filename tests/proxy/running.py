"""A running proxy, on a real socket, in front of a real server: the truncating one, or one that a test scripts."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from jsonseam.proxy import Settings, create_app


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """Serve an application on a free port; gives its address."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    config = uvicorn.Config(
        app, log_level="critical", timeout_graceful_shutdown=1, server_header=False, date_header=False
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listening.close()


@contextmanager
def proxy(upstream: str, **settings: object) -> Iterator[str]:
    """A proxy in front of `upstream`; gives its address, without /v1."""
    with serving(create_app(Settings(upstream, **settings))) as address:
        yield address

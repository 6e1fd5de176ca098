"""Store: where a run is kept between two fragments, so that another process can take it over.

A run is a state (plain JSON) with a version, and behind it the tail: the pieces of the fragment that is streaming
in. Whoever writes names the version it has seen; a writer that is behind gets `StoreConflict`, and nothing changes.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from jsonseam import JsonSeamError


class StoreConflict(JsonSeamError):  # noqa: N818 - it is a conflict, and reads as one
    """Another process has written this run since it was read here. `run_id` names it."""

    def __init__(self, run_id: str, version: int) -> None:
        super().__init__(f"run {run_id} was taken over: version {version} is no longer the newest")
        self.run_id = run_id
        self.version = version


class UnknownRun(JsonSeamError):  # noqa: N818 - as above
    """The store holds no run of this id."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"there is no run {run_id}")
        self.run_id = run_id


@dataclass(frozen=True, slots=True)
class Saved:
    """A run as the store holds it: the state after its last whole fragment, and the pieces that came since."""

    version: int
    state: Mapping[str, Any]
    tail: tuple[str, ...] = ()


class Store(Protocol):
    """What the drivers ask of a store. Calls may block: the asynchronous driver makes them in a thread."""

    def save(self, run_id: str, version: int, state: Mapping[str, Any]) -> int:
        """Write the state and drop the tail; returns the new version. Version 0 creates the run."""
        ...

    def append(self, run_id: str, version: int, text: str) -> None:
        """Keep one more piece of the fragment that streams in behind this version."""
        ...

    def load(self, run_id: str) -> Saved:
        """The newest state and its tail. Raises UnknownRun."""
        ...

    def delete(self, run_id: str) -> None: ...


_TABLES = """
create table if not exists runs (id text primary key, version integer not null, state text not null);
create table if not exists tails (id text not null, piece integer primary key autoincrement, text text not null);
create index if not exists tails_by_run on tails (id, piece);
"""


def default_path() -> Path:
    """The file of the runs of this user; the environment variable JSONSEAM_STORE names another."""
    if named := os.environ.get("JSONSEAM_STORE"):
        return Path(named)
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "jsonseam" / "runs.db"


class SqliteStore:
    """Runs in one SQLite file, shared by threads and processes. A write that returned survives SIGKILL.

    A save costs the size of the state, an append the size of the piece. A file that is no store, and a disk that is
    full, raise sqlite3.Error; a folder that cannot be made raises OSError.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = Path(path) if path is not None else default_path()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)
        # WAL outlives the process; only a power cut may take the last writes with it.
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute("pragma synchronous = normal")
        self._connection.executescript(_TABLES)

    def save(self, run_id: str, version: int, state: Mapping[str, Any]) -> int:
        text = json.dumps(state)
        with self._transaction() as connection:
            if version == 0:
                done = connection.execute("insert or ignore into runs values (?, 1, ?)", (run_id, text))
            else:
                done = connection.execute(
                    "update runs set version = version + 1, state = ? where id = ? and version = ?",
                    (text, run_id, version),
                )
            if not done.rowcount:
                raise StoreConflict(run_id, version)
            connection.execute("delete from tails where id = ?", (run_id,))
        return version + 1

    def append(self, run_id: str, version: int, text: str) -> None:
        with self._transaction() as connection:
            done = connection.execute(
                "insert into tails (id, text) select id, ? from runs where id = ? and version = ?",
                (json.dumps(text), run_id, version),
            )
            if not done.rowcount:
                raise StoreConflict(run_id, version)

    def load(self, run_id: str) -> Saved:
        with self._transaction() as connection:
            row = connection.execute("select version, state from runs where id = ?", (run_id,)).fetchone()
            pieces = connection.execute("select text from tails where id = ? order by piece", (run_id,)).fetchall()
        if row is None:
            raise UnknownRun(run_id)
        return Saved(row[0], json.loads(row[1]), tuple(json.loads(text) for (text,) in pieces))

    def delete(self, run_id: str) -> None:
        with self._transaction() as connection:
            connection.execute("delete from runs where id = ?", (run_id,))
            connection.execute("delete from tails where id = ?", (run_id,))

    def ids(self) -> list[str]:
        """The runs that are kept."""
        with self._transaction() as connection:
            return [run_id for (run_id,) in connection.execute("select id from runs order by rowid")]

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._connection.execute("begin immediate")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("rollback")
                raise
            self._connection.execute("commit")

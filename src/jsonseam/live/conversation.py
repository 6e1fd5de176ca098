"""One conversation in a worker's memory: which fragment is next, what waits, and what the next commit must say.

Rule: a fragment is applied when its number is the next one, whole or not at all, and stays pending on the server until
a snapshot holds it. So memory may be thrown away at any moment: the snapshot and the pending fragments make it again.
Nothing in here talks to the server.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from jsonseam import Accumulator, JsonSeamError, NoDocumentError

from .fragment import Fragment
from .settings import Settings

# A snapshot costs the document, a fragment what it is long: a snapshot is due once as much came since the last one as
# half of what was there, so that all snapshots together cost a small multiple of the document.
SNAPSHOT_FLOOR: Final = 1 << 15  # characters
SNAPSHOT_SHARE: Final = 0.5
MOST_PENDING: Final = 256  # fragments that would be applied again after a crash


@dataclass(frozen=True, slots=True)
class Saved:
    """A conversation as the server holds it. `next` is the number of the first fragment that `state` does not hold."""

    version: int = 0
    next: int = 0
    last: int | None = None
    state: str | None = None
    characters: int = 0
    duplicates: int = 0
    revision: int = 0
    waiting: bool = False
    poisoned: Mapping[int, str] = field(default_factory=dict)


class Dead(NamedTuple):
    """A fragment that could not be applied, and why."""

    entry: bytes
    kind: str
    error: str


@dataclass(frozen=True, slots=True)
class Commit:
    """What the server is to write at once: fields (None: to delete), entries that are done, the dead, a new result."""

    base: int
    fields: dict[str, Any]
    entries: list[bytes]
    dead: list[Dead]
    result: dict[str, Any]
    gap: tuple[int, int] | None


class Conversation:
    """`held` are fragments in front of which one is missing; `since` are those applied after the last snapshot."""

    __slots__ = (
        "_dead",
        "_done",
        "_fresh",
        "_known",
        "_revision",
        "_since",
        "_snapshot",
        "_told",
        "accumulator",
        "characters",
        "duplicates",
        "held",
        "last",
        "name",
        "next",
        "poison",
        "poisoned",
        "touched",
        "version",
    )

    def __init__(self, name: str, saved: Saved, settings: Settings) -> None:
        """Raises StateError where the snapshot cannot be read."""
        self.name = name
        self.held: dict[int, Fragment] = {}
        self.poison: dict[int, str] = {}
        self.poisoned = dict(saved.poisoned)
        self.duplicates = saved.duplicates
        self.touched = 0.0  # when something was taken that the server was not told of
        self._known: set[bytes] = set()
        self._done: list[bytes] = []
        self._dead: list[Dead] = []
        self._since: list[Fragment] = []
        self._told = (-1, -1) if saved.waiting else None
        self._load(saved, settings)

    def _load(self, saved: Saved, settings: Settings) -> None:
        resumed = None if saved.state is None else Accumulator.resume(json.loads(saved.state))
        self.accumulator = resumed or settings.accumulator()
        self.version, self.next, self.last = saved.version, saved.next, saved.last
        self.characters = self._snapshot = saved.characters
        self._revision = saved.revision
        self._fresh = False

    def go_back(self, saved: Saved, settings: Settings, error: str) -> None:
        """The next fragment has raised: go back to the snapshot, and pass over that one when its turn comes again."""
        self.poison[self.next] = error
        self.held |= {fragment.seq: fragment for fragment in self._since}
        self._since = []
        self._load(saved, settings)

    # ------------------------------------------------------------ fragments
    def take(self, fragment: Fragment) -> None:
        """Keep a fragment until its turn comes; one that is there already is not wanted again."""
        if fragment.entry in self._known:
            return
        self._known.add(fragment.entry)
        if fragment.seq < self.next or fragment.seq in self.held:
            self.duplicates += 1
            self._done.append(fragment.entry)
        elif self.last is not None and fragment.seq > self.last:
            self._refuse(fragment)
        else:
            self.held[fragment.seq] = fragment

    @property
    def ready(self) -> Fragment | None:
        """The next fragment, if it is here."""
        return self.held.get(self.next)

    def apply(self) -> None:
        """Apply the next fragment. Whatever it raises, the accumulator is spoilt, and `go_back` is what must follow."""
        fragment = self.held[self.next]
        if (error := self.poison.pop(fragment.seq, None)) is not None:
            self.poisoned[fragment.seq] = error
            self._dead.append(Dead(fragment.entry, "poison", error))
        else:
            self.accumulator.expect(fragment.expected)
            step = self.accumulator.add(fragment.text)
            self._since.append(fragment)
            self.characters += len(fragment.text)
            self._fresh = self._fresh or step.complete
        del self.held[fragment.seq]
        self.next = fragment.seq + 1
        if fragment.last:
            self.last, self._fresh = fragment.seq, True
            for seq in list(self.held):
                self._refuse(self.held.pop(seq))

    def _refuse(self, fragment: Fragment) -> None:
        message = f"fragment {fragment.seq} stands behind the last one, {self.last}"
        self._dead.append(Dead(fragment.entry, "behind-the-last", message))

    # ------------------------------------------------------------ where it stands
    @property
    def finished(self) -> bool:
        """The last fragment was applied."""
        return self.last is not None and self.next > self.last

    @property
    def gap(self) -> tuple[int, int] | None:
        """The number that is missing, and how many wait for it."""
        return (self.next, len(self.held)) if self.held and not self.ready else None

    @property
    def dirty(self) -> bool:
        """Is there something that the server does not know?"""
        return bool(self._since or self._done or self._dead or self._fresh) or self.gap != self._told

    @property
    def due(self) -> bool:
        """Must it be told now?"""
        if self._fresh or self._dead:
            return True
        grown = self.characters - self._snapshot
        return (
            grown >= max(SNAPSHOT_FLOOR, self._snapshot * SNAPSHOT_SHARE)
            or len(self._since) + len(self._done) >= MOST_PENDING
        )

    # ------------------------------------------------------------ commits
    def commit(self) -> Commit:
        """All that the server does not know. Costs the document, where a fragment was applied."""
        fields: dict[str, Any] = {
            "next": self.next,
            "last": self.last,
            "duplicates": self.duplicates or None,
            "waiting_for": self.gap[0] if self.gap else None,
            "held": self.gap[1] if self.gap else None,
            "poisoned": json.dumps(self.poisoned) if self.poisoned else None,
            "error": None,
            "trying": None,
            "tries": None,
        }
        if self._since or self._fresh:
            fields["characters"] = self.characters
            fields["revision"] = self._revision + self._fresh
            fields["status"] = self.accumulator.status
            fields["kpis"] = json.dumps(self.accumulator.kpis)
            # The result has the document, and no fragment can follow the last one.
            fields["state"] = None if self.finished else json.dumps(self.accumulator.checkpoint())
        entries = [*(fragment.entry for fragment in self._since), *self._done]
        return Commit(self.version, fields, entries, self._dead, self._result() if self._fresh else {}, self.gap)

    def committed(self, commit: Commit) -> None:
        """The server has it."""
        self.version = commit.base + 1
        self._known.difference_update(commit.entries, (dead.entry for dead in commit.dead))
        self._revision += bool(commit.result)
        self._snapshot = self.characters
        self._since, self._done, self._dead, self._fresh = [], [], [], False
        self._told = commit.gap

    def _result(self) -> dict[str, Any]:
        """The first two fields are those that the stream of results has too."""
        told: dict[str, Any] = {
            "conversation": self.name,
            "revision": self._revision + 1,
            "fragments": self.next,
            "duplicates": self.duplicates,
            "poisoned": json.dumps(self.poisoned),
            "status": self.accumulator.status,
            "final": int(self.finished),
        }
        try:
            document = self.accumulator.finish()
        except JsonSeamError as error:
            report = {"kpis": self.accumulator.kpis}
            why = {} if isinstance(error, NoDocumentError) else {"error": str(error)}
            return {**told, **why, "complete": 0, "report": json.dumps(report)}
        report = document.report()
        return {**told, "complete": int(document.complete), "text": document.text, "report": json.dumps(report)}

"""A partition in the hands of its owner: entries in, conversations moved on, commits out.

Rule: everything here may be dropped at any moment and is made again from the server: first what is pending is claimed,
in its order, then new entries are taken. A commit that the server refuses means just that.
"""

from __future__ import annotations

import json
import time
import uuid
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple

from jsonseam import JsonSeamError

from .conversation import Conversation, Saved
from .desk import Desk
from .errors import BadEntry, Behind, LeaseLost
from .fragment import Fragment, read_fragment, to_bytes
from .keys import GROUP, partition_of
from .settings import Settings

BATCH: Final = 64  # entries at a time
MOST_LIVE: Final = 256  # conversations of one partition that stay in memory
MOST_RESULTS: Final = 100_000  # entries of the stream of results, about
BEGINNING: Final = b"0-0"

SUSPECT: Final = 3  # times that a fragment was given out, each time to a worker that did not finish it
MOST_DEATHS: Final = 2  # of workers, while they applied one suspect

# The fields of a conversation's hash that a worker goes on from.
KEPT: Final = (
    *("version", "next", "last", "state", "characters", "duplicates", "revision", "waiting_for", "poisoned"),
    "settings",
)

Entry = tuple[bytes, Sequence[bytes] | None, int]  # id, fields, how often it was given out


class Found(NamedTuple):
    """A conversation on the server."""

    saved: Saved
    settings: Settings


class Partition:
    """`last` is the id of the newest entry that was given out here. All calls may raise the client's errors."""

    __slots__ = ("_cursor", "_desk", "_harmless", "_live", "_owner", "_stuck", "_token", "last", "number", "stream")

    def __init__(self, desk: Desk, number: int, token: bytes, last: bytes) -> None:
        self.number = number
        self.last = last
        self.stream = desk.keys.fragments(number)
        self._desk, self._token = desk, token
        self._owner = desk.keys.owner(number)
        self._harmless: set[bytes] = set()  # suspects that were applied here, whatever became of the commit
        self.forget()

    def forget(self) -> None:
        """Drop all memory; what is pending is claimed again, from the beginning."""
        self._cursor: bytes | None = BEGINNING
        self._live: OrderedDict[str, Conversation] = OrderedDict()
        self._stuck: set[str] = set()

    @property
    def waiting(self) -> int:
        """Conversations in which a fragment is missing."""
        return sum(conversation.gap is not None for conversation in self._live.values())

    @property
    def stuck(self) -> int:
        """Conversations that cannot be read or saved here; their fragments stay pending."""
        return len(self._stuck)

    @property
    def quiet(self) -> bool:
        """Everything that was taken is on the server, but for what waits behind a gap."""
        return self._cursor is None and not any(conversation.dirty for conversation in self._live.values())

    # ------------------------------------------------------------ a round
    def work(self) -> int:
        """Take some entries, and move their conversations on; returns how many. Raises LeaseLost, Behind."""
        entries = (self._cursor is not None and self._claim()) or self._take()
        moved: dict[str, Conversation] = {}
        for entry in entries:
            fragment = self._read(*entry)
            if fragment is not None and (conversation := self._conversation(fragment.conversation)) is not None:
                before = conversation.duplicates
                conversation.take(fragment)
                self._desk.tally.duplicates += conversation.duplicates - before
                conversation.touched = conversation.touched or time.monotonic()
                moved[conversation.name] = conversation
        for conversation in moved.values():
            self._advance(conversation)
            if conversation.due and conversation.name not in self._stuck:
                self._commit(conversation)
        if len(self._live) > MOST_LIVE:
            self._make_room()
        return len(entries)

    def settle(self, age: float = 0.0) -> None:
        """Commit what the server was not told for `age` seconds. Raises LeaseLost, Behind."""
        before = time.monotonic() - age
        for conversation in list(self._live.values()):
            if conversation.dirty and conversation.touched <= before:
                self._commit(conversation)

    # ------------------------------------------------------------ entries
    def _claim(self) -> list[Entry]:
        desk = self._desk
        asked = [self._token, GROUP, desk.worker, BATCH, self._cursor]
        got = desk.scripts.claim([self._owner, self.stream], asked)
        if got is None:
            raise LeaseLost(f"partition {self.number} has another owner")
        cursor, entries, given = got
        self._cursor = None if cursor == BEGINNING else cursor
        desk.tally.claimed += len(entries)
        # Older servers list what was deleted, as nothing.
        return [(found[0], found[1], times) for found, times in zip(entries, given, strict=True) if found]

    def _take(self) -> list[Entry]:
        desk = self._desk
        got = desk.scripts.take([self._owner, self.stream], [self._token, GROUP, desk.worker, BATCH])
        if got is None:
            raise LeaseLost(f"partition {self.number} has another owner")
        if got:
            self.last = got[-1][0]
        return [(entry, fields, 1) for entry, fields in got]

    def _read(self, entry: bytes, fields: Sequence[bytes] | None, given: int) -> Fragment | None:
        """The fragment of an entry; one that is none, or lies in a wrong partition, is put where it belongs."""
        desk = self._desk
        try:
            fragment = read_fragment(entry, fields, given)
        except BadEntry as error:
            keys = [self._owner, self.stream, desk.keys.dead]
            if desk.scripts.bury(keys, [self._token, GROUP, entry, "not-a-fragment", to_bytes(str(error))]) is None:
                raise LeaseLost(f"partition {self.number} has another owner") from error
            desk.tally.dead += 1
            return None
        right = partition_of(fragment.conversation, desk.partitions)
        if right == self.number:
            return fragment
        keys = [self._owner, self.stream, desk.keys.fragments(right)]
        if desk.scripts.forward(keys, [self._token, GROUP, entry]) is None:
            raise LeaseLost(f"partition {self.number} has another owner")
        desk.tally.forwarded += 1
        return None

    # ------------------------------------------------------------ conversations
    def _conversation(self, name: str) -> Conversation | None:
        if name in self._stuck:
            return None
        if name not in self._live:
            try:
                self._live[name] = Conversation(name, *self._find(name))
            except (JsonSeamError, ValueError, KeyError, TypeError) as error:
                self._set_aside(name, error)
                return None
        self._live.move_to_end(name)
        return self._live[name]

    def _find(self, name: str) -> Found:
        values = self._desk.client.hmget(self._desk.keys.conversation(name), KEPT)
        kept = {field: value for field, value in zip(KEPT, values, strict=True) if value is not None}
        saved = Saved(
            version=int(kept.get("version", 0)),
            next=int(kept.get("next", 0)),
            last=int(kept["last"]) if "last" in kept else None,
            state=kept["state"].decode() if "state" in kept else None,
            characters=int(kept.get("characters", 0)),
            duplicates=int(kept.get("duplicates", 0)),
            revision=int(kept.get("revision", 0)),
            waiting="waiting_for" in kept,
            poisoned={int(seq): error for seq, error in json.loads(kept.get("poisoned", b"{}")).items()},
        )
        settings = kept.get("settings")
        return Found(saved, self._desk.settings if settings is None else Settings.of(json.loads(settings)))

    def _set_aside(self, name: str, error: Exception) -> None:
        """Something is wrong with a conversation as a whole: its fragments stay pending, and no other waits for it."""
        self._live.pop(name, None)
        self._stuck.add(name)
        self._desk.client.hset(
            self._desk.keys.conversation(name), "error", to_bytes(f"{type(error).__name__}: {error}")
        )

    def _advance(self, conversation: Conversation) -> None:
        """Apply what is ready, until somebody rings."""
        while (fragment := conversation.ready) and conversation.name not in self._stuck and not self._desk.stopping():
            suspect = fragment.given >= SUSPECT and fragment.seq not in conversation.poison
            if suspect and fragment.entry not in self._harmless:
                self._be_careful(conversation, fragment)
            try:
                conversation.apply()
            except Exception as error:  # whatever it is: one fragment must not stop the others
                found = self._find(conversation.name)
                if found.saved.version != conversation.version:
                    raise Behind(f"conversation {conversation.name} was written by another worker") from error
                conversation.go_back(*found, f"{type(error).__name__}: {error}")
                continue
            self._desk.tally.applied += 1
            if suspect:
                self._harmless.add(fragment.entry)
            if conversation.due or suspect:
                self._commit(conversation)
                self._harmless.discard(fragment.entry)

    def _be_careful(self, conversation: Conversation, fragment: Fragment) -> None:
        """Workers have died with this fragment in hand, of it or by chance: note it, and pass over one they die of."""
        before = self._desk.scripts.try_(
            [self._owner, self._desk.keys.conversation(conversation.name)], [self._token, fragment.entry]
        )
        if before is None:
            raise LeaseLost(f"partition {self.number} has another owner")
        if before >= MOST_DEATHS:
            conversation.poison[fragment.seq] = f"{before} workers died while they applied it"

    def _commit(self, conversation: Conversation) -> None:
        desk = self._desk
        try:
            commit = conversation.commit()
        except Exception as error:  # as above: it concerns this conversation only
            self._set_aside(conversation.name, error)
            return
        keys = [
            self._owner,
            desk.keys.conversation(conversation.name),
            self.stream,
            desk.keys.dead,
            desk.keys.results,
            desk.keys.result(conversation.name),
        ]
        about = [self._token, commit.base, uuid.uuid4().hex, GROUP, desk.keep, MOST_RESULTS]
        lists: list[Sequence[object]] = [
            [part for name, value in commit.fields.items() for part in (name, "" if value is None else value)],
            commit.entries,
            [part for dead in commit.dead for part in (dead.entry, dead.kind, to_bytes(dead.error))],
            [to_bytes(part) if isinstance(part, str) else part for pair in commit.result.items() for part in pair],
        ]
        answer = desk.scripts.commit(keys, about + [part for listed in lists for part in (len(listed), *listed)])
        if answer == b"lost":
            raise LeaseLost(f"partition {self.number} has another owner")
        if answer != b"done":
            raise Behind(f"conversation {conversation.name} was written by another worker")
        conversation.committed(commit)
        conversation.touched = 0.0
        desk.tally.dead += len(commit.dead)
        desk.tally.snapshots += bool(commit.fields.get("state"))
        desk.tally.results += bool(commit.result)
        desk.tally.cut += bool(commit.result and commit.result["final"] and not commit.result["complete"])
        if conversation.finished and not conversation.dirty:
            self._live.pop(conversation.name, None)

    def _make_room(self) -> None:
        """The conversations that rested longest leave memory; never one that holds fragments, as nobody has them."""
        spare = len(self._live) - MOST_LIVE
        for conversation in [conversation for conversation in self._live.values() if not conversation.held]:
            if spare <= 0:
                return
            if conversation.dirty:
                self._commit(conversation)
            self._live.pop(conversation.name, None)
            spare -= 1

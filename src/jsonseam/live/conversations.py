"""Live conversations as a producer and a reader see them: fragments in, documents out. Workers do what lies between.

Rule: every call may be sent again without doing it twice, so a lost connection is tried again here and not by callers.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterable, Iterator
from typing import Any, Final, get_args

from jsonseam import Expected, Kpi

from .connection import connect
from .errors import Backlogged
from .fragment import MOST_DIGITS, to_bytes
from .keys import PREFIX, Keys, partition_of
from .layout import agree_on_partitions
from .result import DeadLetter, Result, Standing, read_dead, read_result, read_standing
from .scripts import Scripts
from .settings import Settings

MOST_BACKLOG: Final = 10_000  # fragments of a partition that no snapshot holds
MOST_AHEAD: Final = 1_000  # numbers that a fragment may be ahead of one that is missing
REMEMBERED: Final = 300  # seconds in which a call that is sent again is known
LONGEST_LOOK: Final = 2.0  # seconds of one wait on the server
SHORTEST_PAUSE, LONGEST_PAUSE = 0.01, 0.5


class Conversations:
    """A connection that may be shared by threads. `partitions` is decided by whoever comes first; 16 if nobody says.
    `backlog` fragments of a partition, of about a sixteenth of all conversations, may wait before `publish` does.

    Raises PartitionsDiffer, and the client's errors where the server cannot be reached for half a minute.
    """

    def __init__(
        self, url: str, *, prefix: str = PREFIX, partitions: int | None = None, backlog: int = MOST_BACKLOG
    ) -> None:
        self._client = connect(url)
        self._backlog = backlog
        self._keys = Keys(prefix)
        self._scripts = Scripts(self._client)
        self._partitions = agree_on_partitions(self._client, self._keys, partitions)

    # ------------------------------------------------------------ producers
    def begin(self, conversation: str, kpis: Iterable[Kpi] = (), **options: Any) -> None:
        """Say how a conversation is read, before its first fragment; the first who says it decides.

        `options` are those of `Accumulator`: strict, max_depth, max_size, max_held. Raises KpiError, TypeError.
        """
        settings = Settings(tuple(kpis), options)
        settings.accumulator()
        self._client.hsetnx(self._keys.conversation(_named(conversation)), "settings", json.dumps(settings.plain()))

    def publish(
        self,
        conversation: str,
        fragment: str | bytes,
        *,
        last: bool = False,
        seq: int | None = None,
        expected: Expected = "anything",
        timeout: float = 30.0,
    ) -> int:
        """Append a fragment, one whole answer of the model; returns its number in the conversation, from 0.

        `seq`: the number, where the producer counts; the same number published twice is one fragment. Without it the
        server counts, in the order of the calls. `last`: no fragment follows. `expected`: what the model was asked for.
        Raises Backlogged where the workers are so far behind that there is no room for `timeout` seconds, and
        ValueError for a name, a number or a word that no worker would take.
        """
        if seq is not None and not 0 <= seq < 10**MOST_DIGITS:
            raise ValueError(f"seq is {seq}, and not from 0 to 10^{MOST_DIGITS} - 1")
        if expected not in get_args(Expected):
            raise ValueError(f"expected is {expected!r}, and none of {', '.join(get_args(Expected))}")
        partition = partition_of(_named(conversation), self._partitions)
        token = uuid.uuid4().hex
        keys = [
            self._keys.fragments(partition),
            self._keys.conversation(conversation),
            self._keys.published(token),
        ]
        fields = [conversation, "" if seq is None else seq, to_bytes(fragment), int(last), expected]
        arguments = [*fields, self._backlog, MOST_AHEAD, REMEMBERED]
        pause, until = SHORTEST_PAUSE, time.monotonic() + timeout
        while (number := self._scripts.publish(keys, arguments)) < 0:
            if time.monotonic() + pause > until:
                raise Backlogged(f"partition {partition} is full; fragment of {conversation!r} not published")
            time.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)
        return int(number)

    # ------------------------------------------------------------ readers
    def result(self, conversation: str, timeout: float = 0.0, *, final: bool = False) -> Result | None:
        """The result, waiting up to `timeout` seconds for it; None where there is none yet.

        `final`: only once the last fragment was applied. Cost: the document.
        """
        until, pause = time.monotonic() + timeout, SHORTEST_PAUSE
        while True:
            fields = self._client.hgetall(self._keys.result(_named(conversation)))
            found = read_result(fields) if fields else None
            if found is not None and (found.final or not final):
                return found
            left = until - time.monotonic()
            if left <= 0:
                return None
            time.sleep(min(pause, left))
            pause = min(LONGEST_PAUSE, pause * 2)

    def watch(self, *, since: str | None = None, timeout: float | None = None) -> Iterator[Result]:
        """Results as they are published, until none came for `timeout` seconds; for ever without one.

        `since`: "0" for all that the server still lists, otherwise what comes from now on. Of several revisions that
        were published in the meantime, the newest is given, once.
        """
        seen = since or self._newest()
        return self._watch(seen, timeout)

    def standing(self, conversation: str) -> Standing:
        """Where a conversation stands, its KPIs and its gap; of one that nobody knows, nothing applied."""
        fields = ("status", "next", "kpis", "waiting_for", "held", "duplicates", "poisoned", "error")
        values = self._client.hmget(self._keys.conversation(_named(conversation)), fields)
        found = {name.encode(): value for name, value in zip(fields, values, strict=True) if value is not None}
        return read_standing(conversation, found)

    def dead(self, count: int = 1000) -> list[DeadLetter]:
        """The newest fragments that could not be applied, oldest first. They stay until somebody deletes them."""
        entries = self._client.xrevrange(self._keys.dead, count=count)
        return [read_dead(entry, fields) for entry, fields in reversed(entries)]

    def backlog(self) -> int:
        """Fragments that no snapshot holds yet, in all partitions."""
        return sum(self._client.xlen(self._keys.fragments(number)) for number in range(self._partitions))

    def forget(self, conversation: str) -> None:
        """Delete what the server holds of a conversation. Fragments of it that come later begin it anew."""
        self._client.delete(self._keys.conversation(_named(conversation)), self._keys.result(conversation))

    def close(self) -> None:
        self._client.close()

    def _newest(self) -> str:
        entries = self._client.xrevrange(self._keys.results, count=1)
        return str(entries[0][0].decode()) if entries else "0-0"

    def _watch(self, seen: str, timeout: float | None) -> Iterator[Result]:
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            left = LONGEST_LOOK if until is None else min(LONGEST_LOOK, until - time.monotonic())
            if left <= 0:
                return
            listed = self._client.xread({self._keys.results: seen}, count=100, block=max(1, int(left * 1000)))
            entries = listed[0][1] if listed else []
            newest = {fields[b"conversation"]: None for _, fields in entries}
            for name in newest:
                if (result := self.result(name.decode())) is not None:
                    yield result
            if entries:
                seen = entries[-1][0].decode()
                until = None if timeout is None else time.monotonic() + timeout


def _named(conversation: str) -> str:
    if not conversation:
        raise ValueError("the name of a conversation is empty")
    conversation.encode()  # raises for a lone surrogate
    return conversation

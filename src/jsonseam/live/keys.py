"""Where things lie on the server: every name in one place, and the partition of a conversation.

All names share one hash tag, so that a script may touch several of them on a cluster too.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

PREFIX = "jsonseam"
PARTITIONS = 16
GROUP = "workers"


def partition_of(conversation: str, partitions: int) -> int:
    """The stream, from 0, in which the fragments of a conversation lie: CRC-32 of its UTF-8, modulo."""
    return zlib.crc32(conversation.encode()) % partitions


@dataclass(frozen=True, slots=True)
class Keys:
    """The names under one prefix. A prefix is a world of its own: its conversations, workers and results."""

    prefix: str = PREFIX

    def __post_init__(self) -> None:
        if not self.prefix or set("{}") & set(self.prefix):
            raise ValueError(f"the prefix {self.prefix!r} is empty or holds a brace")

    @property
    def partitions(self) -> str:
        """How many streams there are; written once."""
        return f"{{{self.prefix}}}:partitions"

    @property
    def workers(self) -> str:
        """Sorted set: the workers, each with the server's time of its last heartbeat, in milliseconds."""
        return f"{{{self.prefix}}}:workers"

    @property
    def results(self) -> str:
        """Stream: which conversation has a new result."""
        return f"{{{self.prefix}}}:results"

    @property
    def dead(self) -> str:
        """Stream: the fragments that could not be applied, each with its error."""
        return f"{{{self.prefix}}}:dead"

    @property
    def runs(self) -> str:
        """Sorted set: the ids of the gateway's runs, in the order in which they were made."""
        return f"{{{self.prefix}}}:runs"

    def fragments(self, partition: int) -> str:
        """Stream: the fragments of a partition that are in no snapshot yet."""
        return f"{{{self.prefix}}}:fragments:{partition}"

    def owner(self, partition: int) -> str:
        """String with an expiry: the fencing token of the worker that owns the partition."""
        return f"{{{self.prefix}}}:owner:{partition}"

    def fence(self, partition: int) -> str:
        """Counter: how often the partition was acquired."""
        return f"{{{self.prefix}}}:fence:{partition}"

    def conversation(self, name: str) -> str:
        """Hash: the snapshot, and what is told of a conversation that is under way."""
        return f"{{{self.prefix}}}:conversation:{name}"

    def result(self, name: str) -> str:
        """Hash: the document and its report."""
        return f"{{{self.prefix}}}:result:{name}"

    def published(self, token: str) -> str:
        """String with an expiry: the number that a call of `publish` was given, should it be sent again."""
        return f"{{{self.prefix}}}:published:{token}"

    def run(self, run_id: str) -> str:
        """Hash: the state of a run of the gateway."""
        return f"{{{self.prefix}}}:run:{run_id}"

    def tail(self, run_id: str) -> str:
        """List: the pieces that came since that state."""
        return f"{{{self.prefix}}}:tail:{run_id}"

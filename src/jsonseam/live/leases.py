"""Leases: which partitions this worker owns, and how many it should own.

Rule: a partition has one owner at a time. The owner's key holds a token that no owner before had, and goes by itself
where nobody renews it. A thread renews the leases, so that a long fragment does not lose one; a process that is
stopped, swapped out or cut off stops renewing. Its leases end on the server's clock, never on its own.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Final

from .connection import Client, ServerError
from .keys import GROUP, Keys
from .scripts import Scripts

BEATS: Final = 3  # in the time of a lease


def fair_share(partitions: int, workers: int) -> int:
    """How many partitions a worker should own, where so many live: the mean, rounded up."""
    return -(-partitions // max(1, workers))


class Leases:
    """`tokens` are those held, by partition; one that another worker took is gone from it. `workers` live, by count."""

    def __init__(self, client: Client, keys: Keys, worker: str, partitions: int, lease: float) -> None:
        self.tokens: dict[int, bytes] = {}
        self.workers = 1
        self.beat_every = lease / BEATS
        self._client, self._keys, self._worker, self._partitions = client, keys, worker, partitions
        self._scripts = Scripts(client)
        self._milliseconds = int(lease * 1000)
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._go_on_beating, name="jsonseam-leases", daemon=True)

    def __enter__(self) -> Leases:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    @property
    def share(self) -> int:
        return fair_share(self._partitions, self.workers)

    def beat(self) -> None:
        """Tell that this worker lives, renew what it holds, and learn what it lost."""
        with self._lock:
            held = dict(self.tokens)
        keys = [self._keys.workers, *map(self._keys.owner, held)]
        workers, *mine = self._scripts.beat(keys, [self._worker, self._milliseconds, *held.values()])
        with self._lock:
            self.workers = workers
            for (partition, token), held_yet in zip(held.items(), mine, strict=True):
                if not held_yet and self.tokens.get(partition) == token:
                    del self.tokens[partition]

    def acquire(self) -> Iterator[tuple[int, bytes, bytes]]:
        """Take partitions that nobody owns, up to the fair share: of each the token, and up to where it was read.

        Each is given out as soon as it is taken, so that a connection which is lost behind it costs it no worker.
        """
        free = [partition for partition in range(self._partitions) if partition not in self.tokens]
        wanted = self.share - len(self.tokens)
        if wanted <= 0 or not free:
            return
        pipeline = self._client.pipeline(transaction=False)
        for partition in free:
            pipeline.exists(self._keys.owner(partition))
        free = [partition for partition, owned in zip(free, pipeline.execute(), strict=True) if not owned]
        random.shuffle(free)  # workers that begin together should not all ask for the same
        for partition in free[:wanted]:
            keys = [self._keys.owner(partition), self._keys.fence(partition), self._keys.fragments(partition)]
            answer = self._scripts.acquire(keys, [self._worker, self._milliseconds, GROUP])
            if answer:
                with self._lock:
                    self.tokens[partition] = answer[0]
                yield partition, answer[0], answer[1]

    def surplus(self) -> list[int]:
        """Partitions that a worker which came later should have."""
        return list(self.tokens)[self.share :]

    def abandoned(self, partitions: list[int]) -> bool:
        """Does one of them belong to nobody, or to a worker that has missed its heartbeats?"""
        if not partitions:
            return False
        pipeline = self._client.pipeline(transaction=False)
        pipeline.time()
        pipeline.zrange(self._keys.workers, 0, -1, withscores=True)
        pipeline.mget([self._keys.owner(partition) for partition in partitions])
        (seconds, micros), workers, owners = pipeline.execute()
        since = (seconds + micros / 1e6 - 2 * self.beat_every) * 1000
        alive = {name for name, beaten in workers if beaten >= since}
        return any(owner is None or owner.rpartition(b":")[0] not in alive for owner in owners)

    def release(self, partition: int) -> None:
        """Give a partition up; what is pending in it is for the next owner."""
        with self._lock:
            token = self.tokens.pop(partition, None)
        if token is not None:
            self._scripts.release([self._keys.owner(partition)], [token])

    def forget(self, partition: int) -> None:
        """It is lost, or may be; where it is not, it can be acquired again."""
        with self._lock:
            self.tokens.pop(partition, None)

    def leave(self) -> None:
        """This worker is no more, and the others may share what it had."""
        self._over.set()
        self._client.zrem(self._keys.workers, self._worker)

    def _go_on_beating(self) -> None:
        while not self._over.wait(self.beat_every):
            try:
                self.beat()
            except ServerError:
                continue  # the server is away: the next beat tells what is left

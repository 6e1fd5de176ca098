"""A worker: takes fragments off the streams of its partitions and puts the documents of their conversations together.

The rule of all workers together:

1. A conversation lies in one partition (its hash decides), and a partition has one owner at a time, who holds a lease
   with a fencing token that no owner before had. So the fragments of a conversation pass one hand, in the order of
   their numbers: number n is applied after n - 1 and never before; behind a gap they wait, pending, and it is told.
2. A fragment stays in the stream, pending in the consumer group, until a snapshot that holds it was written. One script
   writes the snapshot with the number of the next fragment, acknowledges and deletes the entries it holds, and adds
   the result, where there is one: all of it or nothing, and only for the current token on the version it has read.
3. So a worker may die at any moment. Its lease ends, another one takes the partition, claims what is pending, and
   applies what the snapshot does not hold: nothing is lost. What it does hold has a smaller number than the next one,
   and is acknowledged without being applied: nothing is counted twice. A worker that was only asleep finds its token
   gone, and all it did since changes nothing.
4. A fragment that raises goes to the stream of the dead with its error, in that same script; the state is as before it.
5. After a lost connection nothing in memory is believed: it is dropped, and point 3 holds.

It waits by looking, which takes nothing; it takes by a script, which checks the token.
"""

from __future__ import annotations

import contextlib
import math
import os
import random
import socket
import threading
import time
import uuid
from collections.abc import Callable
from functools import partial
from typing import Final

from .connection import ServerError, connect
from .desk import Desk
from .errors import Behind, LeaseLost
from .keys import PREFIX, Keys
from .layout import agree_on_partitions
from .leases import Leases
from .partition import Partition
from .scripts import Scripts
from .settings import Settings
from .tally import Tally

LEASE: Final = 10.0  # seconds
SETTLED: Final = 1.0  # seconds after which the server is told what it does not know
TELL_EVERY: Final = 0.2  # seconds
LONGEST_WAIT: Final = 0.5  # seconds without a look at the bell
LONGEST_PAUSE: Final = 5.0  # seconds between two tries to reach the server
FIRST_PAUSE: Final = 0.1

Listener = Callable[[Tally], None]


class Worker:
    """`lease`: seconds after which a worker that shows no sign of life loses its partitions; how long a fragment takes
    does not matter. `settings`: for conversations that nobody began. `keep`: seconds a result is kept, None for ever;
    the server counts whole ones.

    One worker uses one core; run as many as there are cores, on any machines. Memory: the documents of the
    conversations that are under way, at most 256 of a partition, and the fragments that wait behind a gap.
    """

    def __init__(
        self,
        url: str,
        *,
        prefix: str = PREFIX,
        partitions: int | None = None,
        lease: float = LEASE,
        settings: Settings | None = None,
        keep: float | None = None,
    ) -> None:
        if lease < 0.1:
            raise ValueError("a lease is 0.1 seconds or longer")
        self.name = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:6]}"
        self.tally = Tally()
        self._bell = threading.Event()
        self._client = connect(url, again=False)
        self._keys = Keys(prefix)
        self._asked, self._lease = partitions, lease
        self._settings = settings or Settings()
        self._keep = 0 if keep is None else max(1, math.ceil(keep))
        self._owned: dict[int, Partition] = {}
        self._balance_at = self._settle_at = self._tell_at = 0.0
        self._pause = 0.0

    def stop(self) -> None:
        """End after the fragment at hand, and hand over. May be called from another thread, or a signal's handler."""
        self._bell.set()

    def run(self, listen: Listener | None = None, *, drain: bool = False) -> Tally:
        """Work until `stop`; with `drain` until there is nothing left to do. `listen` is told how it goes.

        Raises what the client raises if the server cannot be reached at first; later it is tried again for ever.
        Raises PartitionsDiffer.
        """
        desk = self._set_up()
        with Leases(self._client, self._keys, self.name, desk.partitions, self._lease) as leases:
            while not self._bell.is_set():
                try:
                    done = self._round(leases, desk)
                    self._tell(leases, listen)
                    if not done and drain:
                        self._settle(leases)
                        if self._drained(leases, desk):
                            break
                    if not done:
                        self._wait(leases)
                except ServerError as error:
                    self._start_over(leases, listen, error)
            self._hand_over(leases)
            self._tell(leases, listen, self.tally.trouble, now=True)
        return self.tally

    def _set_up(self) -> Desk:
        return Desk(
            client=self._client,
            scripts=Scripts(self._client),
            keys=self._keys,
            worker=self.name,
            partitions=agree_on_partitions(self._client, self._keys, self._asked),
            settings=self._settings,
            keep=self._keep,
            tally=self.tally,
            stopping=self._bell.is_set,
        )

    # ------------------------------------------------------------ one round
    def _round(self, leases: Leases, desk: Desk) -> int:
        """Each partition moves on a little; returns how many entries were taken."""
        now = time.monotonic()
        if now >= self._balance_at:
            self._balance(leases, desk)
            self._balance_at = now + leases.beat_every
        done = 0
        for partition in list(self._owned.values()):
            if not self._bell.is_set():
                done += self._guarded(leases, partition, partition.work)
        if not done or now >= self._settle_at:
            self._settle_at = now + LONGEST_WAIT
            self._settle(leases, SETTLED)
        self._pause = 0.0
        return done

    def _settle(self, leases: Leases, age: float = 0.0) -> None:
        for partition in list(self._owned.values()):
            self._guarded(leases, partition, partial(partition.settle, age))

    def _balance(self, leases: Leases, desk: Desk) -> None:
        """Leave what was lost, give away what others should have, take what nobody has."""
        leases.beat()
        for number in [number for number in self._owned if number not in leases.tokens]:
            self._lose(leases, number)
        for number in leases.surplus():
            with contextlib.suppress(LeaseLost, Behind):
                self._owned[number].settle()
            leases.release(number)
            del self._owned[number]
        for number, token, last in leases.acquire():
            self._owned[number] = Partition(desk, number, token, last)

    def _guarded(self, leases: Leases, partition: Partition, do: Callable[[], int | None]) -> int:
        """What `do` returns; a partition that is no longer ours is left, one that was changed is read anew."""
        try:
            return do() or 0
        except LeaseLost:
            self._lose(leases, partition.number)
        except Behind:
            partition.forget()
        return 0

    def _lose(self, leases: Leases, number: int) -> None:
        self._owned.pop(number, None)
        leases.forget(number)
        self.tally.lost_leases += 1

    def _wait(self, leases: Leases) -> None:
        """Until an entry comes, for a short while; looking takes nothing."""
        longest = min(LONGEST_WAIT, leases.beat_every)
        if not self._owned:
            self._bell.wait(longest)
            return
        seen = {partition.stream: partition.last for partition in self._owned.values()}
        self._client.xread(seen, count=1, block=int(longest * 1000))

    # ------------------------------------------------------------ the ends
    def _drained(self, leases: Leases, desk: Desk) -> bool:
        """Nothing is left but what waits behind a gap, or is in the hands of another worker that lives."""
        if not all(partition.quiet for partition in self._owned.values()):
            return False
        others = [number for number in range(desk.partitions) if number not in self._owned]
        pipeline = self._client.pipeline(transaction=False)
        for number in others:
            pipeline.xlen(self._keys.fragments(number))
        filled = [number for number, size in zip(others, pipeline.execute(), strict=True) if size]
        return not leases.abandoned(filled)

    def _start_over(self, leases: Leases, listen: Listener | None, error: Exception) -> None:
        """The server did not answer, or refused: believe nothing, and try again in a while."""
        for partition in self._owned.values():
            partition.forget()
        self._balance_at = 0.0
        self._pause = min(LONGEST_PAUSE, self._pause * 2 or FIRST_PAUSE)
        self.tally.reconnects += 1
        self._tell(leases, listen, f"{error}; trying again in {self._pause:.1f} s", now=True)
        self._bell.wait(self._pause * random.uniform(0.5, 1.0))

    def _hand_over(self, leases: Leases) -> None:
        """Save what is in memory, and let others have it at once. What cannot be saved is pending, and not lost."""
        with contextlib.suppress(ServerError):
            for partition in list(self._owned.values()):
                with contextlib.suppress(LeaseLost, Behind):
                    partition.settle()
                leases.release(partition.number)
            leases.leave()
        self._client.close()

    def _tell(self, leases: Leases, listen: Listener | None, trouble: str = "", *, now: bool = False) -> None:
        if not now and time.monotonic() < self._tell_at:
            return  # counting costs what is in memory
        self._tell_at = time.monotonic() + TELL_EVERY
        tally = self.tally
        tally.partitions, tally.workers, tally.trouble = len(self._owned), leases.workers, trouble
        tally.waiting = sum(partition.waiting for partition in self._owned.values())
        tally.stuck = sum(partition.stuck for partition in self._owned.values())
        if listen is not None:
            listen(tally)

"""What a worker has done so far, as sums; nothing is decided with them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Tally:
    """`partitions` are owned, of `workers` that live. `applied` counts fragments, `claimed` entries that a worker,
    maybe this one, had taken and not finished. `forwarded` lay in a wrong partition. `waiting`: conversations in which
    a fragment is missing; `stuck`: those whose snapshot cannot be read. `trouble`: why the server does not answer."""

    partitions: int = 0
    workers: int = 1
    applied: int = 0
    claimed: int = 0
    duplicates: int = 0
    dead: int = 0
    forwarded: int = 0
    snapshots: int = 0
    results: int = 0
    cut: int = 0
    waiting: int = 0
    stuck: int = 0
    lost_leases: int = 0
    reconnects: int = 0
    trouble: str = ""

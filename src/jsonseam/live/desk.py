"""What the partitions of one worker share: the way to the server, its name, its settings, its sums, and the bell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .connection import Client
from .keys import Keys
from .scripts import Scripts
from .settings import Settings
from .tally import Tally


@dataclass(frozen=True, slots=True)
class Desk:
    """`stopping` is asked between two fragments. `settings` are for conversations that nobody began; `keep` is how many
    seconds a result is kept, 0 for ever."""

    client: Client
    scripts: Scripts
    keys: Keys
    worker: str
    partitions: int
    settings: Settings
    keep: int
    tally: Tally
    stopping: Callable[[], bool]

"""How many streams there are: the first who asks decides, and everybody else reads it, as a hash depends on it."""

from __future__ import annotations

from typing import Final

from .connection import Client
from .errors import PartitionsDiffer
from .keys import PARTITIONS, Keys

MOST_PARTITIONS: Final = 4096


def agree_on_partitions(client: Client, keys: Keys, asked: int | None = None) -> int:
    """The number of partitions on this server. Raises PartitionsDiffer where `asked` is another one."""
    if asked is not None and not 1 <= asked <= MOST_PARTITIONS:
        raise PartitionsDiffer(f"{asked} partitions", expected=f"1 to {MOST_PARTITIONS}")
    client.set(keys.partitions, asked or PARTITIONS, nx=True)
    agreed = int(client.get(keys.partitions))
    if asked is not None and asked != agreed:
        raise PartitionsDiffer(f"the server has {agreed} partitions, and not {asked}", expected="none, or the same")
    return agreed

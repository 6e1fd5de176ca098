"""Live conversations on Valkey or Redis: producers publish fragments, workers put documents together, readers read.

    live = Conversations("valkey://localhost:6379")
    live.publish("a", '{"names": ["Ada", "Gra')
    live.publish("a", 'ce"]}', last=True)
    live.result("a", timeout=5).value          # with `jsonseam worker --url valkey://localhost:6379` running somewhere

It stands on the public API of jsonseam and needs the extra `valkey`. Read `worker.py` first: it says why no fragment is
lost or counted twice.
"""

from jsonseam.extras import extra

with extra("valkey"):
    from .conversations import Conversations
    from .errors import Backlogged, PartitionsDiffer
    from .result import DeadLetter, Result, Standing
    from .settings import Settings
    from .tally import Tally
    from .worker import Worker

__all__ = [
    "Backlogged",
    "Conversations",
    "DeadLetter",
    "PartitionsDiffer",
    "Result",
    "Settings",
    "Standing",
    "Tally",
    "Worker",
]

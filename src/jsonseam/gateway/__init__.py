"""The gateway: asks a model for a JSON document, and goes on asking until it is whole. It stands on the public API.

    result = run(OpenAIModel("some-model", base_url="http://localhost:8000/v1"), "List 4,000 primes as JSON")
    result.value, result.complete, result.reason

`run` and `arun` give the result, `iterate` and `aiterate` tell what happens on the way, `resume` and `aresume` go on
with a run that a `Store` kept. Needs the extra `gateway`; `OpenAIModel` stands in `jsonseam.gateway.openai_model`.
"""

from jsonseam.extras import extra

with extra("gateway"):
    from .budget import Limits, Reason
    from .context import Context, read_context
    from .definition import Refused, read_definition
    from .drivers import Cancel, adrive, drive
    from .events import Asked, Broken, Event, Joined, KpisDefined, KpisRefused, Received, RolledBack, Stopped
    from .loop import Loop
    from .model import (
        Answer,
        AsyncModel,
        AsyncStreamingModel,
        Chunk,
        Message,
        Model,
        ModelError,
        Request,
        StreamingModel,
        Usage,
    )
    from .prompts import Prompts
    from .result import KpiStanding, Result, ResultError
    from .runs import aiterate, aresume, arun, begin, iterate, resume, run
    from .scripted_model import ScriptedModel
    from .snapshot import restore, snapshot
    from .store import Saved, SqliteStore, Store, StoreConflict, UnknownRun
    from .task import Task

__all__ = [
    "Answer",
    "Asked",
    "AsyncModel",
    "AsyncStreamingModel",
    "Broken",
    "Cancel",
    "Chunk",
    "Context",
    "Event",
    "Joined",
    "KpiStanding",
    "KpisDefined",
    "KpisRefused",
    "Limits",
    "Loop",
    "Message",
    "Model",
    "ModelError",
    "Prompts",
    "Reason",
    "Received",
    "Refused",
    "Request",
    "Result",
    "ResultError",
    "RolledBack",
    "Saved",
    "ScriptedModel",
    "SqliteStore",
    "Stopped",
    "Store",
    "StoreConflict",
    "StreamingModel",
    "Task",
    "UnknownRun",
    "Usage",
    "adrive",
    "aiterate",
    "aresume",
    "arun",
    "begin",
    "drive",
    "iterate",
    "read_context",
    "read_definition",
    "restore",
    "resume",
    "run",
    "snapshot",
]

"""A run in a process of its own, slow enough to be killed: `python -m tests.gateway.killed_run run|resume DB LOG`."""

import json
import sys
import time
from pathlib import Path

from jsonseam.gateway import Chunk, Received, SqliteStore, resume, run

DOCUMENT = json.dumps({"items": [{"number": n, "name": f"item {n * n * 7919}"} for n in range(60)]})
RUN_ID = "the-run"


class SlowModel:
    """Goes on behind the prefill, a few hundred characters an answer, a few characters a piece."""

    def __init__(self, pause: float) -> None:
        self._pause = pause

    def stream(self, request):
        at = len(request.prefill or "")
        answer = DOCUMENT[at : at + 300]
        for start in range(0, len(answer), 7):
            time.sleep(self._pause)
            yield Chunk(answer[start : start + 7])
        yield Chunk(finish_reason="length")


def main(what: str, database: str, log: str) -> None:
    store = SqliteStore(database)
    if what == "run":
        with Path(log).open("a", buffering=1) as told:

            def listen(event):
                if isinstance(event, Received):
                    told.write(event.text)
                    told.flush()

            run(SlowModel(0.01), "sixty items", store, listen, kpis=(), run_id=RUN_ID)
    else:
        result = resume(RUN_ID, SlowModel(0), store)
        print(json.dumps({"value": result.value, "complete": result.complete, "iterations": result.iterations}))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The four ways in which a run can be driven: in threads or in asyncio, with whole answers or streaming."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from jsonseam.gateway import Result, aresume, arun, resume, run


class Way:
    """`run` and `resume` as functions that return the result, whatever is behind them."""

    def __init__(self, asynchronous: bool, stream: bool) -> None:
        self._asynchronous = asynchronous
        self._stream = stream
        self.name = f"{'async' if asynchronous else 'sync'}-{'stream' if stream else 'whole'}"

    def run(self, model: Any, prompt: str = "a document", *positional: Any, **settings: Any) -> Result:
        return self._go(run, arun, model, prompt, *positional, stream=self._stream, **settings)

    def resume(self, run_id: str, model: Any, *positional: Any, **settings: Any) -> Result:
        return self._go(resume, aresume, run_id, model, *positional, stream=self._stream, **settings)

    def _go(self, in_threads: Callable[..., Any], in_asyncio: Callable[..., Any], *given: Any, **named: Any) -> Result:
        if self._asynchronous:
            return asyncio.run(in_asyncio(*given, **named))
        return in_threads(*given, **named)


WAYS = [Way(asynchronous, stream) for asynchronous in (False, True) for stream in (False, True)]
each_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)


def kpis(*entries: tuple[str, str, float]) -> str:
    """A definition as a model would answer it: (id, path, target) each."""
    listed = ", ".join(
        f'{{"id": "{name}", "description": "", "jsonPath": "{path}", "targetValue": {target}, "currentValue": 0}}'
        for name, path, target in entries
    )
    return f'{{"kpis": [{listed}]}}'

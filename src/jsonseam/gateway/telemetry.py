"""Telemetry: the gateway's OpenTelemetry metrics, their names in one place. Without the package they cost nothing.

Only the API is used (extra `otel`); where they go is the application's choice. No content, ever: numbers, and names
from short lists.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

from .model import Usage

METER: Final = "jsonseam.gateway"

CALL_SECONDS: Final = "gen_ai.client.operation.duration"
CALL_TOKENS: Final = "gen_ai.client.token.usage"
RETRIES: Final = "jsonseam.gateway.retries"
SEAMS: Final = "jsonseam.gateway.seams"
RUNS: Final = "jsonseam.gateway.runs"
RUN_ITERATIONS: Final = "jsonseam.gateway.run.iterations"

MODEL: Final = "gen_ai.request.model"
OPERATION: Final = "gen_ai.operation.name"
TOKEN_TYPE: Final = "gen_ai.token.type"
ERROR: Final = "error.type"
PURPOSE: Final = "jsonseam.purpose"
KIND: Final = "jsonseam.seam.kind"
REASON: Final = "jsonseam.stop.reason"


class Telemetry:
    """Records what happens; does nothing where opentelemetry-api is not installed.

    `provider` is a MeterProvider; None takes the global one.
    """

    __slots__ = ("_instruments",)

    def __init__(self, provider: Any = None) -> None:
        self._instruments = _instruments(provider)

    @property
    def active(self) -> bool:
        return bool(self._instruments)

    def call(self, model: str, purpose: str, seconds: float, usage: Usage, error: str | None = None) -> None:
        """One answered or failed call, its retries counted in."""
        if not self._instruments:
            return
        labels = {MODEL: model, PURPOSE: purpose, OPERATION: "chat"}
        self._instruments[CALL_SECONDS].record(seconds, labels | ({} if error is None else {ERROR: error}))
        if error is None:
            self._instruments[CALL_TOKENS].record(usage.prompt_tokens, labels | {TOKEN_TYPE: "input"})
            self._instruments[CALL_TOKENS].record(usage.completion_tokens, labels | {TOKEN_TYPE: "output"})

    def retry(self, model: str, error: str) -> None:
        if self._instruments:
            self._instruments[RETRIES].add(1, {MODEL: model, ERROR: error})

    def seam(self, kind: str) -> None:
        if self._instruments:
            self._instruments[SEAMS].add(1, {KIND: kind})

    def run(self, reason: str, iterations: int) -> None:
        """One whole run of the loop."""
        if self._instruments:
            self._instruments[RUNS].add(1, {REASON: reason})
            self._instruments[RUN_ITERATIONS].record(iterations, {REASON: reason})


def _instruments(provider: Any) -> dict[str, Any]:
    try:
        metrics = importlib.import_module("opentelemetry.metrics")
    except ImportError:
        return {}
    meter = metrics.get_meter(METER, meter_provider=provider)
    return {
        CALL_SECONDS: meter.create_histogram(CALL_SECONDS, unit="s", description="Duration of one model call"),
        CALL_TOKENS: meter.create_histogram(CALL_TOKENS, unit="{token}", description="Tokens of one model call"),
        RETRIES: meter.create_counter(RETRIES, unit="{call}", description="Calls sent again after a transport error"),
        SEAMS: meter.create_counter(SEAMS, unit="{seam}", description="Fragments joined, by the kind of seam"),
        RUNS: meter.create_counter(RUNS, unit="{run}", description="Runs of the loop, by the reason they ended"),
        RUN_ITERATIONS: meter.create_histogram(RUN_ITERATIONS, unit="{call}", description="Iterations of one run"),
    }

"""Metrics: what a call leaves behind, with the real OpenTelemetry SDK, and that nothing is needed without it."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from jsonseam.gateway import telemetry
from jsonseam.gateway.model import ModelError, Usage
from jsonseam.gateway.openai_model import OpenAIModel
from jsonseam.gateway.retries import RetryPolicy
from jsonseam.gateway.telemetry import Telemetry
from jsonseam.gateway.truncating_server import TruncatingServer
from tests.gateway.model_helpers import WAYS, ask, first_request

FAST = RetryPolicy(attempts=2, first_wait=0.001, max_wait=0.1)


class Readings:
    """Telemetry on a meter of its own, and what was read off it."""

    def __init__(self) -> None:
        sdk = pytest.importorskip("opentelemetry.sdk.metrics", reason="opentelemetry-sdk is not installed")
        export = pytest.importorskip("opentelemetry.sdk.metrics.export")
        self._reader = export.InMemoryMetricReader()
        self.telemetry = Telemetry(sdk.MeterProvider(metric_readers=[self._reader]))

    def points(self, name: str) -> list[Any]:
        data = self._reader.get_metrics_data()
        metrics = [m for r in data.resource_metrics for s in r.scope_metrics for m in s.metrics]
        return [point for metric in metrics if metric.name == name for point in metric.data.data_points]


@pytest.mark.parametrize("way", WAYS)
def test_a_call_leaves_its_time_tokens_and_retries(way: str) -> None:
    readings = Readings()
    name = "truncating/exact+503@0/report-1"
    with TruncatingServer() as server:
        model = OpenAIModel(name, base_url=server.base_url, api_key="k", retry=FAST, telemetry=readings.telemetry)
        answer = ask(model, first_request(max_tokens=10), way)
    data = {point.attributes[telemetry.TOKEN_TYPE]: point.sum for point in readings.points(telemetry.CALL_TOKENS)}
    assert data == {"input": answer.usage.prompt_tokens, "output": 10}


def test_a_failed_call_leaves_the_kind_of_its_error() -> None:
    readings = Readings()
    with TruncatingServer() as server:
        model = OpenAIModel(
            "truncating/exact+503", base_url=server.base_url, api_key="k", retry=FAST, telemetry=readings.telemetry
        )
        with pytest.raises(ModelError):
            model.answer(first_request())
    (time,) = readings.points(telemetry.CALL_SECONDS)
    assert time.attributes[telemetry.ERROR] == "InternalServerError"
    assert time.attributes[telemetry.PURPOSE] == "answer"
    assert time.sum > 0


def test_retries_seams_and_runs_are_counted() -> None:
    readings = Readings()
    readings.telemetry.retry("m", "RateLimitError")
    readings.telemetry.seam("overlap")
    readings.telemetry.seam("overlap")
    readings.telemetry.run("Complete", 4)
    assert [point.value for point in readings.points(telemetry.RETRIES)] == [1]
    assert [point.value for point in readings.points(telemetry.SEAMS)] == [2]
    assert [dict(point.attributes) for point in readings.points(telemetry.RUNS)] == [{telemetry.REASON: "Complete"}]


def test_without_the_package_nothing_is_recorded_and_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.metrics", None)
    silent = Telemetry()
    assert not silent.active
    silent.call("m", "answer", 0.1, Usage())
    silent.retry("m", "e")
    silent.seam("overlap")
    silent.run("Complete", 1)

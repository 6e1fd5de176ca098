"""What is tried again, how long is waited, and that it is counted."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jsonseam.gateway.retries import (
    RetryCount,
    RetryPolicy,
    asked_wait,
    async_retrying,
    is_transient,
    retrying,
    wait_before,
)

FAST = RetryPolicy(attempts=4, first_wait=0.001, max_wait=0.1)


@dataclass
class Response:
    headers: dict[str, str] = field(default_factory=dict)


class StatusError(Exception):
    def __init__(self, status: int, code: str | None = None, **headers: str) -> None:
        super().__init__(str(status))
        self.status_code = status
        self.code = code
        self.response = Response({name.replace("_", "-"): value for name, value in headers.items()})


TRANSIENT = [
    *((StatusError(status), True) for status in (408, 429, 500, 502, 503, 504, 529)),
    *((StatusError(status), False) for status in (400, 401, 402, 403, 404, 405, 409, 413, 415, 422)),
    (StatusError(429, "insufficient_quota"), False),
    (StatusError(500, x_should_retry="false"), False),
    (ConnectionResetError(), True),
    (TimeoutError(), True),
    (json.JSONDecodeError("cut", "{", 1), True),
    (ValueError(), False),
    (KeyError(), False),
]


@pytest.mark.parametrize(("error", "again"), TRANSIENT, ids=lambda value: repr(value))
def test_what_is_tried_again(error: Exception, again: bool) -> None:
    assert is_transient(error) == again


WAITS = [
    (StatusError(429, retry_after="7"), 7.0),
    (StatusError(429, retry_after="0.25"), 0.25),
    (StatusError(429, retry_after="-3"), 0.0),
    (StatusError(429, retry_after_ms="250", retry_after="9"), 0.25),
    (StatusError(503, retry_after=formatdate(1_000_030, usegmt=True)), 30.0),
    (StatusError(503, retry_after=formatdate(999_000, usegmt=True)), 0.0),
    (StatusError(503, retry_after="soon"), None),
    (StatusError(503), None),
    (ConnectionResetError(), None),
]


@pytest.mark.parametrize(("error", "seconds"), WAITS)
def test_the_server_says_how_long(error: Exception, seconds: float | None) -> None:
    assert asked_wait(error, now=1_000_000) == seconds


@given(st.integers(1, 10_000), st.floats(0, 5), st.floats(0, 60))
def test_waits_double_up_to_the_limit(attempt: int, first: float, most: float) -> None:
    wait = wait_before(RetryPolicy(first_wait=first, max_wait=most), attempt, None)
    longest = min(most, first * 2.0 ** min(attempt - 1, 60))
    assert longest / 2 <= wait <= longest


class Failing:
    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


# the errors, the calls made, the retries counted, does it succeed
RUNS = [
    ([], 1, 0, True),
    ([StatusError(503)], 2, 1, True),
    ([StatusError(503), ConnectionResetError(), StatusError(429)], 4, 3, True),
    ([StatusError(503)] * 4, 4, 3, False),
    ([StatusError(401)], 1, 0, False),
    ([StatusError(503), StatusError(400)], 2, 1, False),
    ([StatusError(429, retry_after="3600")], 1, 0, False),
]


@pytest.mark.parametrize(("errors", "calls", "retries", "succeeds"), RUNS)
@pytest.mark.parametrize("way", ["sync", "async"])
def test_retries_are_counted(way: str, errors: list[Exception], calls: int, retries: int, succeeds: bool) -> None:
    count, call, told = RetryCount(), Failing(*errors), []

    def run() -> str:
        if way == "sync":
            return retrying(FAST, count, on_retry=told.append)(call)

        async def acall() -> str:
            return call()

        return asyncio.run(async_retrying(FAST, count, on_retry=told.append)(acall))

    if succeeds:
        assert run() == "done"
    else:
        with pytest.raises(type(errors[-1])):
            run()
    assert (call.calls, count.retries, len(told)) == (calls, retries, retries)


def test_the_wait_that_was_asked_for_is_kept() -> None:
    waits: list[float] = []
    driver = retrying(RetryPolicy(first_wait=0, max_wait=1), RetryCount()).copy(sleep=waits.append)
    driver(Failing(StatusError(429, retry_after="0.2")))
    assert waits == [0.2]


@pytest.mark.parametrize("fields", [{"attempts": 0}, {"first_wait": -1}, {"max_wait": -1}])
def test_a_policy_that_makes_no_sense_is_refused(fields: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least one attempt"):
        RetryPolicy(**fields)

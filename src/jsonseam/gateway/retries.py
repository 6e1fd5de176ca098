"""Retries: failures of transport are tried again here, and counted apart from continuations.

Tried again: 408, 429, 5xx, timeouts, lost connections, a body that breaks off. Never: any other 4xx, and a 429 that
says the quota is used up. A server's retry-after is honoured; one that is longer than `max_wait` ends the trying.
"""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Final

import tenacity

log = logging.getLogger("jsonseam.gateway")

_USED_UP: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached"})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how patiently. `attempts` counts all calls, the first one too; times are in seconds.

    Waits double from `first_wait` up to `max_wait`, each between half of that and all of it.
    """

    attempts: int = 5
    first_wait: float = 0.5
    max_wait: float = 30.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.first_wait < 0 or self.max_wait < 0:
            raise ValueError("a retry policy needs at least one attempt and waits of 0 seconds or more")


class RetryCount:
    """The retries of one call; the driver adds to it, the answer carries it."""

    __slots__ = ("retries",)

    def __init__(self) -> None:
        self.retries = 0


def is_transient(error: BaseException, also: tuple[type[BaseException], ...] = ()) -> bool:
    """May the same call succeed if it is sent again? `also`: a client's own errors of connection."""
    status = getattr(error, "status_code", None)
    status = getattr(error, "code", None) if status is None else status
    if isinstance(status, int):
        if getattr(error, "code", None) in _USED_UP or _header(error, "x-should-retry") == "false":
            return False
        return status in (408, 429) or status >= 500
    return isinstance(error, (ConnectionError, TimeoutError, json.JSONDecodeError, *also))


def asked_wait(error: BaseException, now: float | None = None) -> float | None:
    """The seconds that the server asks to wait (retry-after-ms, retry-after as a number or a date), if it does."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = _header(error, name)
        if value is None:
            continue
        try:
            return max(0.0, float(value) * scale)
        except ValueError:
            pass
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - (time.time() if now is None else now))
        except ValueError:
            continue
    return None


def wait_before(policy: RetryPolicy, attempt: int, error: BaseException | None) -> float:
    """Seconds to wait behind attempt number `attempt` (from 1), which failed with `error`."""
    asked = None if error is None else asked_wait(error)
    if asked is not None:
        return asked
    longest = min(policy.max_wait, policy.first_wait * 2.0 ** min(attempt - 1, 60))
    return longest * random.uniform(0.5, 1.0)


def retrying(
    policy: RetryPolicy,
    count: RetryCount,
    also: tuple[type[BaseException], ...] = (),
    on_retry: Callable[[BaseException], None] | None = None,
) -> tenacity.Retrying:
    """A tenacity driver for one synchronous call; the last error comes out as it is."""
    return tenacity.Retrying(**_settings(policy, count, also, on_retry))


def async_retrying(
    policy: RetryPolicy,
    count: RetryCount,
    also: tuple[type[BaseException], ...] = (),
    on_retry: Callable[[BaseException], None] | None = None,
) -> tenacity.AsyncRetrying:
    """The same for an asynchronous call."""
    return tenacity.AsyncRetrying(**_settings(policy, count, also, on_retry))


def _settings(
    policy: RetryPolicy,
    count: RetryCount,
    also: tuple[type[BaseException], ...],
    on_retry: Callable[[BaseException], None] | None,
) -> dict[str, Any]:
    def told_too_long(state: tenacity.RetryCallState) -> bool:
        error = _error(state)
        asked = None if error is None else asked_wait(error)
        return asked is not None and asked > policy.max_wait

    def before_sleep(state: tenacity.RetryCallState) -> None:
        count.retries += 1
        error = _error(state)
        wait = state.next_action.sleep if state.next_action else 0.0
        log.warning("%s; trying again in %.2f s (retry %d)", type(error).__name__, wait, count.retries)
        if on_retry is not None and error is not None:
            on_retry(error)

    return {
        "stop": lambda state: state.attempt_number >= policy.attempts or told_too_long(state),
        "wait": lambda state: wait_before(policy, state.attempt_number, _error(state)),
        "retry": tenacity.retry_if_exception(lambda error: is_transient(error, also)),
        "before_sleep": before_sleep,
        "reraise": True,
    }


def _error(state: tenacity.RetryCallState) -> BaseException | None:
    return None if state.outcome is None else state.outcome.exception()


def _header(error: BaseException, name: str) -> str | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    value = None if headers is None else headers.get(name)
    return value if isinstance(value, str) else None

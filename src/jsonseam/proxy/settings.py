"""Settings: what the one who runs the proxy decides, once, for all requests."""

from __future__ import annotations

from dataclasses import dataclass, field

from jsonseam.gateway.budget import Limits
from jsonseam.gateway.retries import RetryPolicy

ROUNDS = 16


@dataclass(frozen=True, slots=True)
class Settings:
    """`limits` are the most that one client request may spend; a header can ask for less (`switches`).

    `provider` is a name of `gateway.prefill.PROVIDERS`, where the host of `upstream` does not tell. Times are in
    seconds: `timeout` is the longest silence of the upstream, `keep_alive` the time between two comments to a waiting
    stream. `held` is in characters: how much of the end of a streamed document a mend may still take back. `retry` is
    for the calls after the first. `page`: is the page of the running documents, with their text, shown to whoever asks?
    """

    upstream: str
    provider: str | None = None
    limits: Limits = field(default_factory=lambda: Limits(calls=ROUNDS))
    timeout: float = 600.0
    connect_timeout: float = 10.0
    keep_alive: float = 10.0
    held: int = 16
    retry: RetryPolicy = field(default_factory=lambda: RetryPolicy(attempts=3, max_wait=20.0))
    page: bool = True

"""The way to the server: the only file here that knows the client library.

A producer, a reader and a store send a call again, with backoff, until it is answered: their calls may be repeated. A
worker sends nothing again by itself: an answer that was lost may have held fragments, so it starts over instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from valkey import Valkey
from valkey.backoff import FullJitterBackoff, NoBackoff
from valkey.exceptions import ConnectionError, ReadOnlyError, TimeoutError, ValkeyError
from valkey.retry import Retry

Client = Any  # the library's own types are unions with its asynchronous half
ServerError = ValkeyError
# What passes by itself: the server is away, starting, failing over.
LOST: Final[tuple[type[Exception], ...]] = (ConnectionError, TimeoutError, ReadOnlyError)

TIMEOUT: Final = 10.0  # seconds for one answer
TRIES: Final = 24  # half a minute, where the server refuses at once
_SECRET: Final = re.compile(r"(?<=//)[^@/]*@")


class PatientValkey(Valkey):
    """Sends a command again until it is answered. The library's own retries leave out what fails while connecting."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        retry = Retry(FullJitterBackoff(cap=3.0, base=0.05), TRIES, supported_errors=LOST)
        send: Callable[..., Any] = super().execute_command
        return retry.call_with_retry(lambda: send(*args, **options), _wait)


def _wait(error: Exception) -> None:
    """Nothing but the pause lies between two tries."""


def connect(url: str, *, again: bool = True) -> Client:
    """A client; nothing is sent yet. `again`: send a call anew, for half a minute, where the connection is lost.

    URLs: valkey://host:6379/0, valkeys:// for TLS, unix:///path; redis:// and rediss:// do as well.
    """
    return (PatientValkey if again else Valkey).from_url(
        url,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=TIMEOUT,
        socket_connect_timeout=TIMEOUT,
        socket_keepalive=True,
    )


def shown(url: str) -> str:
    """The URL without what may be secret in it: the user, the password, and the query, which may hold both."""
    return _SECRET.sub("", url.partition("?")[0])

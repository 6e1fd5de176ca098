"""Faults: what kept an answer away, told as the OpenAI API tells errors, so that its clients raise theirs.

An error that the upstream tells itself is passed on as it came. These are for what it could not tell.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

import httpx2

TRANSPORT_ERRORS: Final[tuple[type[BaseException], ...]] = (httpx2.TransportError, httpx2.DecodingError, OSError)


@dataclass(frozen=True, slots=True)
class Fault:
    """`kind` is a short name for the metrics as well."""

    status: int
    kind: str
    message: str

    def body(self) -> bytes:
        kind = "invalid_request_error" if self.status == 400 else "upstream_error"
        error = {"message": self.message, "type": kind, "param": None, "code": self.kind}
        return json.dumps({"error": error}).encode()


UNREADABLE: Final = Fault(502, "upstream_unreadable", "the upstream's answer is not one of the OpenAI API")
BROKEN_PROXY: Final = Fault(500, "proxy_error", "the proxy failed; see its log")


def fault_of(error: BaseException) -> Fault:
    """A fault of transport as an answer: 504 for silence, 502 for all else."""
    if isinstance(error, httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return Fault(504, "upstream_connect_timeout", "the upstream did not take the connection in time")
    if isinstance(error, httpx2.TimeoutException | TimeoutError):
        return Fault(504, "upstream_timeout", "the upstream did not answer in time")
    if isinstance(error, httpx2.ConnectError):
        return Fault(502, "upstream_unreachable", "the upstream cannot be reached")
    return Fault(502, "upstream_broken", "the upstream broke off the connection")


class RefusedError(Exception):
    """The upstream answered a later round with an error. The names are those that `gateway.retries` reads."""

    def __init__(self, response: httpx2.Response) -> None:
        super().__init__(f"the upstream answered {response.status_code}")
        self.status_code = response.status_code
        self.response = response


class UnreadableAnswerError(Exception):
    """The upstream's answer is not one of the OpenAI API."""


# what is worth another try, and what a later round may come to
PASSING_ERRORS: Final[tuple[type[BaseException], ...]] = (UnreadableAnswerError, *TRANSPORT_ERRORS)
LATER_ERRORS: Final[tuple[type[BaseException], ...]] = (RefusedError, *PASSING_ERRORS)

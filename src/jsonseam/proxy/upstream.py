"""Upstream: the one server behind the proxy. Bytes go out, a response comes back; nothing is read or decided here.

The transport is used without a client on top of it: no cookie jar that would carry one caller's cookies to another,
no headers of its own, no redirects, no log line with an address (which may hold a key).
"""

from __future__ import annotations

import urllib.request
from collections.abc import AsyncIterator

import httpx2

from jsonseam.gateway.address import read_address

from .headers import Pairs
from .settings import Settings

PREFIX = b"/v1"


class Upstream:
    """`open` sends a request; close the response that it gives."""

    def __init__(self, settings: Settings) -> None:
        parts = read_address(settings.upstream, "upstream")
        self._origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        self._base = parts.path.rstrip("/").encode()
        self._timeout = httpx2.Timeout(settings.timeout, connect=settings.connect_timeout).as_dict()
        self._transport = httpx2.AsyncHTTPTransport(
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=100, keepalive_expiry=30.0),
            proxy=_proxy_for(parts.scheme, parts.hostname or ""),
        )

    async def open(
        self, method: str, target: bytes, headers: Pairs, content: bytes | AsyncIterator[bytes] | None
    ) -> httpx2.Response:
        """The response, its body unread. Raises the library's errors of transport."""
        extensions = {"timeout": self._timeout, "target": self.target(target)}
        request = httpx2.Request(method, self._origin, headers=headers, content=content, extensions=extensions)
        response = await self._transport.handle_async_request(request)
        response.request = request
        return response

    def target(self, target: bytes) -> bytes:
        """Where a path of the proxy, query and all, is on the upstream.

        The proxy's /v1 is the upstream's base URL; with a base URL that is no more than a host, paths are the same.
        """
        path, mark, query = target.partition(b"?")
        below = path == PREFIX or path.startswith(PREFIX + b"/")
        return (self._base + path[len(PREFIX) :] if self._base and below else path) + mark + query

    async def close(self) -> None:
        await self._transport.aclose()


def _proxy_for(scheme: str, host: str) -> str | None:
    """The proxy that the environment names for this host."""
    if urllib.request.proxy_bypass(host):
        return None
    proxies = urllib.request.getproxies()
    return proxies.get(scheme) or proxies.get("all")

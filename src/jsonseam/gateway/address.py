"""Address: the URL of a server, looked at before anything is sent; what cannot be meant is told in a sentence."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit


def read_address(url: str, what: str) -> SplitResult:
    """The parts of an http or https URL; `what` it is, in the error. Raises ValueError."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # read here, because it raises
    except ValueError as error:
        raise ValueError(f"the {what} {url!r} cannot be read: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"the {what} must be an http or https URL, not {url!r}")
    return parts

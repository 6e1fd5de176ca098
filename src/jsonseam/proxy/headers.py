"""Headers: what of them goes through a proxy. Pure, on raw pairs, so that order, case and repeats stay as they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from . import switches

Pairs = list[tuple[bytes, bytes]]

# between two neighbours only, not from one end to the other (RFC 9110, 7.6.1)
_HOP_BY_HOP: Final = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer "
    b"transfer-encoding upgrade".split()
)
_OURS: Final = frozenset((switches.HEADER.encode(), switches.KPI_HEADER.encode()))
_OF_THE_FIRST_ROUND: Final = frozenset((b"idempotency-key", b"content-length"))  # a later round is another request
_OF_THE_BODY: Final = frozenset((b"content-length", b"content-encoding", b"etag", b"content-md5", b"digest"))


def end_to_end(pairs: Iterable[tuple[bytes, bytes]]) -> Pairs:
    """Without the headers that are between neighbours, those that `Connection` names too."""
    kept = list(pairs)
    named = {
        word.strip().lower() for name, value in kept if name.lower() == b"connection" for word in value.split(b",")
    }
    return [(name, value) for name, value in kept if name.lower() not in _HOP_BY_HOP | named]


def to_upstream(pairs: Iterable[tuple[bytes, bytes]]) -> Pairs:
    """A request's headers. The host is the upstream's, and what is said to the proxy stays here."""
    return without(end_to_end(pairs), _OURS | {b"host", b"expect"})


def to_be_read(pairs: Iterable[tuple[bytes, bytes]]) -> Pairs:
    """The headers of a request whose answer is read here: it must not be compressed."""
    return [*without(to_upstream(pairs), {b"accept-encoding"}), (b"accept-encoding", b"identity")]


def of_a_later_round(pairs: Iterable[tuple[bytes, bytes]]) -> Pairs:
    return without(to_be_read(pairs), _OF_THE_FIRST_ROUND)


def of_a_new_body(pairs: Iterable[tuple[bytes, bytes]]) -> Pairs:
    """A response's headers, for another body than the one that it came with."""
    return without(end_to_end(pairs), _OF_THE_BODY)


def without(pairs: Iterable[tuple[bytes, bytes]], names: Iterable[bytes]) -> Pairs:
    left_out = frozenset(names)
    return [(name, value) for name, value in pairs if name.lower() not in left_out]


def value_of(pairs: Iterable[tuple[bytes, bytes]], name: bytes) -> bytes:
    """The first value, b"" where there is none."""
    return next((value for known, value in pairs if known.lower() == name), b"")

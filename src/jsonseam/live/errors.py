"""Errors of live conversations. The first two are for callers; the others are a worker's, and stay inside it."""

from __future__ import annotations

from jsonseam import JsonSeamError


class Backlogged(JsonSeamError):  # noqa: N818 - it is a state of the stream, and reads as one
    """The workers are behind: the partition holds as many fragments as it may. Nothing was published."""


class PartitionsDiffer(JsonSeamError):  # noqa: N818 - as above
    """The server's streams are as many as the first caller said, and this one says another number."""


class BadEntry(JsonSeamError):  # noqa: N818 - as above
    """An entry of a stream is no fragment."""


class LeaseLost(JsonSeamError):  # noqa: N818 - as above
    """Another worker owns the partition by now, or may own it."""


class Behind(JsonSeamError):  # noqa: N818 - as above
    """What is held in memory is not what the server holds."""

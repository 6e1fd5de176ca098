"""What can go wrong with a batch as a whole. What goes wrong with one conversation is a row, never one of these."""

from __future__ import annotations

from jsonseam import JsonSeamError


class BatchError(JsonSeamError):
    """The batch cannot begin: there are no such files, or a column is missing or of a type that cannot be read."""


class BatchBroken(BatchError):  # noqa: N818 - it says what the batch is
    """The batch broke off: a disk was full, a worker was lost. What was finished stays, and a rerun goes on."""

"""Errors: one base class; each says where in the document it happened and what was expected there.

JsonSeamError
├── MalformedError     strict=True, and the delivered text is not JSON
├── NoDocumentError    finish() was asked for a document, and none has begun
├── LimitExceeded      a limit of the accumulator was crossed; what was delivered before is still there
├── StateError         a checkpoint is damaged, foreign, or of a version that this one cannot read
├── HandoffError       a path of items to hand off that cannot be read, or leads into another
├── KpiError           a KPI definition that cannot be counted: its path, its id or its target
└── ChoiceError        a word for expect= or on_doubt= that there is not, or an answer that was not offered
"""

from __future__ import annotations

from typing import Any, Final

SHOWN: Final = 120  # characters of a path in a message; 512 open arrays make one of a thousand


class JsonSeamError(Exception):
    """Base of everything that jsonseam raises because of its input.

    `offset` is in characters of the document's text (`Document.text`), or None where there is no position;
    `path` is the JSON Pointer of the innermost open value; `expected` names what would have been right.
    """

    def __init__(self, message: str, *, offset: int | None = None, path: str = "", expected: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.path = path
        self.expected = expected

    def __str__(self) -> str:
        where = "" if self.offset is None else f" at character {self.offset}"
        where += f" in {_shown(self.path)}" if self.path else ""
        return f"{self.message}{where}" + (f"; expected {self.expected}" if self.expected else "")


def _shown(path: str) -> str:
    """A path in a message, where it is long by its two ends; `JsonSeamError.path` has all of it."""
    return path if len(path) <= SHOWN else f"{path[: SHOWN // 2]}…{path[-SHOWN // 2 :]}"


class MalformedError(JsonSeamError):
    """The delivered text is not JSON, and the accumulator was told not to mend it."""


class NoDocumentError(JsonSeamError):
    """Nothing that was delivered holds the beginning of a JSON document."""


class LimitExceeded(JsonSeamError):  # noqa: N818 - the public name of the design
    """A limit was crossed. `limit` is the keyword of the limit, `allowed` its value."""

    def __init__(self, message: str, *, limit: str, allowed: int, offset: int | None = None, path: str = "") -> None:
        super().__init__(message, offset=offset, path=path, expected=f"at most {limit}={allowed}")
        self.limit = limit
        self.allowed = allowed

    def state(self) -> dict[str, Any]:
        """The arguments that make the same error again, as plain JSON."""
        where = {"offset": self.offset, "path": self.path}
        return {"message": self.message, "limit": self.limit, "allowed": self.allowed, **where}


class StateError(JsonSeamError):
    """A checkpoint cannot be resumed."""


class KpiError(JsonSeamError):
    """A KPI cannot be counted as it is defined."""


class HandoffError(JsonSeamError):
    """Items cannot be handed off by a path: it cannot be read, or it leads into the items of another."""


class ChoiceError(JsonSeamError):
    """The caller chose what is no choice: a word that is not known, or a candidate that is none of those given."""

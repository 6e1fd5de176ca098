"""What a reader is given: the result of a conversation, and where one stands that is under way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .fragment import from_bytes


@dataclass(frozen=True, slots=True)
class Result:
    """The document of a conversation, once its root was closed or its last fragment was applied.

    `text`: the document, closed where it was cut; None where none has begun. `complete`: the root was closed by
    delivered text. `final`: the last fragment was applied; otherwise a fragment that comes yet makes a new `revision`
    (from 1). `fragments` were applied or passed over, `duplicates` were not applied again, `poisoned` were passed over:
    number and error. `report`: seams, repairs, unsafe and kpis, as `Document.report`. `error`: why there is no text.
    """

    conversation: str
    text: str | None
    complete: bool
    final: bool
    status: str
    revision: int
    fragments: int
    duplicates: int
    poisoned: Mapping[int, str]
    report: Mapping[str, Any]
    error: str | None = None

    @property
    def value(self) -> Any:
        """The document's value; None where none has begun. Cost: the document."""
        return None if self.text is None else json.loads(self.text)

    @property
    def kpis(self) -> Mapping[str, float]:
        kpis: Mapping[str, float] = self.report.get("kpis", {})
        return kpis


@dataclass(frozen=True, slots=True)
class Standing:
    """A conversation as it was told last, a second or so ago. `applied` fragments are in its document.

    `waiting_for`: the number of a fragment that is missing, with `held` fragments behind it; None where none is.
    `error`: why a worker set it aside; its fragments are kept for one that can go on with it.
    """

    conversation: str
    status: str
    applied: int
    kpis: Mapping[str, float]
    waiting_for: int | None
    held: int
    duplicates: int
    poisoned: Mapping[int, str]
    error: str | None = None


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A fragment that was not applied. `kind`: poison (it raised), behind-the-last, or not-a-fragment.

    `fields` are those of the entry, as they came.
    """

    id: str
    kind: str
    error: str
    fields: Mapping[str, bytes]


def read_result(fields: Mapping[bytes, bytes]) -> Result:
    """The result as the server holds it."""
    text = fields.get(b"text")
    error = fields.get(b"error")
    return Result(
        conversation=fields[b"conversation"].decode(),
        text=None if text is None else text.decode("utf-8", "surrogatepass"),
        complete=fields[b"complete"] == b"1",
        final=fields[b"final"] == b"1",
        status=fields[b"status"].decode(),
        revision=int(fields[b"revision"]),
        fragments=int(fields[b"fragments"]),
        duplicates=int(fields[b"duplicates"]),
        poisoned=_numbered(fields.get(b"poisoned")),
        report=json.loads(fields[b"report"]),
        error=None if error is None else error.decode("utf-8", "replace"),
    )


def read_standing(conversation: str, fields: Mapping[bytes, bytes]) -> Standing:
    """Where a conversation stands; the fields may be missing, for one that no worker has seen."""
    waiting = fields.get(b"waiting_for")
    poisoned = _numbered(fields.get(b"poisoned"))
    error = fields.get(b"error")
    return Standing(
        conversation,
        status=fields.get(b"status", b"empty").decode(),
        applied=int(fields.get(b"next", 0)) - len(poisoned),
        kpis=json.loads(fields.get(b"kpis", b"{}")),
        waiting_for=None if waiting is None else int(waiting),
        held=int(fields.get(b"held", 0)),
        duplicates=int(fields.get(b"duplicates", 0)),
        poisoned=poisoned,
        error=None if error is None else error.decode("utf-8", "replace"),
    )


def read_dead(entry: bytes, fields: Mapping[bytes, bytes]) -> DeadLetter:
    """An entry of the stream of the dead."""
    named = {name.decode("utf-8", "replace"): value for name, value in fields.items()}
    kind, error = named.pop("kind", b""), named.pop("error", b"")
    return DeadLetter(entry.decode(), kind.decode("utf-8", "replace"), str(from_bytes(error)), named)


def _numbered(text: bytes | None) -> dict[int, str]:
    return {} if text is None else {int(number): error for number, error in json.loads(text).items()}

"""Live: the documents that are being put together now, and the last ones that were, as the page shows them.

Rule: what is kept is bounded, however many documents and listeners there are. A listener asks what changed since it
asked last; one that is slow misses what lay between, and never holds anything up.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from jsonseam.gateway.events import Asked, Broken, Event, Joined

from .conversation import Conversation, SeamSeen

KEPT: Final = 60  # documents
SEAMS: Final = 24  # of one document
TAIL: Final = 360  # characters


@dataclass(slots=True)
class Shown:
    """One document. `version` is the hub's count of changes at its last one."""

    number: int
    conversation: Conversation | None
    version: int = 0
    begun: float = field(default_factory=time.time)
    seams: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    last: dict[str, Any] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """As plain JSON. A document that is over is not looked at again."""
        if self.conversation is not None:
            self.last = _figures(self.conversation)
        return {**self.last, "id": self.number, "begun": self.begun, "seams": self.seams, "notes": self.notes}


class Hub:
    """A listener to all conversations."""

    def __init__(self) -> None:
        self._shown: OrderedDict[int, Shown] = OrderedDict()
        self._numbers = count(1)
        self.version = 0
        self.total = 0
        self.completed = 0

    def changes(self, since: int) -> dict[str, Any]:
        """All that changed behind version `since`, and the version to ask for next."""
        changed = [shown.plain() for shown in self._shown.values() if shown.version > since]
        kept = [shown.number for shown in self._shown.values()]
        summary = {"total": self.total, "completed": self.completed, "running": self._running()}
        return {"version": self.version, "documents": changed, "kept": kept, **summary}

    def tell(self, conversation: Conversation, event: Event | SeamSeen) -> None:
        shown = self._of(conversation)
        match event:
            case SeamSeen(seam=seam, before=before, dropped=dropped, after=after):
                more = {"before": before, "dropped": dropped, "after": after}
                about = {"kind": seam.kind, "reason": seam.reason, "path": seam.path, "sure": round(seam.sure, 3)}
                shown.seams.append({"round": len(conversation.rounds), **about, **more, "inserted": seam.inserted})
                del shown.seams[:-SEAMS]
            case Joined(iteration=iteration, finish_reason=finish, seam=None):
                self._note(shown, f"answer {iteration} ended: {finish or 'without a word'}")
            case Broken():
                self._note(shown, "the answer broke off")
            case Asked(call=call) if call > 1:
                self._note(shown, f"asked to go on (round {call})")

    def moved(self, conversation: Conversation) -> None:
        self._touch(self._of(conversation))

    def over(self, conversation: Conversation) -> None:
        shown = self._of(conversation)
        shown.last = {**_figures(conversation), "running": False}
        shown.conversation = None
        self.completed += conversation.complete
        self._touch(shown)
        # the key of a conversation that is gone may come again
        self._shown[-shown.number] = self._shown.pop(id(conversation))

    def _of(self, conversation: Conversation) -> Shown:
        shown = self._shown.get(id(conversation))
        if shown is None:
            shown = self._shown[id(conversation)] = Shown(next(self._numbers), conversation)
            self.total += 1
            self._forget()
        return shown

    def _forget(self) -> None:
        """The oldest that are over go first; those that run stay."""
        for key in [key for key, shown in self._shown.items() if shown.conversation is None]:
            if len(self._shown) <= KEPT:
                return
            del self._shown[key]

    def _touch(self, shown: Shown) -> None:
        self.version += 1
        shown.version = self.version

    def _note(self, shown: Shown, text: str) -> None:
        shown.notes.append(text)
        del shown.notes[:-SEAMS]

    def _running(self) -> int:
        return sum(shown.conversation is not None for shown in self._shown.values())


def _figures(conversation: Conversation) -> dict[str, Any]:
    accumulator = conversation.accumulator
    text = accumulator.text
    values = accumulator.kpis
    limits = conversation.switch.limits
    return {
        "model": conversation.asked.model[:80],
        "stream": conversation.asked.stream,
        "running": True,
        "complete": conversation.complete,
        "reason": conversation.reason,
        "rounds": len(conversation.rounds),
        "most_rounds": limits.calls,
        "characters": len(text),
        "depth": accumulator.depth,
        "path": accumulator.path[:160],
        "held": conversation.held,
        "seam_open": conversation.seam_open,
        "tail": text[-TAIL:],
        "kpis": [
            {"id": kpi.id, "path": kpi.path, "target": kpi.target, "value": values.get(kpi.id, 0)}
            for kpi in conversation.switch.kpis
        ],
    }

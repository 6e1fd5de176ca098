"""Conversations as models would hold them, and what they come to where one process joins them."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import cached_property

from jsonseam import Accumulator, Document, Kpi
from jsonseam.gateway.behaviours import BEHAVIOURS, begin, go_on
from jsonseam.gateway.outline import Outline
from jsonseam.gateway.samples import sample_text

KPIS = (Kpi("rows", "sections[1].elements[0].rows", 20), Kpi("sections", "sections", 3))


@dataclass
class Spoken:
    """A conversation: its name, and the answers in their order."""

    name: str
    fragments: list[str]

    @cached_property
    def document(self) -> Document:
        """What one process makes of it."""
        accumulator = Accumulator(KPIS)
        for fragment in self.fragments:
            accumulator.add(fragment)
        return accumulator.finish()

    def is_told_by(self, result) -> None:
        """The result is this conversation's document to the letter, each fragment joined once."""
        assert result is not None, f"{self.name} has no result"
        assert result.text == self.document.text, self.name
        assert (result.complete, result.final) == (self.document.complete, True)
        assert result.fragments == len(self.fragments)
        assert result.report == json.loads(json.dumps(self.document.report()))
        assert result.kpis == self.document.kpis
        assert result.poisoned == {}


def spoken(number: int, room: int = 250) -> Spoken:
    """One conversation; each number is another one, in another of the behaviours."""
    rng = random.Random(number)
    behaviour = BEHAVIOURS[number % len(BEHAVIOURS)]
    meant = sample_text("report", number)
    outline = Outline(meant)
    turn = begin(behaviour, outline, room, rng)
    fragments = [turn.text]
    while turn.reach < len(meant):
        turn = go_on(behaviour, outline, turn.reach, 2 * len(meant) if "restart" in behaviour else room, rng)
        fragments.append(turn.text)
    return Spoken(f"{behaviour}-{number}-größer", fragments)

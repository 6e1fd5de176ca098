"""A simulated model, played through the accumulator chunk by chunk: seams as they are decided, KPIs as they grow."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from typing import Final

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from jsonseam import Accumulator, Document, Kpi
from jsonseam.cli_excerpt import printable, take_excerpt
from jsonseam.cli_report import count, figure, headline, kpi_bars, seam_line
from jsonseam.gateway.behaviours import BEHAVIOURS, Turn, begin, go_on, refuse
from jsonseam.gateway.outline import Outline
from jsonseam.gateway.samples import sample_text

__all__ = ["BEHAVIOURS", "play"]

CHUNK: Final = 12  # characters, about three tokens
ROOM: Final = 600  # characters of one answer
TAIL: Final = 64  # characters of the live text that are shown
PATHS: Final = {
    "bullets": "sections[0].elements[0].items",
    "rows": "sections[1].elements[0].rows",
    "paragraphs": "sections[2].elements",
}


def play(console: Console, behaviour: str, seed: int, pace: float) -> Document:
    """Have it say its document. `pace`: seconds between chunks."""
    meant = sample_text("report", seed)
    kpis = _kpis(meant)
    accumulator = Accumulator(kpis)
    _print(
        console,
        f"A simulated model ({behaviour}) says a document of {len(meant):,} characters, {ROOM} at a time and in chunks "
        f"of {CHUNK}. Each answer is cut; each next one goes on in its own way.",
    )
    stage = _Stage(console, accumulator, kpis)
    with stage.live:
        for number, turn in enumerate(answers(meant, behaviour, seed)):
            for start in range(0, len(turn.text), CHUNK):
                accumulator.feed(turn.text[start : start + CHUNK])
                stage.tell_seams(turn.text)
                stage.show(number)
                time.sleep(pace)
            accumulator.end_fragment()
            stage.tell_seams(turn.text)
            stage.tell_answer(number, turn.text)
    document = accumulator.finish()
    console.print(headline(document, accumulator.status, number + 1), highlight=False)
    if document.value == json.loads(meant):
        console.print(Text("It is the document that the model meant, value for value.", "green"), highlight=False)
    else:
        console.print(Text("It is not the document that the model meant.", "red"), highlight=False)
    return document


def answers(meant: str, behaviour: str, seed: int) -> Iterator[Turn]:
    """What the model says, answer by answer, until the document is over."""
    outline, rng = Outline(meant), random.Random(seed)
    turn = begin(behaviour, outline, ROOM, rng)
    yield turn
    while turn.reach < len(meant):
        refusal = refuse(outline, turn.reach, rng) if behaviour == "refusal" and not turn.refused else None
        turn = refusal or go_on(behaviour, outline, turn.reach, _room(behaviour, meant), rng)
        yield turn


def _room(behaviour: str, meant: str) -> int:
    """What begins again must get further than before."""
    return 2 * len(meant) if "restart" in behaviour else ROOM


def _kpis(meant: str) -> list[Kpi]:
    """Counters with the targets that the document will reach."""
    found = Accumulator(Kpi(name, path) for name, path in PATHS.items())
    found.add(meant)
    return [Kpi(name, path, found.kpis[name]) for name, path in PATHS.items()]


class _Stage:
    """What is seen: below, live, the end of the text and a bar for each KPI; above it, a line for each seam."""

    def __init__(self, console: Console, accumulator: Accumulator, kpis: list[Kpi]) -> None:
        self._console = console
        self._accumulator = accumulator
        self._kpis = kpis
        self._told = 0
        self.live = Live(console=console, refresh_per_second=20, transient=True, auto_refresh=False)

    def show(self, number: int) -> None:
        """The state in the middle of answer `number`, on a terminal only."""
        if not self._console.is_terminal:
            return
        text = self._accumulator.text
        tail = Text.assemble((f"answer {number + 1} ", "dim"), "…", printable(text[-TAIL:]), no_wrap=True)
        self.live.update(Group(tail, kpi_bars(self._kpis, self._accumulator.kpis)), refresh=True)

    def tell_seams(self, said: str) -> None:
        """What has been decided since the last look, about the answer that says `said`."""
        for seam in self._accumulator.seams[self._told :]:
            self._told += 1
            self._print(seam_line(seam))
            for line in take_excerpt(seam, self._accumulator.text, said).lines():
                self._print(line, crop=self._console.is_terminal)

    def tell_answer(self, number: int, said: str) -> None:
        """Answer `number` is over: how far the KPIs are."""
        line = Text(f"answer {number + 1}: {count(len(said), 'character')}", "bold")
        for kpi in self._kpis:
            line.append(f"  {kpi.id} {figure(self._accumulator.kpis[kpi.id], kpi.target)}", "dim")
        self._print(line)

    def _print(self, line: Text, *, crop: bool = False) -> None:
        if crop:
            self._console.print(line, overflow="ellipsis", no_wrap=True, highlight=False)
        else:
            self._console.print(line, soft_wrap=True, highlight=False)


def _print(console: Console, text: str) -> None:
    console.print(text, highlight=False)

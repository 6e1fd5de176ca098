"""What people see of a run on standard error: bars while it goes on, a few lines at its end.

Rule: what a model or a server said is shown as it is, and nothing in it acts on the terminal or on the report.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from jsonseam import Kpi
from jsonseam.cli_excerpt import printable
from jsonseam.cli_report import count

from .budget import Reason
from .events import Asked, Broken, Event, Joined, KpisDefined, KpisRefused, Received, RolledBack
from .result import Result


class Bars:
    """The event stream as bars: one for the text, one for each KPI."""

    def __init__(self, console: Console, kpis: tuple[Kpi, ...] = ()) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),  # a model has named the KPIs
            BarColumn(),
            TextColumn("{task.fields[figure]}"),
            TimeElapsedColumn(),
            console=console,
        )
        self._text = self._progress.add_task("document", total=None, figure="")
        self._bars: dict[str, tuple[Kpi, TaskID]] = {}
        self._add(kpis)

    def __enter__(self) -> Bars:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._progress.stop()

    def tell(self, event: Event) -> None:
        """Show one event."""
        match event:
            case Asked(purpose=purpose, call=call):
                self._progress.update(self._text, description=f"call {call} ({purpose})")
            case Received(characters=characters, kpis=kpis):
                self._progress.update(self._text, figure=f"{characters:,} characters")
                self._move(kpis)
            case KpisDefined(kpis=defined, values=values):
                self._add(defined)
                self._move(values)
            case KpisRefused(reason=reason, last=last):
                self._say(f"[yellow]KPIs refused{'' if last else ', asking once more'}:[/yellow] {_shown(reason)}")
            case Joined(iteration=iteration, seam=seam, kpis=kpis):
                if seam is not None:
                    self._say(f"[cyan]seam {seam.fragment}[/cyan] {seam.kind}: {escape(seam.reason)}")
                else:
                    self._say(f"[cyan]answer {iteration}[/cyan]")
                self._move(kpis)
            case RolledBack(iteration=iteration):
                self._say(f"[yellow]answer {iteration} was taken out again: a KPI went backwards[/yellow]")
            case Broken(error=error):
                self._say(f"[yellow]the answer broke off:[/yellow] {escape(type(error).__name__)}")

    def _add(self, kpis: tuple[Kpi, ...]) -> None:
        for kpi in kpis:
            task = self._progress.add_task(printable(kpi.id), total=kpi.target, figure="0")
            self._bars[kpi.id] = (kpi, task)

    def _move(self, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            if name not in self._bars:
                continue
            kpi, task = self._bars[name]
            target = "" if kpi.target is None else f" / {kpi.target:g}"
            self._progress.update(task, completed=value, figure=f"{value:g}{target}")

    def _say(self, text: str) -> None:
        self._progress.console.print(text)


def report(result: Result, console: Console) -> None:
    """What a run came to, in a few lines."""
    colour = "green" if result.reason is Reason.COMPLETE else "yellow"
    tokens = f"{result.usage.prompt_tokens} + {result.usage.completion_tokens} tokens"
    console.print(
        f"[{colour}]{result.reason}[/{colour}] after {count(result.iterations, 'answer')} and "
        f"{count(result.calls, 'call')}, {tokens}, {result.seconds:.1f} s; {count(len(result.seams), 'seam')}, "
        f"{count(len(result.repairs), 'repair')}",
        soft_wrap=True,
    )
    for kpi in result.kpis:
        target = "" if kpi.target is None else f" of {kpi.target:g}"
        console.print(f"  {_shown(kpi.id)}: {kpi.value:g}{target}  [dim]{_shown(kpi.path)}[/dim]")
    for note in result.notes:
        console.print(f"  [dim]{_shown(note)}[/dim]")
    if result.unsafe:
        console.print(f"  [yellow]cut, perhaps too short: {_shown(', '.join(result.unsafe[:8]))}[/yellow]")
    if result.error is not None:
        console.print(f"  [red]{_shown(str(result.error))}[/red]", soft_wrap=True)


def _shown(said: str) -> str:
    """What a model or a server said, with nothing in it that a terminal would act on, and no markup."""
    return escape(printable(said))

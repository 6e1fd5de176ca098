"""The command `worker`: options in, one line of progress, an exit code. The work is in `worker.py`.

Rule: a signal never breaks off a fragment; the worker ends behind it and hands over.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.status import Status
from rich.text import Text

from jsonseam import JsonSeamError
from jsonseam.cli_codes import Code
from jsonseam.cli_kpis import read_kpis
from jsonseam.cli_output import say
from jsonseam.cli_report import count, print_json

from .connection import ServerError, shown
from .keys import PREFIX
from .settings import Settings
from .tally import Tally
from .worker import LEASE, Worker

SHOW_EVERY: Final = 0.25  # seconds

HELP: Final = f"""Put together the documents of live conversations, whose fragments come over Valkey or Redis.

Run as many workers as you have cores, on any machines: they share the conversations. One that dies is replaced by \
the others once its lease is over; no fragment is lost or counted twice.

Example: a server, two workers, and a conversation of two fragments.

    jsonseam worker --url valkey://localhost:6379 &
    jsonseam worker --url valkey://localhost:6379 &
    python -c 'from jsonseam.live import Conversations
    live = Conversations("valkey://localhost:6379")
    live.publish("a", "[1, 2")
    live.publish("a", ", 3]", last=True)
    print(live.result("a", timeout=10).text)'

Ctrl-C, or SIGTERM, ends a worker behind the fragment at hand, and the others go on with its conversations at once. \
The server should keep what it was told: `appendonly yes`.

Exit codes:

- **{Code.COMPLETE.value}** ended by SIGTERM, or by --drain with every conversation complete
- **{Code.CUT.value}** --drain, and something is not whole: a document that was cut, a missing fragment, a dead letter
- **{Code.USAGE.value}** an option is wrong, or the server cannot be reached at the beginning
- **{Code.INTERRUPTED.value}** Ctrl-C; what was applied is saved
"""


def mount(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command("worker", help=HELP)(worker_command)


def worker_command(
    url: Annotated[
        str,
        typer.Option(
            envvar="JSONSEAM_VALKEY",
            help="The server: valkey://host:6379/0, valkeys:// with TLS, unix:///path, or redis://.",
            show_default=False,
        ),
    ],
    prefix: Annotated[str, typer.Option(help="Begins all names on the server; one prefix knows nothing of others.")] = (
        PREFIX
    ),
    partitions: Annotated[
        int | None,
        typer.Option(min=1, help="Streams; the first who says it decides, 16 otherwise. At least one a worker."),
    ] = None,
    lease: Annotated[
        float, typer.Option(min=0.1, help="Seconds without a sign of life after which others take over.")
    ] = LEASE,
    kpi: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID=PATH:TARGET", help="Count this in conversations that their producer did not begin. Repeatable."
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse text that is not JSON, in those conversations too.")
    ] = False,
    keep: Annotated[
        float | None,
        typer.Option(min=1, help="Seconds that a result is kept; for ever without it.", show_default=False),
    ] = None,
    drain: Annotated[bool, typer.Option("--drain", help="End once there is nothing left to do.")] = False,
    report: Annotated[bool, typer.Option("--json", help="What was done, at the end, as one line of JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress; errors are told all the same.")] = False,
) -> None:
    console = Console(stderr=True)
    settings = Settings(tuple(read_kpis(kpi or [])), {"strict": True} if strict else {})
    try:
        worker = Worker(url, prefix=prefix, partitions=partitions, lease=lease, settings=settings, keep=keep)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    if not quiet:
        say(console, "dim", f"worker {worker.name} on {shown(url)}; end it with Ctrl-C")
    try:
        with _signals(worker) as got, _Line(console, wanted=not quiet) as line:
            tally = worker.run(line.show, drain=drain)
    except (ServerError, JsonSeamError) as error:
        say(console, "red", f"{shown(url)}: {error}")
        raise typer.Exit(Code.USAGE) from error
    if report:
        print_json({"worker": worker.name, **asdict(tally)}, Console())
    elif not quiet:
        say(console, "green", in_words(tally))
    if signal.SIGINT in got:
        raise typer.Exit(Code.INTERRUPTED)
    left = tally.cut or tally.waiting or tally.dead or tally.stuck
    raise typer.Exit(Code.CUT if drain and left and not got else Code.COMPLETE)


def in_words(tally: Tally) -> str:
    """The sums as one line; what did not happen is not told."""
    told = [count(tally.applied, "fragment"), count(tally.results, "result")]
    for number, words in (
        (tally.claimed, "taken over"),
        (tally.duplicates, "sent twice"),
        (tally.waiting, "waiting for a fragment"),
        (tally.dead, "put away as dead"),
        (tally.stuck, "unreadable"),
        (tally.lost_leases, "leases lost"),
    ):
        if number:
            told.append(f"{number:,} {words}")
    return ", ".join(told)


@contextmanager
def _signals(worker: Worker) -> Iterator[set[int]]:
    """The first SIGINT or SIGTERM asks the worker to end; a second one does what it always does."""
    got: set[int] = set()

    def ask(number: int, frame: Any) -> None:
        got.add(number)
        signal.signal(number, before[signal.Signals(number)])
        worker.stop()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield got
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Line:
    """The line of progress on a terminal; elsewhere only what is wrong is told, once each time."""

    def __init__(self, console: Console, *, wanted: bool) -> None:
        self._console, self._wanted = console, wanted
        self._status = Status("", console=console) if wanted and console.is_terminal else None
        self._shown = self._counted = 0.0
        self._applied, self._rate = 0, 0.0
        self._trouble = ""

    def __enter__(self) -> _Line:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def show(self, tally: Tally) -> None:
        """Called every round, and cheap where nothing is to be shown."""
        now = time.monotonic()
        if bool(tally.trouble) != bool(self._trouble):
            self._trouble = tally.trouble
            say(self._console, "yellow" if tally.trouble else "dim", tally.trouble or "the server answers again")
        if self._status is None or now - self._shown < SHOW_EVERY:
            return
        self._shown = now
        if now - self._counted >= 1.0:
            self._rate = (tally.applied - self._applied) / (now - self._counted) if self._counted else 0.0
            self._counted, self._applied = now, tally.applied
        where = f"{count(tally.partitions, 'partition')} of {count(tally.workers, 'worker')}"
        self._status.update(Text(f"{where}: {in_words(tally)}, {self._rate:,.0f} fragments/s", "cyan"))

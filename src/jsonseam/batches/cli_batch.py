"""The command `batch`: options in, partition files out, a report at the end, an exit code.

Rule: a conversation that is cut or wrong is a row and a figure of the report. The exit code tells of the batch only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from jsonseam.cli_codes import Code
from jsonseam.cli_excerpt import printable, shorten
from jsonseam.cli_output import say
from jsonseam.cli_report import count

from .cli_bar import Bar
from .columns import Columns
from .engines import DaskEngine, Engine, LocalEngine
from .errors import BatchBroken, BatchError
from .job import run_batch
from .summary import Summary


class Form(StrEnum):
    PARQUET = "parquet"
    JSONL = "jsonl"


DEFAULT: Final = Columns()
MOST_CHARACTERS: Final = 300  # of an error that is shown
HELP = f"""Join logged answers, one row a conversation, into partition files.

IN are files, folders or patterns: JSON Lines (also .gz, .zst, .bz2, .lz4) or Parquet, a row for each answer, with its
conversation, its place in it, and its text. OUT is a folder; a rerun does what is not done yet, or has changed.

Example: `jsonseam batch logs/ more/*.parquet out --text answer`

Exit codes:

- **{Code.COMPLETE.value}** the batch ran to its end; what is incomplete or in error is a row that says so
- **{Code.CUT.value}** it broke off; finished partitions stay, and the same command goes on
- **{Code.USAGE.value}** an option, a path or a column is wrong
- **{Code.INTERRUPTED.value}** Ctrl-C; the same command goes on
"""


def mount(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command("batch", help=HELP)(batch_command)


def batch_command(
    inputs: Annotated[list[str], typer.Argument(metavar="IN...", show_default=False, help="What is read.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", show_default=False, help="Folder of the partition files.")],
    conversation: Annotated[str, typer.Option(help="Column that names the conversation.")] = DEFAULT.conversation,
    sequence: Annotated[str, typer.Option(help="Column of whole numbers that order its answers.")] = DEFAULT.sequence,
    text: Annotated[str, typer.Option(help="Column of the answers.")] = DEFAULT.text,
    form: Annotated[Form, typer.Option("--format", help="What is written.")] = Form.PARQUET,
    partitions: Annotated[
        int | None, typer.Option(min=1, max=100_000, help="Files to write. Default: one for every 4 MB of input.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Text that is not JSON is an error, not mended.")] = False,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Work on the Dask cluster of this scheduler.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The report as one line of JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No bar and no report; errors are told.")] = False,
) -> None:
    told = Console(stderr=True)
    try:
        with _engine(dask) as engine, Bar(told, wanted=not (quiet or as_json)) as bar:
            summary = run_batch(
                inputs,
                out,
                columns=Columns(conversation, sequence, text),
                form=form.value,
                partitions=partitions,
                strict=strict,
                engine=engine,
                progress=bar,
            )
    except KeyboardInterrupt:
        say(told, "yellow", "interrupted; finished partitions stay, and the same command goes on")
        raise typer.Exit(Code.INTERRUPTED) from None
    except BatchError as error:
        say(told, "red", str(error))
        raise typer.Exit(Code.CUT if isinstance(error, BatchBroken) else Code.USAGE) from error
    if as_json:
        typer.echo(json.dumps(summary.state()))
    elif not quiet:
        for line in report(summary):
            Console().print(line, soft_wrap=True, highlight=False)


def _engine(address: str | None) -> AbstractContextManager[Engine]:
    return nullcontext(LocalEngine()) if address is None else closing(DaskEngine.connect(address))


def report(summary: Summary) -> list[Text]:
    """What a batch came to, in a few lines."""
    lines = [
        Text.assemble(
            (count(summary.conversations, "conversation"), "bold"),
            f" of {count(summary.rows, 'answer')}: ",
            (f"{summary.complete:,} complete", "green"),
            (f", {summary.incomplete:,} incomplete", "yellow" if summary.incomplete else ""),
            (f", {summary.errors:,} in error", "red" if summary.errors else ""),
        ),
        Text(f"  seams       {_counts(summary.seams)}"),
        Text(f"  repairs     {_counts(summary.repairs)}"),
        Text(f"  partitions  {summary.partitions:,}, {summary.skipped:,} of them finished before"),
    ]
    for name, error in summary.examples:
        where = printable(name) or "no conversation"
        lines.append(Text(f"  error in {where}: {printable(shorten(error, MOST_CHARACTERS))}", "red"))
    if more := summary.errors - len(summary.examples):
        lines.append(Text(f"  … and {count(more, 'more error')}, in the column error", "dim"))
    if summary.errors == summary.conversations > 0:
        lines.append(
            Text("  not one is without error: do --conversation, --sequence and --text name the columns?", "red")
        )
    return lines


def _counts(kinds: Mapping[str, int]) -> str:
    ordered = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{kind} {count:,}" for kind, count in ordered) or "none"

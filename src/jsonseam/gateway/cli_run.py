"""The commands `run` and `resume`, and the gateway's part of the demo: options in, a document out, an exit code.

The document goes to standard output or a file; all else goes to standard error.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from jsonseam import JsonSeamError, Kpi
from jsonseam.cli_codes import Code
from jsonseam.cli_input import STDIN
from jsonseam.cli_kpis import read_kpis
from jsonseam.cli_output import encoded, say, write_document

from .budget import MOST_CALLS, Limits, Reason
from .cli_bars import Bars, report
from .demo_model import DemoKind, demo_model
from .drivers import Cancel
from .events import Event
from .openai_model import OpenAIModel
from .result import Result
from .runs import resume, run
from .store import SqliteStore, default_path

StoreOption = Annotated[
    Path | None, typer.Option(help="File of saved runs. Default: JSONSEAM_STORE or the user's state folder.")
]
CODES = f"""Exit codes:

- **{Code.COMPLETE.value}** complete
- **{Code.CUT.value}** not complete: a limit was met, nothing grew any more, or the server failed
- **{Code.USAGE.value}** an option or a file is wrong
- **{Code.INTERRUPTED.value}** Ctrl-C
"""
RUN_HELP = f"""Ask a model for a JSON document until it is whole.

The document goes to standard output, seams and counters to standard error. A run is saved as it goes: one that
Ctrl-C, a limit or a fault has ended goes on with `jsonseam resume`.

Example: a model on this machine is asked for what `prompt.txt` says, in answers of at most 2,000 tokens.

    jsonseam run --base-url http://localhost:8000/v1 --model NAME --prompt-file prompt.txt --max-tokens 2000

{CODES}"""
RESUME_HELP = f"""Go on with a run that was interrupted, killed, or stopped by a limit.

The document goes to standard output, whole. Limits count what was spent before; a run that is complete is printed.

Example: `jsonseam resume 3f0a` where a run ended with "Go on with: jsonseam resume 3f0a".

{CODES}"""


def _writable(out: Path | None) -> Path | None:
    """Known before the first call, because calls cost money."""
    if out is not None and (out.is_dir() or not out.absolute().parent.is_dir()):
        raise typer.BadParameter(
            f"'{out}' cannot be written: " + ("it is a folder" if out.is_dir() else "no such folder")
        )
    if out is not None and not os.access(out if out.exists() else out.absolute().parent, os.W_OK):
        raise typer.BadParameter(f"'{out}' cannot be written: permission denied")
    return out


OutOption = Annotated[
    Path | None, typer.Option(callback=_writable, help="Write the document here instead of standard output.")
]
KeyOption = Annotated[str | None, typer.Option(envvar="OPENAI_API_KEY", help="Key of the server.", show_envvar=True)]
SecondsOption = Annotated[
    float | None, typer.Option(min=0.1, help="Wall time that the run may take, in all the processes that worked on it.")
]
CallsOption = Annotated[int, typer.Option(min=1, help="Calls that the run may make.")]
DEMO_DEFINITION_TOKENS = 150  # a small model that is not done by then is going round in circles


def mount(app: typer.Typer) -> None:
    """Add the commands to an application."""
    app.command("run", help=RUN_HELP)(run_command)
    app.command("resume", help=RESUME_HELP)(resume_command)


def run_command(
    base_url: Annotated[str, typer.Option(help="An OpenAI-compatible server, with its /v1.")],
    model: Annotated[str, typer.Option(help="Name of the model on that server.")],
    prompt_file: Annotated[Path, typer.Option(metavar="FILE", help="What is asked for; - is standard input.")],
    schema: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="JSON schema of the document.")
    ] = None,
    kpi: Annotated[
        list[str] | None,
        typer.Option(metavar="ID=PATH:TARGET", help="Count what is at a path: rows=sections[0].rows:100. Repeatable."),
    ] = None,
    out: OutOption = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens of one answer.")] = None,
    max_calls: CallsOption = MOST_CALLS,
    max_seconds: SecondsOption = None,
    provider: Annotated[
        str | None, typer.Option(help="Kind of server where the host does not tell: vllm, llama.cpp.")
    ] = None,
    api_key: KeyOption = None,
    store: StoreOption = None,
) -> None:
    where = {"base_url": base_url, "model": model, "provider": provider}
    kpis = read_kpis(kpi) if kpi else None
    wanted = None if schema is None else _read_schema(schema)
    prompt = _read_text(prompt_file)
    if not prompt.strip():
        raise typer.BadParameter(f"'{prompt_file}' is empty: nothing is asked for")
    connected, kept = _connect(where, api_key), _open_store(store)
    limits = Limits(calls=max_calls, seconds=max_seconds)

    def start(cancel: Cancel, listen: Callable[[Event], None]) -> Result:
        return run(
            connected,
            prompt,
            kept,
            listen,
            schema=wanted,
            kpis=kpis,
            max_tokens=max_tokens,
            limits=limits,
            about=where,
            cancel=cancel,
        )

    _show(start, out, tuple(kpis or ()), store)


def resume_command(
    run_id: Annotated[str, typer.Argument(metavar="ID", help="What the interrupted run told.", show_default=False)],
    out: OutOption = None,
    max_calls: CallsOption = MOST_CALLS,
    max_seconds: SecondsOption = None,
    api_key: KeyOption = None,
    store: StoreOption = None,
) -> None:
    at = store or default_path()
    if not at.exists():
        raise typer.BadParameter(f"there is no file of saved runs '{at}'")
    kept = _open_store(store)
    limits = Limits(calls=max_calls, seconds=max_seconds)
    try:
        where = kept.load(run_id).state["task"]["about"]
    except JsonSeamError as error:
        raise typer.BadParameter(str(error)) from error
    if not {"base_url", "model", "provider"} <= where.keys():
        raise typer.BadParameter(f"run {run_id} was not begun by jsonseam run, and does not tell its server")
    connected = _connect(where, api_key)

    def start(cancel: Cancel, listen: Callable[[Event], None]) -> Result:
        return resume(run_id, connected, kept, listen, limits=limits, cancel=cancel)

    _show(start, out, (), store)


def _read_text(file: Path) -> str:
    try:
        if str(file) != STDIN:
            return file.read_text(encoding="utf-8")
        if sys.stdin is None:  # a shell's <&-
            raise typer.BadParameter("standard input is closed")
        return sys.stdin.buffer.read().decode("utf-8")
    except OSError as error:
        raise typer.BadParameter(f"'{file}' cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise typer.BadParameter(f"'{file}' cannot be read as UTF-8 text: {error}") from error


def _read_schema(file: Path) -> dict[str, Any]:
    try:
        schema = json.loads(_read_text(file))
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"'{file}' is not JSON: {error}") from error
    if not isinstance(schema, dict):
        raise typer.BadParameter(f"'{file}' is no JSON schema of a document, which is an object")
    return schema


def _connect(where: dict[str, Any], api_key: str | None) -> OpenAIModel:
    try:
        return OpenAIModel(where["model"], base_url=where["base_url"], provider=where["provider"], api_key=api_key)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def _open_store(path: Path | None) -> SqliteStore:
    try:
        return SqliteStore(path)
    except (sqlite3.Error, OSError) as error:
        raise typer.BadParameter(f"'{path or default_path()}' is no file of saved runs: {error}") from error


def _show(
    start: Callable[[Cancel, Callable[[Event], None]], Result],
    out: Path | None,
    kpis: tuple[Kpi, ...],
    store: Path | None,
) -> None:
    console = Console(stderr=True)
    try:
        with Bars(console, kpis) as bars, _interruptible() as cancel:
            result = start(cancel, bars.tell)
    except (JsonSeamError, sqlite3.Error) as error:
        say(console, "red", str(error))
        raise typer.Exit(Code.CUT) from error
    again = f"jsonseam resume {result.id}" + ("" if store is None else f" --store {shlex.quote(str(store))}")
    try:
        if result.text:
            _write(result.text, out, console, again)
    finally:
        report(result, console)
        if result.reason is not Reason.COMPLETE:
            console.print(f"Go on with: [bold]{escape(again)}[/bold]", soft_wrap=True)
    if result.reason is not Reason.COMPLETE:
        raise typer.Exit(Code.INTERRUPTED if result.reason is Reason.CANCELLED else Code.CUT)


def _write(text: str, out: Path | None, console: Console, again: str) -> None:
    """`again` is the command that writes it another time, for nothing is lost where it cannot be written."""
    if out is None:
        write_document(text)
        return
    try:
        out.write_bytes(encoded(text))
    except OSError as error:
        say(console, "red", f"'{out}' cannot be written: {error.strerror}; the document is kept: {again}")
        raise typer.Exit(Code.USAGE) from error


@contextmanager
def _interruptible() -> Iterator[Cancel]:
    """The first Ctrl-C asks the run to stop where it is; a second one does what Ctrl-C always does."""
    cancel = Cancel()

    def ask(number: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, before)
        cancel()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)


def demo_loop(kind: DemoKind = "local", console: Console | None = None) -> Result:
    """The whole loop on the demo's model, over HTTP and the official SDK, with the seams as they come.

    Raises `LocalModelMissingError` for a local model that is not installed.
    """
    console = console or Console(stderr=True)
    with demo_model(kind) as demo:
        with Bars(console) as bars:
            result = run(
                demo.model(),
                demo.prompt,
                on_event=bars.tell,
                schema=demo.schema,
                max_tokens=demo.max_tokens,
                definition_tokens=DEMO_DEFINITION_TOKENS,
                limits=Limits(calls=60),
            )
        report(result, console)
    return result

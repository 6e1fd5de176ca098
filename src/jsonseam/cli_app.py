"""The command line: options in, a document on standard output, its report on standard error, an exit code.

Rule: standard output carries the document and nothing else (of `check`: the verdict), so that it can be piped.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.text import Text

from jsonseam import COMPILED, Accumulator, Document, JsonSeamError, LimitExceeded, MalformedError, NoDocumentError
from jsonseam.cli_codes import OF_STATUS, Code, table
from jsonseam.cli_demo import demo_command
from jsonseam.cli_excerpt import printable, shorten
from jsonseam.cli_gather import Gathering
from jsonseam.cli_input import STDIN, InputError, read_pieces, total_size
from jsonseam.cli_interrupt import Interrupt
from jsonseam.cli_kpis import read_kpis
from jsonseam.cli_lazy import LazyGroup
from jsonseam.cli_output import say, write_document
from jsonseam.cli_progress import Meter
from jsonseam.cli_report import WRAPPING, count, print_json, print_report, repair_line, report_for_programs

app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _readable(files: Any) -> Any:
    names = files if isinstance(files, list) else [files]
    if names.count(STDIN) > 1:
        raise typer.BadParameter("standard input, -, stands there twice, and can be read once only")
    for name in names:
        if name != STDIN and not Path(name).exists():
            raise typer.BadParameter(f"there is no file {name!r}")
        if Path(name).is_dir():
            raise typer.BadParameter(f"{name!r} is a folder")
    return files


Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="One fragment (one answer of the model) a file, in their order; - is standard input.",
        callback=_readable,
        show_default=False,
    ),
]
File = Annotated[
    str,
    typer.Argument(metavar="FILE", help="The file; - is standard input.", callback=_readable, show_default=False),
]
Lines = Annotated[
    bool | None,
    typer.Option(
        "--lines/--no-lines",
        help="Each line is one fragment, written as a JSON string. Without it: so for .jsonl files and standard "
        "input, if that is what they hold.",
        show_default=False,
    ),
]
Kpis = Annotated[
    list[str] | None,
    typer.Option(
        "--kpi", metavar="ID=PATH:TARGET", help="Count what is at a path: rows=sections[0].rows:100. Repeatable."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="The report as one line of JSON.")]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse text that is not JSON instead of mending it.")]
Explain = Annotated[bool, typer.Option("--explain", help="Show the text around each seam: kept, dropped, put in.")]
OnDoubt = Annotated[
    Literal["best", "literal", "echo"],
    typer.Option("--on-doubt", help="Where a seam is in doubt: believe the best, keep all, or take it for an echo."),
]
Expect = Annotated[
    Literal["anything", "continue", "overlap", "element"],
    typer.Option("--expect", help="What the model was asked for in every fragment but the first."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No report; errors are told all the same.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"jsonseam {version('jsonseam')}{' (compiled)' if COMPILED else ''}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Puts a JSON document together from the truncated answers of a language model.

    Example: `jsonseam join answer1.txt answer2.txt > document.json` joins two answers, the second of which goes on
    where the first was cut, and tells on standard error how. `jsonseam demo` shows it at work.
    """


JOIN_HELP = f"""Join the answers of a model to one JSON document.

The document goes to standard output, the report of its seams and repairs to standard error.

Example: the model was cut in the middle of a word, and repeated a little when it went on.

    printf '{{"names": ["Ada", "Gra' > 1.txt
    printf '"Ada", "Grace"]}}' > 2.txt
    jsonseam join 1.txt 2.txt --explain

Exit codes:

{table(Code.COMPLETE, Code.CUT, Code.USAGE, Code.MALFORMED, Code.NOTHING, Code.LIMIT, Code.INTERRUPTED)}

A document that was cut is printed all the same, closed where it ends; **3** comes with --strict only.
"""

CHECK_HELP = f"""Tell whether a document is complete, cut, malformed, or not there at all.

Example: `jsonseam check answer.json && echo whole`

Exit codes:

{table(Code.COMPLETE, Code.CUT, Code.USAGE, Code.MALFORMED, Code.NOTHING, Code.LIMIT)}
- **{Code.INTERRUPTED.value}** Ctrl-C

Text around the document (a fence, a remark) is told, and is no fault.
"""


@app.command("join", help=JOIN_HELP)
def join_command(
    files: Files,
    kpi: Kpis = None,
    lines: Lines = None,
    strict: Strict = False,
    explain: Explain = False,
    on_doubt: OnDoubt = "best",
    expect: Expect = "anything",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    console = Console(stderr=True)
    kpis = read_kpis(kpi or [])
    accumulator = Accumulator(kpis, strict=strict, on_doubt=on_doubt)
    gathering = Gathering(accumulator, explain=explain, expect=expect)
    error, interrupted = gather(gathering, files, lines, console, quiet=quiet or json)
    document = None
    try:
        document = None if isinstance(error, MalformedError) else accumulator.finish()
    except JsonSeamError as nothing:
        error = error or nothing
    if document is not None:
        write_document(document.text)
    if json:
        report: dict[str, Any] = {"status": accumulator.status, "fragments": gathering.fragments}
        if document is not None:
            report = report_for_programs(document, accumulator.status, gathering.fragments, kpis)
        for seam in report.get("seams", ()):
            excerpt = gathering.excerpts.get(seam["fragment"])
            seam.update({"excerpt": asdict(excerpt)} if excerpt else {})
        print_json(report | {"interrupted": interrupted, "error": None if error is None else str(error)}, console)
    else:
        if document is not None and not quiet:
            excerpts = gathering.excerpts if explain else None
            print_report(console, document, accumulator.status, gathering.fragments, kpis, excerpts)
        if interrupted:
            say(console, "yellow", "interrupted; what was delivered until then was printed")
        if error is not None:
            say(console, "red", str(error))
    raise typer.Exit(code_of(document, error, interrupted=interrupted))


@app.command("check", help=CHECK_HELP)
def check_command(file: File, lines: Lines = None, json: Json = False, quiet: Quiet = False) -> None:
    console = Console(stderr=True)
    accumulator = Accumulator()
    gathering = Gathering(accumulator)
    error, interrupted = gather(gathering, [file], lines, console, quiet=quiet or json)
    status = accumulator.status
    try:
        document = accumulator.finish()
    except NoDocumentError:
        document, status = None, "empty"
    except JsonSeamError as failure:
        document, error = None, error or failure
    if json:
        told = {"verdict": status, "error": None if error is None else str(error)}
        if document is not None:
            told |= report_for_programs(document, status, gathering.fragments, ())
        print_json(told, Console())
    elif not quiet:
        for line in verdict(accumulator, document):
            Console().print(line, soft_wrap=True, highlight=False)
    if error is not None:
        say(console, "red", str(error))
    if interrupted:
        raise typer.Exit(Code.INTERRUPTED)
    raise typer.Exit(Code.LIMIT if isinstance(error, LimitExceeded) else OF_STATUS[status])


def verdict(accumulator: Accumulator, document: Document | None) -> list[Text]:
    """A line that says what the document is, and lines that say why."""
    if document is None:
        return [Text.assemble(("nothing", "bold red"), ": no JSON document has begun")]
    size = count(len(accumulator.text), "character")
    where = f" in {printable(shorten(accumulator.path))}" if accumulator.path else ""
    wrapping = [repair_line(repair) for repair in accumulator.repairs if repair.kind in WRAPPING]
    if accumulator.status == "malformed":
        faults = [repair_line(repair) for repair in accumulator.repairs if repair.kind not in WRAPPING]
        whole = "closed by what was delivered" if document.complete else "not closed by what was delivered"
        head = Text.assemble(("malformed", "bold magenta"), f": {count(len(faults), 'fault')}; {whole}")
        return [head, *faults[:12], *wrapping]
    if document.complete:
        return [Text.assemble(("complete", "bold green"), f": {size}"), *wrapping]
    depth = count(accumulator.depth, "container")
    return [Text.assemble(("cut", "bold yellow"), f": after {size}{where}, with {depth} open"), *wrapping]


def gather(
    gathering: Gathering, names: list[str], lines: bool | None, console: Console, *, quiet: bool
) -> tuple[JsonSeamError | None, bool]:
    """Take all pieces of all files; give back what stopped it, and whether that was Ctrl-C."""
    typed = STDIN in names and sys.stdin is not None and sys.stdin.isatty()
    if typed and not quiet:
        say(console, "dim", "reading what you type; end it with Ctrl-D")
    meter = Meter(console, total_size(names), wanted=not quiet and not typed)
    error: JsonSeamError | None = None
    with Interrupt() as interrupt:
        try:
            with meter:
                gathering.take(meter.count(interrupt.watch(read_pieces(names, lines))))
                if not interrupt.asked:
                    gathering.end_fragment()
        except JsonSeamError as failure:
            error = failure
        except (InputError, OSError) as failure:
            say(console, "red", str(failure))
            raise typer.Exit(Code.USAGE) from failure
    return error, interrupt.asked


def code_of(document: Document | None, error: JsonSeamError | None, *, interrupted: bool) -> Code:
    if interrupted:
        return Code.INTERRUPTED
    if isinstance(error, LimitExceeded):
        return Code.LIMIT
    if isinstance(error, MalformedError):
        return Code.MALFORMED
    if document is None:
        return Code.NOTHING
    return Code.COMPLETE if document.complete else Code.CUT


app.command("demo")(demo_command)

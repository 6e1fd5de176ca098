"""The demo: a model that is cut again and again, and its document, joined while one looks on.

Three models: `local` is a real one, small and inside this process, with the whole loop of the gateway around it;
`scripted` is the same loop with a simulated model, over HTTP; `simulated` is the accumulator alone, chunk by chunk.
"""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.text import Text

from jsonseam.cli_codes import Code
from jsonseam.cli_output import say, write_document

LOCAL: Final = (
    "A real model, SmolLM2 with 135 million parameters, runs inside this process. It is asked for 20 animals as JSON "
    "and may say 60 tokens at a time, so its answers are cut; the loop asks it to go on until the document is whole. "
    "(It is very small: expect nonsense from it, in names and in the counters that it chooses.)"
)
SCRIPTED: Final = (
    "A simulated model behind a real HTTP server is asked for a report as JSON. Its answers are cut, and it goes on in "
    "another way each time; the loop asks until the document is whole."
)


class Model(StrEnum):
    LOCAL = "local"
    SCRIPTED = "scripted"
    SIMULATED = "simulated"


def demo_command(
    model: Annotated[
        Model | None,
        typer.Option(help="Default: local where its packages are installed, else simulated.", show_default=False),
    ] = None,
    behaviour: Annotated[
        str | None,
        typer.Option(
            help="How the simulated model goes on: exact, echo, siblings, restart, ... Default: mixed.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed, another document.")] = 1,
    pace: Annotated[
        float, typer.Option(min=0, help="Seconds between the simulated model's chunks on a terminal.")
    ] = 0.01,
) -> None:
    """Play a model that is cut, and join what it says. The document goes to standard output.

    Example: `jsonseam demo --behaviour echo` shows a simulated model that says its last words again.
    """
    console = Console(stderr=True)
    if behaviour is not None and model not in (None, Model.SIMULATED):
        raise typer.BadParameter(f"--behaviour is for the simulated model, not for {model.value}")
    if behaviour is not None:
        model = Model.SIMULATED
    elif model is None:
        missing = _why_no_loop() or _why_not_local()
        model = Model.SIMULATED if missing else Model.LOCAL
        if missing:
            _say_line(console, f"The real model is left out: {missing}", "yellow")
            _say_line(console, "A simulated one plays its part.", "yellow")
    missing = _why_no_simulation() if model is Model.SIMULATED else _why_no_loop()
    if model is Model.LOCAL:
        missing = missing or _why_not_local()
    if missing:
        say(console, "red", missing)
        raise typer.Exit(Code.USAGE)
    if model is Model.SIMULATED:
        complete, text = _simulate(console, behaviour or "mixed", seed, pace)
    else:
        complete, text = _loop(console, model)
    write_document(text)
    raise typer.Exit(Code.COMPLETE if complete else Code.CUT)


def _loop(console: Console, model: Model) -> tuple[bool, str]:
    _say(console, LOCAL if model is Model.LOCAL else SCRIPTED)
    result = import_module("jsonseam.gateway.cli_run").demo_loop(model.value, console)
    return bool(result.complete), str(result.text)


def _simulate(console: Console, behaviour: str, seed: int, pace: float) -> tuple[bool, str]:
    simulation: Any = import_module("jsonseam.cli_simulation")
    if behaviour not in simulation.BEHAVIOURS:
        raise typer.BadParameter(f"{behaviour!r} is none of {', '.join(simulation.BEHAVIOURS)}")
    document = simulation.play(console, behaviour, seed, pace if console.is_terminal else 0)
    return bool(document.complete), str(document.text)


def _why_no_simulation() -> str | None:
    return _missing("jsonseam.cli_simulation", "pip install 'jsonseam[cli,gateway]'")


def _why_no_loop() -> str | None:
    return _missing("jsonseam.gateway.cli_run", "pip install 'jsonseam[cli,openai,server]'")


def _why_not_local() -> str | None:
    reason: str | None = import_module("jsonseam.gateway.local_model").missing_reason()
    return reason


def _missing(module: str, install: str) -> str | None:
    """What the module needs and has not, with the way to install it; None where it can be imported."""
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        return f"{error.name} is not installed; run: {install}"
    return None


def _say(console: Console, text: str) -> None:
    console.print(Text(text), highlight=False)


def _say_line(console: Console, text: str, style: str) -> None:
    """Not broken by us, because there may be a command in it that somebody copies."""
    console.print(Text(text, style), highlight=False, soft_wrap=True)

"""Commands that are imported when they are asked for: `join` does not wait for the HTTP client that `run` needs.

A command whose packages are missing is listed all the same; asked for, it says what to install.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperGroup

from jsonseam.cli_codes import Code

# the room of each command's module, its commands, and the extra with what they need
_ROOMS: Final = (("gateway.cli_run", ("run", "resume"), "openai"), ("proxy.cli_serve", ("serve",), "serve"))


class LazyGroup(TyperGroup):
    """The commands of the application, and those of the gateway behind them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *(name for _, names, _ in _ROOMS for name in names)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        for room, names, extra in _ROOMS:
            if cmd_name in names:
                return _commands_of(room, names, extra).get(cmd_name)
        return super().get_command(ctx, cmd_name)


def _commands_of(room: str, names: tuple[str, ...], extra: str) -> dict[str, Any]:
    app = typer.Typer(rich_markup_mode="markdown")
    try:
        import_module(f"jsonseam.{room}").mount(app)
    except ModuleNotFoundError as error:
        for name in names:
            _mount_missing(app, name, error.name or str(error), f"pip install 'jsonseam[cli,{extra}]'")
    command = typer.main.get_command(app)
    return getattr(command, "commands", None) or {names[0]: command}


def _mount_missing(app: typer.Typer, name: str, missing: str, install: str) -> None:
    @app.command(
        name,
        help=f"Not installed here ({missing} is missing); run: {install}",
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
    def tell() -> None:
        typer.echo(f"jsonseam {name}: {missing} is not installed; run: {install}", err=True)
        raise typer.Exit(Code.USAGE)

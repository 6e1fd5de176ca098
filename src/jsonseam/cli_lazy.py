"""Commands that are imported when they are asked for: `join` does not wait for the HTTP client that `run` needs.

A command whose packages are missing is listed all the same; asked for, it says what to install.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperGroup

from jsonseam.cli_codes import Code

GATEWAY: Final = ("run", "resume")
_INSTALL: Final = "pip install 'jsonseam[cli,openai]'"


class LazyGroup(TyperGroup):
    """The commands of the application, and those of the gateway behind them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *GATEWAY]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in GATEWAY:
            return _gateway_commands().get(cmd_name)
        return super().get_command(ctx, cmd_name)


def _gateway_commands() -> dict[str, Any]:
    app = typer.Typer()
    try:
        import_module("jsonseam.gateway.cli_run").mount(app)
    except ModuleNotFoundError as error:
        for name in GATEWAY:
            _mount_missing(app, name, error.name or str(error))
    commands: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return commands


def _mount_missing(app: typer.Typer, name: str, missing: str) -> None:
    @app.command(
        name,
        help=f"Not installed here ({missing} is missing); run: {_INSTALL}",
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
    def tell() -> None:
        typer.echo(f"jsonseam {name}: {missing} is not installed; run: {_INSTALL}", err=True)
        raise typer.Exit(Code.USAGE)

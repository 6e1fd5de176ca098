"""Commands that are imported when they are asked for: `join` does not wait for the HTTP client that `run` needs.

A command whose packages are missing is listed all the same; asked for, it says what to install.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, NamedTuple

import typer
from typer.core import TyperGroup

from jsonseam.cli_codes import Code


class Later(NamedTuple):
    """Where a command is mounted from, and the extras that it needs."""

    module: str
    extras: str


_GATEWAY: Final = Later("jsonseam.gateway.cli_run", "cli,openai")
LATER: Final[dict[str, Later]] = {
    "run": _GATEWAY,
    "resume": _GATEWAY,
    "worker": Later("jsonseam.live.cli_worker", "cli,valkey"),
    "batch": Later("jsonseam.batches.cli_batch", "cli,batch"),
    "serve": Later("jsonseam.proxy.cli_serve", "cli,serve"),
}


class LazyGroup(TyperGroup):
    """The commands of the application, and those of `LATER` behind them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *LATER]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in LATER:
            return _import_command(cmd_name, LATER[cmd_name])
        return super().get_command(ctx, cmd_name)


def _import_command(name: str, later: Later) -> Any:
    app = typer.Typer(rich_markup_mode="markdown")
    app.callback()(lambda: None)  # an application of one command would be no group
    try:
        import_module(later.module).mount(app)
    except ModuleNotFoundError as error:
        _mount_missing(app, name, error.name or str(error), f"pip install 'jsonseam[{later.extras}]'")
    return typer.main.get_command(app).commands.get(name)  # type: ignore[attr-defined]


def _mount_missing(app: typer.Typer, name: str, missing: str, install: str) -> None:
    @app.command(
        name,
        help=f"Not installed here ({missing} is missing); run: {install}",
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
    def tell() -> None:
        typer.echo(f"jsonseam {name}: {missing} is not installed; run: {install}", err=True)
        raise typer.Exit(Code.USAGE)

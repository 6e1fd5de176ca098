"""KPIs as they are told on the command line: id=path:target."""

from __future__ import annotations

from collections.abc import Iterable

import typer

from jsonseam import JsonSeamError, Kpi


def read_kpis(texts: Iterable[str]) -> list[Kpi]:
    """Each as id=path:target, the target left out where there is none. Raises typer.BadParameter."""
    kpis: dict[str, Kpi] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        path, target = _split_target(rest)
        if not equals or not name or not path:
            raise typer.BadParameter(f"{text!r} is not id=path:target, as in rows=sections[0].rows:100")
        if name in kpis:
            raise typer.BadParameter(f"there are two KPIs {name!r}")
        try:
            kpis[name] = Kpi(name, path, target)
        except JsonSeamError as error:
            raise typer.BadParameter(str(error)) from error
    return list(kpis.values())


def _split_target(text: str) -> tuple[str, float | None]:
    """A colon may also stand in a quoted name of the path."""
    path, colon, target = text.rpartition(":")
    if not colon or target.endswith("]"):
        return text, None
    try:
        return path, float(target)
    except ValueError as error:
        raise typer.BadParameter(f"the target {target!r} is not a number") from error

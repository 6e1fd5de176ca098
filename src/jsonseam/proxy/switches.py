"""Switches: what one client request may say about its own treatment, in two headers. Pure.

x-jsonseam: off                                 hands off: the request and its answer pass unchanged
x-jsonseam: rounds=4, tokens=20000, seconds=30  less than the proxy's own limits, never more
x-jsonseam-kpi: rows=sections[0].rows:100       counters for the page; several are separated by a semicolon
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from jsonseam import JsonSeamError, Kpi
from jsonseam.gateway.budget import Limits

HEADER: Final = "x-jsonseam"
KPI_HEADER: Final = "x-jsonseam-kpi"
MOST_KPIS: Final = 8


class SwitchError(ValueError):
    """A header says what cannot be understood; the message is for the client."""


@dataclass(frozen=True, slots=True)
class Switch:
    """`limits` are those of the request. `kpis` are counted and shown; they stop nothing."""

    limits: Limits
    off: bool = False
    kpis: tuple[Kpi, ...] = ()


def read_switch(headers: Mapping[str, str], most: Limits) -> Switch:
    """The switch of a request; `most` is what the proxy allows. Raises SwitchError."""
    said = headers.get(HEADER, "").strip()
    kpis = _read_kpis(headers.get(KPI_HEADER, ""))
    if said.lower() in ("off", "on", ""):
        return Switch(most, off=said.lower() == "off", kpis=kpis)
    limits = most
    for part in said.split(","):
        name, _, number = (word.strip().lower() for word in part.partition("="))
        if name == "rounds":
            limits = replace(limits, calls=_least(_number(part, number), limits.calls))
        elif name == "tokens":
            limits = replace(limits, tokens=_least(_number(part, number), limits.tokens))
        elif name == "seconds":
            limits = replace(limits, seconds=_least(_number(part, number), limits.seconds))
        else:
            raise SwitchError(f"{HEADER}: {part.strip()!r} is not off, on, rounds=N, tokens=N or seconds=N")
    return Switch(limits, kpis=kpis)


def _number(part: str, number: str) -> int:
    if not (number.isascii() and number.isdigit() and 0 < len(number) < 13 and int(number)):
        raise SwitchError(f"{HEADER}: {part.strip()!r} needs a whole number above 0")
    return int(number)


def _least(asked: int, allowed: float | None) -> int:
    return asked if allowed is None else min(asked, int(allowed))


def _read_kpis(said: str) -> tuple[Kpi, ...]:
    kpis: dict[str, Kpi] = {}
    for part in filter(None, (part.strip() for part in said.split(";"))):
        name, _, place = part.partition("=")
        path, colon, target = place.rpartition(":")
        try:
            kpis[name] = Kpi(name, path, float(target)) if colon else Kpi(name, place)
        except (ValueError, JsonSeamError) as error:
            raise SwitchError(f"{KPI_HEADER}: {part!r} is not id=path:target: {error}") from error
    if len(kpis) > MOST_KPIS:
        raise SwitchError(f"{KPI_HEADER}: at most {MOST_KPIS} counters")
    return tuple(kpis.values())

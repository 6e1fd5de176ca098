"""Extras: a part of jsonseam whose packages are not installed says which extra brings them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Imports that the extra `name` makes possible. Raises `ModuleNotFoundError` with what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("jsonseam"):
            raise
        told = f"{error.name} is not installed; run: pip install 'jsonseam[{name}]'"
        raise ModuleNotFoundError(told, name=error.name) from None

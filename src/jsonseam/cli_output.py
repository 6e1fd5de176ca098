"""Where a command writes: the document to standard output, what is said of it to standard error.

Rule: a document that could not be written is told in one sentence, and by an exit code of its own.
"""

from __future__ import annotations

import os
import sys
from typing import Final

import typer
from rich.console import Console
from rich.text import Text

from jsonseam.cli_codes import Code

BROKEN_PIPE: Final = 141  # what a shell gives for SIGPIPE


def write_document(text: str) -> None:
    """On standard output, as UTF-8, with a line break. Raises typer.Exit where it cannot be written."""
    if sys.stdout is None:  # a shell's >&-
        say(Console(stderr=True), "red", "the document could not be written: standard output is closed")
        raise typer.Exit(Code.USAGE)
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(encoded(text) + b"\n")
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left in the buffer fails no more
        if isinstance(error, BrokenPipeError):
            raise typer.Exit(BROKEN_PIPE) from error
        say(Console(stderr=True), "red", f"the document could not be written: {error.strerror}")
        raise typer.Exit(Code.USAGE) from error


def encoded(text: str) -> bytes:
    """As UTF-8, a lone surrogate as the JSON escape that it is."""
    return text.encode("utf-8", "backslashreplace")


def say(console: Console, style: str, text: str) -> None:
    """One line, not broken by us, because there may be a command in it that somebody copies."""
    console.print(Text(f"jsonseam: {text}", style), soft_wrap=True, highlight=False)

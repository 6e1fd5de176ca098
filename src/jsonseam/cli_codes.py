"""The exit codes of the commands, in one table; `--help` and the README show it."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from jsonseam.records import Status


class Code(IntEnum):
    COMPLETE = 0
    CUT = 1
    USAGE = 2
    MALFORMED = 3
    NOTHING = 4
    LIMIT = 5
    INTERRUPTED = 130  # what a shell gives for SIGINT


OF_STATUS: Final[dict[Status, Code]] = {
    "complete": Code.COMPLETE,
    "partial": Code.CUT,
    "malformed": Code.MALFORMED,
    "empty": Code.NOTHING,
}

MEANING: Final[dict[Code, str]] = {
    Code.COMPLETE: "complete: the document was closed by what was delivered",
    Code.CUT: "cut: it breaks off before its end",
    Code.USAGE: "usage: an option, a path or a file is wrong",
    Code.MALFORMED: "malformed: something in it is not JSON",
    Code.NOTHING: "nothing: no JSON document has begun",
    Code.LIMIT: "a limit of depth or size was crossed",
    Code.INTERRUPTED: "Ctrl-C; what was delivered until then was printed",
}


def table(*codes: Code) -> str:
    """The codes as a list in Markdown."""
    return "\n".join(f"- **{code.value}** {MEANING[code]}" for code in codes)

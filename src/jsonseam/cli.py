"""The door of the command line: it opens where the extra `cli` is installed, and says what to install elsewhere.

Rule: nothing but the standard library is imported before that is known.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Final

NEEDED: Final = ("typer", "rich")
CANNOT_RUN: Final = 2


def main() -> None:
    """The command `jsonseam`."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        print(
            f"jsonseam: the command line needs {' and '.join(missing)}; run: pip install 'jsonseam[cli]'",
            file=sys.stderr,
        )
        sys.exit(CANNOT_RUN)
    from jsonseam.cli_app import app

    app(prog_name="jsonseam")

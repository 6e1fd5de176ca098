"""The text around one seam: what was held, what was dropped from the fragment, put in or given up, what was kept.

Rule: an excerpt is taken when the seam is decided, from the text of that moment; it is shown shortened, never wrapped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rich.text import Text

from jsonseam import Seam

AROUND: Final = 60  # characters shown on each side of a seam
HEAD: Final = 1 << 16  # characters of a fragment that are remembered to show what was dropped
_MARKS: Final = str.maketrans({"\n": "⏎", "\t": "→", "\r": "␍"})
_STYLES: Final = {
    "held": "",
    "given up": "yellow strike",
    "dropped": "red strike",
    "put in": "bold cyan",
    "kept": "green",
}


@dataclass(frozen=True, slots=True)
class Excerpt:
    """All in characters of the document, but for `dropped`, which is the fragment's."""

    held: str
    given_up: str
    dropped: str
    put_in: str
    kept: str

    def lines(self) -> list[Text]:
        """One line each for what there is, with its name in front."""
        rows = (
            ("held", "…" + printable(self.held) if self.held else ""),
            ("given up", shorten(printable(self.given_up))),
            ("dropped", shorten(printable(self.dropped))),
            ("put in", printable(self.put_in)),
            ("kept", printable(self.kept) + "…" if self.kept else ""),
        )
        return [Text.assemble((f"{name:>10} │ ", "dim"), (text, _STYLES[name])) for name, text in rows if text]


def take_excerpt(seam: Seam, text: str, head: str) -> Excerpt:
    """`text` is the document's when the seam had been decided, `head` the beginning of the fragment as it came."""
    before = seam.offset - len(seam.inserted)
    kept = "" if seam.kind == "rejected" else text[seam.offset : seam.offset + AROUND]
    return Excerpt(
        held=text[max(0, before - AROUND) : before],
        given_up=seam.replaced,
        dropped=head[: seam.dropped],
        put_in=seam.inserted,
        kept=kept,
    )


def printable(text: str) -> str:
    """On one line, with nothing in it that a terminal would act on."""
    return "".join(mark if mark.isprintable() else _escaped(mark) for mark in text.translate(_MARKS))


def shorten(text: str, width: int = 2 * AROUND) -> str:
    """Its two ends, where it is longer than `width` characters."""
    if len(text) <= width:
        return text
    return f"{text[: width // 2]} […{len(text) - width:,}…] {text[-(width // 2) :]}"


def _escaped(mark: str) -> str:
    return f"\\u{ord(mark):04x}" if ord(mark) < 0x10000 else f"\\U{ord(mark):08x}"

"""The text around one seam: what was held, what was dropped from the fragment, put in or given up, what was kept.

Behind it, the ways in which the fragment could have been joined. Rule: an excerpt is taken when the seam is decided,
from the text of that moment; it is shown shortened, never wrapped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rich.text import Text

from jsonseam import Candidate, Seam

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
    """Text of the document, but for `dropped`, which is the fragment's."""

    held: str
    given_up: str
    dropped: str
    put_in: str
    kept: str

    def lines(self) -> list[Text]:
        """One line each for what there is, with its name in front."""
        rows = (
            ("held", printable(self.held)),
            ("given up", printable(shorten(self.given_up))),
            ("dropped", printable(shorten(self.dropped))),
            ("put in", printable(self.put_in)),
            ("kept", printable(self.kept)),
        )
        return [Text.assemble((f"{name:>10} │ ", "dim"), (text, _STYLES[name])) for name, text in rows if text]


def take_excerpt(seam: Seam, text: str, head: str) -> Excerpt:
    """`text` is the document's when the seam had been decided, `head` the beginning of the fragment as it came."""
    before = seam.offset - len(seam.inserted)
    behind = seam.offset + AROUND
    kept = "" if seam.kind == "rejected" else text[seam.offset : behind] + "…" * (behind < len(text))
    return Excerpt(
        held="…" * (before > AROUND) + text[max(0, before - AROUND) : before],
        given_up=seam.replaced,
        dropped=head[: seam.dropped],
        put_in=seam.inserted,
        kept=kept,
    )


def candidate_lines(seam: Seam) -> list[Text]:
    """One line for each way to join: its score, what it does, and what speaks against it. The chosen one first."""
    if not seam.candidates:
        return []
    chosen, *others = seam.candidates
    first = _candidate_line("chosen", chosen, "green bold")
    first.append(f"{', '.join(_does(chosen)) or 'nothing is changed'} ", "green")
    first.append(f"(decided on {seam.seen:,} character{'s' * (seam.seen != 1)} of it)", "dim")
    return [first, *map(_other_line, others)]


def _other_line(candidate: Candidate) -> Text:
    style = "" if candidate.legal else "dim"
    line = _candidate_line("or" if candidate.legal else "not", candidate, style)
    line.append("".join(f"{does}: " for does in [", ".join(_does(candidate))] if does) + candidate.reason, style)
    return line.append(f"; but {candidate.against}" if candidate.against else "", "red")


def _candidate_line(name: str, candidate: Candidate, style: str) -> Text:
    return Text.assemble((f"{name:>10} │ ", "dim"), (f"{candidate.score:+6.1f} nats  {candidate.kind:<8}  ", style))


def _does(candidate: Candidate) -> list[str]:
    """What it does to the two texts."""
    figures = (
        (candidate.skip, f"drops {candidate.skip:,}"),
        (candidate.replaced, f"gives up {candidate.replaced:,}"),
        (candidate.insert, f"puts in {printable(candidate.insert)!r}"),
    )
    return [text for there, text in figures if there]


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

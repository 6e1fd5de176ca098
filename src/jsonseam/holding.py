"""What is held, as far as a seam decision may look at it.

Rule: a window begins with a token and its place depends on the text alone, not on the chunks in which it came.
"""

from __future__ import annotations

from collections.abc import Sequence

from jsonseam import grammar, lexemes
from jsonseam.grammar import Expect, Reading, state_behind
from jsonseam.parser import Parser, state_at
from jsonseam.sides import Held
from jsonseam.tally import finishes_more_than

LONG_STRING = 1 << 15  # characters of an unfinished string that a seam decision reads as a whole
MOST_BACK = 1 << 18  # characters in front of the end in which the opener of an open container is looked for


class WholeText:
    """The text of the document as far as it is held, to be read in parts (`sides.Known`)."""

    __slots__ = ("_parser",)

    def __init__(self, parser: Parser) -> None:
        self._parser = parser

    @property
    def size(self) -> int:
        return self._parser.size

    def finishes_more_than(self, values: int) -> bool:
        return finishes_more_than(self._parser.ledger, values)

    def part(self, offset: int, size: int) -> str:
        """At most `size` characters of the text from `offset` on. Cost: as `Ledger.part`."""
        parser = self._parser
        found = parser.ledger.part(offset, size)
        if len(found) < size and parser.scanner.held:
            at = offset + len(found) - parser.ledger.size
            found += parser.scanner.tail[at : at + size - len(found)]
        return found

    def boundary_before(self, offset: int) -> int:
        """The last mark before `offset`: a reader can start there, between two tokens."""
        return self._parser.ledger.mark_before(offset).offset

    def opened_at(self, level: int) -> int | None:
        """Cost: linear in how far back it lies, of which MOST_BACK characters are read."""
        ledger = self._parser.ledger
        end = ledger.size
        while end > max(ledger.begins, ledger.size - MOST_BACK):
            mark = ledger.mark_before(end)
            found = _last_opener(ledger.part(mark.offset, end - mark.offset), len(mark.frames), level)
            if found is not None:
                return mark.offset + found
            end = mark.offset
        return None


def look_at(parser: Parser, window: int) -> Held:
    """What a seam decision may look at: the last `window` characters and the open containers.

    Of an unfinished string that is longer than `LONG_STRING` it is the end, as if the string began there.
    """
    parser.view.hide(parser.tree)
    frames = parser.tree.frames()
    here = state_behind(frames, parser.ledger.last)
    begin, entry = _begin(parser, max(0, parser.ledger.size - window))
    tail = parser.scanner.tail
    text = parser.ledger.since(begin) + tail
    long = parser.scanner.in_string and len(tail) > LONG_STRING
    if long:
        entry, text = (frames, here), lexemes.end_of_string(tail, window)
    steps = parser.tree.steps()
    if parser.ledger.last == ":" and parser.tree.key is not None:
        steps.append(parser.tree.key)
    reading = grammar.read(text, *entry)
    return Held(
        window=text,
        offset=parser.size - len(text),
        reading=reading,
        frames=frames,
        nodes=parser.tree.nodes(),
        steps=steps,
        expect=reading.expect,
        entry=entry,
        settled=(0 if long else parser.ledger.size - begin, here),
        last=_last_significant(text, reading),
        shortened=long,
        past=parser.ledger.past,
        document=WholeText(parser),
        words=[text[token.start : token.end] for token in reading.tokens],
    )


def _begin(parser: Parser, offset: int) -> tuple[int, tuple[Sequence[str], Expect]]:
    """The last place before `offset` behind an opener or a comma, and the state there. Cost: a few kilobytes."""
    mark = parser.ledger.mark_before(offset)
    in_front = parser.ledger.since(mark.offset)[: offset - mark.offset]
    frames, found = list(mark.frames), None
    for match in lexemes.STRING_OR_STRUCTURE.finditer(in_front):
        char = in_front[match.start()]
        if char in "{[":
            frames.append(char)
        elif char in "}]":
            frames.pop()
        if char in "{[,":
            found = match.end(), frames.copy(), char
    if found is None:
        reading = grammar.read(in_front, *state_at(mark))
        return mark.offset + reading.tail, (reading.frames, reading.expect)
    at, frames, char = found
    return mark.offset + at, (frames, state_behind(frames, char))


def _last_significant(text: str, reading: Reading) -> str:
    """The last significant character in front of the unfinished token, "" in front of the document."""
    return text[reading.tokens[-1].end - 1] if reading.tokens else ""


def _last_opener(text: str, depth: int, level: int) -> int | None:
    """Where the last container begins that stands in `level` others; `depth` are open in front of the text."""
    found = None
    for match in lexemes.STRING_OR_STRUCTURE.finditer(text):
        char = text[match.start()]
        if char in "{[":
            found = match.start() if depth == level else found
            depth += 1
        elif char in "}]":
            depth -= 1
    return found

"""What is held, as far as a seam decision may look at it.

Rule: a window begins with a token and its place depends on the text alone, not on the chunks in which it came.
"""

from __future__ import annotations

from typing import Final

from jsonseam import grammar, lexemes
from jsonseam.grammar import state_behind
from jsonseam.ledger import Ledger
from jsonseam.parser import Parser
from jsonseam.sides import Held
from jsonseam.standing import state_at
from jsonseam.tally import finishes_more_than

_IN_FRONT: Final = ("", "{", "[", ",")  # what stands in front of an item: nothing, openers, a comma
LONG_STRING: Final = 1 << 15  # characters of an unfinished string that a seam decision reads as a whole
FARTHEST: Final = 1 << 12  # characters in front of a window in which a place is looked for at which it may begin
MOST_BACK: Final = 1 << 18  # characters in front of the end in which the opener of an open container is looked for


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

    def goes_on(self, text: str, offset: int) -> bool:
        """Is `text` what stands there from `offset` on? Cost: as `Ledger.goes_on`."""
        ledger = self._parser.ledger
        if offset + len(text) <= ledger.size:
            return ledger.goes_on(text, offset)
        return self.part(offset, len(text)) == text

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
    Cost: the window; its tokens are read when they are asked for.
    """
    parser.view.hide(parser.tree)
    ledger, tail = parser.ledger, parser.scanner.tail
    frames = parser.tree.frames()
    here = state_behind(frames, ledger.last)
    long = parser.scanner.in_string and len(tail) > LONG_STRING
    if long:
        text, settled = lexemes.end_of_string(tail, window), 0
        front = ledger.last
        ends = grammar.read(text, frames, here)
    else:
        front, text = _window(ledger, max(0, ledger.size - window))
        settled = len(text)
        text += tail
        ends = grammar.read(tail, frames, here)
    steps = parser.tree.steps()
    if ledger.last == ":" and parser.tree.key is not None:
        steps.append(parser.tree.key)
    return Held(
        window=text,
        offset=parser.size - len(text),
        tail=settled + ends.tail,
        front=front,
        frames=frames,
        nodes=parser.tree.nodes(),
        steps=steps,
        expect=ends.expect,
        settled=(settled, here),
        last=tail[ends.tokens[-1].end - 1] if ends.tokens else "" if long else ledger.last,
        shortened=long,
        past=ledger.past,
        document=WholeText(parser),
    )


def _window(ledger: Ledger, offset: int) -> tuple[str, str]:
    """The settled text from the last place before `offset` on that is behind an opener or a comma.

    And the last significant character in front of that. Where that place is more than `FARTHEST` characters before
    `offset`, it is the token at `offset` from which on it is given.
    """
    mark = ledger.mark_before(offset)
    text = ledger.part(mark.offset, offset - mark.offset)
    begin = lexemes.behind_opener_or_comma(text)
    while not (begin or mark.last in _IN_FRONT or mark.offset <= max(ledger.begins, offset - FARTHEST)):
        mark = ledger.mark_before(mark.offset)
        text = ledger.part(mark.offset, offset - mark.offset)
        begin = lexemes.behind_opener_or_comma(text)
    if len(text) - begin > FARTHEST or not (begin or mark.last in _IN_FRONT):
        begin = grammar.read(text, *state_at(mark)).tail
    return text[:begin].rstrip(lexemes.WHITE_SPACE)[-1:] or mark.last, ledger.since(mark.offset + begin)


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

"""What is held, as far as a seam decision may look at it.

Rule: a window begins with a token and its place depends on the text alone, not on the chunks in which it came.
"""

from __future__ import annotations

from jsonseam import grammar, lexemes
from jsonseam.grammar import Reading, state_behind
from jsonseam.parser import Parser, state_at
from jsonseam.sides import Held

LONG_STRING = 1 << 15  # characters of an unfinished string that a seam decision reads as a whole


def look_at(parser: Parser, window: int) -> Held:
    """What a seam decision may look at: the last `window` characters and the open containers.

    Of an unfinished string that is longer than `LONG_STRING` it is the end, as if the string began there.
    """
    parser.view.hide(parser.tree)
    frames = parser.tree.frames()
    here = state_behind(frames, parser.ledger.last)
    begin = max(0, parser.ledger.size - window)
    mark = parser.ledger.mark_before(begin)
    in_front = grammar.read(parser.ledger.since(mark.offset)[: begin - mark.offset], *state_at(mark))
    entry = in_front.frames, in_front.expect
    begin = mark.offset + in_front.tail  # where a token begins, however the text came
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
        document=parser,
    )


def _last_significant(text: str, reading: Reading) -> str:
    """The last significant character in front of the unfinished token, "" in front of the document."""
    return text[reading.tokens[-1].end - 1] if reading.tokens else ""

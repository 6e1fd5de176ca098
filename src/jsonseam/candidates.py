"""All the ways in which one fragment could join what is held. Nothing is decided here.

Each way comes with the evidence for it: the information (in nats) of the text that it explains as a repetition,
and what such a join costs before anything is known. A way that is not offered cannot be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jsonseam import lexemes
from jsonseam.ahead import read_ahead
from jsonseam.chance import ENOUGH
from jsonseam.distant import restarts
from jsonseam.faraway import elements
from jsonseam.grammar import Expect
from jsonseam.halves import halves
from jsonseam.joining import Way, plainly_begins
from jsonseam.records import SeamKind
from jsonseam.reopening import entries
from jsonseam.restarting import ALL_OF_IT, NOT_AS_FAR, NOTHING_NEW
from jsonseam.sides import OPENERS, Entry, Held, Piece
from jsonseam.surprise import surprise_again

MOST_OVERLAPS: Final = 24  # places at which an overlap is looked for
SHORT: Final = 16  # overlaps up to this length, the layout at their end not counted, are tried one by one
MOST_LAYOUT: Final = 256  # characters of it
SHORTEST_ECHO: Final = 12  # characters; fewer, inside a string, are a word that comes twice as well
LONG_ECHO: Final = 48  # characters; more that make no JSON where they come again are one whatever they tell
SHORT_ECHO: Final = 8.5  # nats that such a one can tell
IN_A_WORD: Final = 15.0  # nats against one that begins inside a word: what is said again begins with one
ENOUGH_OF_IT: Final = 12  # tokens
LEAST_ALIKE: Final = {"{": 4, "[": 2}  # tokens that an item said again in other words begins with as it did
MOST_LOST: Final = 40.0  # nats of held text that gives way: data is not given up for a guess
MOST_ALIKE: Final = 20.0  # nats that such a beginning tells
FIRST_WORDS: Final = 6  # tokens by which a place is found at which others may be said again
LONGEST: Final = 4096  # characters of an overlap


class Choices:
    """Every way in which one piece could join what is held. What it takes to find them is worked out once."""

    __slots__ = ("_entries", "_held", "_piece", "_restarts")

    def __init__(self, held: Held, piece: Piece) -> None:
        self._held, self._piece = held, piece
        self._entries: tuple[list[Entry], bool] | None = None
        self._restarts: list[Way] | None = None

    def may_be_echo(self) -> bool:
        """Is all of the piece so far something that is held? Then more of it must tell where the news begin."""
        held, piece = self._held, self._piece
        return (
            piece.text[piece.start :] in held.window
            or _runs_in(held, piece)
            or self.entries()[1]
            or any(way.detail == NOTHING_NEW for way in self.restarts())
        )

    def entries(self) -> tuple[list[Entry], bool]:
        if self._entries is None:
            self._entries = entries(self._held, self._piece)
        return self._entries

    def restarts(self) -> list[Way]:
        """The document said again, or an element that began in front of the window."""
        if self._restarts is None:
            held, piece = self._held, self._piece
            self._restarts = list(restarts(held, piece))
            if held.offset and piece.first in ("{", "["):
                for entry in (Entry(0, 0.0, -1), *self.entries()[0]):
                    self._restarts += elements(held, piece, entry)
        return self._restarts

    def ways(self) -> Iterator[Way]:
        """The literal join first. Cost: the window and a bounded part of the fragment."""
        wrapping = self._piece.wrapping
        for way in self._all():
            yield way.wrapped(wrapping) if wrapping else way

    def _all(self) -> Iterator[Way]:
        held, piece = self._held, self._piece
        yield Way("continue", held.size, piece.start, "it goes on at the very character")
        yield from _separators(held, piece)
        yield from halves(held, piece)
        yield from _echoes(held, piece)
        yield from _aligned(held, piece, Entry(0, 0.0, -1))
        yield from _reworded(held, piece, Entry(0, 0.0, -1))
        certain = False  # then an inner entry can say nothing else again
        for entry in self.entries()[0]:
            if not certain:
                aligned = list(_aligned(held, piece, entry))
                certain = any(way.gain >= ENOUGH + entry.gain for way in aligned)
                yield from aligned
                yield from _reworded(held, piece, entry)
            yield from _appended(held, piece, entry)
        yield from self.restarts()


def _runs_in(held: Held, piece: Piece) -> bool:
    """Do all tokens of the piece, with the unfinished one, stand in the window, one behind the other?

    In whatever layout.
    """
    if len(piece.tokens) < 2 or not _may_stand_in(held, piece, 0):
        return False
    words, begun = piece.words(0, len(piece.tokens)), piece.text[piece.tail :].lstrip()
    known = [*held.words, held.partial]
    ends = (at + len(words) for at in _from_the_end(known, words[0]) if known[at : at + len(words)] == words)
    return any(end < len(known) and (not begun or plainly_begins(begun, known[end])) for end in ends)


def _may_stand_in(held: Held, piece: Piece, index: int) -> bool:
    """Could the piece stand in the window, from its token `index` on? Never False where it does."""
    words = piece.words(index, FIRST_WORDS)
    if piece.whole:
        words.append(piece.text[piece.tail :].lstrip())  # the unfinished token: mostly it tells most
    return not held.lacks(words) and held.may_say(piece.said_from(index))


def _separators(held: Held, piece: Piece) -> Iterator[Way]:
    """A comma said twice, not said at all, or said before a closer."""
    if held.in_string:
        return
    first = piece.first
    at = piece.text.index(first, piece.start) if first else piece.start
    if held.expect is Expect.COMMA and not held.partial and (first in '{["' or first.isalnum() or first == "-"):
        yield Way(
            "continue",
            held.size,
            piece.start,
            "it goes on with the next value, without the comma",
            cost=1.0,
            insert=",",
        )
    if held.partial and first and (first in '{["tfn-' or first.isdigit()):
        yield Way(
            "continue",
            held.size,
            piece.start,
            "it goes on with the next value, without the comma",
            cost=5.0 if first.isdigit() else 2.0,  # digits may go on with the number
            insert=",",
        )
    if held.last in (",", ":") and not held.partial and first == held.last:
        yield Way("overlap", held.size, at + 1, f"the {'comma' if first == ',' else 'colon'} is said twice", cost=1.0)
    if held.last == "," and not held.partial and first and first in "}]":
        yield Way(
            "continue",
            held.offset + held.end_of(len(held.words) - 2),
            piece.start,
            "a closer follows the comma, so the comma is dropped",
            cost=1.0,
            detail="dropped-comma",
        )


def _echoes(held: Held, piece: Piece) -> Iterator[Way]:
    """The last k characters, said again to the letter."""
    text, window = piece.text[piece.start :], held.window
    layout = len(window) - len(window.rstrip(lexemes.WHITE_SPACE))
    short = SHORT + min(layout, MOST_LAYOUT)  # layout alone stands in too many places
    sizes = [k for k in range(1, min(short, len(text), len(window)) + 1) if window.endswith(text[:k])]
    last, at = window[-short:], 0
    for _ in range(MOST_OVERLAPS):
        at = text.find(last, at + 1, LONGEST)
        if at < 0:
            break
        if window.endswith(text[: at + short]):
            sizes.append(at + short)
    sizes = [k for k in sizes if text[:k].strip()]
    if not sizes:
        return
    for k, gain in _evidence(held, piece, sizes, to_the_letter=True).items():
        cost = 7.0
        if k < SHORTEST_ECHO and held.in_string:
            gain = min(gain, SHORT_ECHO)
            cost = IN_A_WORD if (held.window[-k - 1 : -k] + text[0]).isalnum() else 9.0
        reason = f"the last {k} characters are said again"
        yield Way("overlap", held.size, piece.start + k, reason, gain=gain, cost=cost)


def _evidence(
    held: Held, piece: Piece, sizes: Sequence[int], *, at_once: bool = True, to_the_letter: bool = False
) -> dict[int, float]:
    """What it tells that the last k characters come again, for each k of `sizes`, as `surprise_again` measures it.

    Nothing is measured of one long echo alone in which the fragment, going on literally, would stop being JSON.
    """
    meter = piece.meter(held)
    if len(sizes) == 1 and sizes[0] >= LONG_ECHO and meter.most_told(sizes[0]) == ENOUGH:
        text, seam, reading = read_ahead(held, piece.text, held.size, piece.start)
        at = reading.fault
        if at is not None and at - seam < sizes[0] // 2 and (text[at].isalnum() or text[at] in "{}[],:"):
            return {sizes[0]: ENOUGH}
    return surprise_again(meter, sizes, at_once=at_once, to_the_letter=to_the_letter)


def _aligned(held: Held, piece: Piece, entry: Entry) -> Iterator[Way]:
    """The last tokens said again, in whatever layout; the last one may be the unfinished one."""
    index = entry.token
    if index >= len(piece.tokens) and not piece.text[piece.tail :]:
        return
    matches: dict[int, int] = {}
    if held.partial and not held.shortened and (skip := _behind_partial(held, piece, index)) is not None:
        matches[len(held.words)] = skip
    for j in _places(held, piece, index):
        if (skip := _match(held, piece, index, j)) is not None:
            matches[j] = skip
    if not matches:
        return
    behind = len(held.words)
    starts = {j: held.offset + (held.start_of(j) if j < behind else held.tail) for j in matches}
    sizes = [held.size - start for start in starts.values()]
    evidence = _evidence(held, piece, sizes, at_once=not index)
    if behind in matches and not index and _is_number_again(held, piece):
        size = 1 + (piece.tokens[0].end if piece.tokens else len(piece.text)) - piece.start
        again = len(held.partial)
        evidence[again] = max(evidence[again], piece.meter(held).measure_again(again, size))
    for j, skip in matches.items():
        start = starts[j]
        is_all_of_it = start == 0 and not index and j < behind - ENOUGH_OF_IT
        gain = evidence[held.size - start] * (ALL_OF_IT if is_all_of_it else 1.0) + entry.gain
        news = skip < len(piece.text)
        cut = held.offset + held.tail if held.partial and news else held.size
        kind, detail, what = _name_of(held, j, index, start)
        if start == 0 and not index and not news:
            what = NOT_AS_FAR
        cost = 8.0 if detail == "tokens" else 4.0
        yield Way(kind, cut, skip, what, gain=gain, cost=cost, detail=detail)


def _places(held: Held, piece: Piece, index: int) -> list[int]:
    """The held tokens at which the piece's first ones from `index` on stand, as far as tokens are held.

    The last such places, and the first of all tokens; none where no place can lead to the end of what is held.
    """
    if index >= len(piece.tokens):
        return []
    first = piece.words(index, FIRST_WORDS)
    if not _may_stand_in(held, piece, index) and not held.may_end_in(piece.tokens_from(index), first):
        return []  # it says nothing again that goes on to the end of what is held
    known, words = held.spelled, piece.spelled[index : index + FIRST_WORDS]
    rarest = max(words, key=len)
    before = words.index(rarest)
    begun = range(len(known) - 1, max(0, len(known) - len(words) + 1) - 1, -1)
    found = [at for at in begun if known[at:] == words[: len(known) - at]]
    for at in _from_the_end(known, rarest):
        if at < before or len(found) >= MOST_OVERLAPS:
            break
        if known[at - before : at - before + len(words)] == words:
            found.append(at - before)
    if len(found) >= MOST_OVERLAPS and 0 not in found and known[: len(words)] == words:
        found.append(0)
    return found


def _from_the_end(known: list[str], word: str) -> Iterator[int]:
    return (at for at in range(len(known) - 1, -1, -1) if known[at] == word)


def _name_of(held: Held, j: int, index: int, start: int) -> tuple[SeamKind, str, str]:
    if index:
        return "reopen", "", "the path is opened again, and what was cut off is said again"
    if start == 0:
        return "restart", "", "the document is started again and gets further"
    if j == len(held.words):
        return "resume", "token", "the cut-off token is said again"
    if j in held.openers:
        return "resume", "element", "the cut-off element is said again"
    if held.words[j] in OPENERS:
        return "resume", "siblings", "the last siblings and the cut-off element are said again"
    return "overlap", "tokens", "the last tokens are said again"


def _is_number_again(held: Held, piece: Piece) -> bool:
    """Does the piece begin with the digits of the number that was cut off?"""
    return held.partial[:1] in "-0123456789" and piece.text.startswith(held.partial, piece.start)


def _match(held: Held, piece: Piece, index: int, j: int) -> int | None:
    """Where in the fragment the news begin, if it says the held tokens from the j-th on again; None if not."""
    known, said = held.spelled, piece.spelled
    missing = len(known) - j
    same = min(missing, len(said) - index)
    if known[j : j + same] != said[index : index + same]:
        return None
    if same < missing:
        rest = piece.text[piece.tail :]
        return len(piece.text) if rest and same == missing - 1 and plainly_begins(rest, held.words[-1]) else None
    if held.partial:
        return _behind_partial(held, piece, index + same)
    return _behind_layout(held, piece, piece.tokens[index + same - 1].end)


def _behind_partial(held: Held, piece: Piece, at: int) -> int | None:
    """The same, where its tokens from `at` on are to say the unfinished one that is held."""
    partial = held.partial
    if at < len(piece.tokens):
        return piece.tokens[at].start if plainly_begins(partial, piece.word(at)) else None
    rest = piece.text[piece.tail :]
    if rest == '"' and len(partial) > 1:
        return None  # it ends the string; that the string begins with one tells nothing
    if rest and plainly_begins(rest, partial):
        return len(piece.text)  # nothing new
    return piece.tail if rest and plainly_begins(partial, rest) else None


def _behind_layout(held: Held, piece: Piece, at: int) -> int:
    """Layout that is held behind the last token and said again goes with it, or the next echo would not find it."""
    layout = held.window[len(held.window.rstrip(lexemes.WHITE_SPACE)) :]
    return at + len(layout) if piece.text.startswith(layout, at) else at


def _appended(held: Held, piece: Piece, entry: Entry) -> Iterator[Way]:
    """The path opened again around new items: nothing of what is held is open deeper than the path leads."""
    finished = not held.partial or lexemes.is_whole_number(held.partial.rstrip())
    if entry.level != len(held.frames) - 1 or not finished or entry.token >= len(piece.tokens):
        return
    insert = "" if held.last in ("{", "[", ",") and not held.partial else ","
    yield Way(
        "reopen",
        held.size,
        piece.tokens[entry.token].start,
        "the path is opened again, around new items",
        gain=entry.gain,
        cost=9.0 if held.partial else 4.0,
        insert=insert,
        detail="new-items",
    )


def _reworded(held: Held, piece: Piece, entry: Entry) -> Iterator[Way]:
    """The cut-off item said again, beginning alike but going on otherwise; the cut-off one gives way."""
    if entry.token >= len(piece.tokens):
        return
    kind = piece.tokens[entry.token].kind
    least = LEAST_ALIKE.get(kind, 0)
    words = piece.words(entry.token, least)
    if not least or len(words) < least or held.lacks(words) or not held.may_say("".join(words)):
        return
    levels = [entry.level] if entry.token else range(len(held.frames) - 2, -1, -1)
    for level in levels:
        if not 0 <= level < len(held.frames) - 1 or held.frames[level] != "[" or held.frames[level + 1] != kind:
            continue
        opener = held.opener_of(level + 1)
        if opener is None:
            continue
        same = _count_same(held.spelled, opener, piece.spelled, entry.token)
        if same < least:
            continue
        if _match(held, piece, entry.token, opener) is not None:
            return  # it is said again as it was, to the end
        start, common = held.offset + held.start_of(opener), held.offset + held.end_of(opener + same - 1)
        meter = piece.meter(held)
        yield Way(
            "reopen" if entry.token else "resume",
            start,
            piece.tokens[entry.token].start,
            "the cut-off element is said again in other words, which take its place",
            gain=min(MOST_ALIKE, meter.measure(start - held.offset, common - start, MOST_ALIKE) + entry.gain),
            cost=6.0,
            detail="reworded",
            lost=6.0 + meter.measure(common - held.offset, held.size - common, MOST_LOST),
        )
        return


def _count_same(known: Sequence[str], at: int, said: Sequence[str], index: int) -> int:
    """How many tokens are the same in both, from these on."""
    most = min(len(known) - at, len(said) - index)
    return next((count for count in range(most) if known[at + count] != said[index + count]), most)

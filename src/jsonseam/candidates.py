"""All the ways in which one fragment could join what is held. Nothing is decided here.

Each way comes with the evidence for it: the information (in nats) of the text that it explains as a repetition,
and what such a join costs before anything is known. A way that is not offered cannot be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from jsonseam import envelope, lexemes
from jsonseam.distant import restarts
from jsonseam.faraway import elements
from jsonseam.grammar import Expect, Token, read
from jsonseam.joining import Way, begins, same_token
from jsonseam.records import SeamKind
from jsonseam.reopening import Entry, entries
from jsonseam.restarting import ALL_OF_IT, NOT_AS_FAR, NOTHING_NEW
from jsonseam.sides import Held, Piece
from jsonseam.surprise import surprise_again

MOST_OVERLAPS: Final = 24  # places in the window at which an overlap is looked for
SHORT: Final = 16  # overlaps below this length are tried one by one
SHORTEST_ECHO: Final = 12  # characters; fewer, inside a string, are a word that comes twice as well
SHORT_ECHO: Final = 8.5  # nats that such a one can tell
IN_A_WORD: Final = 15.0  # nats against one that begins inside a word: what is said again begins with one
ENOUGH_OF_IT: Final = 12  # tokens
FIRST_WORDS: Final = 6  # tokens by which a place is found at which others may be said again
LONGEST: Final = 4096  # characters of an overlap


def list_pieces(held: Held, fragment: str, literal_fault: int | None) -> list[Piece]:
    """The fragment from each place on where its data may begin, the first time as it came.

    `literal_fault` is the character of the fragment at which the literal join stops being JSON, None if it does
    not: only what stands there or before can be wrapping. What goes on from one place as JSON does not wrap a
    later one.
    """
    most = len(held.reading.tokens) + 64
    pieces: list[Piece] = []
    read_to = 0
    for start, wrapping in envelope.data_starts(fragment, literal_fault):
        if start < read_to or (held.in_string and wrapping >= envelope.IN_PROSE and '"' not in fragment[start:]):
            continue  # the inside of a string behind prose, and nothing that closes it: prose, all of it
        if start and not fragment[start:].strip():
            continue
        pieces.append(Piece(fragment, start, most, wrapping))
        if start and not held.in_string:
            reading = read(held.partial + fragment[start : start + LONGEST], held.reading.frames, held.expect)
            if reading.tokens:
                read_to = start + reading.tokens[-1].end - len(held.partial)
    return pieces


def list_ways(held: Held, pieces: Sequence[Piece]) -> Iterator[Way]:
    """Every way, the literal join first. Cost: the window and a bounded part of the fragment."""
    for piece in pieces:
        for way in _at(held, piece):
            yield replace(way, cost=way.cost + piece.wrapping, wrapping=piece.wrapping) if piece.wrapping else way


def may_be_echo(held: Held, pieces: Sequence[Piece]) -> bool:
    """Is all of the fragment so far something that is held? Then more of it must tell where the news begin."""
    return any(
        piece.text[piece.start :] in held.window
        or _runs_in(held, piece)
        or entries(held, piece)[1]
        or any(way.detail == NOTHING_NEW for way in (*restarts(held, piece), *_far_away(held, piece)))
        for piece in pieces
    )


def _runs_in(held: Held, piece: Piece) -> bool:
    """Do all tokens of the piece stand in the window, one behind the other, in whatever layout?"""
    words = [piece.word(index) for index in range(len(piece.tokens))]
    if len(words) < 2:
        return False
    known = held.words
    return any(known[at : at + len(words)] == words for at in range(len(known)) if known[at] == words[0])


def _at(held: Held, piece: Piece) -> Iterator[Way]:
    yield Way("continue", held.size, piece.start, "it goes on at the very character")
    yield from _separators(held, piece)
    yield from _echoes(held, piece)
    yield from _aligned(held, piece, Entry(0, 0.0, -1))
    yield from _reworded(held, piece, Entry(0, 0.0, -1))
    for entry in entries(held, piece)[0]:
        yield from _aligned(held, piece, entry)
        yield from _reworded(held, piece, entry)
        yield from _appended(held, piece, entry)
    yield from restarts(held, piece)
    yield from _far_away(held, piece)


def _far_away(held: Held, piece: Piece) -> Iterator[Way]:
    """An element said again that began in front of the window."""
    if held.offset and piece.first in ("{", "["):
        for entry in (Entry(0, 0.0, -1), *entries(held, piece)[0]):
            yield from elements(held, piece, entry)


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
            held.offset + held.reading.stable,
            piece.start,
            "a closer follows the comma, so the comma is dropped",
            cost=1.0,
            detail="dropped-comma",
        )


def _echoes(held: Held, piece: Piece) -> Iterator[Way]:
    """The last k characters, said again to the letter."""
    text, window = piece.text[piece.start :], held.window
    sizes = [k for k in range(1, min(SHORT, len(text), len(window)) + 1) if window.endswith(text[:k])]
    if len(text) > SHORT:
        probe, end, tries = text[:SHORT], len(window), 0
        while tries < MOST_OVERLAPS:
            at = window.rfind(probe, max(0, len(window) - LONGEST), end)
            if at < 0:
                break
            tries += 1
            end = at + SHORT - 1
            k = len(window) - at
            if k > SHORT and text.startswith(window[at:]):
                sizes.append(k)
    sizes = [k for k in sizes if text[:k].strip()]
    for k, gain in surprise_again(piece.meter(held), sizes, to_the_letter=True).items():
        cost = 7.0
        if k < SHORTEST_ECHO and held.in_string:
            gain = min(gain, SHORT_ECHO)
            cost = IN_A_WORD if (held.window[-k - 1 : -k] + text[0]).isalnum() else 9.0
        reason = f"the last {k} characters are said again"
        yield Way("overlap", held.size, piece.start + k, reason, gain=gain, cost=cost)


def _aligned(held: Held, piece: Piece, entry: Entry) -> Iterator[Way]:
    """The last tokens said again, in whatever layout; the last one may be the unfinished one."""
    tokens, index = held.reading.tokens, entry.token
    if index >= len(piece.tokens) and not piece.text[piece.tail :]:
        return
    places: list[int] = [len(tokens)] if held.partial and not held.shortened else []
    if index < len(piece.tokens):
        first = [piece.word(at) for at in range(index, min(index + FIRST_WORDS, len(piece.tokens)))]
        found = [j for j in range(len(tokens) - 1, -1, -1) if _begins_at(held, j, first)]
        places += found[:MOST_OVERLAPS]
        if found[MOST_OVERLAPS:] and found[-1] == 0:
            places.append(0)
    matches = {j: skip for j in places if (skip := _match(held, piece, index, j)) is not None}
    starts = {j: held.offset + (tokens[j].start if j < len(tokens) else held.reading.tail) for j in matches}
    sizes = [held.size - start for start in starts.values()]
    evidence = surprise_again(piece.meter(held), sizes, at_once=not index)
    if len(tokens) in matches and not index and _is_number_again(held, piece):
        size = 1 + (piece.tokens[0].end if piece.tokens else len(piece.text)) - piece.start
        again = len(held.partial)
        evidence[again] = max(evidence[again], piece.meter(held).measure_again(again, size))
    for j, skip in matches.items():
        start = starts[j]
        is_all_of_it = start == 0 and not index and j < len(tokens) - ENOUGH_OF_IT
        gain = evidence[held.size - start] * (ALL_OF_IT if is_all_of_it else 1.0) + entry.gain
        news = skip < len(piece.text)
        cut = held.offset + held.reading.tail if held.partial and news else held.size
        kind, detail, what = _name_of(held, j, index, start)
        if start == 0 and not index and not news:
            what = NOT_AS_FAR
        cost = 8.0 if detail == "tokens" else 4.0
        yield Way(kind, cut, skip, what, gain=gain, cost=cost, detail=detail)


def _begins_at(held: Held, j: int, words: Sequence[str]) -> bool:
    """Do the words stand at the j-th held token, as far as tokens are held?"""
    return all(map(same_token, held.words[j : j + len(words)], words))


def _name_of(held: Held, j: int, index: int, start: int) -> tuple[SeamKind, str, str]:
    if index:
        return "reopen", "", "the path is opened again, and what was cut off is said again"
    if start == 0:
        return "restart", "", "the document is started again and gets further"
    if j == len(held.reading.tokens):
        return "resume", "token", "the cut-off token is said again"
    openers = held.openers()
    if start in openers:
        return "resume", "element", "the cut-off element is said again"
    if held.reading.tokens[j].kind in ("{", "["):
        return "resume", "siblings", "the last siblings and the cut-off element are said again"
    return "overlap", "tokens", "the last tokens are said again"


def _is_number_again(held: Held, piece: Piece) -> bool:
    """Does the piece begin with the digits of the number that was cut off?"""
    return held.partial[:1] in "-0123456789" and piece.text.startswith(held.partial, piece.start)


def _word(held: Held, token: Token) -> str:
    return held.window[token.start : token.end]


def _match(held: Held, piece: Piece, index: int, j: int) -> int | None:
    """Where in the fragment the news begin, if it says the held tokens from the j-th on again; None if not."""
    tokens, partial = held.reading.tokens, held.partial
    at = index
    while j < len(tokens) and at < len(piece.tokens):
        if tokens[j].kind != piece.tokens[at].kind or not same_token(held.words[j], piece.word(at)):
            return None
        j += 1
        at += 1
    rest = piece.text[piece.tail :] if at == len(piece.tokens) else ""
    if j < len(tokens):
        return len(piece.text) if rest and j == len(tokens) - 1 and begins(rest, held.words[j]) else None
    if not partial:
        return _behind_layout(held, piece, piece.tokens[at - 1].end) if at > index else None
    if at < len(piece.tokens):
        return piece.tokens[at].start if begins(partial, piece.word(at)) else None
    if rest and begins(rest, partial):
        return len(piece.text)  # nothing new
    return piece.tail if rest and begins(partial, rest) else None


def _behind_layout(held: Held, piece: Piece, at: int) -> int:
    """Layout that is held behind the last token and said again goes with it, or the next echo would not find it."""
    layout = held.window[len(held.window.rstrip(" \t\r\n")) :]
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
    levels = [entry.level] if entry.token else range(len(held.frames) - 2, -1, -1)
    openers = held.openers()
    for level in levels:
        start = openers[level + 1] if 0 <= level < len(held.frames) - 1 else None
        if start is None or held.frames[level] != "[" or held.frames[level + 1] != kind:
            continue
        meter = piece.meter(held)
        common, same = _common(held, piece, entry.token, start)
        if same < (4 if kind == "{" else 2):
            continue
        yield Way(
            "reopen" if entry.token else "resume",
            start,
            piece.tokens[entry.token].start,
            "the cut-off element is said again in other words, which take its place",
            gain=min(20.0, meter.measure(start - held.offset, common - start) + entry.gain),
            cost=6.0,
            detail="reworded",
            lost=6.0 + meter.measure(common - held.offset, held.size - common),
        )
        return


def _common(held: Held, piece: Piece, index: int, start: int) -> tuple[int, int]:
    """How far the held text from `start` on is what the fragment says: the offset, and the number of tokens."""
    same, upto = 0, start
    for token in held.reading.tokens:
        if held.offset + token.start < start:
            continue
        if index + same >= len(piece.tokens) or not same_token(_word(held, token), piece.word(index + same)):
            break
        same += 1
        upto = held.offset + token.end
    return upto, same

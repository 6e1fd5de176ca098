"""The end of what is held, said again in front of the news: to the letter, or token by token in whatever layout.

Rule: the last characters must come again up to the very end, whole or with their unfinished token. How much that
tells is what they carry for a model of the document that has not seen them (`surprise.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jsonseam import lexemes
from jsonseam.ahead import read_ahead
from jsonseam.chance import ENOUGH
from jsonseam.joining import Way, plainly_begins
from jsonseam.records import SeamKind
from jsonseam.restarting import ALL_OF_IT, NOT_AS_FAR
from jsonseam.sides import OPENERS, Entry, Held, Piece
from jsonseam.surprise import surprise_again

MOST_OVERLAPS: Final = 24  # places at which an overlap is looked for
SHORT: Final = 16  # overlaps up to this length, the layout at their end not counted, are tried one by one
MOST_LAYOUT: Final = 256  # characters of it
LONGEST: Final = 4096  # characters of an overlap
FIRST_WORDS: Final = 6  # tokens by which a place is found at which others may be said again
ENOUGH_OF_IT: Final = 12  # tokens behind its beginning up to which a document is said again as a whole
SHORTEST_ECHO: Final = 12  # characters; fewer, inside a string, are a word that comes twice as well
LONG_ECHO: Final = 48  # characters; more that make no JSON where they come again are one whatever they tell
# Nats that tell for or against an echo, before anything is known of it.
SHORT_ECHO: Final = 8.5  # for a short one in a string, at most
TO_THE_LETTER: Final = 7.0  # against one that ends anywhere
WORD_AGAIN: Final = 9.0  # against a short one in a string
IN_A_WORD: Final = 15.0  # against one that begins inside a word: what is said again begins with one
ITEM_AGAIN: Final = 4.0  # against one that begins where a token or an item began that was cut off
TOKENS_AGAIN: Final = 8.0  # against one that begins with any token


def to_the_letter(held: Held, piece: Piece) -> Iterator[Way]:
    """The last k characters, said again to the letter."""
    text, window = piece.text[piece.start :], held.window.text
    short = SHORT + min(len(_layout_behind(window)), MOST_LAYOUT)  # layout alone stands in too many places
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
        cost = TO_THE_LETTER
        if k < SHORTEST_ECHO and held.in_string:
            gain = min(gain, SHORT_ECHO)
            cost = IN_A_WORD if (held.window.text[-k - 1 : -k] + text[0]).isalnum() else WORD_AGAIN
        reason = f"the last {k} characters are said again"
        yield Way("overlap", held.size, piece.start + k, reason, gain=gain, cost=cost)


def token_by_token(held: Held, piece: Piece, entry: Entry) -> Iterator[Way]:
    """The last tokens said again, in whatever layout; the last one may be the unfinished one."""
    index = entry.token
    if index >= len(piece.tokens) and not piece.text[piece.tail :]:
        return
    matches: dict[int, int] = {}
    if held.partial and not held.shortened and (skip := _behind_partial(held, piece, index)) is not None:
        matches[len(held.window.words)] = skip
    for j in _places(held, piece, index):
        if (skip := says_to_the_end(held, piece, index, j)) is not None:
            matches[j] = skip
    if not matches:
        return
    behind = len(held.window.words)
    starts = {j: held.offset + (held.window.start_of(j) if j < behind else held.window.tail) for j in matches}
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
        cut = held.offset + held.window.tail if held.partial and news else held.size
        kind, detail, what = _name_of(held, j, index, start)
        if start == 0 and not index and not news:
            what = NOT_AS_FAR
        cost = TOKENS_AGAIN if detail == "tokens" else ITEM_AGAIN
        yield Way(kind, cut, skip, what, gain=gain, cost=cost, detail=detail)


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


def runs_in(held: Held, piece: Piece) -> bool:
    """Do all tokens of the piece, with the unfinished one, stand in the window, one behind the other?

    In whatever layout.
    """
    if len(piece.tokens) < 2 or not _may_stand_in(held, piece, 0):
        return False
    words, begun = piece.words(0, len(piece.tokens)), piece.text[piece.tail :].lstrip()
    known = [*held.window.words, held.partial]
    ends = (at + len(words) for at in _from_the_end(known, words[0]) if known[at : at + len(words)] == words)
    return any(end < len(known) and (not begun or plainly_begins(begun, known[end])) for end in ends)


def _may_stand_in(held: Held, piece: Piece, index: int) -> bool:
    """Could the piece stand in the window, from its token `index` on? Never False where it does."""
    words = piece.words(index, FIRST_WORDS)
    if piece.whole:
        words.append(piece.text[piece.tail :].lstrip())  # the unfinished token: mostly it tells most
    return not held.window.lacks(words) and held.window.may_say(piece.said_from(index))


def _places(held: Held, piece: Piece, index: int) -> list[int]:
    """The held tokens at which the piece's first ones from `index` on stand, as far as tokens are held.

    The last such places, and the first of all tokens; none where no place can lead to the end of what is held.
    """
    if index >= len(piece.tokens):
        return []
    first = piece.words(index, FIRST_WORDS)
    if not _may_stand_in(held, piece, index) and not held.window.may_end_in(piece.tokens_from(index), first):
        return []  # it says nothing again that goes on to the end of what is held
    known, words = held.window.spelled, piece.spelled[index : index + FIRST_WORDS]
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
    if j == len(held.window.words):
        return "resume", "token", "the cut-off token is said again"
    if j in held.window.openers:
        return "resume", "element", "the cut-off element is said again"
    if held.window.words[j] in OPENERS:
        return "resume", "siblings", "the last siblings and the cut-off element are said again"
    return "overlap", "tokens", "the last tokens are said again"


def _is_number_again(held: Held, piece: Piece) -> bool:
    """Does the piece begin with the digits of the number that was cut off?"""
    return held.partial[:1] in "-0123456789" and piece.text.startswith(held.partial, piece.start)


def says_to_the_end(held: Held, piece: Piece, index: int, j: int) -> int | None:
    """Where in the fragment the news begin, if it says the held tokens from the j-th on again; None if not."""
    known, said = held.window.spelled, piece.spelled
    missing = len(known) - j
    same = min(missing, len(said) - index)
    if known[j : j + same] != said[index : index + same]:
        return None
    if same < missing:
        rest = piece.text[piece.tail :]
        return len(piece.text) if rest and same == missing - 1 and plainly_begins(rest, held.window.words[-1]) else None
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
    layout = _layout_behind(held.window.text)
    return at + len(layout) if piece.text.startswith(layout, at) else at


def _layout_behind(text: str) -> str:
    return text[len(text.rstrip(lexemes.WHITE_SPACE)) :]

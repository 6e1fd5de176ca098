"""From a state to valid JSON: what must be dropped from the end of a cut document, and what must be appended.

Pure, and certain: nothing is guessed. A cut number is dropped, because 12 may have been 1289; a cut string is
kept; a half escape goes; a key without a value goes; the beginning of true, false or null is finished, because
only one word begins so; a comma with nothing behind it goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jsonseam import lexemes
from jsonseam.records import JsonValue


class Ending(NamedTuple):
    """`keep` stands for `tail`, behind a text from whose end `drop` characters were taken. `closers` follow.

    `kind` is the kind of repair that this is, "" for none. `unsafe`: the value that the tail belongs to may have been
    meant to be longer, whether it was kept or dropped.
    """

    drop: int
    keep: str
    closers: str
    kind: str = ""
    unsafe: bool = False


class Leaf(NamedTuple):
    """What is kept of an unfinished scalar, "" for nothing; `kind` and `unsafe` as of an `Ending`."""

    keep: str
    kind: str = ""
    unsafe: bool = False


def complete_end(frames: Sequence[str], behind: str, tail: str) -> Ending:
    """How to end a document.

    `frames`: the openers of the open containers. `behind`: the settled text that follows the last finished
    value or opener (a comma, and perhaps a key and its colon). `tail`: the unfinished token.
    """
    closers = "".join(lexemes.CLOSER_OF[frame] for frame in reversed(frames))
    token = tail.lstrip(lexemes.WHITE_SPACE)
    if not token.startswith('"'):
        token = token.rstrip(lexemes.WHITE_SPACE)
    expects_value = not frames or behind.rstrip(lexemes.WHITE_SPACE)[-1:] == ":" or frames[-1] == "["
    if expects_value and token:
        if not tail.endswith(token) and lexemes.is_whole_number(token):
            return Ending(0, tail, closers)  # space behind it: no digit can follow
        leaf = complete_leaf(token, at_root=not frames)
        if leaf.keep:
            return Ending(0, tail[: tail.index(token)] + leaf.keep, closers, leaf.kind, leaf.unsafe)
        return Ending(len(behind), "", closers, leaf.kind, leaf.unsafe)
    kind = "dangling-key" if '"' in behind or token else "dangling-comma" if behind.strip(lexemes.WHITE_SPACE) else ""
    return Ending(len(behind), "", closers, kind)


def complete_leaf(token: str, *, at_root: bool) -> Leaf:
    """How to end an unfinished scalar. Its beginning is kept where only one thing can be meant."""
    if token[0] == '"':
        if lexemes.TOKEN.fullmatch(token.rstrip(lexemes.WHITE_SPACE)):
            return Leaf(token)
        decided = 1 + lexemes.decided_part(token[1:])
        return Leaf(token[:decided] + '"', "cut-string", unsafe=True)
    whole = lexemes.TOKEN.fullmatch(token)
    if whole and whole.lastindex == lexemes.LITERAL:
        return Leaf(token)
    word = lexemes.literal_begun(token)
    if word:
        return Leaf(word, "cut-literal", unsafe=True)
    if at_root and lexemes.is_whole_number(token):
        return Leaf(token, unsafe=True)  # without it there would be no document
    return Leaf("", "cut-number", unsafe=True)


def guess_scalar(text: str) -> JsonValue:
    """What a text that may be a root scalar looks like so far; None where it looks like nothing."""
    token = text.strip(lexemes.WHITE_SPACE)
    if not token:
        return None
    keep = complete_leaf(token, at_root=True).keep
    try:
        return lexemes.scalar_value(keep) if keep else None
    except ValueError:
        return None

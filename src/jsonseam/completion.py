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

    `kind` is the kind of repair that this is, "" for none. `leaf` tells whether the value that the
    tail belongs to may be shorter than it was meant: "kept", "dropped" or "".
    """

    drop: int
    keep: str
    closers: str
    kind: str
    leaf: str


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
            return Ending(0, tail, closers, "", "")  # space behind it: no digit can follow
        keep, kind, leaf = complete_leaf(token, at_root=not frames)
        if keep:
            return Ending(0, tail[: tail.index(token)] + keep, closers, kind, leaf)
        return Ending(len(behind), "", closers, kind, leaf)
    kind = "dangling-key" if '"' in behind or token else "dangling-comma" if behind.strip(lexemes.WHITE_SPACE) else ""
    return Ending(len(behind), "", closers, kind, "")


def complete_leaf(token: str, *, at_root: bool) -> tuple[str, str, str]:
    """What is kept of an unfinished scalar, the kind of the repair, and whether the value is kept or dropped."""
    if token[0] == '"':
        if lexemes.TOKEN.fullmatch(token.rstrip(lexemes.WHITE_SPACE)):
            return token, "", ""
        decided = 1 + lexemes.decided_part(token[1:])
        return token[:decided] + '"', "cut-string", "kept"
    whole = lexemes.TOKEN.fullmatch(token)
    if whole and whole.lastindex == lexemes.LITERAL:
        return token, "", ""
    word = lexemes.literal_begun(token)
    if word:
        return word, "cut-literal", "kept"
    if at_root and lexemes.is_whole_number(token):
        return token, "", "kept"  # without it there would be no document; it is named as unsafe
    return "", "cut-number", "dropped"


def guess_scalar(text: str) -> JsonValue:
    """What a text that may be a root scalar looks like so far; None where it looks like nothing."""
    token = text.strip(lexemes.WHITE_SPACE)
    if not token:
        return None
    keep, _, _ = complete_leaf(token, at_root=True)
    try:
        return lexemes.scalar_value(keep) if keep else None
    except ValueError:
        return None

"""The path opened again: {"sections": [{"elements": [{"items": [ in front of the rest.

Rule: an entry is a place in the fragment that stands inside the same open containers as the end of what is held.
On the way there the fragment may say finished members again, as they were; one that differs is no path reopened.
"""

from __future__ import annotations

from typing import Any, Final

from jsonseam import lexemes
from jsonseam.grammar import STRING
from jsonseam.regrouping import inner_starts
from jsonseam.sides import OPENERS, Entry, Held, Piece

A_STEP: Final = 4.0  # nats that a name of the path, at its place, is worth
LONGEST_ITEM: Final = 1024  # characters of an item that are waited for, to tell whether it is the first one
FEWEST_MEMBERS: Final = 2  # of an item that is known again
A_MEMBER: Final = 6.0  # nats that a finished member, said again as it was, is worth


def entries(held: Held, piece: Piece) -> tuple[list[Entry], bool]:
    """The places where the fragment stands inside open containers of the document, outermost first.

    And whether the fragment ends on the way: then more of it must tell where it leads.
    """
    tokens, frames = piece.tokens, held.frames
    if not tokens or not frames:
        return [], False
    found, leads_on = _inside(held, piece, Entry(1, 1.0, 0)) if tokens[0].kind == frames[0] else ([], False)
    for start in inner_starts(held, piece):
        more, is_open = _inside(held, piece, start)
        found += more
        leads_on = leads_on or is_open
    return found, leads_on


def _says_first_item(held: Held, piece: Piece, entry: Entry) -> bool | None:
    """Does it go on with the first item of the array, an object that has more members now, or fewer? None: it may."""
    node = held.nodes[entry.level]
    first = node[0] if isinstance(node, list) and len(node) > 1 else None
    if not isinstance(first, dict) or len(first) < FEWEST_MEMBERS or not _begins_like(first, piece, entry.token):
        return False
    behind = piece.behind_value(entry.token)
    if behind is None:
        return None if piece.whole and len(piece.text) - piece.tokens[entry.token].start < LONGEST_ITEM else False
    said = piece.value(entry.token, behind)
    if not isinstance(said, dict) or len(said) < FEWEST_MEMBERS or len(said) == len(first):
        return False
    fewer, more = sorted((first, said), key=len)
    return all(key in more and more[key] == value for key, value in fewer.items())


def _begins_like(item: dict[str, Any], piece: Piece, at: int) -> bool:
    """Is the first member of the object at the token `at` that of the item, as far as it has come?"""
    words = piece.words(at, 4)
    if len(words) < 4 or words[0] != "{":
        return words[:1] == ["{"]
    key, value = lexemes.scalar_value(words[1]), words[3]
    return key == next(iter(item)) and (value in OPENERS or lexemes.scalar_value(value) == item[key])


def _inside(held: Held, piece: Piece, start: Entry) -> tuple[list[Entry], bool]:
    """The entries from a first one on, and whether the fragment ends on the way, as `entries` tells it.

    Where it goes on there with the first item of an array, in other words, it is no path, but the document again.
    """
    found, leads_on = _on_the_way(held, piece, start)
    for at, entry in enumerate(found):
        says_first = _says_first_item(held, piece, entry)
        if says_first:
            return found[:at], False
        leads_on = leads_on or says_first is None
    return found, leads_on


def _on_the_way(held: Held, piece: Piece, start: Entry) -> tuple[list[Entry], bool]:
    """All the places from a first entry on."""
    tokens, frames = piece.tokens, held.frames
    found: list[Entry] = []
    index, gain = start.token, start.gain
    for level in range(start.level, len(frames)):
        frame = frames[level]
        inner = frames[level + 1] if level + 1 < len(frames) else None
        if frame == "[":
            found.append(Entry(index, gain, level))
            gain += 1.0
        else:
            member = _open_member(held, piece, index, level)
            if member is None:
                return found, False
            index, repeated = member
            if index + 1 >= len(tokens):
                return found, piece.whole
            gain += A_STEP + A_MEMBER * repeated
            if inner is None or index + 2 >= len(tokens) or piece.value_of_key(index) != inner:
                found.append(Entry(index, gain, level))
                return found, piece.whole and inner is not None and index + 2 >= len(tokens)
            index += 2
        if inner is None or index >= len(tokens) or tokens[index].kind != inner:
            return found, piece.whole and index >= len(tokens)
        index += 1
    return found, piece.whole and index >= len(tokens)


def _open_member(held: Held, piece: Piece, index: int, level: int) -> tuple[int, int] | None:
    """The key at which the open object is open, or a new one if nothing in it is; and the members said again before.

    Where the fragment ends before that, the last key.
    """
    node = held.nodes[level]
    open_key = held.steps[level] if level < len(held.steps) else None
    repeated = 0
    while index + 1 < len(piece.tokens) and piece.tokens[index].kind == STRING:
        key = lexemes.scalar_value(piece.word(index))
        if key == open_key:
            return index, repeated
        if key not in node:
            return (index, repeated) if level == len(held.frames) - 1 and open_key is None else None
        behind = piece.behind_value(index + 2)
        if behind is None:
            return len(piece.tokens), repeated
        if not piece.says(index + 2, behind, node[key]):
            return None
        repeated += 1
        index = behind + 1 if behind < len(piece.tokens) and piece.tokens[behind].kind == "," else behind
    return (len(piece.tokens), repeated) if index + 1 >= len(piece.tokens) else None

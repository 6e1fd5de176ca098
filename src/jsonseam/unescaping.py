"""Unescaping: a document that came as the inside of a JSON string, {\\"a\\": 1}, loses that one level of escapes.

Rule: only the beginning shows it: an opener, a comma or a colon, and behind it, before any string, an escaped quote
where a string must stand. From there on each escape stands for what it spells, until the end of the fragment; one
that the text ends in waits. A later fragment goes on so, unless its first quote comes without a backslash.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Literal

from jsonseam.backlog import Backlog
from jsonseam.cleaning import Stain
from jsonseam.lexemes import WHITE_SPACE

LONGEST_HEAD = 4096  # characters without any string with which such a document may begin

SHORT_CALL = 100  # characters of a later answer in which the arguments of a call begin
DEEPEST = 6  # containers in which the arguments of a call stand, and those in them
LONGEST_STRING = 1 << 14  # characters of a later answer that is held until it is over

_BEGINS_IN_STRING = re.compile(r'\s*"(?:[ ]|\\[nrt])*[{\[](?:[ ]|\\[nrt])*(?:\\?\Z|\\"|[{}\[\]\d-])')
_BEGINS_IN_CALL = re.compile(
    r'\s*(?:[{\[\s]|"[^"\\]{0,64}"\s*[:,]\s*){2,12}+"(?:[ ]|\\[nrt])*[{\[](?:[ ]|\\[nrt])*(?:\\?\Z|\\"|[{}\[\]\d-])'
)
_MAY_BE_STRING = re.compile(r'\s*[\[{"]')
_MAY_BECOME_CALL = re.compile(r'\s*(?:\[\s*)?\{(?:[{\[\s]|"[^"\\]{0,64}"\s*[:,]\s*){2,12}+(?:"[^"\\]{0,64})?\Z')
_ESCAPED_QUOTE = re.compile(r'(?:[ \t\r\n{\[]|\\[nrt])*+\\"')
_MAY_BECOME_ONE = re.compile(r"(?:[ \t\r\n{\[]|\\[nrt])*+\\?\Z")
# What a strict string could not hold raw, and halves of surrogate pairs, stay escapes: they mean the same there.
_ESCAPE = re.compile(r'\\(?:(["\\/nrt])|u(?![dD][89a-fA-F])(?!00[01])([0-9a-fA-F]{4}))')
_SPELLED = {"n": "\n", "r": "\r", "t": "\t"}
_PART_OF_CODE = re.compile(r"(?:u[0-9a-fA-F]{0,3})?")
_BEFORE_FIRST_QUOTE = re.compile(r'[^"]*?(\\*)"')


def begins_escaped(head: str, text: str, fault: int, *, final: bool) -> bool | None:
    """Does the document behind `head`, all of it so far, go on escaped from `fault` in `text` on? None: undecided."""
    before = (head + text[:fault]).rstrip(WHITE_SPACE)
    if not text.startswith("\\", fault) or '"' in before or before[-1:] not in ("{", "[", ",", ":"):
        return False
    if _ESCAPED_QUOTE.match(text, fault):
        return True
    return None if not final and _MAY_BECOME_ONE.match(text, fault) else False


def may_be_string(text: str) -> bool:
    """May a later answer be a JSON string with a document in it, quotes and escapes and all, as far as it has come?"""
    if not _MAY_BE_STRING.match(text):
        return False  # mostly
    if len(text) < SHORT_CALL and _MAY_BECOME_CALL.match(text):
        return True
    return len(text) < LONGEST_STRING and (_BEGINS_IN_STRING.match(text) or _BEGINS_IN_CALL.match(text)) is not None


def inside_string(text: str) -> str | None:
    """What such an answer says, which is over; None if it is none."""
    if not may_be_string(text):
        return None
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    for _ in range(DEEPEST):  # a call of a tool, and its arguments
        values = said.values() if isinstance(said, dict) else said if isinstance(said, list) else ()
        said = next((value for value in values if _holds_document(value)), said)
    return said if isinstance(said, str) and (len(said) < len(text) - 2 or said[-1:] in ("}", "]")) else None


def _holds_document(value: Any) -> bool:
    return isinstance(value, (dict, list)) or (isinstance(value, str) and value.lstrip()[:1] in ("{", "["))


def first_escapes(text: str) -> str:
    """What such a document's text begins with, up to its first quote."""
    found = _ESCAPED_QUOTE.match(text)
    return found[0] if found else ""


def unescaped(text: str) -> str:
    """The text without one level of escapes; what is no whole escape stays."""
    return _ESCAPE.sub(_meaning, text) if "\\" in text else text


def _meaning(found: re.Match[str]) -> str:
    letter, code = found.groups()
    return chr(int(code, 16)) if code else _SPELLED.get(letter, letter)


class Escapes:
    """One document's escapes: "off", "on", or in a later fragment to "ask" for until its first quote comes."""

    __slots__ = ("_held", "_stains", "mode")

    def __init__(self) -> None:
        self.mode: Literal["off", "on", "ask"] = "on"
        self._held = Backlog()
        self._stains: list[Stain] = []  # in what is held

    @property
    def held(self) -> int:
        """Characters that wait."""
        return self._held.size

    def start_fragment(self) -> None:
        self.mode = "ask"

    def take(self, text: str, stains: Iterable[Stain] = ()) -> tuple[str, list[Stain]]:
        """What the text stands for, and where the stains are in that. Cost: the text."""
        self._stains += [stain._replace(at=self._held.size + stain.at) for stain in stains]
        self._held.add(text)
        if self.mode == "ask":
            if '"' not in text:
                return "", []
            first = _BEFORE_FIRST_QUOTE.match(self._held.text)
            self.mode = "on" if first is not None and len(first[1]) % 2 else "off"
        whole = self._held.take()
        decided = len(whole) if self.mode == "off" else _decided(whole)
        self._held.add(whole[decided:])
        return self._released(whole[:decided])

    def _released(self, text: str) -> tuple[str, list[Stain]]:
        stains, self._stains = self._stains, []
        if self.mode == "off":
            return text, stains
        return unescaped(text), [stain._replace(at=len(unescaped(text[: stain.at]))) for stain in stains]

    def flush(self) -> tuple[str, list[Stain]]:
        """The fragment is over: what waited for its rest."""
        return self._released(self._held.take())

    def state(self) -> list[Any]:
        """Plain JSON, for a checkpoint."""
        return [self.mode, self._held.text, list(map(list, self._stains))]

    @classmethod
    def resume(cls, mode: Literal["off", "on", "ask"], held: str, stains: list[list[Any]]) -> Escapes:
        escapes = cls()
        escapes.mode = mode
        escapes._held.add(held)
        escapes._stains = [Stain(*stain) for stain in stains]
        return escapes


def _decided(text: str) -> int:
    """How much of the text no later character can change: up to an escape that is not whole."""
    last = text.rfind("\\", max(0, len(text) - 5))
    if last < 0 or not _PART_OF_CODE.fullmatch(text, last + 1):
        return len(text)
    start = last
    while start and text[start - 1] == "\\":
        start -= 1
    return len(text) if (last - start) % 2 else last

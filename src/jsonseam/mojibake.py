"""Mojibake: text that was decoded wrongly once ("cafÃ©"), put right in the strings of a finished document.

Rule: only where the caller asks, and only inside of strings, names and values; the structure, the layout and every
string that ftfy finds right stay to the letter. It is the only file on ftfy, which the extra `text` brings.

It takes a finished document, not a stream. What is mojibake can be said of a whole string only, so in a stream each
value would change when its string closes, and the live view promises that values only grow; and seams compare what
was delivered with what is delivered next, which must both be as they came.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from jsonseam import grammar
from jsonseam.finishing import value_of
from jsonseam.records import Document, Repair
from jsonseam.structure import pointer

KIND = "mojibake"


class _String(NamedTuple):
    """A string of the document: its place, what it says, the steps that lead to it, and the object it is a name in."""

    start: int
    end: int
    says: str
    steps: tuple[str | int, ...]
    names: Counter[str] | None


class _Change(NamedTuple):
    """`strict` stands for text[start:end]; `moved` characters are put in before it, in all."""

    start: int
    end: int
    strict: str
    moved: int


def mend_mojibake(document: Document) -> Document:
    """The document with mojibake in its names and values put right, each one reported as a repair.

    Offsets and paths of everything that is told move along; a name is left as it is where its object has the right
    one already. Raises `ModuleNotFoundError`, which names the extra, if ftfy is not installed. Cost: the document.
    """
    fix = _fixer()
    changes: list[_Change] = []
    repairs: list[Repair] = []
    renamed: dict[str, str] = {}
    moved = 0
    for string in _strings(document.text):
        said = fix(string.says)
        if said == string.says or (string.names is not None and _clashes(string, said)):
            continue
        before = document.text[string.start : string.end]
        strict = json.dumps(said, ensure_ascii=before.isascii())
        if string.names is not None:
            renamed[pointer(string.steps)] = pointer([said])
        changes.append(_Change(string.start, string.end, strict, moved))
        repairs.append(Repair(KIND, string.start + moved, pointer(string.steps), before, strict))
        moved += len(strict) - len(before)
    if not changes:
        return document
    text = _changed(document.text, changes)
    repairs = [_kept(repair, changes, text) for repair in document.repairs] + repairs
    return replace(
        document,
        value=value_of(text),
        text=text,
        seams=tuple(replace(s, offset=_place(s.offset, changes), path=_path(s.path, renamed)) for s in document.seams),
        repairs=tuple(
            sorted((replace(r, path=_path(r.path, renamed)) for r in repairs), key=lambda repair: repair.offset)
        ),
        unsafe=tuple(_path(path, renamed) for path in document.unsafe),
    )


def _fixer() -> Callable[[str], str]:
    try:
        import ftfy
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("ftfy is not installed; run: pip install 'jsonseam[text]'", name="ftfy") from error
    # Both of these would change characters that no wrong decoding explains.
    config = ftfy.TextFixerConfig(replace_lossy_sequences=False, fix_c1_controls=False)

    def fix(text: str) -> str:
        return text if text.isascii() else str(ftfy.fix_encoding(text, config))

    return fix


def _clashes(name: _String, said: str) -> bool:
    """Would another name of the same object be the same? Two values would become one."""
    assert name.names is not None
    if name.names[said]:
        return True
    name.names[said] += 1
    return False


def _strings(text: str) -> Iterator[_String]:
    """All strings of a JSON text, in order."""
    tokens = grammar.read(text + " ").tokens
    names = _names_of(text, tokens)
    steps: list[str | int] = []
    objects: list[Counter[str] | None] = []
    for token in tokens:
        if token.kind in ("{", "["):
            objects.append(next(names) if token.kind == "{" else None)
            steps.append("" if token.kind == "{" else 0)
        elif token.kind in ("}", "]"):
            objects.pop()
            steps.pop()
        elif token.kind == ",":
            if objects[-1] is None:
                steps[-1] = int(steps[-1]) + 1
        elif token.kind == grammar.STRING:
            says = str(json.loads(text[token.start : token.end]))
            if token.is_key:
                steps[-1] = says
            yield _String(token.start, token.end, says, tuple(steps), objects[-1] if token.is_key else None)


def _names_of(text: str, tokens: Sequence[grammar.Token]) -> Iterator[Counter[str]]:
    """The names of each object, in the order in which the objects open."""
    found: list[Counter[str]] = []
    stack: list[int] = []
    for token in tokens:
        if token.kind == "{":
            stack.append(len(found))
            found.append(Counter())
        elif token.kind == "}":
            stack.pop()
        elif token.is_key:
            found[stack[-1]][str(json.loads(text[token.start : token.end]))] += 1
    return iter(found)


def _changed(text: str, changes: Sequence[_Change]) -> str:
    pieces, at = [], 0
    for change in changes:
        pieces += [text[at : change.start], change.strict]
        at = change.end
    return "".join([*pieces, text[at:]])


def _place(offset: int, changes: Sequence[_Change]) -> int:
    """Where in the changed text a place is; one inside of a changed string is at most at its end."""
    change = _last_at(offset, changes)
    if change is None:
        return offset
    if offset >= change.end:
        return offset + change.moved + len(change.strict) - (change.end - change.start)
    return change.start + change.moved + min(offset - change.start, len(change.strict))


def _last_at(offset: int, changes: Sequence[_Change]) -> _Change | None:
    """The last change that begins at or before `offset`."""
    low, high = 0, len(changes)
    while low < high:
        middle = (low + high) // 2
        if changes[middle].start <= offset:
            low = middle + 1
        else:
            high = middle
    return changes[low - 1] if low else None


def _kept(repair: Repair, changes: Sequence[_Change], text: str) -> Repair:
    """An earlier repair, told of the changed text; what it put into a changed string may not stand there any more."""
    change = _last_at(repair.offset, changes)
    at = _place(repair.offset, changes)
    if change is not None and repair.offset < change.end:
        from_end = change.start + change.moved + len(change.strict) - (change.end - repair.offset)
        at = next((place for place in (from_end, at) if place >= 0 and text.startswith(repair.after, place)), at)
    return replace(repair, offset=at, after=repair.after if text.startswith(repair.after, at) else "")


def _path(path: str, renamed: dict[str, str]) -> str:
    """A JSON Pointer, with the names in it that were changed."""
    if not renamed:
        return path
    old = new = ""
    for step in path.split("/")[1:]:
        old += "/" + step
        new += renamed.get(old, "/" + step)
    return new

"""Mending: text in which strict reading failed -> strict JSON, one spot at a time, everything else to the letter.

A transducer that knows the open containers. It stands in one of six states and meets one kind of token; the
table below says what it does, and whatever it rewrites is a `Spot`. It decides by what stands before it in the
item and by a bounded look ahead (see `foresight`, `closers`); where the text it would look at has not come yet,
it stops before the spot. So a longer text never changes what was decided, however it was cut.

    state          fits                        anything else
    FIRST, VALUE   a value; a closer (FIRST)   null before , and closers; a bare word becomes a string
    KEY_FIRST,KEY  a string; a closer (FIRST)  a bare key is quoted; brackets opened twice and stray text are dropped
    COLON          a colon                     one is inserted before a value; before , and } it is `: null`
    AFTER          a comma, a closer           a comma is inserted before an item, other text is dropped; a closer
                                               that does not fit is dropped, changed, or those missing inserted
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

import json_repair

from jsonseam.closers import read_closer
from jsonseam.foresight import Foresight
from jsonseam.quoting import read_string
from jsonseam.reader import SPACE, Frames, NeedMore, Reader
from jsonseam.spelling import (
    CLOSER_OF,
    COMMAS,
    QUOTES,
    cut_literal_meant,
    escaped,
    integer_is_too_long,
    is_cut_number,
    is_strict_number,
    literal_meant,
    number_meant,
)

LONGEST_ISOLATED = 2048
"""Characters of an item that json-repair is asked about; it may take quadratic time."""
LONGEST_BARE = 4096
DEEPEST_PATH = 64

_TOKEN = re.compile(r"[\w.+\-]*+")
_NAME = re.compile(r"[^\s:=：,;，{}\[\]\"'`“”]*+")
_STRAY = re.compile(r"[^\s\"'`“”„{}\[\],:;]*+")
_BARE = re.compile(r"[^,;\]}\n(]*+")
_PARENS = re.compile(r"[^()\n]*+")

_FIRST, _VALUE, _KEY_FIRST, _KEY, _COLON, _AFTER = range(6)
_OPENED = {"{": _KEY_FIRST, "[": _FIRST}


@dataclass(frozen=True, slots=True)
class Spot:
    """One mend: `strict[at : at + len(after)] == after`, and `after` stands for the delivered `before`.

    `path` leads from the container that was given to the spot, as deep as it can be known: keys, and indices of
    arrays that were seen from their beginning.
    """

    kind: str
    at: int
    before: str
    after: str
    path: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mended:
    """`strict` stands for text[:used]; `spots` are where the two differ."""

    used: int
    strict: str
    spots: tuple[Spot, ...]


def mend_text(text: str, frames: str, after_value: bool, *, final: bool) -> Mended:
    """Strict JSON for as much of `text` as can be decided.

    `frames` are the openers of the open containers, outermost first; the text begins right behind the last of
    them (or where the root would begin), or with `after_value` behind a finished value in it. Unless `final`, it
    ends behind the first mend, between two tokens, or before the first spot that is not decided. If `final`, all
    of the text is used up to the end of the root. `strict` may then end within a token, as the text did.
    Raises nothing. Cost: linear in the text.
    """
    return Transducer(text, frames, after_value, final=final).run()


class Transducer:
    """One call of `mend_text`. `visits` tells how many characters were looked at."""

    __slots__ = ("_at", "_foresight", "_frames", "_kept", "_length", "_out", "_reader", "_spots", "_state",
                 "_steps", "_stopped", "_text")  # fmt: skip

    def __init__(self, text: str, frames: str, after_value: bool, *, final: bool) -> None:
        self._text = text
        self._reader = Reader(text, final=final)
        self._frames = Frames(frames)
        self._foresight = Foresight(self._reader, self._frames)
        self._at = 0
        self._state = _AFTER if after_value else _OPENED.get(frames[-1:], _VALUE)
        self._stopped = after_value and not frames
        self._out: list[str] = []
        self._length = 0
        self._spots: list[Spot] = []
        self._kept = (0, 0, 0)
        # Where each open container stands, from the given one on: index, or key as a strict string; None: unknown.
        first: int | str | None = 0 if frames[-1:] == "[" and not after_value else None
        self._steps: list[int | str | None] = [first]

    @property
    def visits(self) -> int:
        return self._reader.visits

    def run(self) -> Mended:
        try:
            while not self._stopped:
                self._step()
                self._kept = (self._at, len(self._out), len(self._spots))
                if self._spots and not self._reader.final:
                    break
        except NeedMore:
            pass
        used, pieces, spots = self._kept
        return Mended(used, "".join(self._out[:pieces]), tuple(self._spots[:spots]))

    def _step(self) -> None:
        """One token, and the gap before it. A gap with anything but white space in it is a step of its own."""
        begin = self._reader.run(SPACE, self._at)
        if self._reader.gap_fault(begin) is not None:
            self._mend_gap()
            return
        first = self._reader.char(begin)
        if first == "":
            self._copy(begin)
            self._stopped = True
        else:
            _HANDLERS[self._state](self, begin, first)

    # ------------------------------------------------------------------ output
    def _copy(self, end: int) -> None:
        if end > self._at:
            self._out.append(self._text[self._at : end])
            self._length += end - self._at
            self._at = end

    def _mend(self, kind: str, end: int, after: str) -> None:
        """Let `after` stand for the text up to `end`."""
        self._spots.append(Spot(kind, self._length, self._text[self._at : end], after, self._path()))
        self._out.append(after)
        self._length += len(after)
        self._at = end

    def _path(self) -> tuple[str | int, ...]:
        path: list[str | int] = []
        for step in self._steps[:DEEPEST_PATH]:
            if step is None:
                break
            if isinstance(step, str):
                try:
                    step = str(json.loads(step))
                except ValueError:
                    break
            path.append(step)
        return tuple(path)

    # ------------------------------------------------------------------ structure
    def _open(self, opener: str) -> None:
        self._frames.push(opener)
        self._steps.append(0 if opener == "[" else None)
        self._state = _OPENED[opener]

    def _close(self) -> None:
        self._frames.pop()
        if self._steps:
            self._steps.pop()
        self._finish_value()

    def _finish_value(self) -> None:
        self._state = _AFTER
        self._stopped = len(self._frames) == 0

    def _next_item(self) -> None:
        if self._frames.top() == "{":
            self._state = _KEY
            if self._steps:
                self._steps[-1] = None
        else:
            self._state = _VALUE
            if self._steps and isinstance(self._steps[-1], int):
                self._steps[-1] += 1

    # ------------------------------------------------------------------ between tokens
    def _mend_gap(self) -> None:
        reader = self._reader
        while True:
            self._copy(reader.run(SPACE, self._at))
            fault = reader.gap_fault(self._at)
            if fault is None:
                return
            self._mend(fault[0], fault[1], "")

    def _after(self, begin: int, first: str) -> None:
        if first in COMMAS:
            self._comma(begin)
        elif first in "}]":
            self._closer(begin, first)
        elif first in QUOTES or first in "{[":
            if not self._close_before_item(begin):
                self._mend("missing-comma", self._at, ",")
                self._next_item()
        elif self._item_begins(begin):
            self._mend("missing-comma", self._at, ",")
            self._next_item()
        else:
            self._stray(begin)

    def _item_begins(self, begin: int) -> bool:
        """Is the bare text at `begin`, behind a value, the next item?"""
        if self._frames.top() == "{":
            return self._foresight.name_fits(begin)
        return self._foresight.scalar_fits(begin)

    def _comma(self, begin: int) -> None:
        """A comma, or several: one is kept where an item follows, none before a closer."""
        reader = self._reader
        ends = [begin + 1]
        following = reader.gap(begin + 1)
        while (first := reader.char(following)) != "" and first in COMMAS:
            ends.append(following + 1)
            following = reader.gap(following + 1)
        if first != "" and first not in "}]" and self._close_before_item(following):
            return
        self._copy(begin)
        if first != "" and first in "}]":
            self._mend("trailing-comma", ends[0], "")
        else:
            if self._text[begin] == ",":
                self._copy(begin + 1)
            else:
                self._mend("wrong-comma", begin + 1, ",")
            self._next_item()
        for end in ends[1:]:
            self._mend_gap()
            self._mend("double-comma", end, "")

    def _close_before_item(self, item: int) -> bool:
        """Close the open containers first, where the item at `item` can only be one of a container around them."""
        top, first = self._frames.top(), self._text[item]
        if top == "[" and self._frames.top(1) == "{":
            missing = first in QUOTES and self._foresight.is_named(item)
        else:
            missing = top == "{" and self._frames.top(1) == "[" and first in "{[" and self._foresight.contents_fit(item)
        if missing:
            self._mend("missing-close", self._at, CLOSER_OF[top])
            self._close()
        return missing

    def _closer(self, begin: int, closer: str) -> None:
        frames = self._frames
        if CLOSER_OF.get(frames.top()) == closer:
            self._copy(begin + 1)
            self._close()
            return
        reading = read_closer(self._reader, frames, begin, first=self._state in (_FIRST, _KEY_FIRST))
        if reading.name == "drop" or not frames.top():
            self._copy(begin)
            self._mend("extra-close", begin + 1, "")
        elif reading.name == "change":
            self._copy(begin)
            self._mend("wrong-close", begin + 1, CLOSER_OF[frames.top()])
            self._close()
        else:
            for _ in range(reading.insert):
                self._mend("missing-close", self._at, CLOSER_OF[frames.top()])
                self._close()
            self._copy(begin + 1)
            self._close()

    def _stray(self, begin: int, end: int = 0, kind: str = "stray-text") -> None:
        """Text that fits nowhere: it is dropped, and kept in the record."""
        self._copy(begin)
        end = max(begin + 1, end or self._reader.run(_STRAY, begin))
        self._mend(kind, end, "")

    # ------------------------------------------------------------------ keys
    def _key(self, begin: int, first: str) -> None:
        if first == "}" or (first == "]" and self._state == _KEY_FIRST):
            self._closer(begin, first)
        elif first in QUOTES:
            self._string(begin, key=True)
        elif first in COMMAS:
            self._copy(begin)
            self._mend("double-comma", begin + 1, "")
        elif first in "{[" or first == "]":
            self._stray(begin, begin + 1, "extra-open" if first != "]" else "extra-close")
        elif self._foresight.colon_end(begin) > begin and first != "-":
            self._copy(begin)
            self._mend("missing-key", begin, '""')
            self._key_is('""')
        else:
            self._bare_key(begin)

    def _key_is(self, strict: str) -> None:
        self._state = _COLON
        if self._steps:
            self._steps[-1] = strict

    def _bare_key(self, begin: int) -> None:
        reader, foresight = self._reader, self._foresight
        name_end = end = reader.run(_NAME, begin, LONGEST_BARE)
        if (mark := reader.char(end)) != "" and mark in QUOTES:
            end += 1
        follower = reader.gap(end)
        if end == begin or (reader.char(follower) != "" and foresight.colon_end(follower) == follower):
            is_key = begin < end == name_end and self._stands_for_key(follower)
            if not is_key:
                self._stray(begin, end)
                return
        self._copy(begin)
        name = escaped(self._text[begin:name_end])
        self._mend("bare-key", end, f'"{name}' if end == reader.size else f'"{name}"')
        self._key_is(f'"{name}"')

    def _stands_for_key(self, follower: int) -> bool:
        """Is a bare word a key, though no colon follows it? With a value behind it, or alone between two commas."""
        first = self._text[follower]
        if first in QUOTES:
            return not self._foresight.is_named(follower)
        return first in ",}" or self._foresight.value_begins(follower)

    def _colon(self, begin: int, first: str) -> None:
        end = self._foresight.colon_end(begin)
        if end > begin:
            if first == ":" and end == begin + 1:
                self._copy(end)
            else:
                self._copy(begin)
                self._mend("equals-sign", end, ":")
            self._state = _VALUE
        elif first in COMMAS or first in "}]":
            self._mend("missing-value", self._at, ": null")
            self._finish_value()
        else:
            self._mend("missing-colon", self._at, ":")
            self._state = _VALUE

    # ------------------------------------------------------------------ values
    def _value(self, begin: int, first: str) -> None:
        if first in "{[":
            self._copy(begin + 1)
            self._open(first)
        elif first in QUOTES:
            self._string(begin, key=False)
        elif first in "}]" and (self._state == _FIRST or not self._frames.top()):
            self._closer(begin, first)
        elif first in COMMAS or first in "}]":
            self._no_value(begin)
        elif self._state == _VALUE and self._foresight.colon_end(begin) > begin and first != "-":
            self._copy(begin)
            self._mend("double-colon", self._foresight.colon_end(begin), "")
        elif first == "(":
            self._parenthesis(begin)
        else:
            self._scalar(begin)

    def _no_value(self, begin: int) -> None:
        if self._frames.top() == "{":
            self._mend("missing-value", self._at, " null")
            self._finish_value()
        elif self._text[begin] in COMMAS:
            self._copy(begin)
            self._mend("double-comma", begin + 1, "")
        else:
            self._state = _AFTER

    def _string(self, begin: int, *, key: bool) -> None:
        self._copy(begin)
        found = read_string(self._reader, self._foresight, begin, key=key)
        if found.notes:
            path = self._path()
            self._spots += [Spot(n.kind, self._length + n.at, n.before, n.after, path) for n in found.notes]
        self._out.append(found.strict)
        self._length += len(found.strict)
        self._at = found.end
        if not found.finished:
            self._stopped = True
        elif key:
            self._key_is(found.strict)
        else:
            self._finish_value()

    def _scalar(self, begin: int) -> None:
        """A number, a literal, or bare words."""
        reader, text = self._reader, self._text
        end = reader.run(_TOKEN, begin)
        token = text[begin:end]
        at_end = end == reader.size
        if len(token) == 1 and reader.char(end) != "" and text[end] in QUOTES and token in "uUbBrRfF":
            self._copy(begin)
            self._mend("string-prefix", end, "")
            return
        if integer_is_too_long(token):
            self._copy(begin)
            self._mend("huge-integer", end, f'"{token}' if at_end else f'"{token}"')
        elif at_end and is_cut_number(token):
            self._copy(end)
        elif at_end and (meant := cut_literal_meant(token)) is not None:
            self._plain(begin, end, "literal", meant)
        elif not at_end and not self._ends_scalar(end):
            self._bare_words(begin)
            return
        elif is_strict_number(token):
            self._copy(end)
        elif (meant := literal_meant(token)) is not None:
            self._plain(begin, end, "literal", meant)
        elif (meant := number_meant(token)) is not None:
            self._plain(begin, end, "number-style", meant)
        else:
            self._bare_words(begin)
            return
        self._finish_value()

    def _plain(self, begin: int, end: int, kind: str, meant: str) -> None:
        if self._text[begin:end] == meant:
            self._copy(end)
        else:
            self._copy(begin)
            self._mend(kind, end, meant)

    def _ends_scalar(self, at: int) -> bool:
        """May a number or a literal end here? On the same line, words behind it make words of it."""
        reader = self._reader
        begin = reader.run(SPACE, at)
        first = reader.char(begin)
        if first == "" or first in ",;]}" or first in QUOTES or first in "{[" or reader.gap_fault(begin) is not None:
            return begin > at or first == "" or first not in "{["
        return begin > at and (is_strict_number(self._text[self._at : at].strip()) or "\n" in self._text[at:begin]
                               or self._item_begins(begin))  # fmt: skip

    def _bare_words(self, begin: int) -> None:
        """Words without quotes, up to where an item may end, become a string: nothing of them is lost."""
        reader, text = self._reader, self._text
        end = begin
        while True:
            end = reader.run(_BARE, end, LONGEST_BARE)
            first = reader.char(end)
            if first in ("", "\n") or end - begin >= LONGEST_BARE:
                break
            if first == "(":
                end = self._parenthesis_end(end)
            elif end > begin and (first in "]}" or self._frames.top() == "["):
                break
            elif end > begin and self._foresight.item_fits(end + 1, self._frames):
                break
            else:
                end += 1
        words = text[begin:end].rstrip()
        self._copy(begin)
        if first == "":
            self._mend("bare-word", reader.size, '"' + escaped(text[begin:]))
            self._stopped = True
            return
        kept = words[:-1] if words.endswith('"') and words.count('"') % 2 else words
        self._mend("bare-word" if kept == words else "unopened-string", begin + len(words), f'"{escaped(kept)}"')
        self._finish_value()

    # ------------------------------------------------------------------ the last resort
    def _parenthesis(self, begin: int) -> None:
        """Brackets that JSON does not have: the item goes to json-repair, as the array that it resembles."""
        end = self._parenthesis_end(begin)
        item = self._text[begin:end]
        strict = isolated(f"[{item[1:-1]}]") if item.endswith(")") else None
        if strict is None:
            self._bare_words(begin)
            return
        self._copy(begin)
        self._mend("isolated", end, strict)
        self._finish_value()

    def _parenthesis_end(self, at: int) -> int:
        """Behind the parenthesis that closes the one at `at`, on the same line; or one character on."""
        reader = self._reader
        depth, end, stop = 1, at + 1, at + LONGEST_ISOLATED
        while depth and end < stop:
            end = reader.run(_PARENS, end, stop - end)
            first = reader.char(end)
            if first not in ("(", ")"):
                break
            depth += 1 if first == "(" else -1
            end += 1
        return at + 1 if depth else end


def isolated(item: str) -> str | None:
    """What json-repair makes of one malformed item, as strict JSON; None if it makes nothing of it, or fails."""
    if len(item) > LONGEST_ISOLATED:
        return None
    try:
        value = json_repair.loads(item)
        strict = json.dumps(value, ensure_ascii=False, allow_nan=False)
        strict.encode()
    except Exception:  # whatever a foreign parser throws at malformed text is no news to our caller
        return None
    return strict if value or value == 0 else None


_HANDLERS: dict[int, Callable[[Transducer, int, str], None]] = {
    _FIRST: Transducer._value,
    _VALUE: Transducer._value,
    _KEY_FIRST: Transducer._key,
    _KEY: Transducer._key,
    _COLON: Transducer._colon,
    _AFTER: Transducer._after,
}

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

import re
from collections.abc import Callable, Collection, Sequence

from jsonseam.beginnings import colon_end, pair_begins
from jsonseam.closers import read_closer
from jsonseam.drafting import Draft
from jsonseam.dropping import drop_colons, drop_commas, drop_words, stray_end
from jsonseam.foresight import Foresight
from jsonseam.frames import Frames, no_keys
from jsonseam.isolation import isolated
from jsonseam.lexemes import CLOSER_OF, SPACES
from jsonseam.quoting import read_string
from jsonseam.reader import TOKEN_BEGINS, NeedMore, Reader
from jsonseam.spelling import COMMAS, QUOTES
from jsonseam.spots import Mended
from jsonseam.wording import Word, parenthesis_end, read_bare, read_bare_key, word_for_key

_FIRST, _VALUE, _KEY_FIRST, _KEY, _COLON, _AFTER = range(6)
_OPENED = {"{": _KEY_FIRST, "[": _FIRST}
_RIGHT_KEY = rf'{SPACES}("[^"\\\x00-\x1f]*+"){SPACES}:(?=[^=])'
_PAST_RIGHT_KEY = {_KEY: re.compile(_RIGHT_KEY), _AFTER: re.compile(rf"{SPACES},{_RIGHT_KEY}")}
_PAST_RIGHT_KEY[_KEY_FIRST] = _PAST_RIGHT_KEY[_KEY]


def mend_text(
    text: str,
    frames: str,
    after_value: bool,
    *,
    final: bool,
    steps: Sequence[str | int] | None = None,
    items: int | None = None,
    likely_keys_of: Callable[[int], Collection[str]] = no_keys,
) -> Mended:
    """Strict JSON for as much of `text` as can be decided. Raises nothing. Cost: linear in the text.

    `frames` are the openers of the open containers, outermost first; the text begins right behind the last of
    them (or where the root would begin), or with `after_value` behind a finished value in it. Unless `final`, it
    ends behind the first mend, between two tokens, or before the first spot that is not decided. If `final`, all
    of the text is used up to the end of the root; `strict` may then end within a token, as the text did. Only the
    paths need `steps`, which lead to the given container, and `items`, how many it has if it is an array.
    `likely_keys_of` tells which keys are likely in one of the `frames`, by its number, or if it is an array in its
    objects.
    """
    place = Frames(frames, after_value=after_value, steps=steps, items=items, likely_keys_of=likely_keys_of)
    return Transducer(text, place, after_value, final=final).run()


class Transducer:
    """One call of `mend_text`. `visits` tells how many characters were looked at.

    `_state`: which of the six states it is in. `_dangling`: what was written last is a scalar or a key, which goes out
    only with what follows it. `_stopped`: the root was closed, or the text is used up. `_word`: where a bare key comes
    next that was read already, and what was read.
    """

    __slots__ = ("_dangling", "_draft", "_foresight", "_frames", "_reader", "_state", "_stopped", "_text", "_word")

    def __init__(self, text: str, frames: Frames, after_value: bool, *, final: bool) -> None:
        self._text = text
        self._reader = Reader(text, final=final)
        self._frames = frames
        self._draft = Draft(text, frames)
        self._foresight = Foresight(self._reader, frames)
        self._dangling = False
        self._state = _AFTER if after_value else _OPENED.get(frames.top(), _VALUE)
        self._stopped = after_value and not frames.top()
        self._word: tuple[int, Word | None] = -1, None

    @property
    def visits(self) -> int:
        return self._reader.visits

    def run(self) -> Mended:
        """Step by step to the end of the text or of the root, or to the first mend if more text may come."""
        try:
            while not self._stopped:
                self._step()
                # An insertion goes out with the token behind it (`used == 0` means held), a scalar with what follows.
                if not self._stopped and (self._dangling or (self._draft.is_mended and self._draft.at == 0)):
                    continue
                self._draft.keep()
                if self._draft.is_mended and not self._reader.final:
                    break
        except NeedMore:
            pass
        return self._draft.kept(self._reader.ahead)

    def _step(self) -> None:
        """One token, and the gap before it. A gap with anything but white space in it is a step of its own."""
        if self._state in _PAST_RIGHT_KEY and self._pass_right_key():
            return
        begin = self._reader.space(self._draft.at)
        first = self._reader.char(begin)
        if first == "":
            self._draft.copy(begin)
            self._stopped = True
        elif first not in TOKEN_BEGINS and self._reader.gap_fault(begin) is not None:
            self._mend_gap()
        else:
            _HANDLERS[self._state](self, begin, first)

    def _pass_right_key(self) -> bool:
        """Pass a key that is right, with the comma before it and its colon, at once: most faults stand behind one."""
        found = _PAST_RIGHT_KEY[self._state].match(self._text, self._draft.at) if self._frames.top() == "{" else None
        if found is None:
            return False
        self._reader.visits += found.end() - self._draft.at
        if self._state == _AFTER:
            self._frames.next_item()
        self._frames.stands_at(found[1])
        self._draft.copy(found.end())
        self._expect_value()
        return True

    def _open(self, opener: str) -> None:
        self._frames.push(opener)
        self._state = _OPENED[opener]

    def _close(self) -> None:
        self._frames.pop()
        self._finish_value(scalar=False)

    def _finish_value(self, *, scalar: bool = True) -> None:
        self._state = _AFTER
        self._frames.finish_item()
        self._dangling = scalar
        self._stopped = len(self._frames) == 0

    def _next_item(self) -> None:
        self._frames.next_item()
        self._dangling = False
        self._state = _KEY if self._frames.top() == "{" else _VALUE

    def _mend_gap(self) -> None:
        self._draft.copy(self._reader.space(self._draft.at))
        while (fault := self._reader.gap_fault(self._draft.at)) is not None:
            self._draft.mend(fault[0], fault[1], "")
            self._draft.copy(self._reader.space(self._draft.at))

    def _after(self, begin: int, first: str) -> None:
        """Behind a value: a comma or a closer; or an item without a comma, or stray text."""
        if first in COMMAS:
            self._comma(begin)
        elif first in "}]":
            self._closer(begin, first)
        elif not (first in QUOTES or first in "{[" or self._foresight.bare_item_fits(begin)):
            drop_words(self._reader, self._draft, begin, stray_end(self._reader, begin), self._stray_end)
        elif first == '"' and self._foresight.ends_nothing(begin):
            self._draft.drop("extra-quote", begin, begin + 1)
        elif self._close_before(begin):
            return
        else:
            self._draft.insert("missing-comma", ",")
            self._next_item()

    def _comma(self, begin: int) -> None:
        """A comma, or several: one is kept where an item follows, none before a closer."""
        reader = self._reader
        ends = [begin + 1]
        following = reader.gap(begin + 1)
        while (first := reader.char(following)) != "" and first in COMMAS:
            ends.append(following + 1)
            following = reader.gap(following + 1)
        if first != "" and first not in "}]" and self._close_before(following):
            return
        self._draft.copy(begin)
        if first != "" and self._frames.top() == "{":
            word = word_for_key(reader, following)
            if word is not None and not word.is_value:
                self._draft.mend("stray-text", word.end, "")  # the comma goes with it, or one would be left over
                return
            self._word = following, word
        if first != "" and first in "}]":
            self._draft.mend("trailing-comma", ends[0], "")
        else:
            if self._text[begin] == ",":
                self._draft.copy(begin + 1)
            else:
                self._draft.mend("wrong-comma", begin + 1, ",")
            self._next_item()
        for end in ends[1:]:
            self._mend_gap()
            self._draft.mend("double-comma", end, "")

    def _close_before(self, item: int) -> bool:
        """Close the open container first, if the item at `item` can only be one of the container around it."""
        missing = self._foresight.belongs_outside(item)
        if missing:
            self._draft.insert("missing-close", CLOSER_OF[self._frames.top()])
            self._close()
        return missing

    def _closer(self, begin: int, closer: str) -> None:
        """A closer: one that fits is taken, else it is found out how it was meant."""
        frames = self._frames
        if CLOSER_OF.get(frames.top()) == closer:
            self._draft.copy(begin + 1)
            self._close()
            return
        reading = read_closer(self._reader, frames, begin)
        if reading.name == "drop" or not frames.top():
            self._draft.copy(begin)
            self._draft.mend("extra-close", begin + 1, "")
        elif reading.name == "change":
            self._draft.copy(begin)
            self._draft.mend("wrong-close", begin + 1, CLOSER_OF[frames.top()])
            self._close()
        else:
            for _ in range(reading.insert):
                self._draft.insert("missing-close", CLOSER_OF[frames.top()])
                self._close()
            self._draft.copy(begin + 1)
            self._close()

    def _stray_end(self, begin: int) -> int:
        return begin if self._foresight.bare_item_fits(begin) else stray_end(self._reader, begin)

    def _stray_key_end(self, begin: int) -> int:
        self._word = begin, (word := read_bare_key(self._reader, begin))
        return begin if word.is_value else word.end

    def _key(self, begin: int, first: str) -> None:
        """Where a key must stand: one in quotes or a bare one; or what is wrong there is dropped, or a key put in."""
        if first in "}]" and self._state == _KEY:
            self._draft.insert("missing-key", '""')
            self._key_is('""')
        elif first in "}]":
            self._closer(begin, first)
        elif first in QUOTES:
            self._string(begin, key=True)
        elif first in COMMAS:
            drop_commas(self._reader, self._draft, begin)
        elif first in "{[" and self._state == _KEY_FIRST:
            self._draft.drop("extra-open", begin, begin + 1)
        elif first in "{[":  # without a name; were it dropped, its closer would close more than it opened
            self._draft.copy(begin)
            self._draft.insert("missing-key", '"":')
            self._frames.stands_at('""')
            self._expect_value()
        elif colon_end(self._reader, begin) > begin and first != "-":
            self._draft.copy(begin)
            self._draft.mend("missing-key", begin, '""')
            self._key_is('""')
        else:
            self._bare_key(begin)

    def _key_is(self, strict: str) -> None:
        self._state = _COLON
        self._dangling = True
        self._frames.stands_at(strict)

    def _bare_key(self, begin: int) -> None:
        """A key without quotes; or a word that is none, which is dropped."""
        at, word = self._word
        if word is None or at != begin:
            word = read_bare_key(self._reader, begin)
        if not word.is_value:
            drop_words(self._reader, self._draft, begin, word.end, self._stray_key_end)
            return
        self._draft.copy(begin)
        self._draft.mend(word.kind, word.end, word.strict)
        self._key_is(word.strict)
        self._stopped = not word.finished

    def _colon(self, begin: int, first: str) -> None:
        """Behind a key: a colon in whatever spelling, or none, in front of a value or of none."""
        end = colon_end(self._reader, begin)
        if end > begin:
            if first == ":" and end == begin + 1:
                self._draft.copy(end)
            else:
                self._draft.copy(begin)
                self._draft.mend("equals-sign", end, ":")
            self._expect_value()
        elif first in COMMAS or first in "}]":
            self._draft.insert("missing-value", ": null")
            self._finish_value()
        else:
            self._draft.insert("missing-colon", ":")
            self._expect_value()

    def _expect_value(self) -> None:
        self._state = _VALUE
        self._dangling = False

    def _value(self, begin: int, first: str) -> None:
        """Where a value must stand: a container, a string, a bare word; or there is none."""
        if first in "{[":
            self._draft.copy(begin + 1)
            self._open(first)
        elif first in QUOTES:
            if self._frames.top() == "[" and pair_begins(self._reader, begin):
                self._draft.copy(begin)
                self._draft.mend("missing-open", begin, "{")
                self._open("{")
            elif "\n" in self._text[self._draft.at : begin] and self._foresight.opens_next_pair(begin):
                self._no_value(begin)
            else:
                self._string(begin, key=False)
        elif first in "}]" and (self._state == _FIRST or not self._frames.top()):
            self._closer(begin, first)
        elif first in COMMAS or first in "}]":
            self._no_value(begin)
        elif self._state == _VALUE and colon_end(self._reader, begin) > begin and first != "-":
            drop_colons(self._reader, self._draft, begin)
        elif first == "(":
            self._parenthesis(begin)
        else:
            self._bare(begin)

    def _no_value(self, begin: int) -> None:
        """No value stands here: null in its place, or in an array one comma too many."""
        if self._frames.top() == "{":
            self._draft.insert("missing-value", " null")
            self._finish_value()
        elif self._text[begin] in COMMAS:
            drop_commas(self._reader, self._draft, begin)
        else:
            self._draft.insert("missing-value", "null")
            self._finish_value()

    def _string(self, begin: int, *, key: bool) -> None:
        """A string, whatever its quotes; what is mended inside of it is told one by one."""
        self._draft.copy(begin)
        found = read_string(self._reader, self._foresight, begin, key=key)
        self._draft.put_string(found.end, found.strict, found.notes)
        if not found.finished:
            self._stopped = True
        elif key:
            self._key_is(found.strict)
        else:
            self._finish_value()

    def _bare(self, begin: int) -> None:
        """A number, a literal or words without quotes; what is no value is dropped."""
        word = read_bare(self._reader, self._foresight, self._frames, begin)
        self._draft.copy(begin)
        if word.kind:
            self._draft.mend(word.kind, word.end, word.strict)
        else:
            self._draft.copy(word.end)
        if not word.finished:
            self._stopped = True
        elif word.is_value:
            self._finish_value()

    def _parenthesis(self, begin: int) -> None:
        """Brackets that JSON does not have: the item goes to json-repair, as the array that it resembles."""
        end = parenthesis_end(self._reader, begin)
        strict = isolated(f"[{self._text[begin + 1 : end - 1]}]") if self._text[end - 1] == ")" else None
        if strict is None:
            self._bare(begin)
        else:
            self._draft.copy(begin)
            self._draft.mend("isolated", end, strict)
            self._finish_value()


_HANDLERS: dict[int, Callable[[Transducer, int, str], None]] = {
    _FIRST: Transducer._value,
    _VALUE: Transducer._value,
    _KEY_FIRST: Transducer._key,
    _KEY: Transducer._key,
    _COLON: Transducer._colon,
    _AFTER: Transducer._after,
}

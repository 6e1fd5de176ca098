"""What a model wraps around its JSON: fences, prose, think blocks, closing remarks.

Rule 1: a fence is wrapping only outside strings, and in front of a raw line feed; inside a JSON string a line
break is spelled \\n, so a fence line is never data. Rule 2: prose may hold quotes, brackets and braces; what
begins the data is an opener behind which JSON goes on, and the one that goes on longest begins it.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from jsonseam import grammar
from jsonseam.ledger import Ledger
from jsonseam.spelling import ODD_SPACE
from jsonseam.tags import CONTROL, CONTROL_AT_END, MAYBE_TAGS, NONE, THOUGHT, behind_closer, skip_thoughts

# ```json title="a.json", ``` {.json}, ```json lines; what begins as JSON does not belong to it.
_INFO: Final = (
    r"[\w+.:/-]*+"
    r"(?:[ \t]*\{(?:[.#][\w.# -]*|[\d, -]+)\}|[ \t]+[\w-]+=(?:\"[^\"\n]*\"|\w+)|[ \t]+[^\W\d_][\w-]*)*+"
)
_FENCE: Final = r"(?:`{3,}+|~{3,}+)"
_FENCE_LINE: Final = rf"(?:\A|(?<=\n))[ \t]*+(?:{_FENCE}|'{{3}})[ \t]*+{_INFO}[ \t]*+\r?\n"
FENCE: Final = re.compile(_FENCE_LINE)
FENCE_AT_END: Final = re.compile(rf"\r?\n[ \t]*{_FENCE}\s*\Z")
_PART_OF_FENCE: Final = re.compile(r"\s*(?:`+|~+)[ \t]*\r?\Z")
CLOSING_FENCE: Final = re.compile(rf"\s*(?:\A|\n)[ \t]*{_FENCE}[ \t]*(?:\r?\n|\Z)")
_FENCE_OR_OPENER: Final = re.compile(rf"(?P<fence>{_FENCE_LINE})|[{{\[]")
# The first quote, where it ends the open string, by what stands behind it.
_CLOSES_STRING: Final = re.compile(
    r'[^"\\]*+(?:\\.[^"\\]*+)*+"\s*+(?:[:}\]]|,\s*+(?:["\'{\[\d/#-]|(?!\d)[\w$-]++\s*+:|(?:true|false|null)\b))',
    re.DOTALL,
)
_NO_FENCE: Final = re.compile(r"[^\s`~\w+.-]")  # what no fence line holds
_SPACE: Final = re.compile(r"\s*")
_GAP: Final = rf"[\s{ODD_SPACE}]*"
# The gaps and openers with which a document begins that came as the inside of a string.
_ESCAPED_GAP: Final = rf"(?:[\s{ODD_SPACE}{{\[]|\\[nrt]){{0,64}}+"
# What may follow an opener in JSON, or in what models write for it.
_GOES_ON: Final = {
    "{": re.compile(rf"{_GAP}(?:[\"'“”„‘«`}}]|//|/\*|#|[A-Za-z_$][\w$-]*\s*[:=])|{_ESCAPED_GAP}\\\""),
    "[": re.compile(
        rf"{_GAP}(?:[\"'“”„‘«`\]{{\[,]|//|/\*|#\s|[-+]?[\d.]+(?:[eE][-+]?\d+)?\s*[,\]]"
        r"|(?:true|false|null|None|True|False|NaN|undefined)\b\s*[,\]])"
        rf"|{_ESCAPED_GAP}\\\""
    ),
}
_MARK: Final = re.compile(r'\[(?P<number>\d{1,4})\][ \t]*(?=["\w]|\Z)')
_WORDS_IN_BRACKETS: Final = re.compile(r"\[\s*(?:[^\W\d_]|…|\.{3})[^\[\]{}\",]*\]\s*")
_MEMBER: Final = re.compile(
    rf'"(?:[^"\\\x00-\x1f]|\\.){{0,128}}"{_GAP}:{_GAP}(?=["{{\[\d-]|(?:true|false|null|True|False|None)\b)'
)
_MAY_BE_MEMBER: Final = re.compile(rf'"(?:[^"\\\x00-\x1f]|\\.){{0,128}}"{_GAP}:{_GAP}\w{{0,5}}\Z')
_UNDECIDED: Final = re.compile(rf"{_GAP}[-+.\w$]*\s*\Z|{_ESCAPED_GAP}\\?\Z")
_DATA_STARTS: Final = ("", "{", "[", '"')
_SCALAR_STARTS: Final = frozenset('"-0123456789tfnNI')
ENOUGH: Final = 256  # characters behind an opener in prose that are waited for before it is believed
LABEL: Final = 1024  # characters in which a document must end that has a label in front, "Result": {"a": 1}
NOTHING: Final = -1
KNOWN: Final = 4096  # characters in which a token of a talk is looked for that ends a cut string
LONGEST_HEAD: Final = 128  # characters
_HEAD: Final = re.compile(r'(\s*(?:\[\s*)?\{\s*")[^"\\]{1,64}"\s*:')
_WORD: Final = (
    r"[\s#>*_`~(-]*(?!(?:true|false|null|None|True|False|NaN|Infinity|undefined)\b)[^\W\d_][\w'’-]*"
    r"(?!\s*(?:=|:(?!\*|[ \t]*\n)))(?!\w)"  # no key, but for a word with a colon at the end of its line
)
# [Error 429] Too many requests, and [continued] with nothing behind it
_WORDS: Final = re.compile(rf"{_WORD}|\s*\[[^\W\d_][^\[\]{{}}\",:]*\](?:\s*\Z|{_WORD})")
_SENTENCE: Final = re.compile(r"\s*[^\W\d_a-z].{12,}[.!?。！？…]\s*", re.DOTALL)
_LIST_MARK: Final = r"(?:\d{1,3}[.)]?\s*|[-*•]\s+)?"
_BEGINS_SENTENCE: Final = re.compile(rf"\s*{_LIST_MARK}(?:[^\W\d_a-z]|\Z)")
_SPEECH: Final = re.compile(rf"\s*{_LIST_MARK}[^\W\d_a-z](?:\S*\s+){{5}}")


# const x = {, in front of the value of a statement
STATEMENT: Final = (
    r"(?:export\s+default|return|module\.exports\s*="
    r"|(?:(?:const|let|var)\s+)?[A-Za-z_$][\w$]*(?:\s*:\s*[\w<>\[\]. ]{1,40})?\s*:?=)(?=\s*[{\[])"
)
STATEMENT_LINE: Final = re.compile(STATEMENT + r"\s*")


def closes_string(fragment: str) -> int:
    """Behind what tells that the first quote ends the string that is open; 0 if nothing does."""
    closed = _CLOSES_STRING.match(fragment)
    return closed.end() if closed else 0


def find_document(text: str, *, final: bool) -> int | None:
    """Where in a first answer the document begins; None while undecided, NOTHING if there is none.

    Undecided is only what more text can decide, and a decision is the same whatever comes later. Cost: linear.
    """
    behind_think = skip_thoughts(text, final=final)
    if behind_think is None:
        return None
    if not _begins_data(text, behind_think) and (dangling := behind_closer(text, behind_think)) != NONE:
        behind_think = dangling
    if control := CONTROL.match(text, behind_think):
        behind_think = control.end()
    behind_think = _behind_statement(text, behind_think)
    found = _find_behind(text, behind_think, final=final)
    if found == NOTHING and final and behind_think:  # <answer>{"a": 1}</answer> is no thought
        return _find_behind(text, skip_thoughts(text, final=True, block=THOUGHT) or 0, final=True)
    return found


def _behind_statement(text: str, at: int) -> int:
    """Where the value of a statement begins that stands there, or what else does."""
    start = _skip_space(text, at)
    statement = STATEMENT_LINE.match(text, start)
    return statement.end() if statement else start


def _begins_data(text: str, at: int) -> bool:
    """Does it begin there with what JSON begins with, not with words?"""
    return text[_skip_space(text, at) :][:1] in _DATA_STARTS


def _find_behind(text: str, at: int, *, final: bool) -> int | None:
    """Where the document begins behind thoughts, which end at `at`; as `find_document` tells it."""
    start = _skip_space(text, at)
    if start == len(text):
        return NOTHING if final else None
    first = text[start]
    if first in _SCALAR_STARTS:
        reading = grammar.read(text[start:])
        blank_behind = reading.end is None or not text[start + reading.end :].strip()
        if reading.fault is None and blank_behind:
            return start if final else None
    if first == '"' and (lacks_opener := _lacks_opener(text, start, final=final)) is not False:
        return start if lacks_opener else None
    best, strength, reach = NOTHING, 0, 0
    for match in _FENCE_OR_OPENER.finditer(text, start):
        at = match.start()
        if match["fence"]:  # code in front of the data, x = {"a": 1}, stands in a fence behind words
            at = (_behind_statement if at == start else _skip_space)(text, match.end())
        if at == len(text):
            break
        if at < reach:
            continue  # it is in what reads as JSON from an earlier place on
        believed = _believe(text, at, final=final) if not _is_mark(text, at) else False
        if believed is None or (believed and not final and _MARK.match(text, at)):
            return None
        if not believed:
            continue
        if at == start or match["fence"] or text[:at].rstrip(" \t")[-1:] == "\n":
            return at
        if not final and len(text) - at < ENOUGH:
            return None
        tokens = grammar.read(text[at : at + ENOUGH], most=40).tokens
        if len(text) - at >= ENOUGH and len(tokens) >= 12:
            return at
        if len(tokens) > strength:
            reading = grammar.read(text, at=at)
            reach = reading.fault or reading.end or len(text)
            best, strength = at, len(tokens)
    if final and best == NOTHING and first in "{[" and not _is_mark(text, start):
        return start  # no JSON that goes on anywhere: then the malformed text that begins so is the document
    return best if final else None


def _is_mark(text: str, at: int) -> bool:
    """Is it a numbered mark in front of words, [1] "One" or: see [1] and [2]? Words alone may be a remark on [1]."""
    mark = _MARK.match(text, at)
    if mark is None:
        return False
    number, behind = int(mark["number"]), text[mark.end() :]
    return behind[:1] == '"' or f"[{number + 1}]" in behind or f"[{number - 1}]" in text[:at]


def _believe(text: str, at: int, *, final: bool) -> bool | None:
    """Does JSON, or something that stands for it, begin here? None: more text is needed."""
    opener = text[at]
    if opener not in _GOES_ON:
        if opener == '"' and (lacks_opener := _lacks_opener(text, at, final=final)) is not False:
            return lacks_opener
        reads = opener in _SCALAR_STARTS and grammar.read(text[at:], most=1).fault is None
        return None if reads and not final else reads
    if _GOES_ON[opener].match(text, at + 1):
        return True
    if _UNDECIDED.match(text, at + 1):
        return True if final else None
    return False


def begins_member(text: str, at: int) -> bool:
    """Does a key stand there, with its colon and the beginning of a value?"""
    return _MEMBER.match(text, at) is not None


def _lacks_opener(text: str, at: int, *, final: bool) -> bool | None:
    """Do members of a root begin there whose brace was given to the model, which did not say it again?

    One that is closed, and nothing that goes on behind it, is a document with a label. None: undecided.
    """
    if not begins_member(text, at):
        return None if not final and _MAY_BE_MEMBER.match(text, at) else False
    reading = grammar.read(text, ["{"], grammar.Expect.FIRST_KEY, at=at)
    if reading.fault is None and reading.end is None and not final and len(text) - at < LABEL:
        return None
    members = sum(token.is_key and token.depth == 1 for token in reading.tokens)
    if members > 1 or reading.end is not None or any(token.kind == "," for token in reading.tokens[-1:]):
        return True
    has_label = reading.tokens[2:] and reading.tokens[2].kind in ("{", "[")
    return reading.fault is None and not (has_label and len(reading.frames) == 1)


def _skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def is_remark(text: str) -> bool:
    """Is text behind a document a remark (prose, a fence), not more data, in it or behind closers that do not fit?"""
    body = FENCE.sub("\n", text).strip().strip("`~").strip().removeprefix(",").lstrip()
    behind = body.lstrip("]}, \t\r\n")
    if not behind or grammar.read(behind).fault is None:
        return not behind
    return behind[0] not in "{[" or _WORDS_IN_BRACKETS.fullmatch(behind) is not None


def fence_before_another(text: str) -> int:
    """Where the closing fence ends with which the text begins, if another fence is opened behind it; 0 if not."""
    closing = FENCE.search(text)
    return closing.end() if closing and FENCE.search(text, closing.end()) else 0


def is_prose(text: str) -> bool:
    """Does a fragment begin with words, not with anything that a model writes for JSON?"""
    body = FENCE.sub("\n", text[(skip_thoughts(text, final=True) or 0) :]).strip("`~ \t\r\n")
    return not body or _WORDS.match(body) is not None


def closing_fence(text: str, at: int, *, begins_line: bool, final: bool) -> int | None:
    """Where the line break in front of the fence at `at` stands; -1 if there is no fence; None while undecided.

    `begins_line`: nothing stands in front of the text.
    """
    line = text.rfind("\n", 0, at)
    start = line if line >= 0 and not text[line:at].strip() else at
    if start == at and (text[:at].strip() or not begins_line):
        return NOTHING  # not at the start of a line
    if CLOSING_FENCE.match(text, start):
        return start if final or not _PART_OF_FENCE.match(text, start) else None
    return None if not final and _PART_OF_FENCE.match(text, start) else NOTHING


class Ending(NamedTuple):
    """What an answer ended in that is none of its data, and where it begins."""

    kind: Literal["fence", "remark"]
    at: int


def ending_in_string(tail: str, known: Ledger) -> Ending | None:
    """The fence or the token of a talk with which an answer ended in the middle of a string, in `tail`.

    Where one like it stands in the string, or in what is `known`, it is text. Cost: a glance, mostly.
    """
    last = tail.rstrip()[-3:]
    if last in ("```", "~~~"):
        fence = FENCE_AT_END.search(tail)
        return None if fence is None else Ending("fence", fence.start())
    if not last.endswith(("|>", "｜>", "s>", "n>")) or not (control := CONTROL_AT_END.search(tail)):
        return None
    front = known.since(max(known.begins, known.size - KNOWN)) + tail[: control.start()]
    if control[0].strip().replace("/", "")[:2] in front:
        return None
    return Ending("remark", control.start())


def is_sentence(text: str) -> bool:
    """Words that begin as a sentence does and end as one: what a model says when it does not go on."""
    return bool(_SENTENCE.fullmatch(text))


def speaks(text: str) -> bool:
    """Words that begin as a sentence does, and end as one or go over more than a line."""
    return is_sentence(text) or (begins_sentence(text) and "\n" in text.strip())


def is_speech(text: str) -> bool:
    """Many words that begin as a sentence does, or a point of a list."""
    return bool(_SPEECH.match(text))


def begins_sentence(text: str) -> bool:
    """Does it begin with a letter that is no small one, or is there nothing yet?"""
    return _BEGINS_SENTENCE.match(text) is not None


def ends_in_closer(text: str) -> bool:
    """Does it end in a closer, fences aside, and close more than it opens?"""
    closes_more = text.count("}") + text.count("]") > text.count("{") + text.count("[")
    return closes_more and text.rstrip("`~ \t\r\n")[-1:] in ("}", "]")


def is_empty(text: str, *, in_string: bool = False) -> bool:
    """Nothing but space, fences, control tokens and thoughts.

    `in_string`: a string is open; then only a line of its own, or a token of a talk, is none of its text.
    """
    if _NO_FENCE.search(text) and not MAYBE_TAGS.match(text):
        return False
    rest = text[(skip_thoughts(text, final=True, block=THOUGHT) or 0) :]
    while control := CONTROL.match(rest):
        rest = rest[control.end() :]
        rest = rest[(skip_thoughts(rest, final=True, block=THOUGHT) or 0) :]
    if in_string and rest.strip() and "\n" not in rest:
        return False
    if in_string and rest == text and not text.strip():
        return "\n" in text
    return not FENCE.sub("\n", rest).strip("`~ \t\r\n")


def restart_inside(text: str, at: int, document: str, *, final: bool) -> int | None:
    """Where in `text` the document begins again in the middle of a string; -1 if it does not; None: undecided.

    The string seems to close right behind the opener, {"response":"He{" , and what stops being JSON at `at` is
    the first key. `document` is how it begins.
    """
    head = _HEAD.match(document)
    if head is None:
        return NOTHING
    start = at - len(head.group(1))
    if start <= 0 or not text.startswith(head.group(1), start):
        return NOTHING
    if text.startswith(head.group(), start):
        return start
    return None if not final and head.group().startswith(text[start:]) else NOTHING

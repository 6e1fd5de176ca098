"""What stands in front of the data of a continuation: prose, marks of a talk, fences, the rest of a comment or thought.

Rule: what reads as JSON where it stands is no wrapping. Everything else is offered as a place behind which the data
may begin, with what it costs to believe that; the seam chooses.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import Final

from jsonseam.envelope import FENCE, STATEMENT, STATEMENT_LINE, begins_member, begins_sentence, closes_string, is_prose
from jsonseam.spelling import ODD_SPACE
from jsonseam.tags import CONTROL, FIRST_TAG, MAYBE_TAGS, NONE, THOUGHT, behind_closer, skip_thoughts

SHORTEST_PROSE: Final = 6  # characters
SHORTEST_LEAD_IN: Final = 3  # characters, of what ends in a colon at the end of a line
LATER_FENCE: Final = 7.0  # nats: what stands in the fence before would be lost, even if this one ends the document
IN_PROSE: Final = 5.0  # nats against data that begins behind prose, with no fence around it
IN_COMMENT: Final = 2.1  # nats against what reads as JSON being the rest of a comment: it is data, and in doubt
NO_LEAD_IN: Final = 4.0  # nats more inside a string, where nothing announces the data: it may be the string's own lines
NO_SENTENCE: Final = 20.0  # nats more, where what would be prose inside a string does not begin as a sentence does
NO_WORDS: Final = 8.0  # nats more, where what would be prose is mostly no letters, as JSON is
MOST_PROSE: Final = 1024  # characters of prose in front of a continuation
MOST_LINES: Final = 8  # lines of it behind each of which data may begin
MOST_FENCES: Final = 3  # fence lines behind each of which data may begin
MARKED: Final = 1.5  # nats against data behind a mark that no JSON begins with
LONGEST_TAG: Final = 48  # characters
LEAKED: Final = 2.0  # nats against a control token or a whole thought at the very seam being the string's text
MAY_BE_NO_TEXT: Final = ("<", "[", "◁", "...", "…")  # of tags, and dots
BEFORE_ECHO: Final = 7.0  # nats against dots inside a string that stand in front of what is said again
MARKED_LINE: Final = 4.0  # nats against one inside a string, where a line of its own may be the string's
_ODD_SPACE: Final = re.compile(rf"\s*[{ODD_SPACE}][\s{ODD_SPACE}]*")
_MARKUP: Final = ("<s>", "</s>")  # of a page, too
_ROLE_AND_BREAK: Final = re.compile(r"[a-z]*\\n")  # as in a string; behind a token that leaked, the break is raw
_TAGS: Final = re.compile(r"\s*(?:<\w{1,24}>\s*){1,3}")
_ELLIPSIS: Final = re.compile(r"\s*(?:\.{3,}|…)\s*")
_MARKED: Final = re.compile(r"[(（【*][^\n]*[)）】*]")  # (continued), **Continuation:**
_LEADS_IN: Final = re.compile(r"[:：][\s{\[\"]*\Z")
_JSON_IN_PROSE: Final = re.compile(r'"\s*[:,}\]]|[}\]]\s*,')
_CLOSERS_IN_PROSE: Final = re.compile(r'"\s*[}\]]|[}\]]\s*,')
_LINE_START: Final = re.compile(r"\n[ \t]*(?=[^\s])")
_LINE_IN_STRING: Final = re.compile(r"\n(?=[^\r\n])")  # a blank that it begins with is the string's
_BEHIND_SENTENCE: Final = re.compile(r"[^\"{\[\n]{5,}?[.:：。]\s+(?=[^\s\"{\[])")
_INSIDE: Final = r"[^\"{}()（）\[\]【】,，:：=<>\n]{0,80}"
_WORDS_INSIDE: Final = rf"(?={_INSIDE}(?:[^\W\d_]|…|\.\.\.|\d/\d)){_INSIDE}"
_LINE_MARK: Final = (
    r"(?://|#)[^\n]*\n|>[^\n\"{}\[\]:,]*\n|(?:<\w{1,24}>){1,3}\s*?\n|<!--[^\n]*?-->\s*?\n?"
    r"|[-=*_~]{3,80}+[ \t]*\n|[-=*_~]{2,80}+[ a-zA-Z0-9()<>/]{1,80}+[-=*_~]{2,80}+[ \t]*\r?\n"
    rf"|\({_WORDS_INSIDE}\)\s*?\n|（{_WORDS_INSIDE}）\s*?\n|\[{_WORDS_INSIDE}\]\s*?\n|【{_WORDS_INSIDE}】\s*?\n"
    r"|(?:assistant|model|bot|json[5cl]?)\s*?\n|\d{1,3}\s?/\s?\d{1,3}\s*?\n|/\*[^\n]{0,200}?\*/\s*?\n"
    r"|(?:\.{3,}|…)[ \t]*[^\W\d_][\w' ]{2,40}\r?\n|[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f]{1,8}\s*?\n"
)


@cache
def _mark_in_string() -> re.Pattern[str]:
    """Compiled when it is first asked for: most documents never do, and it takes milliseconds."""
    return re.compile(rf"(?:(?:{_LINE_MARK})[\r\n]*)+")


@cache
def _mark() -> re.Pattern[str]:
    """Marks of a talk or of a page, comments, and the beginning of a statement; the last two only before an opener."""
    return re.compile(
        rf"\s*(?:(?:{_LINE_MARK}|/\*[^\n]{{0,200}}?\*/|\({_WORDS_INSIDE}\)|（{_WORDS_INSIDE}）|\[(?:\.\.\.|…)\]"
        r"|(?:\.{3,}|…)[ \t]*(?:(?=[(（])|[^\W\d_][\w' ]{2,40}:[ \t])"
        rf"|(?:event:[^\n]*\n)?data:|<?\b(?:assistant|ai|model|bot)\b>?[ \t]*:|{STATEMENT})\s*)+",
        re.IGNORECASE,
    )


def data_starts(
    fragment: str,
    literal_fault: int | None,
    *,
    in_string: bool,
    behind_comment: int = NONE,
    in_thought: bool = False,
    known: str = "",
    raw_lines: bool = False,
) -> list[tuple[int, float]]:
    """Places at which the data of a continuation may begin, each with what it costs to believe it (nats).

    The first is always 0: nothing wraps it. Then: behind think blocks and control tokens, behind each of the
    first fence lines, behind an ellipsis, at the first lines behind prose, and where a token may begin first.
    `literal_fault` is where the fragment stops being JSON if it is taken as it came: what can be read is no wrapping.
    `in_string`: it begins where a string is open. `behind_comment`: where the rest of a comment ends that was cut,
    or of a thought. `known`: the end of what is held; a tag that stands in it is text like any other. `raw_lines`: a
    line of its own in a string may be the string's as well.
    """
    starts: dict[int, float] = {0: 0.0}
    if behind_comment > 0 and in_thought:
        behind_comment = _behind_lines(fragment, behind_comment)
    is_read = not in_string and (literal_fault is None or literal_fault >= behind_comment)  # it ends inside a string
    if behind_comment > 0 and in_thought and not is_read and fragment[behind_comment:].strip():
        return [(behind_comment, 0.0)]
    if behind_comment > 0:
        starts[behind_comment] = IN_COMMENT if literal_fault is None else 0.0
    if literal_fault is None and not (in_string and fragment.startswith(MAY_BE_NO_TEXT)):
        return sorted(starts.items())
    odd = None if in_string else _ODD_SPACE.match(fragment)
    wrapped = tagged = _behind_tags(fragment, in_string=in_string) or (odd.end() if odd else 0)
    if literal_fault is None:
        return _inside_string(fragment, wrapped, known)
    if wrapped:
        starts.setdefault(wrapped, 1.0)
    marks = _mark_in_string() if in_string else _mark()
    if mark := None if in_string and raw_lines else marks.match(fragment, wrapped):
        wrapped = mark.end()
        starts.setdefault(wrapped, MARKED_LINE if in_string else MARKED)
    if in_string and (statement := STATEMENT_LINE.match(fragment, wrapped)):
        starts.setdefault(statement.end(), MARKED_LINE)
    if not in_string and (block := _TAGS.match(fragment, skip_thoughts(fragment, final=True, block=THOUGHT) or 0)):
        starts.setdefault(block.end(), 2.0)  # <answer> may be around the data
    ellipsis = _ELLIPSIS.match(fragment, wrapped)
    if ellipsis:
        starts.setdefault(ellipsis.end(), 2.0)
    for count, fence in enumerate(islice(FENCE.finditer(fragment[tagged:]), MOST_FENCES)):
        inside, cost = tagged + fence.end(), LATER_FENCE if count else 1.0
        if inside >= literal_fault:
            starts.setdefault(inside, cost)
            if mark := _mark().match(fragment, inside):
                starts.setdefault(mark.end(), cost + MARKED)
    fenced = any(at > literal_fault for at in starts)
    if is_prose(fragment) and not fenced:
        head = fragment[:MOST_PROSE]
        for at, cost in _behind_prose(head, wrapped, in_string=in_string):
            if at > max(literal_fault, tagged - 1) and _is_lead_in(head[:at]):
                starts.setdefault(at, cost + _against_prose(head, at, in_string=in_string))
    return sorted(starts.items())


def _inside_string(fragment: str, behind: int, known: str) -> list[tuple[int, float]]:
    """The starts of a fragment that reads as the text of an open string, and begins with tags up to `behind`.

    A control token leaked, where none like it is known; one that stands as a word of its own is text, and a thought is,
    in doubt. One that is all that is left of the string is text.
    """
    if ellipsis := _ELLIPSIS.match(fragment):
        return [(0, 0.0), (ellipsis.end(), BEFORE_ECHO)]
    tag = FIRST_TAG.match(fragment)
    rest = fragment[behind : behind + 1]
    if not behind or tag is None or tag[0].replace("/", "")[:2] in known or rest in ('"', ""):
        return [(0, 0.0)]
    if tag[0] in _MARKUP or _ROLE_AND_BREAK.match(fragment, behind):
        return [(0, 0.0)]
    leaked = CONTROL.match(fragment) is not None and not rest.isspace()
    return [(0, LEAKED * leaked), (behind, LEAKED * (not leaked))]


def may_go_on(fragment: str, *, in_string: bool) -> bool:
    """Could more of the fragment belong to the tags that it begins with?"""
    if MAYBE_TAGS.match(fragment) is None and "</" not in fragment:
        return False
    behind = _behind_tags(fragment, in_string=in_string)
    return behind > 0 and len(fragment) - behind < LONGEST_TAG


def _behind_tags(fragment: str, *, in_string: bool) -> int:
    """Where the text behind leading thoughts and control tokens begins."""
    behind = skip_thoughts(fragment, final=True) or 0
    closed = closes_string(fragment) if in_string else 0
    if 0 < closed < behind:
        behind = 0  # <think> is how the string goes on
    if (dangling := behind_closer(fragment, behind)) != NONE and not 0 < closed < dangling:
        behind = dangling
    if control := CONTROL.match(fragment, behind):
        behind = control.end() + (skip_thoughts(fragment[control.end() :], final=True) or 0)
    if behind and not in_string:
        return len(fragment) - len(fragment[behind:].lstrip())
    return _behind_lines(fragment, behind) if in_string else behind


def _behind_lines(fragment: str, at: int) -> int:
    """Behind the line breaks at `at`: nobody goes on with one in front of the data, and a half token ends there."""
    while fragment[at : at + 1] in ("\r", "\n"):
        at += 1
    return at


def _is_lead_in(prose: str) -> bool:
    """Is it long enough for prose, or a line that ends in a colon?"""
    prose = prose.strip()
    return len(prose) >= (SHORTEST_LEAD_IN if prose.endswith((":", "：")) else SHORTEST_PROSE)


def _behind_prose(head: str, wrapped: int, *, in_string: bool) -> list[tuple[int, float]]:
    """Places in front of which prose may stand: the first lines, behind a sentence, and where a token may begin first.

    Each with what it costs to believe it. `wrapped`: where the fragment begins behind think blocks and control tokens.
    """
    lines = [
        match.end() for match in islice((_LINE_IN_STRING if in_string else _LINE_START).finditer(head), MOST_LINES)
    ]
    if not in_string and (sentence := _BEHIND_SENTENCE.match(head, wrapped)):
        lines.append(sentence.end())
    firsts = [at for char in '{["' if (at := head.find(char, wrapped)) >= 0]
    if not in_string and (member := next((line for line in lines if begins_member(head, line)), None)) is not None:
        lines, firsts = [at for at in lines if at <= member], [at for at in firsts if at <= member]  # that is data
    return [*((line, IN_PROSE) for line in lines), *((first, IN_PROSE + 1) for first in firsts)]


def _against_prose(head: str, at: int, *, in_string: bool) -> float:
    """Nats against prose in front of character `at`: it may look like JSON, or like the text of the open string."""
    prose = head[:at].strip()
    is_json = not _is_mostly_letters(prose) or _JSON_IN_PROSE.search(prose) is not None
    against = NO_WORDS * is_json + NO_SENTENCE * (in_string and _CLOSERS_IN_PROSE.search(prose) is not None)
    if in_string and not (_MARKED.fullmatch(prose) and head.endswith("\n\n", 0, at)):
        against += NO_LEAD_IN * (not _LEADS_IN.search(prose)) + NO_SENTENCE * (not begins_sentence(prose))
    return against


def _is_mostly_letters(text: str) -> bool:
    characters = "".join(text.split())
    return 2 * sum(map(str.isalpha, characters)) >= len(characters)

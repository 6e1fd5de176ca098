"""A comment or a thought that the token limit cut in two: the rest of it, where the next fragment begins, is no data.

Rule: it goes on to where one of its kind ends, which nothing opened in the fragment. Whether a comment does go on
there, or the data, is for the seam to decide: what reads as JSON is data. The end of a thought is plain.
"""

from __future__ import annotations

import re
from typing import Final

from jsonseam.tags import NONE, THOUGHT, end_of, marks_of

OPENERS: Final = ("//", "/*", "#")
REST: Final = "it is the rest of a comment"
LONGEST: Final = 1024  # characters of a fragment in which the end of a comment is waited for


def is_cut(comment: str) -> bool:
    """Could more text belong to the comment or thought, if it ends where the fragment does?"""
    if comment.startswith("/*"):
        return not (comment.endswith("*/") and len(comment) > 3)
    thought = THOUGHT.match(comment)
    if thought is None:
        return comment.startswith(OPENERS)
    return not end_of(comment, thought.end(), *marks_of(thought))[1]


def ends(comment: str, fragment: str) -> int:
    """Where in the fragment the comment that it may begin in ends; NONE if it does not, or begins in none."""
    if comment == "":
        return NONE
    if thought := THOUGHT.match(comment):
        return _thought_ends(comment, thought, fragment)[0]
    if not comment.startswith("/*"):
        return fragment.find("\n")
    opener, closer = "/*", "*/"
    begun = comment.lstrip()[len(opener) :][1 - len(closer) :]  # the closer itself may be cut
    end, opened = (begun + fragment).find(closer), fragment.find(opener)
    end -= len(begun)
    return NONE if end < -len(begun) or 0 <= opened < end else end + len(closer)


def _thought_ends(comment: str, thought: re.Match[str], fragment: str) -> tuple[int, bool]:
    """Where in the fragment the thought ends, over the thoughts in it, or its last closer; and whether all are closed.

    One that the fragment opens anew is the fragment's own.
    """
    opener, closer = marks_of(thought)
    depth = comment.count(opener) - comment.count(closer)
    cut = next((size for size in range(len(closer) - 1, 0, -1) if comment.endswith(closer[:size])), 0)
    text = comment[len(comment) - cut :] + fragment
    if fragment.lstrip().startswith(opener):
        return NONE, False
    end, is_closed = end_of(text, 0, opener, closer, depth)
    return (NONE, False) if end == NONE else (end - cut, is_closed)


def is_thought(comment: str) -> bool:
    return THOUGHT.match(comment) is not None


def may_end_later(comment: str, fragment: str) -> bool:
    """Could more of the fragment show where the comment ends?"""
    if comment == "" or len(fragment) >= LONGEST:
        return False
    if thought := THOUGHT.match(comment):
        return not _thought_ends(comment, thought, fragment)[1]
    return ends(comment, fragment) == NONE

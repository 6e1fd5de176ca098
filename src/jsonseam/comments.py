"""A comment or a thought that the token limit cut in two: the rest of it, where the next fragment begins, is no data.

Rule: it goes on to where one of its kind ends, which nothing opened in the fragment. Whether a comment does go on
there, or the data, is for the seam to decide: what reads as JSON is data. The end of a thought is plain.
"""

from __future__ import annotations

from typing import Final

from jsonseam.envelope import THOUGHT

OPENERS: Final = ("//", "/*", "#")
NONE: Final = -1
REST: Final = "it is the rest of a comment"
LONGEST: Final = 1024  # characters of a fragment in which the end of a comment is waited for


def is_cut(comment: str) -> bool:
    """Could more text belong to the comment or thought, if it ends where the fragment does?"""
    if comment.startswith("/*"):
        return not (comment.endswith("*/") and len(comment) > 3)
    thought = THOUGHT.match(comment)
    return comment.startswith(OPENERS) or (thought is not None and f"</{thought[1]}>" not in comment)


def ends(comment: str, fragment: str) -> int:
    """Where in the fragment the comment that it may begin in ends; NONE if it does not."""
    opener, closer = _marks(comment)
    if closer == "\n":
        return fragment.find("\n")
    begun = comment.lstrip()[len(opener) :][1 - len(closer) :]  # the closer itself may be cut
    end, opened = (begun + fragment).find(closer), fragment.find(opener)
    end -= len(begun)
    return NONE if end < -len(begun) or 0 <= opened < end else end + len(closer)


def _marks(comment: str) -> tuple[str, str]:
    """What opened it, and what would close it."""
    thought = THOUGHT.match(comment)
    if thought is not None:
        return f"<{thought[1]}>", f"</{thought[1]}>"
    return ("/*", "*/") if comment.startswith("/*") else ("", "\n")


def is_thought(comment: str) -> bool:
    return THOUGHT.match(comment) is not None


def may_end_later(comment: str, fragment: str) -> bool:
    """Could more of the fragment show where the comment ends?"""
    return comment != "" and len(fragment) < LONGEST and ends(comment, fragment) == NONE

"""Tags around what is no data: of a thought, of a turn of the talk, of who speaks.

Rule: a thought goes on to its own closing tag, over the thoughts that are opened and closed in it. Where a server took
the opening tag away, what stands in front of the closing one is the thought.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

NONE: Final = -1
MOST_CLOSERS: Final = 8  # closing tags that are looked at for an opening one
_THINKS: Final = r"[\w:]*(?:think|thought|reason|reflect|scratch|ponder|analy[sz]|plan|monologue)[\w:]*"
THOUGHT: Final = re.compile(
    rf"\s*(?:<(?P<tag>{_THINKS})(?:[ \t][^<>\n]{{0,64}})?>|(?P<open>\[THINK\]|◁think▷|<\|begin_of_thought\|>"
    r"|(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>))",
    re.IGNORECASE,
)
_CLOSERS: Final = {
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
    "<|begin_of_thought|>": "<|end_of_thought|>",
}
_CHANNEL_CLOSER: Final = "<|end|>"
_THOUGHT_CLOSER: Final = re.compile(rf"</({_THINKS})>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>", re.IGNORECASE)
TAG: Final = re.compile(r"\s*<(\w{1,24})>")
FIRST_TAG: Final = re.compile(r"[^>\]▷]*[>\]▷]?")
MAYBE_TAG: Final = re.compile(r"\s*(?:<\w{0,24})?\Z")
MAYBE_TAGS: Final = re.compile(r"\s*[<\[◁]")
_TURN: Final = (
    r"<\|[^|<>\"\n]{1,40}\|>|<｜[^｜<>\"\n]{1,40}｜>|<(?:start|end)_of_turn>|</?s>|<[be]os>|\[/?INST\]|\[(?:EOS|BOS)\]"
)
# <|im_start|>assistant and the like, as a server that does not take it away leaves it in front of an answer.
CONTROL: Final = re.compile(
    rf"\s*(?:\[INST\][^\[\]\"\n]{{0,80}}\[/INST\]\s*?\n?|(?:{_TURN})(?:[a-z]{{1,16}}(?=\s*(?:\n|<\|)))?\s*?\n?)++"
)
# The same where an answer ends that was cut in a string; in brackets, it is as well the string's.
_ENDS: Final = r"(?i:end|eot|eos|eom|stop|return)"
CONTROL_AT_END: Final = re.compile(
    rf"(?:(?:<\|[^|<>\"\n]{{0,30}}{_ENDS}[^|<>\"\n]{{0,30}}\|>|<｜[^｜<>\"\n]{{0,30}}{_ENDS}[^｜<>\"\n]{{0,30}}｜>|<end_of_turn>"
    r"|</s>|<eos>)\s*)++(?:<\|[^|<>\"\n]{1,40}\|>[a-z]{0,16}\s*)?\Z"
)


def marks_of(thought: re.Match[str]) -> tuple[str, str]:
    """What opens a thought like that, and what closes it."""
    if thought["tag"] is not None:
        return f"<{thought['tag']}>", f"</{thought['tag']}>"
    opener: str = thought["open"]
    return opener, _CLOSERS.get(opener.upper() if opener[0] == "[" else opener.lower(), _CHANNEL_CLOSER)


def end_of(text: str, at: int, opener: str, closer: str, depth: int = 1) -> tuple[int, bool]:
    """Behind the closer of `depth` thoughts that are open at `at`, or the last closer there is (NONE for none).

    And whether all of them are closed there. Cost: the text up to there.
    """
    end = NONE
    while (found := text.find(closer, at)) >= 0:
        depth += text.count(opener, at, found) - 1
        at = end = found + len(closer)
        if depth <= 0:
            return end, True
    return end, False


def skip_thoughts(text: str, *, final: bool, block: re.Pattern[str] | None = None) -> int | None:
    """Where the text behind leading thoughts begins, or behind any leading tag that is closed; None while undecided.

    `block`: only what begins like that.
    """
    at = 0
    while match := (block or THOUGHT).match(text, at) or (None if block else TAG.match(text, at)):
        opener, closer = marks_of(match) if match.re is THOUGHT else (f"<{match[1]}>", f"</{match[1]}>")
        end, is_closed = end_of(text, match.end(), opener, closer)
        if end == NONE or not (is_closed or final):
            return at if final else None
        at = end
    return at if final or not MAYBE_TAG.match(text, at) else None


def behind_closer(text: str, at: int = 0) -> int:
    """Behind the last closing tag of a thought that nothing from `at` on opens; NONE where there is none."""
    end = NONE
    for closer in islice(_THOUGHT_CLOSER.finditer(text, at), MOST_CLOSERS):
        name = closer[1]
        opener = f"<{name}" if name else closer[0].replace("/", "").replace("end_of", "begin_of")
        if opener in text[at : closer.start()]:
            break
        end = closer.end()
    return end

"""Where in a fragment the text stands: one of four phases, between which it changes hands.

OPENING   the beginning is held until it is decided where the data begins and how it joins what is held
BODY      strict text on its way into the tree
MENDING   text that is not JSON is held until it can be decided what was meant
BEHIND    behind the closed root, or behind the fence that closes this fragment: no data any more
"""

from __future__ import annotations

from enum import Enum


class Phase(Enum):
    OPENING = "opening"
    BODY = "body"
    MENDING = "mending"
    BEHIND = "behind"

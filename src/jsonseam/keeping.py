"""The state of a parser whose items are handed off, as plain JSON: what is left of the tree, and of the text.

Rule: the tree is read again from its own spelling, the text is kept as it is; together they are what was there.
"""

from __future__ import annotations

from typing import Any

from jsonseam.finishing import value_of
from jsonseam.handoff import Handoff
from jsonseam.ledger import Ledger
from jsonseam.parser import Parser
from jsonseam.writing import spell_tree


def state_of(parser: Parser, handoff: Handoff) -> dict[str, Any]:
    """In the place of the whole text: what the tree is read from again, and what else there is. Cost: what is held."""
    parser.view.hide(parser.tree)
    spelled = spell_tree(parser.tree) + parser.behind_stable()
    return {
        "text": spelled + parser.scanner.tail,
        "settled": len(spelled),
        "handoff": {**handoff.state(parser.tree), "ledger": parser.ledger.state(), "closed": parser.tree.closed},
    }


def restore(parser: Parser, handoff: Handoff, state: dict[str, Any]) -> None:
    """`parser` has read the text of `state_of`; give it the rest of the state."""
    parser.ledger = Ledger.resume(state["ledger"])
    parser.tree.closed = state["closed"]
    handoff.restore(state, parser.tree, value_of)
    parser.hand_off(handoff)

"""A parser whose items are handed off: when to look for finished ones, and its state as plain JSON.

Rule: the reading path knows nothing of handing off; finished items are looked for between two portions of text. A state
holds the tree that is left, spelled as JSON and read again from that, and beside it the text that is held, as it came.
"""

from __future__ import annotations

from typing import Any

from jsonseam.finishing import value_of
from jsonseam.handoff import Handoff
from jsonseam.ledger import Ledger
from jsonseam.parser import Parser
from jsonseam.writing import spell_held, take_filler_out


def hand_off_from(parser: Parser, handoff: Handoff) -> None:
    """From here on items are handed off, and the tree counts what left it."""
    parser.handoff, parser.tree.left = handoff, handoff.left


def look(parser: Parser, handoff: Handoff, *, at_seam: bool) -> None:
    """Let go of the items that are certain now. A look is not worth its cost after each small piece, but at a seam."""
    if parser.tree.done:
        let_all_go(parser, handoff)
    elif at_seam or parser.ledger.size >= handoff.next_look:
        parser.view.hide(parser.tree)
        handoff.note(parser.tree, parser.ledger)


def let_all_go(parser: Parser, handoff: Handoff) -> None:
    """Nothing that is closed is taken back from here on."""
    parser.view.hide(parser.tree)
    handoff.let_all_go(parser.tree, parser.ledger.size)
    if not parser.tree.done:
        end = parser.ledger.size - len(parser.behind_stable())
        handoff.forget(parser.ledger, end, "".join(parser.tree.frames()))


def state_of(parser: Parser, handoff: Handoff) -> dict[str, Any]:
    """What a checkpoint holds in the place of the whole text: the tree, spelled, and all of the rest. Cost: that."""
    parser.view.hide(parser.tree)
    spelled, filled = spell_held(parser.tree, parser.behind_stable(), filled=True)
    return {
        "text": spelled + parser.scanner.tail,
        "settled": len(spelled),
        "handoff": {**handoff.state(parser.tree), "ledger": parser.ledger.state(), "filled": filled},
    }


def restore(parser: Parser, handoff: Handoff, state: dict[str, Any]) -> None:
    """`parser` has read the text of `state_of`; give it the rest of the state."""
    parser.ledger = Ledger.resume(state["ledger"])
    if state.get("filled"):
        take_filler_out(parser.tree)
    handoff.restore(state, parser.tree, value_of)
    hand_off_from(parser, handoff)

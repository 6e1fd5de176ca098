"""Prompts: every word that a model is sent, and nothing else. Whoever wants other words replaces this one class."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .context import Context
from .model import Message

SYSTEM = "Answer with one JSON document and nothing else: no remark, no code fence."

CONTINUE = """\
Your answer was cut off because it got too long. What you wrote so far is kept, all {characters} characters of it. \
Write only what comes next.

{about}
Rules, so that both parts can be joined:
1. Begin with the very next character after the end shown above. Do not repeat anything that was delivered.
2. If you cannot go on in the middle, begin with the cut-off element and write it again from its first character, \
exactly as before, and go on from there.
3. Keep the order, the names and the style. Do not begin the document again, and do not open its outer brackets again.
4. No remark, no code fence. Close every bracket when the document is finished, and stop there."""

KPIS = """\
A JSON document is being written for the request below. The answer was cut off, and the rest will follow. Say how \
progress can be counted: which arrays, objects or numbers of the document to watch, and what they will be when the \
document is finished.

=== REQUEST ===
{prompt}

{about}
=== TASK ===
Answer with one JSON object of this form and nothing else:
{example}

Rules:
- id: a short name, each one only once.
- jsonPath: names with dots and indices from 0, as in the paths above; [*] means every item of an array. It leads \
to an array (its items are counted), an object (its members), a number or a string (its length).
- Use paths that are in the structure above, or that are still to come in this document.
- targetValue: what the request asks for, a number above 0. currentValue: what is there now.
- One to five entries are enough."""

KPIS_AGAIN = """\
That answer cannot be used: {reason}

Answer once more with the whole JSON object, corrected, and nothing else. One entry is enough."""

_PARTS = (
    ("DELIVERED SO FAR (long arrays shortened)", "summary"),
    ("STRUCTURE SEEN SO FAR", "structure"),
    ("LAST COMPLETE ELEMENT", "last_complete"),
    ("CUT-OFF ELEMENT", "cut_off"),
)


def describe(context: Context) -> str:
    """The context, part by part, as both kinds of prompt show it."""
    parts = [f"=== {title} ===\n{text}\n\n" for title, name in _PARTS if (text := getattr(context, name))]
    return "".join(parts)


def example_kpis(context: Context) -> str:
    """The form of a definition, shown on an array of this very document: small models copy what they see."""
    path, items = context.open_array or "sections[1].elements[0].rows", context.open_items
    entry = {
        "id": "row_count",
        "description": f"Items of {path}",
        "jsonPath": path,
        "targetValue": 100 * (1 + items // 50),
        "currentValue": items,
    }
    return json.dumps({"kpis": [entry]}, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Prompts:
    """The texts of a run, each with the places that `str.format` fills."""

    system: str = SYSTEM
    continuation: str = CONTINUE
    definition: str = KPIS
    definition_again: str = KPIS_AGAIN

    def first(self, prompt: str, schema: Mapping[str, Any] | None) -> tuple[Message, ...]:
        """The conversation that asks for the document."""
        wanted = "" if schema is None else f"\n\nThe document follows this JSON schema:\n{json.dumps(schema)}"
        return (*self._opening(), Message("user", prompt + wanted))

    def go_on(self, first: Sequence[Message], context: Context) -> tuple[Message, ...]:
        """The conversation that asks for the rest, for a model that goes on in a new turn."""
        about = describe(context) + f"=== EXACT END OF WHAT WAS DELIVERED ===\n{context.tail[-200:]}\n"
        asked = self.continuation.format(characters=context.characters, about=about)
        return (*first, Message("assistant", context.tail), Message("user", asked))

    def define(self, prompt: str, context: Context) -> tuple[Message, ...]:
        """The conversation that asks for the KPIs."""
        about, example = describe(context), example_kpis(context)
        return (Message("user", self.definition.format(prompt=prompt, about=about, example=example)),)

    def define_again(self, asked: Sequence[Message], answer: str, reason: str) -> tuple[Message, ...]:
        """The same conversation, with the answer that was refused and the reason."""
        refused = Message("assistant", answer[:4_000] or "(nothing)")
        return (*asked, refused, Message("user", self.definition_again.format(reason=reason)))

    def _opening(self) -> tuple[Message, ...]:
        return (Message("system", self.system),) if self.system else ()

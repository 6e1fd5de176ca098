"""Forty conversations with the small model inside the process, really cut by its token limit, for tests to replay.

    nice -n 19 python -m benchmarks.conversations conversations.jsonl

Half of them go on behind a prefill; where the server held the model to a schema, and it ended, the document is known,
for it is what a prefill joins to: the answers one behind the other. The other half go on by a user turn, in several
wordings, and the model does there what it does: it goes on, says things again, begins anew, chats or loops. One line
of JSON for each; a line that is in the file already is kept, so an interrupted recording goes on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jsonseam.gateway.demo_model import DemoModel, demo_model
from jsonseam.gateway.model import Message, Request

LEAST_ANSWERS, MOST_ANSWERS, MOST_TURNS = 3, 8, 4
TRIES = 3  # with other seeds and a lower limit, where the model was done too early


def obj(**properties: Any) -> dict[str, Any]:
    """An object with just these members."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def array(items: Any, least: int, most: int) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def text(most: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": most}


NUMBER = {"type": "number"}
WHOLE = {"type": "integer"}
TRUTH = {"type": "boolean"}

# name -> what is asked for, and the schema that it follows
DOCUMENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "recipe": (
        "Write a recipe for vegetable soup as JSON: title, servings, ingredients with amount and unit, steps, "
        "nutrition.",
        obj(
            title=text(40),
            servings=WHOLE,
            ingredients=array(obj(name=text(24), amount=NUMBER, unit=text(8)), 4, 6),
            steps=array(text(120), 3, 4),
            nutrition=obj(calories=WHOLE, fat=NUMBER, vegan=TRUTH),
        ),
    ),
    "story": (
        "Write a short story about a lighthouse keeper as JSON: a title, and chapters with a heading and a paragraph.",
        obj(title=text(40), chapters=array(obj(heading=text(40), paragraph=text(260)), 3, 3)),
    ),
    "weather": (
        "Give the weather of one week as a JSON table: columns, and one row a day with day, degrees, rain in mm, sun.",
        obj(
            columns=array(text(10), 4, 4),
            rows=array(array({"anyOf": [text(10), NUMBER, TRUTH]}, 4, 4), 7, 7),
        ),
    ),
    "matrix": (
        "Write a JSON object with a matrix of 6 rows and 5 columns of whole numbers, and the sum of each row.",
        obj(matrix=array(array(WHOLE, 5, 5), 6, 6), sums=array(WHOLE, 6, 6)),
    ),
    "staedte": (
        "Nenne acht deutsche Städte als JSON: Name, Bundesland, Einwohner und ein Satz zur Geschichte.",
        obj(staedte=array(obj(name=text(20), bundesland=text(24), einwohner=WHOLE, geschichte=text(100)), 6, 8)),
    ),
    "animaux": (
        "Donne une liste d'animaux de la ferme en JSON : nom, cri, description, et s'ils pondent des œufs.",
        obj(animaux=array(obj(nom=text(16), cri=text(16), description=text(80), oeufs=TRUTH), 5, 7)),
    ),
    "quiz": (
        "Escribe un cuestionario de geografía en JSON: pregunta, cuatro opciones y el índice de la respuesta.",
        obj(preguntas=array(obj(pregunta=text(80), opciones=array(text(20), 4, 4), respuesta=WHOLE), 4, 5)),
    ),
    "settings": (
        "Write the settings of a text editor as nested JSON: editor, theme, plugins, shortcuts.",
        obj(
            editor=obj(
                tabSize=WHOLE, wrap=TRUTH, font=obj(family=text(20), size=WHOLE, weight={"type": ["integer", "null"]})
            ),
            theme=obj(name=text(16), colors=obj(background=text(9), text=text(9), accent=text(9))),
            plugins=array(obj(id=text(16), enabled=TRUTH, options=obj(level=WHOLE, tags=array(text(8), 1, 3))), 3, 4),
            shortcuts=obj(save=text(10), open=text(10), find=text(10)),
        ),
    ),
    "catalogue": (
        "Write a catalogue of eight garden tools as JSON: sku, name, price, tags and stock by shop.",
        obj(
            products=array(
                obj(
                    sku=text(8),
                    name=text(24),
                    price=NUMBER,
                    tags=array(text(10), 1, 3),
                    stock=obj(north=WHOLE, south=WHOLE),
                ),
                6,
                8,
            )
        ),
    ),
    "chat": (
        'Write a chat between two friends about a film as JSON: messages with from, text and time. Use "quotes" in it.',
        obj(messages=array(obj(**{"from": text(10), "text": text(110), "time": text(8)}), 6, 8)),
    ),
    "dictionary": (
        "Write a small English-Italian dictionary as one JSON object: word, then translations and an example.",
        obj(
            **{
                word: obj(it=array(text(14), 1, 2), example=text(60))
                for word in ("bread", "house", "river", "night", "friend", "winter")
            }
        ),
    ),
    "timeline": (
        "Write a timeline of space flight as JSON: events with date, title, crew as a list of names, and a note.",
        obj(events=array(obj(date=text(10), title=text(40), crew=array(text(20), 0, 3), note=text(90)), 5, 7)),
    ),
}

LIMITS = ((40, 48, 64, 80, 96, 120), (40, 56, 72, 96, 128, 160))  # tokens of an answer: by a user turn, by prefill
TURNS = {
    "continue": "Continue.",
    "exact": "Your answer was cut off. Continue exactly where you stopped. Do not repeat anything.",
    "element": "You were cut off. Write the last element again from its beginning and go on to the end of the JSON.",
    "overlap": "Repeat the last line of your answer and then continue the JSON.",
    "weiter": "Bitte schreibe genau an der Stelle weiter, an der du aufgehört hast. Nur JSON.",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """One conversation: what is asked for, how it goes on, and where it is cut. `held`: the schema is enforced."""

    document: str
    way: str  # prefill, or a name in TURNS
    limit: int  # tokens of every answer
    seed: int
    held: bool
    style: str

    @property
    def name(self) -> str:
        return f"{self.document}-{self.way}-{self.limit}-{self.seed}{'' if self.held else '-free'}"


def plans() -> Iterator[Plan]:
    """20 by prefill, 20 by a user turn, every document and every wording in both."""
    names, turns = list(DOCUMENTS), list(TURNS)
    styles = ("", " Use two spaces of indentation.", " Write compact JSON on one line.")
    for number in range(40):
        document = names[number * 5 % len(names)] if number < 20 else names[number * 7 % len(names)]
        way = "prefill" if number < 20 else turns[number % len(turns)]
        held = number % 4 != 3 or document == "chat"  # asked for a chat without a schema, it chats
        yield Plan(document, way, LIMITS[way == "prefill"][number % 6], 100 + number, held, styles[number % 3])


def converse(demo: DemoModel, plan: Plan) -> dict[str, Any]:
    """The answers of one conversation, until the model stops or has been asked often enough."""
    asked, schema = DOCUMENTS[plan.document]
    options = {"temperature": 0.6, "seed": plan.seed, "extra_body": {"repeat_penalty": 1.05}}
    model, first = demo.model(), (Message("user", asked + plan.style + " Answer with JSON only."),)
    fragments: list[str] = []
    reasons: list[str | None] = []
    prefilled = plan.way == "prefill"
    most = MOST_ANSWERS if prefilled else MOST_TURNS
    while not reasons or (reasons[-1] == "length" and len(fragments) < most):
        held = "".join(fragments)
        turn = () if not fragments else (Message("assistant", held[-6000:]), Message("user", TURNS.get(plan.way, "")))
        answer = model.answer(
            Request(
                (*first, *turn) if not prefilled else first,
                prefill=held if prefilled and held else None,
                max_tokens=plan.limit,
                schema=schema if plan.held and (prefilled or not fragments) else None,
                options=options,
            )
        )
        fragments.append(answer.text)
        reasons.append(answer.finish_reason)
    return {"way": plan.way, "limit": plan.limit, "seed": plan.seed, "reasons": reasons, "fragments": fragments}


def converse_long_enough(demo: DemoModel, plan: Plan) -> dict[str, Any]:
    """One with seams in it: the model is asked otherwise, where it was done too early."""
    talk: dict[str, Any] = {}
    for again in range(TRIES):
        talk = converse(demo, replace(plan, seed=plan.seed + 1000 * again, limit=plan.limit >> again))
        if len(talk["fragments"]) >= LEAST_ANSWERS:
            break
    return talk


def main() -> int:
    out = Path(sys.argv[1])
    have = {json.loads(line)["name"] for line in out.read_text("utf-8").splitlines()} if out.exists() else set()
    with demo_model("local") as demo, out.open("a", encoding="utf-8") as file:
        for plan in plans():
            if plan.name not in have:
                talk = {"name": plan.name, **converse_long_enough(demo, plan)}
                file.write(json.dumps(talk, ensure_ascii=False) + "\n")
                file.flush()
                print(plan.name, len(talk["fragments"]), talk["reasons"][-1], flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

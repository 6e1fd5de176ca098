"""What a model says about KPIs is checked against what was delivered: table of what is taken, and what is refused."""

import json

import pytest

from jsonseam import Accumulator
from jsonseam.gateway import Refused, ScriptedModel, read_definition, run
from jsonseam.gateway.definition import KpiAnswer, answer_schema
from tests.gateway.ways import kpis

CUT = """{"title": "t", "meta": {"author": "a", "tags": ["x", "y"], "none": null, "ok": true},
 "sections": [{"id": 1, "elements": [{"items": [1, 2, 3]}]}, {"id": 2, "elements": [{"rows": [[1], [2], [3, """


@pytest.fixture
def held():
    accumulator = Accumulator()
    accumulator.add(CUT)
    return accumulator


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("sections[0].elements[0].items", 3),
        ("$.sections[1].elements[0].rows", 2),
        ("sections", 1),
        ("sections[*].elements", 1),
        ("sections[*].id", 3),
        ("sections[1].elements[1].rows", 0),  # the array is open: more can come
        ("sections[5].elements[0].rows", 0),
        ("sections[1].summary", 0),  # the object is open
        ("appendix.rows", 0),
        ("sections[*].elements[*].rows", 2),
        ("meta.tags", 2),
        ("title", 1),
        ("meta", 4),
    ],
)
def test_a_path_that_is_there_or_can_still_come_is_taken_and_counted(held, path, value):
    found = read_definition(kpis(("k", path, 1000)), held)
    assert not isinstance(found, Refused), found
    for kpi in found:
        held.add_kpi(kpi)
    assert held.kpis["k"] == value


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("meta.date", "'date'"),  # a name missing in a closed object
        ("meta[0]", "object"),  # an index into an object
        ("sections.rows", "array"),  # a name into an array
        ("sections[0].elements[1].rows", "closed"),  # an item missing in a closed array
        ("sections[0].rows", "'rows'"),
        ("sections[0].elements[0].items.count", "array"),
        ("title.length", "string"),
        ("sections[0].id.x", "number"),
        ("meta.tags[*].x", "string"),
        ("meta.tags[2]", "2 items"),
        ("meta.none", "null"),
        ("$..items", ""),  # more than the dialect has
        ("sections[?@.id==1]", ""),
        ("sections[-1]", ""),
        ("sections[", ""),
    ],
)
def test_a_path_that_contradicts_what_was_delivered_is_refused_with_the_reason(held, path, word):
    before = held.checkpoint()
    found = read_definition(kpis(("fine", "sections", 9), ("k", path, 5)), held)
    assert isinstance(found, Refused)
    assert "k: " in found.reason
    assert word in found.reason
    assert held.checkpoint() == before


@pytest.mark.parametrize(
    ("name", "answer", "word"),
    [
        ("prose", "I would count the rows.", "JSON"),
        ("nothing", "", "JSON"),
        ("cut", '{"kpis": [{"id": "a", "jsonPath": "sections", "targetV', "not finished"),
        ("no KPIs", '{"kpis": []}', "kpis"),
        ("other names", '{"counters": []}', "kpis"),
        ("repeated ids", kpis(("a", "sections", 9), ("a", "meta", 9)), "'a' is there 2 times"),
        ("no target", '{"kpis": [{"id": "a", "jsonPath": "sections"}]}', "targetValue"),
        ("target 0", kpis(("a", "sections", 0)), "greater than 0"),
        ("negative target", kpis(("a", "sections", -5)), "greater than 0"),
        ("target in words", '{"kpis": [{"id": "a", "jsonPath": "sections", "targetValue": "many"}]}', "number"),
        ("no id", kpis(("", "sections", 9)), "id"),
        ("no path", kpis(("a", "", 9)), "jsonPath"),
        ("all reached, but cut", kpis(("a", "sections", 1), ("b", "meta", 2)), "reached already"),
        ("too many", kpis(*((f"k{n}", "sections", 9) for n in range(50))), "kpis"),
    ],
)
def test_a_bad_answer_is_refused_in_words_that_the_model_can_act_on(held, name, answer, word):
    found = read_definition(answer, held)
    assert isinstance(found, Refused), name
    assert word in found.reason


@pytest.mark.parametrize(
    "wrapped",
    ["{}", "```json\n{}\n```", "Here you are:\n\n```json\n{}\n```\nGood luck!", "<think>hm</think>\n{}"],
)
def test_wrapping_around_a_good_answer_does_not_matter(held, wrapped):
    good = kpis(("n", "sections[1].elements[0].rows", 5))
    assert not isinstance(read_definition(wrapped.replace("{}", good), held), Refused)


def test_the_answer_of_the_plan_is_taken_as_it_stands():
    held = Accumulator()
    held.add('{"sections": [{"elements": [{"items": [2, 3, 5, ')
    plan = {
        "kpis": [
            {
                "id": "prime_numbers_count",
                "description": "Number of prime numbers in the list",
                "jsonPath": "sections[0].elements[0].items",
                "targetValue": 4000,
                "currentValue": 0,
            },
            {
                "id": "table_rows",
                "description": "Rows in the data table",
                "jsonPath": "sections[1].elements[0].rows",
                "targetValue": 100,
                "currentValue": 0,
            },
        ]
    }
    found = read_definition(json.dumps(plan), held)
    assert [(kpi.id, kpi.path, kpi.target) for kpi in found] == [
        ("prime_numbers_count", "sections[0].elements[0].items", 4000),
        ("table_rows", "sections[1].elements[0].rows", 100),
    ]
    assert set(answer_schema(5)["properties"]["kpis"]["items"]["properties"]) == set(plan["kpis"][0])
    assert KpiAnswer.model_validate(plan).kpis[0].target == 4000


def test_after_a_refusal_the_model_is_told_why_and_its_second_answer_counts():
    model = ScriptedModel(
        ['{"meta": {}, "items": [1, 2, ', "3]}"],
        kpis=[kpis(("k", "meta.rows", 3)), kpis(("n", "items", 3))],
    )
    result = run(model, "three")
    assert [(kpi.id, kpi.value) for kpi in result.kpis] == [("n", 3)]
    first, second = [request for request in model.requests if request.purpose == "kpis"]
    assert second.messages[: len(first.messages)] == first.messages
    assert "meta.rows" in second.messages[-2].content
    assert "'rows'" in second.messages[-1].content
    assert result.notes == ()


def test_two_refusals_and_no_third_question():
    model = ScriptedModel(['{"items": [1, 2, ', "3]}"], kpis=["no", "no", kpis(("n", "items", 3))])
    result = run(model, "three")
    assert [request.purpose for request in model.requests].count("kpis") == 2
    assert (result.complete, result.progress) == (True, "growth")


def test_the_question_shows_all_that_the_plan_lists():
    model = ScriptedModel(
        ['{"sections": [{"items": ["one", "two", "thr', 'ee"]}]}'], kpis=[kpis(("n", "sections[0].items", 3))]
    )
    run(model, "USER-PROMPT")
    asked = model.requests[1].messages[-1].content
    for part in ("USER-PROMPT", '"two"', '"thr"', "sections[0].items", "targetValue", '{"sections": [{"items":'):
        assert part in asked

"""The original names: the testing considerations of the first plan one by one, then what the second plan changed."""

import asyncio
import inspect
import json
import logging

import pytest

from jsonseam.gateway import original
from jsonseam.gateway.original import (
    JsonAccumulationState,
    JsonResponseHandler,
    buildContinuationContext,
    buildGenerationPrompt,
    extractSectionsFromResponse,
)
from tests.gateway.ways import kpis

DOCUMENT = {
    "sections": [
        {"id": "s1", "elements": [{"items": [2, 3, 5, 7, 11, 13]}]},
        {"id": "s2", "elements": [{"rows": [["a", 1], ["b", 2], ["c", 3]]}]},
    ]
}
TEXT = json.dumps(DOCUMENT)
CUT = TEXT.index("11") + 4
STATE = JsonAccumulationState(
    isAccumulationMode=True,
    kpiDefinitions=[
        {"id": "items", "jsonPath": "sections[0].elements[0].items", "targetValue": 6},
        {"id": "rows", "jsonPath": "sections[1].elements[0].rows", "targetValue": 3},
    ],
    lastKpiValues={"items": 4, "rows": 0},
)


# ---------------------------------------------------------------- Testing Considerations, in their order
def test_complete_json_on_first_iteration_should_not_accumulate():
    assert extractSectionsFromResponse(TEXT, 1) == (DOCUMENT["sections"], True, DOCUMENT, None)


def test_incomplete_json_on_first_iteration_should_start_accumulation():
    sections, complete, parsed, state = extractSectionsFromResponse(TEXT[:CUT], 1)
    assert (sections, complete, parsed) == ([], False, None)
    assert state.isAccumulationMode
    assert state.accumulatedJsonString == TEXT[:CUT]
    assert state.allSections[0]["id"] == "s1"
    assert state.lastParsedResult["sections"][0]["elements"][0]["items"][:4] == [2, 3, 5, 7]


@pytest.mark.parametrize("overlap", [0, 13, 29, 55])
def test_string_accumulation_with_overlaps(overlap):
    merged = JsonResponseHandler.mergeJsonStringsWithOverlap(TEXT[:CUT], TEXT[CUT - overlap :])
    assert json.loads(merged) == DOCUMENT
    state = extractSectionsFromResponse(TEXT[:CUT], 1)[3]
    sections, complete, parsed, state = extractSectionsFromResponse(TEXT[CUT - overlap :], 2, accumulationState=state)
    assert (sections, complete, parsed) == (DOCUMENT["sections"], True, DOCUMENT)
    assert json.loads(state.accumulatedJsonString) == DOCUMENT
    assert not state.isAccumulationMode


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ('\ufeff{"a": 1}', '{"a": 1}'),
        ('{"a": 1}\x00\x00', '{"a": 1}'),
        ('{"a": "\ud83d\ude00"}', '{"a": "😀"}'),
        ('{"a": "\ud83d"}', '{"a": "\ufffd"}'),
        ('{"ü": "日本 – \u00a0"}', '{"ü": "日本 – \u00a0"}'),
        ("", ""),
    ],
)
def test_encoding_cleanup(dirty, clean):
    assert JsonResponseHandler.cleanEncodingIssues(dirty) == clean


@pytest.mark.parametrize(
    ("answer", "percent"),
    [
        ("45%", 45),
        ("45 percent", 45),
        ("45 Percent of it", 45),
        ("45", 45),
        ("About 45 % is there.", 45),
        ("3 of 10 sections, so 30%", 30),
        ("0%", 0),
        ("100", 100),
        ("45.7%", 45),
        ("150%", None),
        ("-5%", None),
        ("no idea", None),
        ("", None),
        ("item12b", None),
    ],
)
def test_kpi_extraction(answer, percent):
    assert JsonResponseHandler.extractKpiFromResponse(answer) == percent


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({"items": 5, "rows": 0}, (True, "Progress")),
        ({"items": 4, "rows": 1}, (True, "Progress")),
        ({"items": 4, "rows": 0}, (False, "No progress")),
        ({"items": 3, "rows": 0}, (False, "KPI went backwards")),
        ({"items": 3, "rows": 2}, (False, "KPI went backwards")),
        ({"items": 6, "rows": 3}, (True, "Complete")),
        ({"items": 9, "rows": 9}, (True, "Complete")),
    ],
)
def test_kpi_validation(values, verdict):
    assert JsonResponseHandler.validateKpiProgression(STATE, values) == verdict


def test_kpi_validation_of_a_complete_document():
    done = STATE.model_copy(update={"isComplete": True})
    assert JsonResponseHandler.validateKpiProgression(done, {"items": 4, "rows": 0}) == (True, "Complete")


def test_repair_failure_should_continue_with_previous_data_and_say_so(caplog):
    state = extractSectionsFromResponse(TEXT[:CUT], 1)[3]
    caplog.set_level(logging.WARNING)
    too_deep = "[" * 2000
    handed = JsonResponseHandler.accumulateAndParseJsonFragments(TEXT[:CUT], too_deep, state.allSections, 2)
    assert handed == (TEXT[:CUT], state.allSections, False, None)
    assert "previous data" in caplog.text
    _, _, _, after = extractSectionsFromResponse(too_deep, 2, accumulationState=state)
    assert after.accumulatedJsonString == TEXT[:CUT]
    assert after.lastParsedResult == state.lastParsedResult
    sections, complete, _, _ = extractSectionsFromResponse(TEXT[CUT:], 3, accumulationState=after)
    assert (sections, complete) == (DOCUMENT["sections"], True)


@pytest.mark.parametrize("apology", ["", "I'm sorry, but I can't continue.", "```json\n```"])
def test_a_fragment_without_data_leaves_the_previous_data(apology, caplog):
    caplog.set_level(logging.WARNING)
    text, sections, complete, parsed = JsonResponseHandler.accumulateAndParseJsonFragments(TEXT[:CUT], apology, [], 2)
    assert (text, complete) == (TEXT[:CUT], False)
    assert sections[0]["id"] == "s1"
    assert parsed["sections"][0]["id"] == "s1"


# ---------------------------------------------------------------- the second plan
def test_the_state_has_the_fields_of_the_second_plan():
    assert {"kpiDefinitions", "lastKpiValues", "isAccumulationMode"} <= set(JsonAccumulationState.model_fields)
    assert "lastKpi" not in JsonAccumulationState.model_fields
    assert JsonAccumulationState.model_validate_json(STATE.model_dump_json()) == STATE


def test_values_of_kpis_from_parsed_json():
    count = JsonResponseHandler.extractKpiValuesFromJson
    assert count(DOCUMENT, STATE.kpiDefinitions) == {"items": 6, "rows": 3}
    assert count({}, STATE.kpiDefinitions) == {"items": 0, "rows": 0}
    assert count(DOCUMENT, [{"id": "bad", "jsonPath": "sections["}, *STATE.kpiDefinitions])["bad"] == 0
    assert count(DOCUMENT, []) == {}


def good(prompt):
    return kpis(("rows", "sections[1].elements[0].rows", 3))


def test_kpis_from_a_separate_call():
    asked = []

    def answer(prompt):
        asked.append(prompt)
        return "no" if len(asked) == 1 else good(prompt)

    found = JsonResponseHandler.defineKpisFromPrompt("three rows", TEXT[:CUT], answer)
    assert found == [
        {
            "id": "rows",
            "description": "",
            "jsonPath": "sections[1].elements[0].rows",
            "targetValue": 3,
            "currentValue": 0,
        }
    ]
    assert "three rows" in asked[0]
    assert "sections[0].elements[0].items" in asked[0]
    assert "cannot be used" in asked[1]


def test_kpis_from_an_awaited_call():
    async def answer(prompt):
        return good(prompt)

    async def never(prompt):
        return "no"

    assert asyncio.run(JsonResponseHandler.defineKpisFromPrompt("x", TEXT[:CUT], answer))[0]["id"] == "rows"
    assert asyncio.run(JsonResponseHandler.defineKpisFromPrompt("x", TEXT[:CUT], never)) == []


def test_no_kpi_question_in_context_and_prompt():
    context = buildContinuationContext(DOCUMENT["sections"], TEXT[:CUT])
    assert "kpiQuestion" not in context
    prompt = buildGenerationPrompt("json", "Write sections.", "Primes", continuationContext=context)
    for word in ("kpi", "percentage", "PROGRESS INDICATOR"):
        assert word not in prompt
    assert TEXT[:CUT][-60:] in prompt
    assert "Write sections." in prompt
    assert "cut off" not in buildGenerationPrompt("json", "Write sections.", "Primes", "facts")


def test_the_continuation_context_has_ten_items_at_each_end():
    sections = [{"id": f"s{n}"} for n in range(50)]
    shown = json.loads(buildContinuationContext(sections)["delivered_summary"])
    assert [s["id"] for s in shown[:10]] == [f"s{n}" for n in range(10)]
    assert [s["id"] for s in shown[-10:]] == [f"s{n}" for n in range(40, 50)]
    assert len(shown) == 21


@pytest.mark.parametrize(
    ("parsed", "complete"),
    [(DOCUMENT, True), ([1, [], {}], True), (TEXT, True), (TEXT[:CUT], False), (None, False), ("", False), (5, False)],
)
def test_is_complete(parsed, complete):
    assert JsonResponseHandler.isJsonComplete(parsed) is complete


def test_not_json_is_not_complete():
    assert not JsonResponseHandler.isJsonComplete({"a": float("nan")})
    assert not JsonResponseHandler.isJsonComplete({"a": object()})


def test_finalize_closes_what_is_open_and_leaves_what_cannot_be_repaired():
    assert JsonResponseHandler.finalizeJson(DOCUMENT) == DOCUMENT
    assert JsonResponseHandler.finalizeJson('{"a": [1, {"b": "c') == {"a": [1, {"b": "c"}]}
    marker = {"a": object()}
    assert JsonResponseHandler.finalizeJson(marker) is marker


def test_the_whole_loop_of_the_original_with_these_names():
    """The flow of section 6 of the second plan, written as the original would write it."""
    answers = iter([TEXT[:CUT], TEXT[CUT - 20 : CUT + 60], TEXT[CUT + 60 :]])
    sections, complete, parsed, state = extractSectionsFromResponse(next(answers), 1)
    state.kpiDefinitions = STATE.kpiDefinitions
    state.lastKpiValues = JsonResponseHandler.extractKpiValuesFromJson(state.lastParsedResult, state.kpiDefinitions)
    for iteration in (2, 3):
        sections, complete, parsed, state = extractSectionsFromResponse(
            next(answers), iteration, accumulationState=state
        )
        values = JsonResponseHandler.extractKpiValuesFromJson(parsed, state.kpiDefinitions)
        proceed, reason = JsonResponseHandler.validateKpiProgression(state, values)
        assert proceed, reason
        state.lastKpiValues = values
    assert (complete, reason, parsed, sections) == (True, "Complete", DOCUMENT, DOCUMENT["sections"])


NAMES = {
    "cleanEncodingIssues": ["jsonString"],
    "mergeJsonStringsWithOverlap": ["accumulated", "newFragment"],
    "isJsonComplete": ["parsedJson"],
    "finalizeJson": ["parsedJson"],
    "extractKpiFromResponse": ["aiResponse"],
    "extractKpiValuesFromJson": ["parsedJson", "kpiDefinitions"],
    "validateKpiProgression": ["accumulationState", "currentKpiValues"],
    "accumulateAndParseJsonFragments": ["accumulatedJsonString", "newFragmentString", "allSections", "iteration"],
}


@pytest.mark.parametrize(("name", "parameters"), NAMES.items())
def test_signatures_are_those_of_the_plans(name, parameters):
    assert list(inspect.signature(getattr(JsonResponseHandler, name)).parameters) == parameters
    assert original.JsonAccumulationState is JsonAccumulationState

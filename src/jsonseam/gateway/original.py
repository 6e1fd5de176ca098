"""The names of the original gateway, so that it can import this module in place of its own code.

Signatures and return types are those of its two plans; where the plans differ, the KPI adaptation plan stands. Each
function only hands over to the API behind it: there is no second way of joining, counting or judging in here.

    cleanEncodingIssues               byte order marks and NUL out, surrogate halves paired
    mergeJsonStringsWithOverlap       Accumulator.add, Accumulator.text
    isJsonComplete                    Accumulator.complete
    finalizeJson                      Accumulator.finish().value
    extractKpiFromResponse            the percentage in an answer (first plan)
    extractKpiValuesFromJson          Accumulator(kpis=...).kpis
    validateKpiProgression            judge_progress
    defineKpisFromPrompt              gateway.definition
    accumulateAndParseJsonFragments   Accumulator.add, Accumulator.finish
    extractSectionsFromResponse       the same, with the state in and out; gateway.run has the whole loop
    buildContinuationContext          gateway.read_context
    buildGenerationPrompt             gateway.Prompts
    JsonAccumulationState             gateway.Result, or Accumulator.checkpoint
"""

# ruff: noqa: N802, N803
from __future__ import annotations

import json
import logging
import re
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping
from inspect import isawaitable
from typing import Any, cast, overload

from jsonseam import Accumulator, JsonSeamError, Kpi, judge_progress

from .context import EDGE, abbreviate, read_context
from .definition import Definition, Refused, describe_kpis
from .original_state import JsonAccumulationState
from .prompts import Prompts
from .task import Task

__all__ = [
    "JsonAccumulationState",
    "JsonResponseHandler",
    "buildContinuationContext",
    "buildGenerationPrompt",
    "extractSectionsFromResponse",
]

logger = logging.getLogger(__name__)

Sections = list[dict[str, Any]]
Definitions = list[dict[str, Any]]
Talk = Generator[str, str, Definitions]
AskModel = Callable[[str], str]
AskModelAsync = Callable[[str], Awaitable[str]]

_PERCENT = re.compile(r"(?<![\w.,-])(\d{1,9})(?:[.,]\d+)?\s*(?:%|per\s?cent\b)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,-])(\d{1,9})(?![\w%]|[.,]\d)")
_UNSEEN = dict.fromkeys(map(ord, "\ufeff\x00"))


class JsonResponseHandler:
    """The original handler; every function stands for itself."""

    @staticmethod
    def cleanEncodingIssues(jsonString: str) -> str:
        """Without byte order marks and NUL; surrogate halves that belong together joined, lone ones replaced."""
        paired = jsonString.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return paired.translate(_UNSEEN)

    @staticmethod
    def mergeJsonStringsWithOverlap(accumulated: str, newFragment: str) -> str:
        """The text with the fragment joined: `Accumulator.add`. Where there is no JSON, one behind the other."""
        try:
            joined = _accumulate(accumulated, newFragment).text
        except JsonSeamError as error:
            logger.warning("merge failed, the previous data stays: %s", type(error).__name__)
            return accumulated
        return joined if joined else accumulated + newFragment

    @staticmethod
    def isJsonComplete(parsedJson: Any) -> bool:
        """Is this a whole JSON structure? A text: `Accumulator.complete`, and only a text can tell whether it was cut.
        A parsed value: it is there, and all of it is JSON."""
        try:
            text = parsedJson if isinstance(parsedJson, str) else json.dumps(parsedJson, allow_nan=False)
            accumulator = _accumulate(text)
        except (JsonSeamError, TypeError, ValueError, RecursionError):
            return False
        return accumulator.complete and isinstance(accumulator.value, dict | list)

    @staticmethod
    def finalizeJson(parsedJson: Any) -> Any:
        """The value of `Accumulator.finish`: closed and mended. A repair that fails leaves the data as they are."""
        try:
            text = parsedJson if isinstance(parsedJson, str) else json.dumps(parsedJson)
            return _accumulate(text).finish().value
        except (JsonSeamError, TypeError, ValueError, RecursionError) as error:
            logger.warning("repair failed, the previous data stays: %s", type(error).__name__)
            return parsedJson

    @staticmethod
    def extractKpiFromResponse(aiResponse: str) -> int | None:
        """The percentage that an answer names (0 to 100): "45%", "45 percent", "45". For callers of the first plan."""
        found = _PERCENT.search(aiResponse) or _NUMBER.search(aiResponse)
        value = int(found[1]) if found else None
        return value if value is not None and value <= 100 else None

    @staticmethod
    def extractKpiValuesFromJson(parsedJson: Any, kpiDefinitions: list[dict[str, Any]]) -> dict[str, int]:
        """The current value of each KPI, by id: `Accumulator.kpis`. One that cannot be counted stands at 0."""
        values = {str(definition.get("id", "")): 0 for definition in kpiDefinitions}
        kpis = list(_kpis(kpiDefinitions))
        try:
            counted = _accumulate(json.dumps(parsedJson), kpis=kpis).kpis
        except (JsonSeamError, TypeError, ValueError, RecursionError) as error:
            logger.warning("KPIs cannot be counted: %s", type(error).__name__)
            return values
        return values | {name: int(value) for name, value in counted.items()}

    @staticmethod
    def validateKpiProgression(
        accumulationState: JsonAccumulationState,
        currentKpiValues: Mapping[str, float],
    ) -> tuple[bool, str]:
        """Whether to go on, and why: `jsonseam.judge_progress`, in the words of the plan."""
        targets = {definition["id"]: definition.get("targetValue") for definition in accumulationState.kpiDefinitions}
        verdict = judge_progress(
            accumulationState.lastKpiValues, currentKpiValues, targets, complete=accumulationState.isComplete
        )
        return bool(verdict[0]), str(verdict[1])

    @overload
    @staticmethod
    def defineKpisFromPrompt(userPrompt: str, accumulatedJsonString: str, callAi: AskModel) -> Definitions: ...
    @overload
    @staticmethod
    def defineKpisFromPrompt(
        userPrompt: str, accumulatedJsonString: str, callAi: AskModelAsync
    ) -> Awaitable[Definitions]: ...
    @staticmethod
    def defineKpisFromPrompt(
        userPrompt: str,
        accumulatedJsonString: str,
        callAi: Callable[[str], Any],
    ) -> Any:
        """KPI definitions by a separate call: `gateway.definition`. Asks twice at most; [] if no answer can be used.

        `callAi` takes a prompt and returns the answer, or an awaitable of it; then this is to be awaited as well.
        """
        talk = _define(userPrompt, accumulatedJsonString)
        first = callAi(next(talk))
        if isawaitable(first):
            return _talk_on(talk, first, callAi)
        answer = first
        while True:
            try:
                answer = callAi(talk.send(answer))
            except StopIteration as done:
                return done.value

    @staticmethod
    def accumulateAndParseJsonFragments(
        accumulatedJsonString: str,
        newFragmentString: str,
        allSections: Sections,
        iteration: int,
    ) -> tuple[str, Sections, bool, dict[str, Any] | None]:
        """(text, sections, complete, value or None): `Accumulator.add` and `finish`. What cannot be joined or repaired
        leaves the previous data, with a warning in the log. Costs one pass over the whole text."""
        try:
            accumulator = _accumulate(accumulatedJsonString, newFragmentString)
            parsed = accumulator.finish().value
        except JsonSeamError as error:
            logger.warning("iteration %s: repair failed, the previous data stays: %s", iteration, type(error).__name__)
            return accumulatedJsonString, allSections, False, None
        if accumulator.seams and accumulator.seams[-1].kind == "rejected":
            logger.warning("iteration %s: no data in the fragment, the previous data stays", iteration)
        sections = _sections(parsed) or allSections
        return accumulator.text, sections, accumulator.complete, parsed if isinstance(parsed, dict) else None


def extractSectionsFromResponse(
    result: str,
    iteration: int,
    debugPrefix: str = "",
    allSections: Sections | None = None,
    accumulationState: JsonAccumulationState | None = None,
) -> tuple[Sections, bool, dict[str, Any] | None, JsonAccumulationState | None]:
    """(sections, complete, value or None, state or None), state in and out.

    The first answer: complete gives its sections and no state; cut gives no sections and a state to go on with.
    A later one, with the state: joined, and the state brought up to date, KPI values left to the caller.
    """
    before = accumulationState or JsonAccumulationState(allSections=list(allSections or []))
    text, sections, complete, parsed = JsonResponseHandler.accumulateAndParseJsonFragments(
        before.accumulatedJsonString, result, before.allSections, iteration
    )
    if accumulationState is None and complete:
        return sections, True, parsed, None
    state = before.model_copy(
        update={
            "accumulatedJsonString": text,
            "isAccumulationMode": not complete,
            "allSections": sections,
            "lastParsedResult": parsed if parsed is not None else before.lastParsedResult,
            "isComplete": complete,
        }
    )
    logger.debug("%s iteration %s: %s sections, complete: %s", debugPrefix, iteration, len(sections), complete)
    if accumulationState is None:
        return [], False, None, state
    return sections, complete, parsed, state


def buildContinuationContext(
    allSections: Sections,
    lastRawResponse: str | None = None,
) -> dict[str, Any]:
    """What the continuation prompt shows: `gateway.context`, long arrays by their first and last ten items.

    `lastRawResponse` is the delivered text; without it there are no elements and no exact tail. No KPI question.
    """
    context: dict[str, Any] = {
        "section_count": len(allSections),
        "delivered_summary": json.dumps(abbreviate(allSections, EDGE), ensure_ascii=False),
    }
    if lastRawResponse:
        found = read_context(_accumulate(lastRawResponse))
        context |= {
            "structure": found.structure,
            "last_complete_element": found.last_complete or None,
            "cut_off_element": found.cut_off or None,
            "exact_tail": found.tail,
            "last_raw_json": lastRawResponse,
            "delivered_summary": found.summary or context["delivered_summary"],
        }
    return context


def buildGenerationPrompt(
    outputFormat: str,
    userPrompt: str,
    title: str,
    extractedContent: str | None = None,
    continuationContext: Mapping[str, Any] | None = None,
) -> str:
    """The prompt of one iteration: `gateway.prompts`. With a context it asks for the rest. No KPI question."""
    parts = [userPrompt, f"Title: {title}", f"The document will be rendered as {outputFormat}."]
    if extractedContent:
        parts.append(f"=== EXTRACTED CONTENT ===\n{extractedContent}")
    raw = (continuationContext or {}).get("last_raw_json")
    messages = Prompts().first("\n\n".join(parts), None)
    if raw:
        messages = Prompts().go_on(messages, read_context(_accumulate(raw)))
    return "\n\n".join(message.content for message in messages if message.role != "assistant")


# ---------------------------------------------------------------- the way to the API behind
def _accumulate(*fragments: str, kpis: list[Kpi] | None = None) -> Accumulator:
    accumulator = Accumulator(kpis=kpis or ())
    for fragment in fragments:
        if fragment:
            accumulator.add(fragment)
    return accumulator


def _kpis(definitions: list[dict[str, Any]]) -> Iterator[Kpi]:
    for definition in definitions:
        try:
            yield Kpi(
                id=str(definition.get("id", "")),
                path=str(definition.get("jsonPath", "")),
                target=definition.get("targetValue"),
                description=str(definition.get("description", "")),
            )
        except JsonSeamError as error:
            logger.warning("a KPI definition cannot be counted: %s", type(error).__name__)


def _define(prompt: str, text: str) -> Talk:
    """The talk of `Definition` as a generator: yields a prompt, is sent the answer, returns the definitions."""
    accumulator = _accumulate(text)
    definition = Definition(Task(prompt), Prompts())
    while not definition.over:
        asked = "\n\n".join(message.content for message in definition.request(accumulator).messages)
        found = definition.take((yield asked), accumulator)
        if not isinstance(found, Refused):
            for kpi in found:
                accumulator.add_kpi(kpi)
            return describe_kpis(found, accumulator.kpis)
        logger.warning("KPI definition refused: %s", found.reason)
    return []


async def _talk_on(talk: Talk, first: Awaitable[str], ask: AskModelAsync) -> Definitions:
    answer = await first
    while True:
        try:
            asked = talk.send(answer)
        except StopIteration as done:
            return cast(Definitions, done.value)
        answer = await ask(asked)


def _sections(parsed: Any) -> Sections:
    """The sections of a document: its own, those of its documents, or its items where it is a list of them."""
    if isinstance(parsed, list):
        return [item for item in parsed if isinstance(item, dict)]
    if not isinstance(parsed, Mapping):
        return []
    holders = [parsed, *(d for d in parsed.get("documents") or () if isinstance(d, Mapping))]
    found = [holder["sections"] for holder in holders if isinstance(holder.get("sections"), list)]
    return [section for sections in found for section in sections if isinstance(section, dict)]

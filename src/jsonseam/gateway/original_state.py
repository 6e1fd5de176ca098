"""The original gateway's accumulation state, under its own name. Plain data; `original` works on it."""

# ruff: noqa: N815
from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class JsonAccumulationState(BaseModel):
    """What the original loop hands from one iteration to the next."""

    accumulatedJsonString: str = Field(default="", description="The delivered text, put together")
    isAccumulationMode: bool = Field(default=False, description="Is a cut document being put together?")
    lastParsedResult: dict[str, Any] | None = Field(default=None, description="The last value")
    allSections: list[dict[str, Any]] = Field(default_factory=list, description="Its sections")
    kpiDefinitions: list[dict[str, Any]] = Field(
        default_factory=list, description="KPI definitions of the model: id, description, jsonPath, targetValue"
    )
    lastKpiValues: dict[str, int] = Field(default_factory=dict, description="Last value of each KPI, by id")
    isComplete: bool = Field(default=False, description="Was the root closed by delivered text?")

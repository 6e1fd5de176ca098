"""The fuzz targets, briefly; and every input that ever failed one of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from fuzz.regressions import kept
from fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_target_holds(name: str) -> None:
    target = TARGETS[name]

    @settings(max_examples=150, deadline=None)
    @given(**target.given)
    def attempt(**given_input: Any) -> None:
        target.check(**given_input)

    attempt()


@pytest.mark.parametrize(("name", "given_input"), kept())
def test_what_failed_once_holds(name: str, given_input: dict[str, Any]) -> None:
    TARGETS[name].check(**given_input)

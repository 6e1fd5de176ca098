"""Hypothesis: a few fixed examples where everybody waits for them, many new ones where a fault is hunted.

HYPOTHESIS_PROFILE=hunt pytest tests/test_properties.py
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from tests.valkey_server import prefix, valkey_at

__all__ = ["prefix", "valkey_at"]  # fixtures
_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("suite", max_examples=60, deadline=None, derandomize=True, suppress_health_check=_SLOW)
settings.register_profile("hunt", max_examples=600, deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

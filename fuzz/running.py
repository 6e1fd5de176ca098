"""Running: a target against many inputs; the smallest one that fails is kept."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from fuzz.regressions import keep
from fuzz.targets import Target

PHASES = (Phase.generate, Phase.target, Phase.shrink)


def run(target: Target, examples: int) -> str | None:
    """Try up to `examples` new inputs. The failure, in a line, or None."""
    last: dict[str, Any] = {}

    @settings(
        max_examples=examples, deadline=None, database=None, phases=PHASES, suppress_health_check=list(HealthCheck)
    )
    @given(**target.given)
    def attempt(**given_input: Any) -> None:
        try:
            target.check(**given_input)
        except Exception:
            last.clear()
            last.update(given_input)
            raise

    try:
        attempt()
    except Exception as failure:
        # Hypothesis replays the smallest failing input last.
        keep(target.name, last)
        return f"{target.name}: {type(failure).__name__} {str(failure).splitlines()[:1]} for {last!r}"
    return None

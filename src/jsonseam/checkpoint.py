"""A checkpoint: plain JSON, versioned, with a digest, so that a damaged or foreign one is refused, not resumed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from jsonseam.errors import StateError

FORMAT: Final = "jsonseam.accumulator"
VERSION: Final = 1
# What a state holds, and of what types; a list of types stands for a list of as many items.
SHAPE: Final[dict[str, type | list[type]]] = {
    "limits": [int, int, int],
    "strict": bool,
    "kpis": list,
    "text": str,
    "cleaner": [str, str, bool, bool],
    "phase": str,
    "fragment": int,
    "opening": dict,
    "restarted_at": int,
    "crossed": dict,
    "backlog": [str, int],
    "behind": str,
    "report": dict,
    "handoff": dict,
}


def seal(state: Mapping[str, Any]) -> dict[str, Any]:
    """The state with its format, version and digest. Cost: the state's length."""
    return {"format": FORMAT, "version": VERSION, "state": dict(state), "digest": _digest(state)}


def unseal(sealed: object) -> dict[str, Any]:
    """The state. Raises `StateError` for what is not a whole checkpoint of a version that can be read here."""
    if not isinstance(sealed, Mapping) or sealed.get("format") != FORMAT:
        raise StateError("this is not a checkpoint of an accumulator", expected=f"format {FORMAT!r}")
    if sealed.get("version") != VERSION:
        raise StateError(f"a checkpoint of version {sealed.get('version')!r}", expected=f"version {VERSION}")
    state = sealed.get("state")
    if not isinstance(state, dict) or sealed.get("digest") != _digest(state):
        raise StateError("the checkpoint is damaged: its digest does not fit", expected="the state as it was given")
    state = {"handoff": {}, **state}  # those that were taken before there was a hand-off do not say that there is none
    wrong = [name for name, shape in SHAPE.items() if not _has_shape(state.get(name), shape)]
    if wrong:
        raise StateError(f"the checkpoint cannot be read: {', '.join(wrong)}", expected="the state as it was given")
    return state


def _has_shape(value: object, shape: type | list[type]) -> bool:
    if isinstance(shape, type):
        return type(value) is shape
    return isinstance(value, list) and len(value) == len(shape) and all(map(_has_shape, value, shape))


def _digest(state: Mapping[str, Any]) -> str:
    try:
        text = json.dumps(state, sort_keys=True, ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return ""
    import hashlib  # here, because it takes 2 ms to import, and few keep checkpoints

    return hashlib.sha256(text.encode()).hexdigest()

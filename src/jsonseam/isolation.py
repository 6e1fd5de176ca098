"""Isolation: the last resort. One malformed item, and nothing around it, is given to json-repair.

It is the only file on json-repair, which is imported when the first item needs it: most documents have none.
"""

from __future__ import annotations

import json

LONGEST = 2048
"""Characters of an item that is given away; what is longer stays words."""


def isolated(item: str) -> str | None:
    """What json-repair makes of one malformed item, as strict JSON; None if it makes nothing of it, or fails."""
    if len(item) > LONGEST:
        return None
    import json_repair

    try:
        value = json_repair.loads(item)
        strict = json.dumps(value, ensure_ascii=False, allow_nan=False)
        strict.encode()
    except Exception:  # whatever a foreign parser throws at malformed text is no news to our caller
        return None
    return strict if value or value == 0 else None

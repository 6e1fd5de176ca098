"""ValkeyStore: runs on a Valkey or Redis server, for processes on several machines. Needs the extra `valkey`.

Rule: each write is one script that compares the version and knows its own call by name, so that a call that is sent
again after a lost connection is done once, and is no conflict with itself.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any, Final

from jsonseam.live.connection import connect
from jsonseam.live.keys import PREFIX, Keys

from .store import Saved, StoreConflict, UnknownRun

# KEYS run, tail, runs; ARGV version, name of this call, id, state -> 1 | 0
_SAVE: Final = """
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
if version ~= tonumber(ARGV[1]) then return redis.call('HGET', KEYS[1], 'call') == ARGV[2] and 1 or 0 end
redis.call('HSET', KEYS[1], 'version', version + 1, 'call', ARGV[2], 'state', ARGV[4])
redis.call('DEL', KEYS[2])
if version == 0 then
    local newest = redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')
    redis.call('ZADD', KEYS[3], (newest[2] or 0) + 1, ARGV[3])
end
return 1
"""

# KEYS run, tail; ARGV version, name of this call, piece -> 1 | 0
_APPEND: Final = """
if tonumber(redis.call('HGET', KEYS[1], 'version') or '-1') ~= tonumber(ARGV[1]) then return 0 end
if redis.call('HGET', KEYS[1], 'call') == ARGV[2] then return 1 end
redis.call('HSET', KEYS[1], 'call', ARGV[2])
redis.call('RPUSH', KEYS[2], ARGV[3])
return 1
"""

# KEYS run, tail -> version | false, state, pieces; a script, so that all three are of one moment
_LOAD: Final = """
local run = redis.call('HMGET', KEYS[1], 'version', 'state')
return {run[1], run[2], redis.call('LRANGE', KEYS[2], 0, -1)}
"""


# KEYS run, tail, runs; ARGV id
_DELETE: Final = """
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('ZREM', KEYS[3], ARGV[1])
"""


class ValkeyStore:
    """Runs under one prefix, shared by threads, processes and machines. What outlives the server is its own affair:
    with `appendonly yes` and `appendfsync always` each write that returned does.

    A save costs the size of the state, an append the size of the piece. A lost connection is tried again for half a
    minute; then the client's own error is raised.
    """

    def __init__(self, url: str, *, prefix: str = PREFIX) -> None:
        self.url = url
        self._keys = Keys(prefix)
        self._client = connect(url)
        self._save = self._client.register_script(_SAVE)
        self._append = self._client.register_script(_APPEND)
        self._load = self._client.register_script(_LOAD)
        self._delete = self._client.register_script(_DELETE)

    def save(self, run_id: str, version: int, state: Mapping[str, Any]) -> int:
        keys = [self._keys.run(run_id), self._keys.tail(run_id), self._keys.runs]
        if not self._save(keys, [version, uuid.uuid4().hex, run_id, json.dumps(state)]):
            raise StoreConflict(run_id, version)
        return version + 1

    def append(self, run_id: str, version: int, text: str) -> None:
        keys = [self._keys.run(run_id), self._keys.tail(run_id)]
        if not self._append(keys, [version, uuid.uuid4().hex, json.dumps(text)]):
            raise StoreConflict(run_id, version)

    def load(self, run_id: str) -> Saved:
        version, state, pieces = self._load([self._keys.run(run_id), self._keys.tail(run_id)])
        if version is None:
            raise UnknownRun(run_id)
        return Saved(int(version), json.loads(state), tuple(json.loads(piece) for piece in pieces))

    def delete(self, run_id: str) -> None:
        self._delete([self._keys.run(run_id), self._keys.tail(run_id), self._keys.runs], [run_id])

    def ids(self) -> list[str]:
        """The runs that are kept, in the order in which they were made."""
        return [run_id.decode() for run_id in self._client.zrange(self._keys.runs, 0, -1)]

    def close(self) -> None:
        self._client.close()

"""What must happen at once, as scripts that the server runs: each is a transaction, and each checks who may.

Rule: whatever changes a partition first compares the fencing token with the one that the server holds. A worker that
slept through its lease finds another token, or none, and changes nothing.
"""

from __future__ import annotations

from typing import Any, Final

from .connection import Client

# The fields of an entry, what is wrong with it behind them, go to another stream.
_BURYING: Final = """
local function bury(dead, found, kind, error)
    if not found[1] then return end
    local fields = {}
    for n = 1, math.min(#found[1][2], 2000) do fields[n] = found[1][2][n] end
    for _, text in ipairs({'kind', kind, 'error', error}) do fields[#fields + 1] = text end
    redis.call('XADD', dead, '*', unpack(fields))
end
"""

# KEYS owner fence stream; ARGV worker, lease in ms, group -> false | token, the id up to which entries were taken
ACQUIRE: Final = """
if redis.call('EXISTS', KEYS[1]) == 1 then return false end
local token = ARGV[1] .. ':' .. redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[1], token, 'PX', ARGV[2])
local made = redis.pcall('XGROUP', 'CREATE', KEYS[3], ARGV[3], '0', 'MKSTREAM')
if type(made) == 'table' and made.err and not string.find(made.err, 'BUSYGROUP', 1, true) then return made end
local last = '0-0'
for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[3])) do
    local about = {}
    for at = 1, #group, 2 do about[group[at]] = group[at + 1] end
    if about['name'] == ARGV[3] then last = about['last-delivered-id'] end
end
return {token, last}
"""

# KEYS owner; ARGV token
RELEASE: Final = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
"""

# KEYS workers owner...; ARGV worker, lease in ms, token... -> how many workers live, and of each token whether it holds
BEAT: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
local told = {redis.call('ZCARD', KEYS[1])}
for at = 2, #KEYS do
    local mine = redis.call('GET', KEYS[at]) == ARGV[at + 1]
    if mine then redis.call('PEXPIRE', KEYS[at], ARGV[2]) end
    told[at] = mine and 1 or 0
end
return told
"""

# KEYS owner stream; ARGV token, group, worker, count -> false | entries nobody was given before
TAKE: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
local got = redis.call('XREADGROUP', 'GROUP', ARGV[2], ARGV[3], 'COUNT', ARGV[4], 'STREAMS', KEYS[2], '>')
return got and got[1][2] or {}
"""

# KEYS owner stream; ARGV token, group, worker, count, cursor
# -> false | next cursor, entries that a worker left, and of each how often it was given out.
# Whoever else has entries here is dead, or was fenced off: how long they lay idle says nothing that the lease did not.
# Once all are claimed, the names of those workers go; a name that still has entries never does.
CLAIM: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
local got = redis.call('XAUTOCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, ARGV[5], 'COUNT', ARGV[4])
if got[1] == '0-0' then
    for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[2], ARGV[2])) do
        local about = {}
        for at = 1, #consumer, 2 do about[consumer[at]] = consumer[at + 1] end
        if about['name'] ~= ARGV[3] and about['pending'] == 0 then
            redis.call('XGROUP', 'DELCONSUMER', KEYS[2], ARGV[2], about['name'])
        end
    end
end
local given = {}
for n, entry in ipairs(got[2]) do
    local pending = entry and redis.call('XPENDING', KEYS[2], ARGV[2], entry[1], entry[1], 1)
    given[n] = pending and pending[1] and pending[1][4] or 0
end
return {got[1], got[2], given}
"""

# KEYS owner, conversation; ARGV token, entry -> false | how often its application was begun before and never ended
TRY: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
if redis.call('HGET', KEYS[2], 'trying') ~= ARGV[2] then redis.call('HSET', KEYS[2], 'trying', ARGV[2], 'tries', 0) end
return redis.call('HINCRBY', KEYS[2], 'tries', 1) - 1
"""

# KEYS owner, conversation, stream, dead, results, result
# ARGV token, version it builds on, name of this commit, group, seconds to keep (0: for ever), results to list, then
#      each with its length before it: fields and values, entries, (entry, kind, error)..., fields of the result
# -> 'done' | 'lost' | 'behind'. The same commit sent twice is done once.
COMMIT: Final = (
    _BURYING
    + """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'lost' end
local version = tonumber(redis.call('HGET', KEYS[2], 'version') or '0')
if version ~= tonumber(ARGV[2]) then
    return redis.call('HGET', KEYS[2], 'commit') == ARGV[3] and 'done' or 'behind'
end
local at = 7
local function list()
    local found = {}
    local size = tonumber(ARGV[at])
    for n = 1, size do found[n] = ARGV[at + n] end
    at = at + size + 1
    return found
end
local function gone(entry)
    redis.call('XACK', KEYS[3], ARGV[4], entry)
    redis.call('XDEL', KEYS[3], entry)
end
redis.call('HSET', KEYS[2], 'version', version + 1, 'commit', ARGV[3])
local fields = list()
for n = 1, #fields, 2 do
    if fields[n + 1] == '' then redis.call('HDEL', KEYS[2], fields[n])
    else redis.call('HSET', KEYS[2], fields[n], fields[n + 1]) end
end
for _, entry in ipairs(list()) do gone(entry) end
local dead = list()
for n = 1, #dead, 3 do
    local found = redis.call('XRANGE', KEYS[3], dead[n], dead[n])
    bury(KEYS[4], found, dead[n + 1], dead[n + 2])
    gone(dead[n])
end
local result = list()
if #result > 0 then
    redis.call('DEL', KEYS[6])
    for n = 1, #result, 2 do redis.call('HSET', KEYS[6], result[n], result[n + 1]) end
    redis.call('XADD', KEYS[5], 'MAXLEN', '~', ARGV[6], '*', result[1], result[2], result[3], result[4])
    if ARGV[5] ~= '0' then
        redis.call('EXPIRE', KEYS[2], ARGV[5])
        redis.call('EXPIRE', KEYS[6], ARGV[5])
    end
end
return 'done'
"""
)

# KEYS owner, stream, dead; ARGV token, group, entry, kind, error -> 1 | false. For entries that are no fragments.
BURY: Final = (
    _BURYING
    + """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
local found = redis.call('XRANGE', KEYS[2], ARGV[3], ARGV[3])
if redis.call('XACK', KEYS[2], ARGV[2], ARGV[3]) == 1 then bury(KEYS[3], found, ARGV[4], ARGV[5]) end
redis.call('XDEL', KEYS[2], ARGV[3])
return 1
"""
)

# KEYS owner, stream, right stream; ARGV token, group, entry -> 1 | false
FORWARD: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
local found = redis.call('XRANGE', KEYS[2], ARGV[3], ARGV[3])
if redis.call('XACK', KEYS[2], ARGV[2], ARGV[3]) == 1 and found[1] then
    redis.call('XADD', KEYS[3], '*', unpack(found[1][2]))
end
redis.call('XDEL', KEYS[2], ARGV[3])
return 1
"""

# KEYS stream, conversation, published
# ARGV conversation, number or '', text, last, expected, most entries, most ahead of a gap, seconds to know this call
# -> the number | -1 where the partition is full. What a gap waits for always finds room. Who counts may call again with
# the same number; who does not is known by the name of the call.
PUBLISH: Final = """
local number = ARGV[2]
local told = number == '' and redis.call('GET', KEYS[3])
if told then return tonumber(told) end
local waits = tonumber(redis.call('HGET', KEYS[2], 'waiting_for') or '-1')
local allotted = tonumber(redis.call('HGET', KEYS[2], 'allotted') or '0')
if number == '' then number = allotted else number = tonumber(number) end
if number ~= waits then
    if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[6]) then return -1 end
    if waits >= 0 and number > waits + tonumber(ARGV[7]) then return -1 end
end
if number >= allotted then redis.call('HSET', KEYS[2], 'allotted', number + 1) end
redis.call('XADD', KEYS[1], '*', 'conversation', ARGV[1], 'seq', string.format('%.0f', number), 'text', ARGV[3],
    'last', ARGV[4], 'expected', ARGV[5])
if ARGV[2] == '' then redis.call('SET', KEYS[3], string.format('%.0f', number), 'EX', ARGV[8]) end
return number
"""


class Scripts:
    """The scripts on one client; the server is given a text that it does not know yet."""

    __slots__ = ("acquire", "beat", "bury", "claim", "commit", "forward", "publish", "release", "take", "try_")

    def __init__(self, client: Client) -> None:
        self.acquire: Any = client.register_script(ACQUIRE)
        self.release: Any = client.register_script(RELEASE)
        self.beat: Any = client.register_script(BEAT)
        self.take: Any = client.register_script(TAKE)
        self.try_: Any = client.register_script(TRY)
        self.claim: Any = client.register_script(CLAIM)
        self.commit: Any = client.register_script(COMMIT)
        self.bury: Any = client.register_script(BURY)
        self.forward: Any = client.register_script(FORWARD)
        self.publish: Any = client.register_script(PUBLISH)

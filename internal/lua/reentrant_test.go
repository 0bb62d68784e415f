package lua

import "testing"

// Locks that are hashes, sets and sorted sets, as reentrant locks and
// semaphores keep them.
func TestReentrant(t *testing.T) {
	t.Parallel()
	runCases(t, []scriptCase{
		{"hash acquire", `
if (redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then
	redis.call('hincrby', KEYS[1], ARGV[2], 1)
	redis.call('pexpire', KEYS[1], ARGV[1])
	return nil
end
return redis.call('pttl', KEYS[1])`, `
create KEYS[1] bare value=ARGV[2] ttl=ARGV[1]ms bycheck hash guarded
data KEYS[1] checked ARGV[2]
expire KEYS[1] checked ARGV[2] ttl=ARGV[1]ms`},
		{"hash acquire in two ifs", `
if (redis.call('exists', KEYS[1]) == 0) then
	redis.call('hset', KEYS[1], ARGV[2], 1);
	redis.call('pexpire', KEYS[1], ARGV[1]);
	return nil;
end;
if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then
	redis.call('hincrby', KEYS[1], ARGV[2], 1);
	redis.call('pexpire', KEYS[1], ARGV[1]);
	return nil;
end;
return redis.call('pttl', KEYS[1]);`, `
create KEYS[1] bare value=ARGV[2] ttl=ARGV[1]ms bycheck hash guarded
expire KEYS[1] created ttl=ARGV[1]ms
data KEYS[1] checked ARGV[2]
expire KEYS[1] checked ARGV[2] ttl=ARGV[1]ms`},
		{"hash acquire, no check of the member", `
if (redis.call('exists', KEYS[1]) == 0) then redis.call('hset', KEYS[1], ARGV[2], 1) end
redis.call('pexpire', KEYS[1], ARGV[1])`, `
create KEYS[1] bare value=ARGV[2] ttl=ARGV[1]ms bycheck hash guarded
expire KEYS[1] unclear ttl=ARGV[1]ms`},
		{"hash release", `
if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil; end;
local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1);
if (counter > 0) then
	redis.call('pexpire', KEYS[1], ARGV[2]); return 0;
else
	redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], ARGV[1]); return 1;
end;
return nil;`, `
data KEYS[1] checked ARGV[3]
expire KEYS[1] checked ARGV[3] ttl=ARGV[2]ms
free KEYS[1] checked ARGV[3]`},
		{"hash release without the member check", `
local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1)
if (counter > 0) then return 0 else redis.call('del', KEYS[1]) return 1 end`, "data KEYS[1] bare\nfree KEYS[1] unclear"},
		{"hash release, member of another key", `
if (redis.call('hexists', KEYS[2], ARGV[1]) == 0) then return nil end
redis.call('del', KEYS[1])`, "free KEYS[1] unclear"},
		{"hash release, 0 is true", `if redis.call('hexists', KEYS[1], ARGV[1]) then redis.call('del', KEYS[1]) end`, "free KEYS[1] bare"},
		{"hash field as owner", `if redis.call('hget', KEYS[1], 'owner') == ARGV[1] then redis.call('del', KEYS[1]) end`, "free KEYS[1] checked ARGV[1]"},
		{"hash field is there", `if redis.call('hget', KEYS[1], 'owner') then redis.call('del', KEYS[1]) end`, "free KEYS[1] bare"},
		{"hash field constant", `if redis.call('hexists', KEYS[1], 'owner') == 1 then redis.call('del', KEYS[1]) end`, "free KEYS[1] bare"},
		{"hash field named by the token", `if not redis.call('hget', KEYS[1], ARGV[1]) then return 0 end redis.call('del', KEYS[1])`, "free KEYS[1] checked ARGV[1]"},
		{"hash count named by the token", `
if tonumber(redis.call('hget', KEYS[1], ARGV[1]) or '0') > 0 then redis.call('del', KEYS[1]) end`, "free KEYS[1] checked ARGV[1]"},
		{"hmget", `
local v = redis.call('hmget', KEYS[1], 'owner', 'count')
if v[1] == ARGV[1] and tonumber(v[2]) <= 1 then redis.call('del', KEYS[1]) end`, "free KEYS[1] checked ARGV[1]"},
		{"hmget unpacked", `
local owner, count = unpack(redis.call('hmget', KEYS[1], 'owner', 'count'))
if owner ~= ARGV[1] then return 0 end
redis.call('del', KEYS[1])`, "free KEYS[1] checked ARGV[1]"},
		{"hmget, count only", `
local v = redis.call('hmget', KEYS[1], 'owner', 'count')
if tonumber(v[2]) <= 1 then redis.call('del', KEYS[1]) end`, "free KEYS[1] unclear"},
		{"hgetall", `
local all = redis.call('hgetall', KEYS[1])
if all[2] == ARGV[1] then redis.call('del', KEYS[1]) end`, "free KEYS[1] unclear"},
		{"hsetnx field", `if redis.call('hsetnx', KEYS[1], 'owner', ARGV[1]) == 1 then redis.call('expire', KEYS[1], ARGV[2]) end`,
			"data KEYS[1] bare\nexpire KEYS[1] created ttl=ARGV[2]s"},
		{"hsetnx field, always", `redis.call('hsetnx', KEYS[1], 'owner', ARGV[1]) redis.call('expire', KEYS[1], ARGV[2])`,
			"data KEYS[1] bare\nexpire KEYS[1] bare ttl=ARGV[2]s"},
		{"owner field missing, then taken", `
local owner = redis.call('hget', KEYS[1], 'owner')
if not owner or owner == ARGV[1] then
	redis.call('hset', KEYS[1], 'owner', ARGV[1])
	redis.call('expire', KEYS[1], ARGV[2])
	return 1
end
return 0`, `
create KEYS[1] bare value=ARGV[1] ttl=ARGV[2]s bycheck hash guarded
data KEYS[1] checked ARGV[1]
expire KEYS[1] checked ARGV[1] ttl=ARGV[2]s`},
		{"set member", `if redis.call('sismember', KEYS[1], ARGV[1]) == 1 then redis.call('del', KEYS[1]) end`, "data KEYS[1] bare\nfree KEYS[1] checked ARGV[1]"},
		{"semaphore acquire", `
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1])
if redis.call('zcard', KEYS[1]) < tonumber(ARGV[2]) then
	redis.call('zadd', KEYS[1], ARGV[3], ARGV[4])
	redis.call('expire', KEYS[1], ARGV[5])
	return 1
end
return 0`, "data KEYS[1] bare\ndata KEYS[1] bare\ndata KEYS[1] unclear\nexpire KEYS[1] unclear ttl=ARGV[5]s"},
		{"semaphore refresh", `
if redis.call('zscore', KEYS[1], ARGV[1]) then redis.call('zadd', KEYS[1], ARGV[2], ARGV[1]) redis.call('expire', KEYS[1], ARGV[3]) end`,
			"data KEYS[1] bare\ndata KEYS[1] checked ARGV[1]\nexpire KEYS[1] checked ARGV[1] ttl=ARGV[3]s"},
		{"semaphore release", `return redis.call('zrem', KEYS[1], ARGV[1])`, "data KEYS[1] bare"},
		{"last reader frees", `
redis.call('srem', KEYS[1], ARGV[1])
if redis.call('scard', KEYS[1]) == 0 then redis.call('del', KEYS[1]) end`, "data KEYS[1] bare\ndata KEYS[1] bare\nfree KEYS[1] unclear"},
		{"token bucket", `
local b = redis.call('hmget', KEYS[1], 'tokens', 'ts')
local tokens = tonumber(b[1]) or tonumber(ARGV[1])
if tokens < 1 then return 0 end
redis.call('hmset', KEYS[1], 'tokens', tokens - 1, 'ts', ARGV[2])
redis.call('expire', KEYS[1], 60)
return 1`, `
data KEYS[1] unclear
create KEYS[1] bare value=(tonumber(ARGV[1])-1) ttl="60"s bycheck hash guarded
expire KEYS[1] unclear ttl="60"s`},
		{"fixed window", `
local n = tonumber(redis.call('get', KEYS[1]) or '0')
if n + 1 > tonumber(ARGV[1]) then return 0 end
redis.call('incrby', KEYS[1], 1)
redis.call('expire', KEYS[1], 2)
return n + 1`, "data KEYS[1] unclear\nexpire KEYS[1] unclear ttl=\"2\"s"},
		{"leader", `
local cur = redis.call('get', KEYS[1])
if not cur then redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1 end
if cur == ARGV[1] then redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end
return 0`, `
create KEYS[1] bare value=ARGV[1] ttl=ARGV[2]ms bycheck guarded
expire KEYS[1] checked ARGV[1] ttl=ARGV[2]ms`},
		{"leader that renews for all", `
local cur = redis.call('get', KEYS[1])
if not cur then redis.call('set', KEYS[1], ARGV[1]) end
redis.call('pexpire', KEYS[1], ARGV[2])`, `
create KEYS[1] bare value=ARGV[1] ttl=ARGV[2]ms bycheck guarded
expire KEYS[1] unclear ttl=ARGV[2]ms`},
		{"loser that owns renews", `
if not redis.call('set', KEYS[1], ARGV[1], 'NX') then
	if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
end
redis.call('pexpire', KEYS[1], ARGV[2])
return 1`, "create KEYS[1] bare value=ARGV[1] ttl=ARGV[2]ms\nexpire KEYS[1] checked ARGV[1] ttl=ARGV[2]ms"},
		{"fenced acquire", `
if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return redis.call('incr', KEYS[2]) end
return 0`, "create KEYS[1] bare value=ARGV[1] ttl=ARGV[2]ms\ndata KEYS[2] unclear"},
		{"dedupe", `
if redis.call('exists', KEYS[1]) == 1 then return 0 end
redis.call('set', KEYS[1], '1', 'EX', ARGV[1])
redis.call('lpush', KEYS[2], ARGV[2])
return 1`, `
create KEYS[1] bare value="1" ttl=ARGV[1]s bycheck guarded
data KEYS[2] unclear`},
		{"queue claim", `
local job = redis.call('rpoplpush', KEYS[1], KEYS[2])
if not job then return nil end
redis.call('set', KEYS[3] .. job, ARGV[1], 'PX', ARGV[2])
return job`, "data KEYS[1] bare\ndata KEYS[2] bare\nset ? unclear ttl=ARGV[2]ms\nincomplete"},
		{"read write lock", `
local mode = redis.call('hget', KEYS[1], 'mode');
if (mode == false) then
	redis.call('hset', KEYS[1], 'mode', 'read');
	redis.call('hset', KEYS[1], ARGV[2], 1);
	redis.call('pexpire', KEYS[1], ARGV[1]);
	return nil;
end;
return redis.call('pttl', KEYS[1]);`, `
create KEYS[1] bare value="read" ttl=ARGV[1]ms bycheck hash guarded
data KEYS[1] created
expire KEYS[1] created ttl=ARGV[1]ms`},
	})
}

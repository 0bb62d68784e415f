package lua

import "testing"

func TestCreate(t *testing.T) {
	t.Parallel()
	const (
		made    = `create KEYS[1] bare value=ARGV[1] ttl=none`
		madePX  = `create KEYS[1] bare value=ARGV[1] ttl=ARGV[2]ms`
		byCheck = `create KEYS[1] bare value=ARGV[1] ttl=ARGV[2]ms bycheck guarded`
		created = "\nexpire KEYS[1] created ttl=ARGV[2]ms"
		lost    = "\nexpire KEYS[1] bare ttl=ARGV[2]ms"
		doubt   = "\nexpire KEYS[1] unclear ttl=ARGV[2]ms"
	)
	runCases(t, []scriptCase{
		{"nx px", `return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])`, madePX},
		{"px nx in lower case", `return redis.call('SET', KEYS[1], ARGV[1], 'px', ARGV[2], 'nx')`, madePX},
		{"nx alone", `return redis.call('set', KEYS[1], ARGV[1], 'NX')`, made},
		{"ex constant", `return redis.call('set', KEYS[1], ARGV[1], 'EX', 30, 'NX')`, `create KEYS[1] bare value=ARGV[1] ttl="30"s`},
		{"ex tonumber", `return redis.call('set', KEYS[1], ARGV[1], 'EX', tonumber(ARGV[2]), 'NX')`, `create KEYS[1] bare value=ARGV[1] ttl=ARGV[2]s`},
		{"exat", `return redis.call('set', KEYS[1], ARGV[1], 'NX', 'EXAT', ARGV[2])`, `create KEYS[1] bare value=ARGV[1] ttl=ARGV[2]@s`},
		{"pxat", `return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PXAT', ARGV[2])`, `create KEYS[1] bare value=ARGV[1] ttl=ARGV[2]@ms`},
		{"keepttl gives a new key none", `return redis.call('set', KEYS[1], ARGV[1], 'NX', 'KEEPTTL')`, made},
		{"nx get", `return redis.call('set', KEYS[1], ARGV[1], 'NX', 'GET', 'PX', ARGV[2])`, madePX},
		{"ttl computed", `return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2] * 1000)`, `create KEYS[1] bare value=ARGV[1] ttl=(ARGV[2]*1000)ms`},
		{"value constant", `return redis.call('setnx', KEYS[1], 1)`, `create KEYS[1] bare value="1" ttl=none`},
		{"plain set", `return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])`, `set KEYS[1] bare ttl=ARGV[2]ms`},
		{"plain set, no ttl", `return redis.call('set', KEYS[1], ARGV[1])`, `set KEYS[1] bare ttl=none`},
		{"setex", `return redis.call('setex', KEYS[1], ARGV[2], ARGV[1])`, `set KEYS[1] bare ttl=ARGV[2]s`},
		{"getset", `return redis.call('getset', KEYS[1], ARGV[1])`, `set KEYS[1] bare ttl=none`},
		{"xx renews", `return redis.call('set', KEYS[1], ARGV[1], 'XX', 'PX', ARGV[2])`, `expire KEYS[1] bare ttl=ARGV[2]ms`},
		{"ifeq renews", `return redis.call('set', KEYS[1], ARGV[1], 'IFEQ', ARGV[1], 'PX', ARGV[2])`, `expire KEYS[1] checked ARGV[1] ttl=ARGV[2]ms`},
		{"option from ARGV", `return redis.call('set', KEYS[1], ARGV[1], ARGV[2], ARGV[3])`, "set KEYS[1] unclear ttl=?\nincomplete"},
		{"options unpacked", `return redis.call('set', KEYS[1], unpack(ARGV))`, "set KEYS[1] unclear ttl=?\nincomplete"},
		{"option in a local", `local mode = 'NX' return redis.call('set', KEYS[1], ARGV[1], mode, 'PX', ARGV[2])`, madePX},

		{"expire outside the if", `
local ok = redis.call("setnx", KEYS[1], ARGV[1])
redis.call("pexpire", KEYS[1], ARGV[2])
return ok`, madePX + lost},
		{"expire in the if", `
local ok = redis.call("setnx", KEYS[1], ARGV[1])
if ok == 1 then redis.call("pexpire", KEYS[1], ARGV[2]) end
return ok`, madePX + created},
		{"expire after an if that goes on", `
local ok = redis.call("setnx", KEYS[1], ARGV[1])
local reply = 'no'
if ok == 1 then reply = 'yes' end
redis.call("pexpire", KEYS[1], ARGV[2])
return reply`, madePX + lost},
		{"losers return", `
local ok = redis.call("setnx", KEYS[1], ARGV[1])
if ok == 0 then return 0 end
redis.call("pexpire", KEYS[1], ARGV[2])
return 1`, madePX + created},
		{"winners return", `
local ok = redis.call("setnx", KEYS[1], ARGV[1])
if ok == 1 then return 1 end
redis.call("pexpire", KEYS[1], ARGV[2])
return 0`, made + doubt},
		{"the number 0 is true", `
if redis.call("setnx", KEYS[1], ARGV[1]) then redis.call("pexpire", KEYS[1], ARGV[2]) end`, madePX + lost},
		{"greater than 0", `if redis.call("setnx", KEYS[1], ARGV[1]) > 0 then redis.call("pexpire", KEYS[1], ARGV[2]) end`, madePX + created},
		{"at least 0", `if redis.call("setnx", KEYS[1], ARGV[1]) >= 0 then redis.call("pexpire", KEYS[1], ARGV[2]) end`, madePX + lost},
		{"not 0", `if redis.call("setnx", KEYS[1], ARGV[1]) ~= 0 then redis.call("pexpire", KEYS[1], ARGV[2]) end`, madePX + created},
		{"tonumber", `if tonumber(redis.call("setnx", KEYS[1], ARGV[1])) == 1 then redis.call("pexpire", KEYS[1], ARGV[2]) end`, madePX + created},
		{"and", `return redis.call("setnx", KEYS[1], ARGV[1]) == 1 and redis.call("pexpire", KEYS[1], ARGV[2])`, madePX + created},
		{"expires another key", `if redis.call("setnx", KEYS[1], ARGV[1]) == 1 then redis.call("pexpire", KEYS[2], ARGV[2]) end`,
			made + "\nexpire KEYS[2] unclear ttl=ARGV[2]ms"},
		{"expire nx does no harm", `
redis.call("setnx", KEYS[1], ARGV[1])
redis.call("pexpire", KEYS[1], ARGV[2], "NX")`, madePX + doubt},
		{"expire gt extends", `
redis.call("setnx", KEYS[1], ARGV[1])
redis.call("pexpire", KEYS[1], ARGV[2], "GT")`, madePX + lost},
		{"nx status is true", `if redis.call('set', KEYS[1], ARGV[1], 'NX') then redis.call('pexpire', KEYS[1], ARGV[2]) end`, madePX + created},
		{"nx status is not", `if not redis.call('set', KEYS[1], ARGV[1], 'NX') then return 0 end redis.call('pexpire', KEYS[1], ARGV[2])`, madePX + created},
		{"nx status ok field", `local r = redis.call('set', KEYS[1], ARGV[1], 'NX') if r.ok == 'OK' then redis.call('pexpire', KEYS[1], ARGV[2]) end`, madePX + created},
		{"nx status ok index", `local r = redis.call('set', KEYS[1], ARGV[1], 'NX') if r and r['ok'] then redis.call('pexpire', KEYS[1], ARGV[2]) end`, madePX + created},
		{"nx status equals OK", `if redis.call('set', KEYS[1], ARGV[1], 'NX') == 'OK' then redis.call('pexpire', KEYS[1], ARGV[2]) end`, madePX + created},
		{"nx status not false", `if redis.call('set', KEYS[1], ARGV[1], 'NX') ~= false then redis.call('pexpire', KEYS[1], ARGV[2]) end`, madePX + created},
		{"nx status not nil", `if redis.call('set', KEYS[1], ARGV[1], 'NX') ~= nil then redis.call('pexpire', KEYS[1], ARGV[2]) end`, madePX + created},
		{"nx status is a table", `if type(redis.call('set', KEYS[1], ARGV[1], 'NX')) == 'table' then redis.call('pexpire', KEYS[1], ARGV[2]) end`, madePX + created},
		{"nx status not tested", `redis.call('set', KEYS[1], ARGV[1], 'NX') redis.call('pexpire', KEYS[1], ARGV[2])`, madePX + lost},
		{"nx status of another key", `
redis.call('set', KEYS[1], ARGV[1], 'NX')
if redis.call('set', KEYS[2], ARGV[1], 'NX') then redis.call('pexpire', KEYS[1], ARGV[2]) end`,
			"create KEYS[1] bare value=ARGV[1] ttl=?\ncreate KEYS[2] bare value=ARGV[1] ttl=none" + doubt},
		{"expire by argument", `
if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then
	if ARGV[2] ~= '0' then redis.call('pexpire', KEYS[1], ARGV[2]) end
end`, `create KEYS[1] bare value=ARGV[1] ttl=?` + created},
		{"two units", `
if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then
	if ARGV[3] == 'ms' then redis.call('pexpire', KEYS[1], ARGV[2]) else redis.call('expire', KEYS[1], ARGV[2]) end
end`, "create KEYS[1] bare value=ARGV[1] ttl=?" + created + "\nexpire KEYS[1] created ttl=ARGV[2]s"},
		{"repair of a lock without ttl", `
if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end
if redis.call('pttl', KEYS[1]) < 0 then redis.call('pexpire', KEYS[1], ARGV[2]) end
return 0`, madePX + created + doubt},
		{"two times", `return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2] or 30000)`, "create KEYS[1] bare value=ARGV[1] ttl=?"},
		{"in one loop, expiry in the next", `
for i = 1, #KEYS do redis.call('setnx', KEYS[i], ARGV[1]) end
for i = 1, #KEYS do redis.call('pexpire', KEYS[i], ARGV[2]) end`, "create KEYS[i] bare value=ARGV[1] ttl=ARGV[2]ms\nexpire KEYS[i] bare ttl=ARGV[2]ms"},
		{"retried in a loop", `
local got = false
for i = 1, ARGV[3] do
	if redis.call('set', KEYS[1], ARGV[1], 'NX') then got = true break end
end
if got then redis.call('pexpire', KEYS[1], ARGV[2]) end`, "create KEYS[1] bare value=ARGV[1] ttl=ARGV[2]ms" + created},
		{"held in a flag", `
local got = redis.call('set', KEYS[1], ARGV[1], 'NX') and 1 or 0
if got == 1 then redis.call('pexpire', KEYS[1], ARGV[2]) end`, madePX + created},
		{"taken back", `
if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then
	if redis.call('exists', KEYS[2]) == 1 then redis.call('del', KEYS[1]) return 0 end
	redis.call('pexpire', KEYS[1], ARGV[2])
end`, madePX + "\nfree KEYS[1] created" + created},

		{"exists 0 then set", `
if redis.call('exists', KEYS[1]) == 0 then return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) end return 0`, byCheck},
		{"exists 1 then set", `
if redis.call('exists', KEYS[1]) == 1 then return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) end return 0`, "set KEYS[1] bare ttl=ARGV[2]ms"},
		{"another key missing then set", `
if redis.call('exists', KEYS[2]) == 0 then return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) end return 0`, "set KEYS[1] unclear ttl=ARGV[2]ms"},
		{"not get then psetex", `
if not redis.call('get', KEYS[1]) then return redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) end return 0`, byCheck},
		{"get nil then set and expire", `
if redis.call('get', KEYS[1]) == nil then
	redis.call('set', KEYS[1], ARGV[1])
	redis.call('pexpire', KEYS[1], ARGV[2])
end`, byCheck + created},
		{"set, then look", `
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
if redis.call('exists', KEYS[1]) == 0 then return 0 end`, "set KEYS[1] bare ttl=ARGV[2]ms"},
		{"msetnx", `if redis.call('msetnx', KEYS[1], ARGV[1], KEYS[2], ARGV[1]) == 1 then redis.call('pexpire', KEYS[1], ARGV[2]) end`,
			madePX + "\ncreate KEYS[2] bare value=ARGV[1] ttl=none" + created},
		{"set then expire is one write", `
redis.call('set', KEYS[1], ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[2])`, "set KEYS[1] bare ttl=none" + doubt},
	})
}

func TestRenew(t *testing.T) {
	t.Parallel()
	const checked = "expire KEYS[1] checked ARGV[1] ttl=ARGV[2]ms"
	runCases(t, []scriptCase{
		{"compare then pexpire", `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`, checked},
		{"no compare", `return redis.call("pexpire", KEYS[1], ARGV[2])`, "expire KEYS[1] bare ttl=ARGV[2]ms"},
		{"sliding", `local v = redis.call('get', KEYS[1]) if v then redis.call('expire', KEYS[1], ARGV[1]) end return v`, "expire KEYS[1] bare ttl=ARGV[1]s"},
		{"getex", `return redis.call('getex', KEYS[1], 'PX', ARGV[2])`, "expire KEYS[1] bare ttl=ARGV[2]ms"},
		{"getex without time", `return redis.call('getex', KEYS[1])`, ""},
		{"expireat", `if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("pexpireat", KEYS[1], ARGV[2]) end`, "expire KEYS[1] checked ARGV[1] ttl=ARGV[2]@ms"},
		{"set by the owner", `if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("set", KEYS[1], ARGV[1], "PX", ARGV[2]) end`, "set KEYS[1] checked ARGV[1] ttl=ARGV[2]ms"},
		{"create or renew", `
if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1
elseif redis.call('get', KEYS[1]) == ARGV[1] then redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end
return 0`, "create KEYS[1] bare value=ARGV[1] ttl=ARGV[2]ms\n" + checked},
		{"set nx, then compare", `
redis.call('set', KEYS[1], ARGV[1], 'NX')
if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('pexpire', KEYS[1], ARGV[2]) return 1 end
return 0`, "create KEYS[1] bare value=ARGV[1] ttl=?\n" + checked},
		{"counter", `
local n = redis.call('incr', KEYS[1])
if n == 1 then redis.call('expire', KEYS[1], ARGV[1]) end
return n`, "data KEYS[1] bare\nexpire KEYS[1] unclear ttl=ARGV[1]s"},
		{"counter, always", `
local n = redis.call('incr', KEYS[1])
redis.call('expire', KEYS[1], ARGV[1])
return n`, "data KEYS[1] bare\nexpire KEYS[1] bare ttl=ARGV[1]s"},
		{"persist", `redis.call('persist', KEYS[1])`, "data KEYS[1] bare"},
	})
}

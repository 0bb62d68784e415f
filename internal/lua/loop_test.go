package lua

import "testing"

func TestLoops(t *testing.T) {
	t.Parallel()
	runCases(t, []scriptCase{
		{"ipairs", `
for i, key in ipairs(KEYS) do
	if redis.call('get', key) == ARGV[1] then redis.call('del', key) end
end`, "free KEYS[i] checked ARGV[1]"},
		{"ipairs by index", `
for i, key in ipairs(KEYS) do
	if redis.call('get', KEYS[i]) == ARGV[1] then redis.call('del', key) end
end`, "free KEYS[i] checked ARGV[1]"},
		{"ipairs, one key compared", `
for i, key in ipairs(KEYS) do
	if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', key) end
end`, "free KEYS[i] unclear"},
		{"ipairs bare", `for _, key in ipairs(KEYS) do redis.call('del', key) end`, "free KEYS[_] bare"},
		{"numeric", `
local n = 0
for i = 1, #KEYS do
	if redis.call('get', KEYS[i]) == ARGV[i] then n = n + redis.call('del', KEYS[i]) end
end
return n`, "free KEYS[i] checked ARGV[i]"},
		{"numeric, next token", `
for i = 1, #KEYS do
	if redis.call('get', KEYS[i]) == ARGV[i + 1] then redis.call('del', KEYS[i]) end
end`, "free KEYS[i] checked ARGV[(i+1)]"},
		{"numeric, neighbour", `
for i = 1, #KEYS - 1 do
	if redis.call('get', KEYS[i]) == ARGV[1] then redis.call('del', KEYS[i + 1]) end
end`, "free KEYS[(i+1)] unclear"},
		{"constant bounds", `
for i = 1, 2 do
	if redis.call('get', KEYS[i]) == ARGV[1] then redis.call('del', KEYS[i]) end
end`, "free KEYS[1] checked ARGV[1]\nfree KEYS[2] checked ARGV[1]"},
		{"list of keys", `
for _, k in ipairs({KEYS[1], KEYS[2]}) do redis.call('del', k) end`, "free KEYS[1] bare\nfree KEYS[2] bare"},
		{"verify all, then free all", `
for i = 1, #KEYS do
	if redis.call('get', KEYS[i]) ~= ARGV[1] then return 0 end
end
for i = 1, #KEYS do redis.call('del', KEYS[i]) end
return 1`, "free KEYS[i] checked ARGV[1]"},
		{"verify all by getn, then free all", `
for i = 1, table.getn(KEYS) do
	if redis.call('get', KEYS[i]) ~= ARGV[1] then return 0 end
end
return redis.call('del', unpack(KEYS))`, "free KEYS[*] checked ARGV[1]"},
		{"verify all but the first, then free all", `
for i = 2, #KEYS do
	if redis.call('get', KEYS[i]) ~= ARGV[1] then return 0 end
end
return redis.call('del', unpack(KEYS))`, "free KEYS[*] unclear"},
		{"verify a number of keys, then free them", `
for i = 1, tonumber(ARGV[1]) do
	if redis.call('get', KEYS[i]) ~= ARGV[i + 1] then error('not mine') end
end
for i = 1, tonumber(ARGV[1]) do redis.call('del', KEYS[i]) end`, "free KEYS[i] unclear"},
		{"look at a number of keys, then free them", `
for i = 1, tonumber(ARGV[1]) do
	if redis.call('get', KEYS[i]) ~= ARGV[i + 1] then redis.log(redis.LOG_NOTICE, 'not mine') end
end
for i = 1, tonumber(ARGV[1]) do redis.call('del', KEYS[i]) end`, "free KEYS[i] bare"},
		{"verify all by mget, then unpack", `
local values = redis.call("mget", unpack(KEYS))
for i, _ in ipairs(KEYS) do
	if values[i] ~= ARGV[1] then return false end
end
redis.call("del", unpack(KEYS))
return 1`, "free KEYS[*] checked ARGV[1]"},
		{"verify all over the values", `
local values = redis.call("mget", unpack(KEYS))
for i, v in ipairs(values) do
	if v ~= ARGV[1] then return false end
end
return redis.call("del", unpack(KEYS))`, "free KEYS[*] checked ARGV[1]"},
		{"verify without effect, then free all", `
local bad = 0
for i = 1, #KEYS do
	if redis.call('get', KEYS[i]) ~= ARGV[1] then bad = bad + 1 end
end
redis.call('del', unpack(KEYS))
return bad`, "free KEYS[*] unclear"},
		{"verify one, then free all", `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('del', unpack(KEYS))`, "free KEYS[*] unclear"},
		{"count, then decide", `
local n = 0
for i = 1, #KEYS do
	if redis.call('get', KEYS[i]) == ARGV[1] then n = n + 1 end
end
if n == #KEYS then return redis.call('del', unpack(KEYS)) end
return 0`, "free KEYS[*] unclear"},
		{"bare, then all", `return redis.call('del', unpack(KEYS))`, "free KEYS[*] bare"},
		{"all missing, then set all", `
for i, key in ipairs(KEYS) do
	if redis.call('exists', key) == 1 then return 0 end
end
for i, key in ipairs(KEYS) do redis.call('set', key, ARGV[1], 'PX', ARGV[2]) end
return 1`, "create KEYS[i] bare value=ARGV[1] ttl=ARGV[2]ms bycheck guarded"},
		{"while with a scan", `
local cursor = '0'
repeat
	local r = redis.call('scan', cursor, 'match', ARGV[1])
	cursor = r[1]
	for _, k in ipairs(r[2]) do redis.call('del', k) end
until cursor == '0'`, "free ? unclear\nincomplete"},
		{"while", `
local i = 1
while i <= #KEYS do
	redis.call('del', KEYS[i])
	i = i + 1
end`, "free ? unclear\nincomplete"},
		{"while around a checked free", `
local n = 0
while n < 3 do
	if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end
	n = n + 1
end`, checked},
		{"break leaves", `
while true do
	if redis.call('get', KEYS[1]) ~= ARGV[1] then break end
	redis.call('del', KEYS[1])
end`, checked},
		{"free after break", `
while true do
	if redis.call('get', KEYS[1]) ~= ARGV[1] then break end
	return 0
end
redis.call('del', KEYS[1])`, unclear},
		{"own value of the turn before", `
for i = 1, ARGV[3] do
	if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
	redis.call('set', KEYS[1], ARGV[1])
end`, unclear + "\nset KEYS[1] unclear ttl=none"},
		{"found in a loop", `
local mine = false
for i = 1, #ARGV do
	if redis.call('get', KEYS[1]) == ARGV[i] then mine = true end
end
if mine then redis.call('del', KEYS[1]) end`, unclear},
		{"pairs of a reply", `
for k, v in pairs(redis.call('hgetall', KEYS[1])) do
	if v == ARGV[1] then redis.call('del', KEYS[1]) end
end`, unclear},
		{"list built by insert", `
local t = {}
table.insert(t, KEYS[1])
table.insert(t, KEYS[2])
redis.call('del', unpack(t))`, "free KEYS[1] bare\nfree KEYS[2] bare"},
	})
}

func TestNotFollowed(t *testing.T) {
	t.Parallel()
	runCases(t, []scriptCase{
		{"recursion", `
local function f(n) if n == 0 then return end redis.call('del', KEYS[n]) f(n - 1) end
f(2)`, "free KEYS[2] bare\nincomplete"},
		{"command from ARGV", `return redis.call(ARGV[1], KEYS[1])`, "incomplete"},
		{"command unpacked", `return redis.call(unpack(ARGV))`, "incomplete"},
		{"after an unknown function", `loadstring(ARGV[1])() redis.call('del', KEYS[1])`, unclear + "\nincomplete"},
		{"before an unknown function", `redis.call('del', KEYS[1]) loadstring(ARGV[1])()`, bare + "\nincomplete"},
		{"loadstring", `return loadstring(ARGV[1])()`, "incomplete"},
		{"condition by an unknown function", `if _G.check(KEYS[1]) then redis.call('del', KEYS[1]) end`, unclear + "\nincomplete"},
		{"module command", `return redis.call('CF.DEL', KEYS[1], ARGV[1])`, "incomplete"},
		{"key from data", `local k = redis.call('lpop', KEYS[1]) redis.call('del', k)`, "data KEYS[1] bare\nfree ? unclear\nincomplete"},
		{"ARGV changed", `table.remove(ARGV, 1) redis.call('del', KEYS[1])`, "incomplete"},
		{"KEYS changed", `KEYS[1] = 'x' redis.call('del', KEYS[1])`, "incomplete"},
		{"function library", "#!lua name=locks\nredis.register_function('f', function(keys) return redis.call('del', keys[1]) end)", "incomplete"},
		{"coroutine", `coroutine.wrap(function() redis.call('del', KEYS[1]) end)()`, "incomplete"},
		{"varargs", `local function del(...) return redis.call('del', ...) end del(KEYS[1])`, "incomplete"},
		{"metatable", `
local t = setmetatable({}, {__index = function() return KEYS[1] end})
redis.call('del', t.key)`, "free ? unclear\nincomplete"},
	})
}

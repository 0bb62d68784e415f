package lua

import "testing"

const (
	checked = "free KEYS[1] checked ARGV[1]"
	bare    = "free KEYS[1] bare"
	unclear = "free KEYS[1] unclear"
)

// releaseCases free KEYS[1], which holds a string.
var releaseCases = []scriptCase{
	{"compare then del", `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`, checked},
	{"no compare", `return redis.call("del", KEYS[1])`, bare},
	{"compare and ignore", `
local mine = redis.call("get", KEYS[1]) == ARGV[1]
redis.call("del", KEYS[1])
return mine`, bare},
	{"compare after del", `
redis.call("del", KEYS[1])
if redis.call("get", KEYS[1]) == ARGV[1] then return 1 end
return 0`, bare},
	{"compare in a branch that ends before", `
if redis.call("get", KEYS[1]) == ARGV[1] then redis.log(redis.LOG_NOTICE, "mine") end
redis.call("del", KEYS[1])`, bare},
	{"both branches free", `
local reply = ''
if redis.call("get", KEYS[1]) == ARGV[1] then reply = 'mine' else reply = 'theirs' end
redis.call("del", KEYS[1])
return reply`, bare},
	{"else branch frees", `
if redis.call("get", KEYS[1]) == ARGV[1] then return 1 else redis.call("del", KEYS[1]) end`, unclear},
	{"token first", `if ARGV[1] == redis.call("get", KEYS[1]) then redis.call("del", KEYS[1]) end`, checked},
	{"compares another key", `if redis.call("get", KEYS[2]) == ARGV[1] then redis.call("del", KEYS[1]) end`, unclear},
	{"frees the other key", `if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("del", KEYS[2]) end`, "free KEYS[2] unclear"},
	{"frees both", `if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("del", KEYS[1], KEYS[2]) end`,
		"free KEYS[1] checked ARGV[1]\nfree KEYS[2] unclear"},
	{"early return", `
local owner = redis.call("GET", KEYS[1])
if owner ~= ARGV[1] then return 0 end
redis.call("DEL", KEYS[1])
redis.call("PUBLISH", KEYS[2], "free")
return 1`, checked},
	{"early return that does not return", `
local owner = redis.call("GET", KEYS[1])
if owner ~= ARGV[1] then redis.log(redis.LOG_WARNING, "not mine") end
redis.call("DEL", KEYS[1])`, bare},
	{"early return on another key", `
if redis.call("GET", KEYS[2]) ~= ARGV[1] then return 0 end
redis.call("DEL", KEYS[1])`, unclear},
	{"not equal by not", `if not (redis.call('get', KEYS[1]) == ARGV[1]) then return 0 end redis.call('del', KEYS[1])`, checked},
	{"not of a value", `if not redis.call('get', KEYS[1]) == ARGV[1] then return 0 end redis.call('del', KEYS[1])`, unclear},
	{"missing then compare", `
local v = redis.call('get', KEYS[1])
if not v then return 0 end
if v == ARGV[1] then return redis.call('del', KEYS[1]) end
return -1`, checked},
	{"only missing", `
local v = redis.call('get', KEYS[1])
if not v then return 0 end
return redis.call('del', KEYS[1])`, bare},
	{"only exists", `if redis.call('exists', KEYS[1]) == 1 then return redis.call('del', KEYS[1]) end return 0`, bare},
	{"exists without compare with 1", `if redis.call('exists', KEYS[1]) then return redis.call('del', KEYS[1]) end`, bare},
	{"v and v ==", `local v = redis.call('get', KEYS[1]) if v and v == ARGV[1] then redis.call('del', KEYS[1]) end`, checked},
	{"v or v ==", `local v = redis.call('get', KEYS[1]) if v or v == ARGV[1] then redis.call('del', KEYS[1]) end`, bare},
	{"boolean in a local", `
local v = redis.call('get', KEYS[1])
local owned = v == ARGV[1]
if owned then redis.call('del', KEYS[1]) end`, checked},
	{"boolean overwritten", `
local v = redis.call('get', KEYS[1])
local owned = v == ARGV[1]
owned = true
if owned then redis.call('del', KEYS[1]) end`, bare},
	{"flag set in a branch", `
local owned = false
if redis.call('get', KEYS[1]) == ARGV[1] then owned = true end
if owned then redis.call('del', KEYS[1]) end`, checked},
	{"flag set in both", `
local owned = false
if redis.call('get', KEYS[1]) == ARGV[1] then owned = true else owned = 'forced' end
if owned then redis.call('del', KEYS[1]) end`, bare},
	{"several locals", `
local key, token = KEYS[1], ARGV[1]
local cur = redis.call('get', key)
if cur == token then return redis.call('del', key) else return 0 end`, checked},
	{"locals swapped", `
local token, key = KEYS[1], ARGV[1]
if redis.call('get', KEYS[1]) == token then return redis.call('del', KEYS[1]) end`, "free KEYS[1] checked KEYS[1]"},
	{"shadowed key", `
local key = KEYS[1]
do
	local key = KEYS[2]
	if redis.call('get', key) ~= ARGV[1] then return 0 end
end
return redis.call('del', key)`, unclear},
	{"and or", `return redis.call('get',KEYS[1])==ARGV[1] and redis.call('del',KEYS[1]) or 0`, checked},
	{"or", `return redis.call('get',KEYS[1])==ARGV[1] or redis.call('del',KEYS[1])`, unclear},
	{"unlink", `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('unlink', KEYS[1]) end`, checked},
	{"unlink bare", `redis.call('UNLINK', KEYS[1])`, bare},
	{"getdel", `return redis.call('getdel', KEYS[1])`, bare},
	{"getdel compared too late", `local v = redis.call('getdel', KEYS[1]) if v == ARGV[1] then return 1 end return 0`, bare},
	{"expire zero", `return redis.call('expire', KEYS[1], 0)`, bare},
	{"expire below zero, checked", `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], '-1') end`, checked},
	{"rename away", `redis.call('rename', KEYS[1], KEYS[2])`, bare + "\nset KEYS[2] bare ttl=?"},
	{"pcall", `if redis.pcall('get', KEYS[1]) == ARGV[1] then redis.pcall('del', KEYS[1]) end`, checked},
	{"server.call", `if server.call('get', KEYS[1]) == ARGV[1] then server.call('del', KEYS[1]) end`, checked},
	{"alias", `local call = redis.call if call('get', KEYS[1]) == ARGV[1] then return call('del', KEYS[1]) end`, checked},
	{"alias bare", `local redis_call = redis["call"] return redis_call('del', KEYS[1])`, bare},
	{"alias of the library", `local r = redis return r.call('del', KEYS[1])`, bare},
	{"Lua pcall of redis.call", `
local ok, v = pcall(redis.call, 'get', KEYS[1])
if ok and v == ARGV[1] then redis.call('del', KEYS[1]) end`, checked},
	{"Lua pcall bare", `pcall(redis.call, 'del', KEYS[1])`, bare},
	{"error in pcall does not stop", `
pcall(function() if redis.call('get', KEYS[1]) ~= ARGV[1] then error('not mine') end end)
redis.call('del', KEYS[1])`, bare},
	{"error stops", `
if redis.call('get', KEYS[1]) ~= ARGV[1] then error('not mine') end
redis.call('del', KEYS[1])`, checked},
	{"error reply does not stop", `
if redis.call('get', KEYS[1]) ~= ARGV[1] then local e = redis.error_reply('not mine') end
redis.call('del', KEYS[1])`, bare},
	{"assert", `assert(redis.call('get', KEYS[1]) == ARGV[1], 'not mine') redis.call('del', KEYS[1])`, checked},
	{"assert of the other key", `assert(redis.call('get', KEYS[2]) == ARGV[1]) redis.call('del', KEYS[1])`, unclear},
	{"tostring", `if tostring(redis.call('get', KEYS[1])) == tostring(ARGV[1]) then redis.call('del', KEYS[1]) end`, checked},
	{"tonumber both", `if tonumber(redis.call('get', KEYS[1])) == tonumber(ARGV[1]) then redis.call('del', KEYS[1]) end`, checked},
	{"tonumber on the token", `if redis.call('get', KEYS[1]) == tonumber(ARGV[1]) then redis.call('del', KEYS[1]) end`, checked + " never"},
	{"tonumber on the value", `if tonumber(redis.call('get', KEYS[1])) == ARGV[1] then redis.call('del', KEYS[1]) end`, checked + " never"},
	{"token in KEYS", `if redis.call("get", KEYS[1]) == KEYS[2] then return redis.call("del", KEYS[1]) end return 0`, "free KEYS[1] checked KEYS[2]"},
	{"constant", `if redis.call("get", KEYS[1]) == "locked" then return redis.call("del", KEYS[1]) end`, `free KEYS[1] checked "locked"`},
	{"placeholder", `if redis.call("get", KEYS[1]) == "%s" then return redis.call("del", KEYS[1]) end`, `free KEYS[1] checked "%s"`},
	{"number", `if tonumber(redis.call("get", KEYS[1])) == 0 then return redis.call("del", KEYS[1]) end`, unclear},
	{"less", `if tonumber(redis.call("get", KEYS[1])) < tonumber(ARGV[1]) then redis.call("del", KEYS[1]) end`, unclear},
	{"token with a prefix", `if redis.call("get", KEYS[1]) == "owner:" .. ARGV[1] then redis.call("del", KEYS[1]) end`, `free KEYS[1] checked "owner:"..ARGV[1]`},
	{"part of the value", `
local v = redis.call("get", KEYS[1])
if v and string.sub(v, 1, string.len(ARGV[1])) == ARGV[1] then redis.call("del", KEYS[1]) end`, checked},
	{"part of the value by method", `
local v = redis.call("get", KEYS[1])
if v and v:match("^([^|]+)") == ARGV[1] then redis.call("del", KEYS[1]) end`, checked},
	{"part that is a constant", `
local v = redis.call("get", KEYS[1])
if v and v:sub(1, 4) == "lock" then redis.call("del", KEYS[1]) end`, unclear},
	{"find in the value", `
local v = redis.call("get", KEYS[1])
if v and string.find(v, ARGV[1], 1, true) then redis.call("del", KEYS[1]) end`, unclear},
	{"decoded", `
local v = redis.call("get", KEYS[1])
if v and cjson.decode(v).owner == ARGV[1] then redis.call("del", KEYS[1]) end`, checked},
	{"decoded in steps", `
local raw = redis.call("get", KEYS[1])
if not raw then return 0 end
local lock = cjson.decode(raw)
if lock["owner"] ~= ARGV[1] then return 0 end
return redis.call("del", KEYS[1])`, checked},
	{"decoded under pcall", `
local raw = redis.call("get", KEYS[1])
local ok, lock = pcall(cjson.decode, raw)
if not ok then return 0 end
if lock.owner ~= ARGV[1] then return 0 end
return redis.call("del", KEYS[1])`, checked},
	{"decoded from another key", `
local v = redis.call("get", KEYS[2])
if v and cjson.decode(v).owner == ARGV[1] then redis.call("del", KEYS[1]) end`, unclear},
	{"decoded, not compared", `
local v = redis.call("get", KEYS[1])
if v and cjson.decode(v).done then redis.call("del", KEYS[1]) end`, unclear},
	{"decoded token from ARGV", `
local req = cjson.decode(ARGV[1])
if redis.call("get", KEYS[1]) == req.token then redis.call("del", KEYS[1]) end`, `free KEYS[1] checked cjson.decode(ARGV[1])["token"]`},
	{"argument decides only", `if ARGV[2] == 'yes' then redis.call('del', KEYS[1]) end`, bare},
	{"forced or owner", `
if ARGV[2] == 'force' or redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`, unclear},
	{"not forced and not owner returns", `
if redis.call('get', KEYS[1]) ~= ARGV[1] and ARGV[2] ~= 'force' then return 0 end
redis.call('del', KEYS[1])`, unclear},
	{"not owner returns at random", `
if redis.call('get', KEYS[1]) ~= ARGV[1] and redis.call('incr', KEYS[2]) > 3 then return 0 end
redis.call('del', KEYS[1])`, "data KEYS[2] unclear\n" + unclear},
	{"missing or owner", `
local v = redis.call('get', KEYS[1])
if v == false or v == ARGV[1] then redis.call('del', KEYS[1]) end`, checked},
	{"two owners", `
local v = redis.call('get', KEYS[1])
if v == ARGV[1] or v == ARGV[2] then redis.call('del', KEYS[1]) end`, "free KEYS[1] checked ?"},
	{"nested", `
if redis.call('exists', KEYS[1]) == 1 then
	if redis.call('get', KEYS[1]) == ARGV[1] then
		if ARGV[2] == '1' then redis.call('del', KEYS[1]) end
	end
end`, checked},
	{"elseif", `
local v = redis.call('get', KEYS[1])
if v == false then return -1
elseif v ~= ARGV[1] then return 0
else return redis.call('del', KEYS[1]) end`, checked},
	{"own set before compare", `
redis.call('set', KEYS[1], ARGV[1])
if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`, "set KEYS[1] bare ttl=none\nfree KEYS[1] unclear"},
	{"DELEX IFEQ", `return redis.call('DELEX', KEYS[1], 'ifeq', ARGV[1])`, checked},
	{"DELEX", `return redis.call('DELEX', KEYS[1])`, bare},
	{"DELEX IFNE", `return redis.call('DELEX', KEYS[1], 'IFNE', ARGV[1])`, unclear},
	{"DELEX IFEQ what was just read", `return redis.call('DELEX', KEYS[1], 'IFEQ', redis.call('get', KEYS[1]))`, unclear},
	{"the value compared with itself", `if redis.call('get', KEYS[1]) == redis.call('get', KEYS[1]) then redis.call('del', KEYS[1]) end`, bare},
	{"default for a missing value", `
local v = redis.call('get', KEYS[1]) or ''
if v == ARGV[1] then redis.call('del', KEYS[1]) end`, checked},
	{"missing and foreign values return", `
local v = redis.call('get', KEYS[1])
if v ~= false and v ~= nil and v ~= ARGV[1] then return 0 end
redis.call('del', KEYS[1])`, checked},
	{"arguments passed on", `
local function unlock(keys, args)
	if redis.call('get', keys[1]) == args[1] then return redis.call('del', keys[1]) end
end
return unlock(KEYS, ARGV)`, checked},
	{"command in a table", `
local cmd = {'del', KEYS[1]}
return redis.call(unpack(cmd))`, bare},
	{"two keys hold the same", `if redis.call('get', KEYS[1]) == redis.call('get', KEYS[2]) then redis.call('del', KEYS[1]) end`, unclear},
	{"hash of the value", `if redis.sha1hex(redis.call('get', KEYS[1])) == ARGV[1] then redis.call('del', KEYS[1]) end`, unclear},
	{"fence", `
local held = tonumber(redis.call('get', KEYS[1]) or '0')
if held > tonumber(ARGV[1]) then return 0 end
redis.call('del', KEYS[1])`, unclear},
	{"DELIFEQ", `return redis.call('DELIFEQ', KEYS[1], ARGV[1])`, checked},
	{"type is boolean", `
local v = redis.call('get', KEYS[1])
if type(v) == 'boolean' then return 0 end
if v == ARGV[1] then return redis.call('del', KEYS[1]) end`, checked},
	{"type is string", `if type(redis.call('get', KEYS[1])) == 'string' then redis.call('del', KEYS[1]) end`, bare},
	{"ttl decides", `if redis.call('ttl', KEYS[1]) == -1 then redis.call('del', KEYS[1]) end`, unclear},
	{"another lock exists", `if redis.call('exists', KEYS[2]) == 0 then redis.call('del', KEYS[1]) end`, unclear},
	{"token in the key name", `if redis.call('exists', KEYS[1] .. ':' .. ARGV[1]) == 1 then redis.call('del', KEYS[1]) end`, unclear},
	{"built key", `
local key = 'lock:' .. KEYS[1]
if redis.call('get', 'lock:' .. KEYS[1]) == ARGV[1] then redis.call('del', key) end`, `free "lock:"..KEYS[1] checked ARGV[1]`},
	{"built key, another", `
if redis.call('get', 'lock:' .. KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`, unclear},
	{"formatted key", `
local key = string.format('%s:%s', KEYS[1], 'owner')
if redis.call('get', KEYS[1] .. ':owner') == ARGV[1] then redis.call('del', key) end`, `free KEYS[1]..":owner" checked ARGV[1]`},
	{"constant key", `return redis.call('del', 'job' .. ':lock')`, `free "job:lock" bare`},
	{"key in ARGV", `return redis.call('del', ARGV[1])`, "free ARGV[1] bare"},
	{"function compares", `
local function mine(key, token) return redis.call('get', key) == token end
if mine(KEYS[1], ARGV[1]) then redis.call('del', KEYS[1]) end`, checked},
	{"function compares another key", `
local function mine(key, token) return redis.call('get', key) == token end
if mine(KEYS[2], ARGV[1]) then redis.call('del', KEYS[1]) end`, unclear},
	{"function frees", `
local function release(key) return redis.call('del', key) end
if redis.call('get', KEYS[1]) == ARGV[1] then return release(KEYS[1]) end
return 0`, checked},
	{"function frees twice", `
local function release(key) return redis.call('del', key) end
if redis.call('get', KEYS[1]) == ARGV[1] then release(KEYS[1]) end
release(KEYS[1])`, checked + "\n" + bare},
	{"function returns early", `
local function check()
	if redis.call('get', KEYS[1]) ~= ARGV[1] then return false end
	return true
end
if not check() then return 0 end
return redis.call('del', KEYS[1])`, checked},
	{"function returns always true", `
local function check()
	if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
	return 1
end
if not check() then return 0 end
return redis.call('del', KEYS[1])`, bare},
	{"upvalue declared again later", `
local key = KEYS[1]
local function release() redis.call('del', key) end
local key = KEYS[2]
if redis.call('get', key) == ARGV[1] then release() end`, unclear},
	{"upvalue changed", `
local key = KEYS[2]
local function use(k) key = k end
use(KEYS[1])
if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', key) end`, checked},
	{"module table", `
local M = {}
function M.owner(key) return redis.call('get', key) end
M.release = function(key) return redis.call('del', key) end
if M.owner(KEYS[1]) == ARGV[1] then M.release(KEYS[1]) end`, checked},
	{"method with self", `
local lock = {key = KEYS[1]}
function lock:release() return redis.call('del', self.key) end
return lock:release()`, bare},
	{"field changed", `
local lock = {key = KEYS[2]}
lock.key = KEYS[1]
if redis.call('get', KEYS[2]) == ARGV[1] then redis.call('del', lock.key) end`, unclear},
	{"several results", `
local function load(key) return redis.call('get', key), ARGV[1] end
local v, token = load(KEYS[1])
if v == token then redis.call('del', KEYS[1]) end`, checked},
	{"global function", `
function release(k) redis.call('del', k) end
release(KEYS[1])`, bare},
	{"dead code", `if false then redis.call('del', KEYS[1]) end return 1`, ""},
	{"after return", `do return 1 end redis.call('del', KEYS[1])`, ""},
	{"in a comment", "-- redis.call('del', KEYS[1])\n--[[ redis.call('del', KEYS[1]) ]]\nreturn 'redis.call(\"del\", KEYS[1])'", ""},
	{"long string command", `if redis.call([[get]], KEYS[1]) == ARGV[1] then redis.call([==[del]==], KEYS[1]) end`, checked},
	{"shebang", "#!lua flags=allow-stale\nreturn redis.call('del', KEYS[1])", bare},
	{"mode by argument", `
if ARGV[2] == 'lock' then return redis.call('set', KEYS[1], ARGV[1], 'NX', 'EX', 10)
elseif ARGV[2] == 'unlock' then return redis.call('del', KEYS[1]) end`,
		"create KEYS[1] bare value=ARGV[1] ttl=\"10\"s\n" + bare},
}

func TestRelease(t *testing.T) {
	t.Parallel()
	runCases(t, releaseCases)
}

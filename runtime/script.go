package lockrt

import (
	"crypto/sha1"
	"encoding/hex"
)

// A script is Lua text and its digest, boxed once for use as a command's argument.
// Scripts answer with integers only (a nil answer costs an error), declare their keys,
// and use nothing newer than Redis 2.6.12; fenceScript writes after TIME, which needs
// Redis 5 or Valkey.
type script struct{ src, sha any }

func newScript(src string) *script {
	sum := sha1.Sum([]byte(src))
	return &script{src, hex.EncodeToString(sum[:])}
}

// Answers of releaseScript and renewScript.
const (
	answerDone    = 1
	answerMissing = 0
	answerTaken   = -1
)

var (
	// reclaimScript sets the key unless another has it. Sent in place of SET NX when an
	// earlier request of the same token may have been applied: its own token is no
	// foreign holder. Like all scripts here it never shortens a lease: a connection may
	// hold it back until a later request has acquired and renewed.
	reclaimScript = newScript(`
local v = redis.call('get', KEYS[1])
if v and v ~= ARGV[1] then return 0 end
if not v or redis.call('pttl', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
end
return 1`)

	// fenceScript is reclaimScript with a number minted before the key is set. A second request of one
	// acquisition mints a second number; nobody has seen the first.
	fenceScript = newScript(`
local v = redis.call('get', KEYS[1])
if v and v ~= ARGV[1] then return 0 end
local t = redis.call('time')
local n = t[1] * 1000000 + t[2]
local last = tonumber(redis.call('get', KEYS[2]))
if last and last >= n then n = last + 1 end
redis.call('set', KEYS[2], string.format('%.0f', n), 'px', ARGV[3])
if not v or redis.call('pttl', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
end
return n`)

	// renewScript extends the key of its token, and creates none.
	renewScript = newScript(`
local v = redis.call('get', KEYS[1])
if not v then return 0 end
if v ~= ARGV[1] then return -1 end
if redis.call('pttl', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('pexpire', KEYS[1], ARGV[2])
end
return 1`)

	releaseScript = newScript(`
local v = redis.call('get', KEYS[1])
if not v then return 0 end
if v ~= ARGV[1] then return -1 end
return redis.call('del', KEYS[1])`)
)

-- KEYS[1] key of the lock, ARGV[1] token, ARGV[2] TTL in milliseconds.
local won = redis.call('SETNX', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return won

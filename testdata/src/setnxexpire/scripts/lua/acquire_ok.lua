-- KEYS[1] key of the lock, ARGV[1] token, ARGV[2] TTL in milliseconds.
if redis.call('SETNX', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1

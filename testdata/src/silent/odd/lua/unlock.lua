-- Only the owner may free the lock.
local value = redis.call('get', KEYS[1])
if value == false then
  return 0
end
if value ~= ARGV[1] then
  return -1
end
return redis.call('del', KEYS[1])

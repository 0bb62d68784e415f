-- Frees the lock. KEYS[1] is its key.
redis.call("PUBLISH", "freed", KEYS[1])
return redis.call("DEL", KEYS[1])

package lockrt

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	compareAndDelete = redis.NewScript(`
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('del', KEYS[1])
end
return 0`)

	compareAndExpire = redis.NewScript(`
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('pexpire', KEYS[1], ARGV[2])
end
return 0`)
)

// CompareAndDelete deletes key if its value is token, in one step. The answer is 1 if
// it did, else 0: read it with Int or Bool. token is any value that a command takes, and is compared as
// the bytes that a SET of it stores.
//
// It is the release of a lock that the caller made itself. The client may send it
// again when the answer was lost, and then the answer is 0 though the key was deleted;
// [Lock.Release] knows the difference. c may be a Pipeliner; the answer is there after
// Exec. A nil c or an empty key is [ErrInvalid].
func CompareAndDelete(ctx context.Context, c redis.Scripter, key string, token any) *redis.Cmd {
	// With one argument Eval would take a struct or a map apart.
	return compareAnd(ctx, compareAndDelete, c, key, token, 0)
}

// CompareAndExpire sets the time to live of key to ttl if its value is token, in one
// step. The answer is 1 if it did, else 0. ttl is rounded up to whole milliseconds; one that is not
// positive is [ErrInvalid], for Redis would delete the key. c and token are as in [CompareAndDelete].
func CompareAndExpire(ctx context.Context, c redis.Scripter, key string, token any, ttl time.Duration) *redis.Cmd {
	if ttl <= 0 {
		return failed(ctx, invalid("ttl %v: must be positive", ttl))
	}
	return compareAnd(ctx, compareAndExpire, c, key, token, millis(ttl))
}

func compareAnd(ctx context.Context, s *redis.Script, c redis.Scripter, key string, args ...any) *redis.Cmd {
	if isNil(c) {
		return failed(ctx, invalid("nil client (%T)", c))
	}
	if key == "" {
		return failed(ctx, invalid("empty key"))
	}
	if _, ok := c.(redis.Pipeliner); ok { // its answer comes too late to fall back from EVALSHA
		return s.Eval(ctx, c, []string{key}, args...)
	}
	return s.Run(ctx, c, []string{key}, args...)
}

func failed(ctx context.Context, err error) *redis.Cmd {
	cmd := redis.NewCmd(ctx)
	cmd.SetErr(err)
	return cmd
}

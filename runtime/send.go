package lockrt

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// onceBool and onceInt are commands that go-redis sends once. By default it sends a
// command again when the answer was lost; the second SET NX then meets the key that
// the first one set, and the own lock looks foreign.
type onceBool struct{ *redis.BoolCmd }

func (onceBool) NoRetry() bool { return true }

type onceInt struct{ *redis.IntCmd }

func (onceInt) NoRetry() bool { return true }

// setNX sends SET key token PX ms NX. The answer is 1 or 0, as from the scripts.
func (l *Locker) setNX(ctx context.Context, key, token any, ttl time.Duration) (int64, error) {
	cmd := onceBool{redis.NewBoolCmd(ctx, "set", key, token, "px", millis(ttl), "nx")}
	if err := l.client.Process(ctx, cmd); err != nil {
		return 0, err
	}
	ok, err := cmd.Result() // on the asynchronous AutoPipeliner this waits
	if ok {
		return 1, err
	}
	return 0, err
}

// eval sends EVALSHA, and EVAL when the server does not know the script. args start
// with two free places, for the command and the script.
func (l *Locker) eval(ctx context.Context, s *script, args ...any) (int64, error) {
	args[0], args[1] = "evalsha", s.sha
	n, err := l.sendInt(ctx, args)
	if err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") {
		again := append([]any(nil), args...)
		again[0], again[1] = "eval", s.src
		return l.sendInt(ctx, again)
	}
	return n, err
}

func (l *Locker) sendInt(ctx context.Context, args []any) (int64, error) {
	cmd := onceInt{redis.NewIntCmd(ctx, args...)}
	if err := l.client.Process(ctx, cmd); err != nil {
		return 0, err
	}
	return cmd.Result()
}

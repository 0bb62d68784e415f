package inline

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

// A token in a variable counts as kept, used or not (the bare Del is another
// pass's business).
func weed(ctx context.Context, rdb *redis.Client, bed string, fn func() error) error {
	key, token := "weed:"+bed, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return fn()
}

// In a field.
type shed struct {
	rdb   *redis.Client
	token string
}

func (s *shed) Lock(ctx context.Context) bool {
	s.token = newToken()
	return s.rdb.SetNX(ctx, "shed", s.token, time.Minute).Val()
}

func (s *shed) Unlock(ctx context.Context) { s.rdb.Del(ctx, "shed") }

// One handle an acquisition [C8].
type key struct{ name, token string }

func take(ctx context.Context, rdb *redis.Client, tool string) (*key, error) {
	k := &key{"tool:" + tool, newToken()}
	ok, err := rdb.SetNX(ctx, k.name, k.token, time.Minute).Result()
	if err != nil || !ok {
		return nil, errBusy
	}
	return k, nil
}

// Nobody frees: the TTL is the period.
func sprinkle(ctx context.Context, rdb *redis.Client, lawn string, fn func()) {
	if rdb.SetNX(ctx, "sprinkle:"+lawn, newToken(), 12*time.Hour).Val() {
		fn()
	}
}

// Given back only where the work failed.
func fertilize(ctx context.Context, rdb *redis.Client, lawn string, fn func() error) error {
	if !rdb.SetNX(ctx, "fertilize:"+lawn, newToken(), 12*time.Hour).Val() {
		return nil
	}
	err := fn()
	if err != nil {
		rdb.Del(ctx, "fertilize:"+lawn)
	}
	return err
}

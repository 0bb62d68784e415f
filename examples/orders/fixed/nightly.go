package fixed

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

// Export writes the orders of a day, under a lock of the runtime package: it has a
// TTL, is renewed while WriteCSV works, and ends the context of WriteCSV if it is lost.
func (s *Service) Export(ctx context.Context, day string) error {
	return s.locks.Do(ctx, "export:"+day, 30*time.Second, func(ctx context.Context) error {
		return s.shop.WriteCSV(ctx, day)
	})
}

// extend sets the expiry of a key if it has the value that the caller stored.
var extend = redis.NewScript(`
if redis.call("get", KEYS[1]) == ARGV[1] then
	return redis.call("pexpire", KEYS[1], ARGV[2])
end
return 0`)

// Reindex rebuilds the search index and stops when its lock is another worker's.
func (s *Service) Reindex(ctx context.Context, pages int) error {
	const key, ttl = "orders:reindex", time.Minute
	token := rand.Text()
	ok, err := s.rdb.SetNX(ctx, key, token, ttl).Result()
	if err != nil || !ok {
		return ErrBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), s.rdb, []string{key}, token)
	for page := range pages {
		if err := s.shop.Index(ctx, page); err != nil {
			return err
		}
		n, err := extend.Run(ctx, s.rdb, []string{key}, token, ttl.Milliseconds()).Int()
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrLost
		}
	}
	return nil
}

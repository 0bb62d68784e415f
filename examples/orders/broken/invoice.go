package broken

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

var unlock = redis.NewScript(`
if redis.call("get", KEYS[1]) == ARGV[1] then
	return redis.call("del", KEYS[1])
end
return 0`)

// Invoice prints an invoice. It compares before it deletes, but every worker stores
// the same value.
func (s *Service) Invoice(ctx context.Context, order string) error {
	key := "invoice:" + order
	ok, err := s.rdb.SetNX(ctx, key, "printing", 30*time.Second).Result()
	if err != nil || !ok {
		return ErrBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), s.rdb, []string{key}, "printing")
	return s.shop.Print(ctx, order)
}

package value

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// A test of the package names the value: it is told by failing.
var testedValue = "tested"

func tested(ctx context.Context, rdb *redis.Client, id string) error {
	if !rdb.SetNX(ctx, "tested:lock:"+id, testedValue, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, "tested:lock:"+id)
	return work(ctx)
}

package together

import (
	"context"
	"os"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// Both together leave package os without a use, which neither does alone.
func byHost(ctx context.Context, rdb *redis.Client, id string) error {
	owner, _ := os.Hostname()
	if !rdb.SetNX(ctx, "host:lock:"+id, owner, ttl).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, "host:lock:"+id)
	return work(ctx)
}

func byPid(ctx context.Context, rdb *redis.Client, id string) error {
	if !rdb.SetNX(ctx, "pid:lock:"+id, strconv.Itoa(os.Getpid()), ttl).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, "pid:lock:"+id)
	return work(ctx)
}

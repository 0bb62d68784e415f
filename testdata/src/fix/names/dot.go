package names

import (
	"context"
	. "time"

	. "github.com/redis/go-redis/v9"
)

func dot(ctx context.Context, rdb *Client, id string) error {
	key := "dot:lock:" + id
	ok, err := rdb.SetNX(ctx, key, "1", 0).Result()
	if err != nil || !ok {
		return err
	}
	rdb.Expire(ctx, key, 30*Second)
	defer rdb.Del(ctx, key)
	return work(ctx)
}

package v7

import (
	"time"

	"github.com/go-redis/redis/v7"
)

// A lock with a TTL, left to it.
func inspect(rdb *redis.Client, lens string, fn func()) {
	if rdb.SetNX("inspect:"+lens, 1, time.Minute).Val() {
		fn()
	}
}

// A seed.
func serial(rdb *redis.Client) (int64, error) {
	if err := rdb.SetNX("serial", 1000, 0).Err(); err != nil {
		return 0, err
	}
	return rdb.Incr("serial").Result()
}

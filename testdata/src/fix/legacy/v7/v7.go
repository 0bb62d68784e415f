// Package v7 has no context and no SetArgs.
package v7

import (
	"errors"
	"time"

	"github.com/go-redis/redis/v7"
)

func run(rdb *redis.Client, id string, work func() error) error {
	key := "run:lock:" + id
	ok, err := rdb.SetNX(key, "1", 0).Result()
	if err != nil || !ok {
		return errors.New("busy")
	}
	rdb.Expire(key, time.Minute)
	defer rdb.Del(key)
	return work()
}

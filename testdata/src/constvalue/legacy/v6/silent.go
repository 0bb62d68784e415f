package v6

import (
	"crypto/rand"
	"time"

	"github.com/go-redis/redis"
)

// A fresh token, kept and compared.
func load(rdb *redis.Client, ship string, fn func() error) error {
	key, token := "load:"+ship, rand.Text()
	ok, err := rdb.SetNX(key, token, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer compareAndDelete.Run(rdb, []string{key}, token)
	return fn()
}

// A marker.
func departed(rdb *redis.Client, ship string) bool {
	return rdb.SetNX("departed:"+ship, 1, time.Hour).Val()
}

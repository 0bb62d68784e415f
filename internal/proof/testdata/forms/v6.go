package main

import (
	"context"
	"net"
	"time"

	"github.com/go-redis/redis"

	"github.com/locklint/locklint/internal/proof/harness"
)

func clientV6(rdb *redis.Client, id string) (bool, error) {
	key := "clientV6:lock:" + id
	ok, err := rdb.SetNX(key, "1", 0).Result()
	if err != nil || !ok {
		return ok, err
	}
	rdb.Expire(key, time.Hour)
	defer rdb.Del(key)
	return true, nil
}

var v6Forms = map[string]harness.Form{
	"clientV6": func(ctx context.Context, s *harness.Scene) string {
		rdb := redis.NewClient(&redis.Options{
			Dialer: func() (net.Conn, error) { return s.Dial(ctx, "", "") },
		})
		return harness.Show(clientV6(rdb, s.ID))
	},
}

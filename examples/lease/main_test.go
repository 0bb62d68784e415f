package main

import (
	"context"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

func TestExport(t *testing.T) {
	m := miniredis.RunT(t)
	rdb := redis.NewClient(&redis.Options{Addr: m.Addr()})
	defer rdb.Close()
	held := false
	err := export(t.Context(), rdb, func(context.Context) error {
		held = m.Exists("export:monday") && m.TTL("export:monday") > 0
		return nil
	})
	if err != nil || !held || m.Exists("export:monday") {
		t.Errorf("error %v, held during the work: %v, keys after it: %v", err, held, m.Keys())
	}
}

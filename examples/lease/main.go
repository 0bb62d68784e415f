// Lease takes a lock of the runtime package, in a Redis inside the program or in the
// one at $REDIS_ADDR:
//
//	go run ./lease
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/alicebob/miniredis/v2"
	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

func main() {
	addr := os.Getenv("REDIS_ADDR")
	if addr == "" {
		m, err := miniredis.Run()
		if err != nil {
			log.Fatal(err)
		}
		defer m.Close()
		addr = m.Addr()
	}
	rdb := redis.NewClient(&redis.Options{Addr: addr})
	defer rdb.Close()
	err := export(context.Background(), rdb, func(ctx context.Context) error {
		ttl, err := rdb.TTL(ctx, "export:monday").Result()
		fmt.Println("the lock is held, its TTL is", ttl)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the lock is released")
}

// export runs write while no other process does.
func export(ctx context.Context, rdb *redis.Client, write func(context.Context) error) error {
	locker, err := lockrt.New(rdb) // once per process
	if err != nil {
		return err
	}
	// Waits for the lock, renews it while write runs, ends the ctx of write if the lock is lost.
	return locker.Do(ctx, "export:monday", 30*time.Second, write)
}

package value

import (
	"context"
	"log"

	"github.com/redis/go-redis/v9"
)

const (
	worker  = "worker"  // compared by what repairs
	watcher = "watcher" // compared in Go
	porter  = "porter"  // named in a file for another platform
	usher   = "usher"   // named by two locks alone
)

var release = redis.NewScript(compareAndDelete)

func byWorker(ctx context.Context, rdb *redis.Client, id string) error {
	key := "worker:lock:" + id
	if !rdb.SetNX(ctx, key, worker, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

func repair(ctx context.Context, rdb *redis.Client, keys []string) {
	for _, key := range keys {
		release.Run(ctx, rdb, []string{key}, worker)
	}
}

func byWatcher(ctx context.Context, rdb *redis.Client, id string) error {
	key, who := "watcher:lock:"+id, watcher
	if !rdb.SetNX(ctx, key, who, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

func watch(ctx context.Context, rdb *redis.Client, keys []string) {
	for _, key := range keys {
		if rdb.Get(ctx, key).Val() == watcher {
			log.Print("held: ", key)
		}
	}
}

func byPorter(ctx context.Context, rdb *redis.Client, id string) error {
	key := "porter:lock:" + id
	if !rdb.SetNX(ctx, key, porter, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

func usherIn(ctx context.Context, rdb *redis.Client, id string) error {
	key := "in:lock:" + id
	if !rdb.SetNX(ctx, key, usher, lease).Val() {
		return errBusy
	}
	defer rdb.Del(ctx, key)
	return work(ctx)
}

func usherOut(ctx context.Context, rdb *redis.Client, id string) error {
	key := "out:lock:" + id
	if !rdb.SetNX(ctx, key, usher, lease).Val() {
		return errBusy
	}
	defer release.Run(ctx, rdb, []string{key}, usher)
	return work(ctx)
}

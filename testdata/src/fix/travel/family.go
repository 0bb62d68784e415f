package travel

import (
	"context"
	"crypto/rand"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
)

// Several locks are freed by one helper: all that call it have a token.
type yard struct{ rdb *redis.Client }

func (y *yard) discard(key string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := y.rdb.Del(ctx, key).Err(); err != nil {
		log.Print(err)
	}
}

func (y *yard) Load(ctx context.Context, ship string) error {
	key := "load:lock:" + ship
	if !y.rdb.SetNX(ctx, key, "1", time.Minute).Val() {
		return errBusy
	}
	defer y.discard(key)
	return work(ctx)
}

func (y *yard) Unload(ctx context.Context, ship string) error {
	key := "unload:lock:" + ship
	ok, err := y.rdb.SetNX(ctx, key, "1", 0).Result()
	if err != nil || !ok {
		return errBusy
	}
	y.rdb.Expire(ctx, key, time.Minute)
	defer y.discard(key)
	return work(ctx)
}

// Two in one function, with tokens of their own.
func (y *yard) Swap(ctx context.Context, a, b string) error {
	from, to := rand.Text(), rand.Text()
	if !y.rdb.SetNX(ctx, "swap:lock:"+a, from, time.Minute).Val() {
		return errBusy
	}
	defer y.clear("swap:lock:" + a)
	if !y.rdb.SetNX(ctx, "swap:peer:lock:"+b, to, time.Minute).Val() {
		return errBusy
	}
	defer y.clear("swap:peer:lock:" + b)
	return work(ctx)
}

func (y *yard) clear(key string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	y.rdb.Del(ctx, key)
}

func (y *yard) Weld(ctx context.Context, hull string) error {
	key, spark := "weld:lock:"+hull, rand.Text()
	if !y.rdb.SetNX(ctx, key, spark, time.Minute).Val() {
		return errBusy
	}
	defer y.drop(key)
	return work(ctx)
}

func (y *yard) Paint(ctx context.Context, hull, painter string) error {
	key := "paint:lock:" + hull
	if !y.rdb.SetNX(ctx, key, painter, time.Minute).Val() {
		return errBusy
	}
	defer y.drop(key)
	return work(ctx)
}

func (y *yard) drop(key string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	y.rdb.Del(ctx, key)
}

// One of them stores a constant, the other a token that it shows: they are left.
func (y *yard) Launch(ctx context.Context, hull string) error {
	key, crew := "launch:lock:"+hull, rand.Text()
	if !y.rdb.SetNX(ctx, key, crew, time.Minute).Val() {
		return errBusy
	}
	log.Print(crew)
	defer y.end(key)
	return work(ctx)
}

func (y *yard) Scrap(ctx context.Context, hull string) error {
	key := "scrap:lock:" + hull
	if !y.rdb.SetNX(ctx, key, "1", time.Minute).Val() {
		return errBusy
	}
	defer y.end(key)
	return work(ctx)
}

func (y *yard) end(key string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	y.rdb.Del(ctx, key)
}

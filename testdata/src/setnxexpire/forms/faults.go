// Package forms expires with the other commands of the family [A7].
package forms

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

func untilMidnight(ctx context.Context, rdb *redis.Client, report string, midnight time.Time) error {
	key := "report:" + report
	ok, err := rdb.SetNX(ctx, key, rand.Text(), 0).Result() // want `setnx-expire: `
	if err != nil || !ok {
		return errBusy
	}
	return rdb.ExpireAt(ctx, key, midnight).Err()
}

func millis(ctx context.Context, rdb *redis.Client, sensor string, fn func()) {
	key := "sensor:" + sensor
	if rdb.SetNX(ctx, key, 1, 0).Val() { // want `setnx-expire: `
		rdb.PExpire(ctx, key, 250*time.Millisecond)
		fn()
	}
}

type pass struct {
	rdb redis.UniversalClient
	key string
}

func (p *pass) Acquire(ctx context.Context, end time.Time) (bool, error) {
	ok, err := p.rdb.SetNX(ctx, p.key, rand.Text(), 0).Result() // want `setnx-expire: `
	if err == nil && ok {
		err = p.rdb.PExpireAt(ctx, p.key, end).Err()
	}
	return ok, err
}

// ExpireNX outside MULTI has the gap as well.
func once(ctx context.Context, rdb *redis.Client, task string, fn func() error) error {
	if ok, err := rdb.SetNX(ctx, "task:"+task, 1, 0).Result(); err != nil || !ok { // want `setnx-expire: `
		return err
	}
	if err := rdb.ExpireNX(ctx, "task:"+task, time.Hour).Err(); err != nil {
		return err
	}
	return fn()
}

func shorter(ctx context.Context, rdb *redis.Client, task string, fn func() error) error {
	if ok, err := rdb.SetNX(ctx, "shorter:"+task, 1, 0).Result(); err != nil || !ok { // want `setnx-expire: `
		return err
	}
	rdb.ExpireLT(ctx, "shorter:"+task, time.Hour)
	return fn()
}

// XX and GT do nothing at all to a key without a TTL.
func never(ctx context.Context, rdb *redis.Client, task string, fn func() error) error {
	key := "never:" + task
	if ok, err := rdb.SetNX(ctx, key, 1, 0).Result(); err != nil || !ok { // want `setnx-expire: `
		return err
	}
	rdb.ExpireXX(ctx, key, time.Hour)
	return fn()
}

func neither(ctx context.Context, rdb *redis.Client, task string, fn func() error) error {
	key := "neither:" + task
	if ok, err := rdb.SetNX(ctx, key, 1, 0).Result(); err != nil || !ok { // want `setnx-expire: `
		return err
	}
	rdb.ExpireGT(ctx, key, time.Hour)
	return fn()
}

// Package async leaves the Expire to somebody else [A6].
package async

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"
)

var errBusy = errors.New("busy")

// A go statement.
func render(ctx context.Context, rdb *redis.Client, page string, fn func() error) error {
	key := "render:" + page
	ok, err := rdb.SetNX(ctx, key, rand.Text(), 0).Result() // want `setnx-expire: `
	if err != nil || !ok {
		return errBusy
	}
	go rdb.Expire(ctx, key, time.Minute)
	return fn()
}

// A goroutine with a literal.
type printer struct {
	rdb *redis.Client
	key string
}

func (p *printer) Acquire(ctx context.Context) (bool, error) {
	ok, err := p.rdb.SetNX(ctx, p.key, "1", 0).Result() // want `setnx-expire: `
	if err != nil || !ok {
		return false, err
	}
	go func() {
		c, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = p.rdb.Expire(c, p.key, time.Minute).Err()
	}()
	return true, nil
}

// An errgroup, the work beside it.
func bind(ctx context.Context, rdb redis.Cmdable, book string, fn func(context.Context) error) error {
	key := "bind:" + book
	if !rdb.SetNX(ctx, key, rand.Text(), 0).Val() { // want `setnx-expire: `
		return errBusy
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return rdb.PExpire(ctx, key, 90*time.Second).Err() })
	g.Go(func() error { return fn(ctx) })
	return g.Wait()
}

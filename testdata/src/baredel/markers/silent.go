// Package markers gives markers back where the work failed, and only there: the
// condition is on the work, not on the acquisition [D3, F1].
package markers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

var errPermanent = errors.New("permanent")

func handle(ctx context.Context, id string) error { return ctx.Err() }
func send(id string) bool                         { return id != "" }

// The usual order.
func usual(ctx context.Context, rdb *redis.Client, id string) error {
	key := "usual:" + id
	first, err := rdb.SetNX(ctx, key, "1", 24*time.Hour).Result()
	if err != nil {
		return fmt.Errorf("mark: %w", err)
	}
	if !first {
		return nil
	}
	if err := handle(ctx, id); err != nil {
		if delErr := rdb.Del(context.WithoutCancel(ctx), key).Err(); delErr != nil {
			return errors.Join(err, delErr)
		}
		return err
	}
	return nil
}

// Success leaves early, so the Del at the end is the failure path.
func inverted(ctx context.Context, rdb *redis.Client, id string) error {
	key := "inverted:" + id
	if ok, err := rdb.SetNX(ctx, key, 1, time.Hour).Result(); err != nil || !ok {
		return err
	}
	err := handle(ctx, id)
	if err == nil {
		return nil
	}
	rdb.Del(ctx, key)
	return err
}

// The work answers with a bool.
func boolean(ctx context.Context, rdb *redis.Client, id string) bool {
	key := "boolean:" + id
	if !rdb.SetNX(ctx, key, 1, time.Hour).Val() {
		return false
	}
	sent := send(id)
	if !sent {
		rdb.Unlink(ctx, key)
	}
	return sent
}

// A switch over kinds of failure.
func kinds(ctx context.Context, rdb redis.UniversalClient, id string) error {
	key := "kinds:" + id
	if ok, err := rdb.SetNX(ctx, key, 1, time.Hour).Result(); err != nil || !ok {
		return err
	}
	switch err := handle(ctx, id); {
	case err == nil:
		return nil
	case errors.Is(err, errPermanent):
		return nil // not again
	default:
		rdb.Del(ctx, key)
		return err
	}
}

// In two methods of a consumer; the names say nothing of a lock.
type consumer struct{ rdb *redis.Client }

func (c *consumer) begin(ctx context.Context, id string) (bool, error) {
	return c.rdb.SetNX(ctx, "consumer:"+id, time.Now().Unix(), time.Hour).Result()
}

func (c *consumer) abort(ctx context.Context, id string) {
	c.rdb.Del(ctx, "consumer:"+id)
}

func (c *consumer) consume(ctx context.Context, id string) error {
	if ok, err := c.begin(ctx, id); err != nil || !ok {
		return err
	}
	err := handle(ctx, id)
	if err != nil {
		c.abort(ctx, id)
	}
	return err
}

package methods

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// Keys that tell next to nothing: the names of the methods tie them.
type register struct{ rdb *redis.Client }

var errTaken = errors.New("taken")

func (r *register) LockTill(ctx context.Context, till string) error {
	ok, err := r.rdb.SetNX(ctx, "t:"+till, "1", time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errTaken
	}
	return nil
}

func (r *register) UnlockTill(ctx context.Context, till string) error {
	return r.rdb.Del(ctx, "t:"+till).Err() // want `unowned-release: `
}

// The same text, another noun: what is deleted is a receipt.
func (r *register) ReleaseReceipt(ctx context.Context, id string) error {
	return r.rdb.Del(ctx, "t:"+id).Err()
}

package unheld

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

// A compare-and-delete before the attempt is right: it frees nothing that is not
// ours, and it frees a lock whose reply was lost [D2].
func invoice(ctx context.Context, rdb *redis.Client, id string) error {
	key, token := "invoice:lock:"+id, rand.Text()
	defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	return do(ctx)
}

// The same between the attempt and the check.
func dunning(ctx context.Context, rdb *redis.Client, id string) error {
	key, token := "dunning:lock:"+id, rand.Text()
	ok, err := rdb.SetNX(ctx, key, token, time.Minute).Result()
	defer func() { _ = compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token).Err() }()
	if err != nil || !ok {
		return errBusy
	}
	return do(ctx)
}

// Del where the WORK failed, not the acquisition: a marker [D3].
func onPayment(ctx context.Context, rdb *redis.Client, event string) error {
	key := "payment:event:" + event
	fresh, err := rdb.SetNX(ctx, key, "claimed", time.Hour).Result()
	if err != nil || !fresh {
		return err
	}
	if err = do(ctx); err != nil {
		rdb.Del(context.WithoutCancel(ctx), key)
	}
	return err
}

// A toggle: the second call takes the star away again. Nothing is exclusive here.
func toggleStar(ctx context.Context, rdb *redis.Client, user, post string) (starred bool, err error) {
	key := "star:" + user + ":" + post
	starred, err = rdb.SetNX(ctx, key, 1, 0).Result()
	if err == nil && !starred {
		err = rdb.Del(ctx, key).Err()
	}
	return starred, err
}

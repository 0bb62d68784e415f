package value

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Two functions that nobody else can see: the token becomes a parameter of both.
func lockJob(ctx context.Context, rdb *redis.Client, job string) (bool, error) {
	return rdb.SetNX(ctx, "job:lock:"+job, "1", lease).Result()
}

func unlockJob(ctx context.Context, rdb *redis.Client, job string) {
	rdb.Del(ctx, "job:lock:"+job)
}

func nightly(ctx context.Context, rdb *redis.Client, jobs []string) error {
	for _, job := range jobs {
		ok, err := lockJob(ctx, rdb, job)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		err = work(ctx)
		unlockJob(ctx, rdb, job)
		if err != nil {
			return err
		}
	}
	return nil
}

func once(ctx context.Context, rdb *redis.Client) error {
	if ok, err := lockJob(ctx, rdb, "once"); err != nil || !ok {
		return err
	}
	defer unlockJob(ctx, rdb, "once")
	return work(ctx)
}

package nottl

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// First writer wins, for ever.
func vintage(ctx context.Context, rdb *redis.Client, wine string, year int) (int, error) {
	if err := rdb.SetNX(ctx, "vintage:"+wine, year, 0).Err(); err != nil {
		return 0, err
	}
	return rdb.Get(ctx, "vintage:"+wine).Int()
}

// A permanent record: who registered the name first.
func registerCellar(ctx context.Context, rdb *redis.Client, name, owner string) (bool, error) {
	return rdb.SetNX(ctx, "cellar:name:"+name, owner, 0).Result()
}

// A flag that sibling methods set and clear.
type tasting struct{ rdb *redis.Client }

func (t *tasting) Pause(ctx context.Context, event string) error {
	return t.rdb.SetNX(ctx, "tasting:paused:"+event, 1, 0).Err()
}

func (t *tasting) Resume(ctx context.Context, event string) error {
	return t.rdb.Del(ctx, "tasting:paused:"+event).Err()
}

// A record, taken back because what it stands for failed.
func book(ctx context.Context, rdb *redis.Client, table string, confirm func() error) error {
	ok, err := rdb.SetNX(ctx, "booked:"+table, time.Now().Unix(), 0).Result()
	if err != nil || !ok {
		return err
	}
	if err := confirm(); err != nil {
		rdb.Del(ctx, "booked:"+table)
		return err
	}
	return nil
}

// The lock has a TTL.
type tapLock struct {
	rdb        *redis.Client
	key, token string
	ttl        time.Duration
}

func (l *tapLock) Lock(ctx context.Context) bool {
	return l.rdb.SetNX(ctx, l.key, l.token, l.ttl).Val()
}

func (l *tapLock) Unlock(ctx context.Context) error {
	return compareAndDelete.Run(ctx, l.rdb, []string{l.key}, l.token).Err()
}

package methods

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

// A handle with its own token, compared on the way out.
type handle struct {
	rdb        *redis.Client
	key, token string
}

var cad = redis.NewScript(`if redis.call("get",KEYS[1])==ARGV[1] then return redis.call("del",KEYS[1]) else return 0 end`)

func obtain(ctx context.Context, rdb *redis.Client, key string) (*handle, error) {
	h := &handle{rdb: rdb, key: key, token: rand.Text()}
	ok, err := rdb.SetNX(ctx, key, h.token, time.Minute).Result()
	if err != nil || !ok {
		return nil, err
	}
	return h, nil
}

func (h *handle) Unlock(ctx context.Context) error {
	return cad.Run(ctx, h.rdb, []string{h.key}, h.token).Err()
}

// First and Forget have the shape of a lock, and are a marker.
type mailLog struct{ rdb *redis.Client }

func (m *mailLog) First(ctx context.Context, id string) (bool, error) {
	return m.rdb.SetNX(ctx, "mail:sent:"+id, 1, 48*time.Hour).Result()
}

func (m *mailLog) Forget(ctx context.Context, id string) error {
	return m.rdb.Del(ctx, "mail:sent:"+id).Err()
}

// MarkSeen and Unmark.
func (m *mailLog) MarkSeen(ctx context.Context, id string) bool {
	return m.rdb.SetNX(ctx, "mail:seen:"+id, 1, time.Hour).Val()
}

func (m *mailLog) Unmark(ctx context.Context, id string) {
	m.rdb.Del(ctx, "mail:seen:"+id)
}

// Claim and Rollback.
type refunds struct{ rdb redis.UniversalClient }

func (r *refunds) Claim(ctx context.Context, id string) (bool, error) {
	return r.rdb.SetNX(ctx, "refund:idem:"+id, "pending", 24*time.Hour).Result()
}

func (r *refunds) Rollback(ctx context.Context, id string) error {
	return r.rdb.Del(ctx, "refund:idem:"+id).Err()
}

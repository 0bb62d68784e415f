package once

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// The same with the TTL in the create.
func (r *Requests) Admit(ctx context.Context, request string) (bool, error) {
	return r.client.SetNX(ctx, "admitted:"+request, "1", time.Hour).Result()
}

// A state that is marked and unmarked by its own methods: it lasts as long as the
// work does, and nothing runs under it here.
type Sync struct{ *redis.Client }

func (s *Sync) MarkRunning(ctx context.Context, feed string) (bool, error) {
	return s.SetNX(ctx, "feed:"+feed, "1", 0).Result()
}

func (s *Sync) Running(ctx context.Context, feed string) (bool, error) {
	n, err := s.Exists(ctx, "feed:"+feed).Result()
	return n == 1, err
}

func (s *Sync) MarkIdle(ctx context.Context, feed string) error {
	return s.Del(ctx, "feed:"+feed).Err()
}

// Present or not, and kept alive by whoever comes: the loser sets the TTL.
type Hosts struct{ rdb *redis.Client }

func (h *Hosts) Online(ctx context.Context, host string) (bool, error) {
	fresh, err := h.rdb.SetNX(ctx, "online:"+host, "1", time.Minute).Result()
	if err != nil {
		return false, err
	}
	if !fresh {
		h.rdb.Expire(ctx, "online:"+host, time.Minute)
	}
	return fresh, nil
}

// Set if absent, and read back where it was there.
func (h *Hosts) Address(ctx context.Context, host string, addr []byte) ([]byte, error) {
	created, err := h.rdb.SetNX(ctx, "address:"+host, addr, 0).Result()
	if err != nil {
		return nil, err
	}
	if created {
		return addr, nil
	}
	return h.rdb.Get(ctx, "address:"+host).Bytes()
}

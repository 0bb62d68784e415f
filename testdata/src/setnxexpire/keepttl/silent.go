package keepttl

import (
	"context"
	"crypto/rand"
	mathrand "math/rand/v2"
	"time"

	"github.com/redis/go-redis/v9"
)

// KeepTTL where it belongs: another value for a key that exists [A17].
func setState(ctx context.Context, rdb *redis.Client, job, state string) error {
	return rdb.SetArgs(ctx, "job:"+job, state, redis.SetArgs{Mode: "XX", KeepTTL: true}).Err()
}

// No mode at all.
func setNote(ctx context.Context, rdb *redis.Client, job, note string) error {
	rdb.SetArgs(ctx, "job:note:"+job, note, redis.SetArgs{KeepTTL: true})
	return rdb.Set(ctx, "job:note:"+job, note, redis.KeepTTL).Err()
}

// No evidence: first writer wins, no TTL wanted [A11, A17].
func serial(ctx context.Context, rdb *redis.Client, host, serial string) (bool, error) {
	rdb.SetArgs(ctx, "rack:"+host, "unknown", redis.SetArgs{Mode: "NX", KeepTTL: true})
	return rdb.SetNX(ctx, "serial:"+host, serial, redis.KeepTTL).Result()
}

// A guard on the path, and jitter on a positive base [A11].
func maintain(ctx context.Context, rdb *redis.Client, host string, end time.Time, fn func()) {
	ttl := time.Until(end)
	if ttl <= 0 {
		return
	}
	ttl += time.Duration(mathrand.IntN(15)) * time.Second
	key, token := "maintain:"+host, rand.Text()
	if rdb.SetNX(ctx, key, token, ttl).Val() {
		defer compareAndDelete.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
		fn()
	}
}

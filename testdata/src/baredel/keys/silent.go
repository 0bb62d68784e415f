package keys

import (
	"context"
	"crypto/rand"

	"github.com/redis/go-redis/v9"
)

// The holes hold other values.
func move(ctx context.Context, rdb *redis.Client, from, to string, fn func()) {
	if rdb.SetNX(ctx, "move:"+to, rand.Text(), ttl).Val() {
		fn()
		rdb.Del(ctx, "move:"+from)
	}
}

// The same helper with another argument.
func swap(ctx context.Context, rdb *redis.Client, a, b int64, fn func()) {
	if rdb.SetNX(ctx, keyOf("swap", a), rand.Text(), ttl).Val() {
		fn()
		rdb.Del(ctx, keyOf("swap", b))
	}
}

// The id is another one by then.
func chain(ctx context.Context, rdb *redis.Client, id string, next func(string) string) {
	if rdb.SetNX(ctx, "chain:"+id, rand.Text(), ttl).Val() {
		id = next(id)
		rdb.Del(ctx, "chain:"+id)
	}
}

// A longer text is another key.
func tail(ctx context.Context, rdb *redis.Client, id string, fn func()) {
	if rdb.SetNX(ctx, "tail:"+id, rand.Text(), ttl).Val() {
		fn()
		rdb.Del(ctx, "tail:"+id+":pages")
	}
}

// Other fields of one struct.
type document struct{ lockID, cacheID string }

func save(ctx context.Context, rdb *redis.Client, d *document, fn func()) {
	if rdb.SetNX(ctx, d.lockID, rand.Text(), ttl).Val() {
		fn()
		rdb.Del(ctx, d.cacheID)
	}
}

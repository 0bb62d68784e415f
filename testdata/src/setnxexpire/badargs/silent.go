package badargs

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// The right number of arguments: a seed.
func seed(ctx context.Context, rdb *redis.Client, menu string) error {
	if err := rdb.Do(ctx, "SETNX", "menu:"+menu, 0).Err(); err != nil {
		return err
	}
	// SET does take options; without NX it is a cache write.
	return rdb.Do(ctx, "SET", "menu:"+menu, 0, "EX", 10).Err()
}

// Arguments that nobody can see.
func spread(ctx context.Context, rdb *redis.Client, args ...any) error {
	args = append([]any{"SETNX"}, args...)
	return rdb.Do(ctx, args...).Err()
}

// A verb that nobody can see.
func verb(ctx context.Context, rdb *redis.Client, name, key string) error {
	return rdb.Do(ctx, name, key, 1, "EX", 10).Err()
}

// Another command that begins alike.
func grid(ctx context.Context, rdb *redis.Client) error {
	return rdb.Do(ctx, "MSETNX", "table:1", 1, "table:2", 1).Err()
}

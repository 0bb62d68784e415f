//locklint:test passes=baredel,constvalue,setnxexpire

// Package claims acquires what others free. A lock that nobody frees here may be
// left to its TTL.
package claims

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// Key is the key of the lock of a claim.
func Key(id int64) string { return fmt.Sprintf("claim:lock:%d", id) }

// Acquire takes the lock of a claim; the token is the caller's to keep.
func Acquire(ctx context.Context, rdb *redis.Client, id int64) (token string, ok bool, err error) {
	token = rand.Text()
	ok, err = rdb.SetNX(ctx, Key(id), token, time.Minute).Result()
	return token, ok, err
}

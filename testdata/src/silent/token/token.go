// Package token holds values that are right for their keys.
package token

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	mathrand "math/rand/v2"
	"os"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var (
	errBusy = errors.New("busy")
	unlock  = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// C1: a marker.
func delivered(ctx context.Context, rdb *redis.Client, parcel string) (bool, error) {
	return rdb.SetNX(ctx, "parcel:seen:"+parcel, "1", 24*time.Hour).Result()
}

// C2: a readable prefix, a unique rest.
func hosted(ctx context.Context, rdb *redis.Client, depot string) (string, bool, error) {
	host, _ := os.Hostname()
	token := host + "/" + rand.Text()
	ok, err := rdb.SetNX(ctx, "depot:"+depot, token, ttl).Result()
	return token, ok, err
}

// C3: microseconds and a client id.
func stamped(ctx context.Context, rdb *redis.Client, depot, node string) (string, bool, error) {
	token := node + ":" + strconv.FormatInt(time.Now().UnixMicro(), 10)
	ok, err := rdb.SetNX(ctx, "stamped:"+depot, token, ttl).Result()
	return token, ok, err
}

// C4: the owner is the user.
func hold(ctx context.Context, rdb *redis.Client, seat, user string) (bool, error) {
	ok, err := rdb.SetNX(ctx, "seat:"+seat, user, 5*time.Minute).Result()
	if err != nil || ok {
		return ok, err
	}
	owner, err := rdb.Get(ctx, "seat:"+seat).Result()
	return owner == user, err
}

// C5: a guard whose TTL is the period.
func weekly(ctx context.Context, rdb *redis.Client, week int) bool {
	return rdb.SetNX(ctx, "cron:weekly:"+strconv.Itoa(week), rand.Text(), 6*24*time.Hour).Val()
}

// C7: seeded by the runtime. Unguessable is not needed, unique is.
func random(ctx context.Context, rdb *redis.Client, depot string) (uint64, bool) {
	token := mathrand.Uint64()
	return token, rdb.SetNX(ctx, "random:"+depot, token, ttl).Val()
}

// C8: one handle an acquisition.
type handle struct{ key, token string }

func obtain(ctx context.Context, rdb *redis.Client, depot string) (*handle, error) {
	h := &handle{key: "handle:" + depot, token: rand.Text()}
	ok, err := rdb.SetNX(ctx, h.key, h.token, ttl).Result()
	if err != nil || !ok {
		return nil, errors.Join(err, errBusy)
	}
	return h, nil
}

// C8: the field is written when the lock is won.
type courier struct {
	rdb   *redis.Client
	token string
}

func (c *courier) Lock(ctx context.Context) bool {
	token := rand.Text()
	if !c.rdb.SetNX(ctx, "courier", token, ttl).Val() {
		return false
	}
	c.token = token
	return true
}

func (c *courier) Unlock(ctx context.Context) error {
	return unlock.Run(ctx, c.rdb, []string{"courier"}, c.token).Err()
}

// C9: the same encoding on both sides.
type uuid [16]byte

func (u uuid) MarshalBinary() ([]byte, error) { return u[:], nil }
func (u uuid) String() string                 { return hex.EncodeToString(u[:]) }

func binary(ctx context.Context, rdb *redis.Client, depot string, id uuid, n int) {
	if rdb.SetNX(ctx, "binary:"+depot, id, ttl).Val() {
		unlock.Run(ctx, rdb, []string{"binary:" + depot}, id)
	}
	if rdb.SetNX(ctx, "number:"+depot, n, ttl).Val() {
		unlock.Run(ctx, rdb, []string{"number:" + depot}, strconv.Itoa(n)) // equal on the wire
	}
}

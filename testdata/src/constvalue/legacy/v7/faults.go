// Package v7 holds a few faults with github.com/go-redis/redis/v7.
package v7

import (
	"crypto/rand"
	"errors"
	"os"
	"time"

	"github.com/go-redis/redis/v7"
)

var (
	errBusy          = errors.New("busy")
	compareAndDelete = redis.NewScript("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0")
)

// C1.
func moor(rdb *redis.Client, ship string, fn func() error) error {
	key := "moor:" + ship
	ok, err := rdb.SetNX(key, "1", time.Minute).Result() // want `weak-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer rdb.Del(key)
	return fn()
}

// C2.
type berthLock struct{ rdb redis.UniversalClient }

func (l *berthLock) Lock(berth string) bool {
	host, _ := os.Hostname()
	return l.rdb.SetNX("berth:"+berth, host, time.Minute).Val() // want `weak-token: `
}

func (l *berthLock) Unlock(berth string) {
	host, _ := os.Hostname()
	compareAndDelete.Run(l.rdb, []string{"berth:" + berth}, host)
}

// C5.
func dock(rdb redis.Cmdable, ship string, fn func()) {
	if rdb.SetNX("dock:"+ship, rand.Text(), time.Minute).Val() { // want `lost-token: `
		fn()
		rdb.Del("dock:" + ship)
	}
}

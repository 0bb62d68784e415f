// Package v6 holds a few faults with github.com/go-redis/redis.
package v6

import (
	"errors"
	"time"

	"github.com/go-redis/redis"
)

var errBusy = errors.New("busy")

// D1, deferred.
func bill(rdb *redis.Client, order string, fn func() error) error {
	key := "bill:" + order
	ok, err := rdb.SetNX(key, order, time.Minute).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer rdb.Del(key) // want `unowned-release: `
	return fn()
}

// D2.
func ship(rdb redis.UniversalClient, order string, fn func() error) error {
	key := "ship:lock:" + order
	ok, err := rdb.SetNX(key, order, time.Minute).Result()
	defer rdb.Unlink(key) // want `release-unheld: `
	if err != nil || !ok {
		return errBusy
	}
	return fn()
}

// D10, and D4 in place of a plain Del.
type locks struct{ rdb redis.Cmdable }

func (l *locks) Lock(key string) bool { return l.rdb.SetNX(key, "1", time.Minute).Val() }

func (l *locks) Unlock(key string) { l.rdb.Del(key) } // want `unowned-release: `

type owned struct {
	rdb        *redis.Client
	key, owner string
}

func (o *owned) Acquire() bool { return o.rdb.SetNX(o.key, o.owner, time.Minute).Val() }

func (o *owned) Release() {
	if o.rdb.Get(o.key).Val() == o.owner {
		o.rdb.Del(o.key) // want `get-del-race: `
	}
}

// D5.
var free = redis.NewScript("return redis.call('del', KEYS[1])")

func pick(rdb *redis.Client, bin string, fn func()) {
	if rdb.SetNX("bin:lock:"+bin, "1", time.Minute).Val() {
		fn()
		free.Run(rdb, []string{"bin:lock:" + bin}) // want `unowned-release: `
	}
}

// D1 through Do.
func pack(rdb *redis.Client, box string, fn func()) {
	if rdb.Do("SET", "box:"+box, box, "EX", 60, "NX").Err() == nil {
		fn()
		rdb.Do("DEL", "box:"+box) // want `unowned-release: `
	}
}

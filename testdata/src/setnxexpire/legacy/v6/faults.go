// Package v6 holds a few faults with github.com/go-redis/redis.
package v6

import (
	"errors"
	"time"

	"github.com/go-redis/redis"
)

var errBusy = errors.New("busy")

// A1.
func polish(rdb *redis.Client, lens string, fn func() error) error {
	key := "polish:" + lens
	ok, err := rdb.SetNX(key, "1", 0).Result() // want `setnx-expire: `
	if err != nil || !ok {
		return errBusy
	}
	rdb.Expire(key, time.Minute)
	return fn()
}

// A3.
func lockGrinder(rdb redis.UniversalClient, grinder string) (bool, error) {
	pipe := rdb.Pipeline()
	won := pipe.SetNX("lock:grinder:"+grinder, 1, 0) // want `setnx-expire: `
	pipe.Expire("lock:grinder:"+grinder, time.Minute)
	_, err := pipe.Exec()
	return won.Val(), err
}

// A8.
type locks struct{ rdb redis.Cmdable }

func (l *locks) Lock(key string) bool { return l.rdb.SetNX(key, "1", 0).Val() } // want `no-ttl: `

func (l *locks) Unlock(key string) { l.rdb.Del(key) }

// A14.
func coat(rdb *redis.Client, lens string) error {
	return rdb.Do("SETNX", "coat:"+lens, 1, "EX", 10).Err() // want `bad-args: `
}

// A15.
func cut(rdb *redis.Client, lens string, fn func()) {
	if rdb.Do("SET", "cut:"+lens, 1, "NX").Err() == nil { // want `no-ttl: `
		fn()
		rdb.Del("cut:" + lens)
	}
}

// Package travel has locks that unexported functions free: the token comes to them as
// a parameter.
package travel

import (
	"context"
	"crypto/rand"
	"errors"
	"log"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

func work(ctx context.Context) error { return ctx.Err() }

const held = "held"

type pool struct{ rdb redis.UniversalClient }

// The value is a constant; two methods, called from literals, renew and free the key
// that they are given.
func (p *pool) Register(ctx context.Context, path string, beat time.Duration) (func(), error) {
	ok, err := p.rdb.SetNX(ctx, path, held, beat).Result()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errBusy
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(beat / 3)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if err := p.beat(ctx, path, beat); err != nil {
					p.revoke(path)
					return
				}
			case <-ctx.Done():
				p.revoke(path)
				return
			}
		}
	})
	return func() { cancel(); wg.Wait() }, nil
}

func (p *pool) revoke(path string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if _, err := p.rdb.Del(ctx, path).Result(); err != nil {
		log.Print(err)
	}
}

func (p *pool) beat(ctx context.Context, path string, ttl time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	_, err := p.rdb.Expire(ctx, path, ttl).Result()
	return err
}

// A goroutine frees what its caller acquired.
func Consume(ctx context.Context, rdb *redis.Client, jobs <-chan string) {
	for job := range jobs {
		key := "consume:lock:" + job
		if ok, _ := rdb.SetNX(ctx, key, "1", time.Minute).Result(); !ok {
			continue
		}
		go handle(ctx, rdb, job)
	}
}

func handle(ctx context.Context, rdb *redis.Client, job string) {
	defer func() {
		key := "consume:lock:" + job
		rdb.Del(context.WithoutCancel(ctx), key)
		log.Print("done with ", job)
	}()
	_ = work(ctx)
}

// The caller has the token: the helper gets it.
func Settle(ctx context.Context, rdb *redis.Client, order string) error {
	key, token := "settle:lock:"+order, rand.Text()
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errBusy
	}
	defer giveBack(rdb, key)
	return work(ctx)
}

func giveBack(rdb *redis.Client, key string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	rdb.Del(ctx, key)
}

// What acquires is given the token already, and what frees does not ask for it.
func acquireBerth(ctx context.Context, rdb *redis.Client, berth, token string) (bool, error) {
	return rdb.SetNX(ctx, "berth:lock:"+berth, token, time.Minute).Result()
}

func leaveBerth(rdb *redis.Client, berth string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return rdb.Del(ctx, "berth:lock:"+berth).Err()
}

func Moor(ctx context.Context, rdb *redis.Client, berth string) (err error) {
	mine := rand.Text()
	ok, err := acquireBerth(ctx, rdb, berth, mine)
	if err != nil || !ok {
		return errBusy
	}
	defer func() { err = errors.Join(err, leaveBerth(rdb, berth)) }()
	return work(ctx)
}

// Two calls deep.
func Refit(ctx context.Context, rdb *redis.Client, dock string) error {
	key := "refit:lock:" + dock
	if !rdb.SetNX(ctx, key, "yes", time.Minute).Val() {
		return errBusy
	}
	defer clearDock(rdb, dock)
	return work(ctx)
}

func clearDock(rdb *redis.Client, dock string) {
	log.Print("clear ", dock)
	openDock(context.Background(), rdb, dock)
}

func openDock(ctx context.Context, rdb *redis.Client, dock string) {
	if err := rdb.Unlink(ctx, "refit:lock:"+dock).Err(); err != nil {
		log.Print(err)
	}
}

// The token is lost in the call that stores it; the helper tries again by itself.
func Dredge(ctx context.Context, rdb *redis.Client, channel string) error {
	key := "dredge:lock:" + channel
	if !rdb.SetNX(ctx, key, rand.Text(), time.Minute).Val() {
		return errBusy
	}
	err := work(ctx)
	return errors.Join(err, insist(ctx, rdb, key, 3))
}

func insist(ctx context.Context, rdb *redis.Client, key string, tries int) error {
	err := rdb.Del(ctx, key).Err()
	if err != nil && tries > 0 {
		return insist(ctx, rdb, key, tries-1)
	}
	return err
}

// A handle has the token from its constructor; the script is given it in a slice.
type buoyLock struct {
	rdb        *redis.Client
	key, token string
	ttl        time.Duration
}

func newBuoy(rdb *redis.Client, name string) *buoyLock {
	return &buoyLock{rdb: rdb, key: "buoy:" + name, token: rand.Text(), ttl: time.Minute}
}

var setOnce = redis.NewScript(`return redis.call("set", KEYS[1], ARGV[1], "nx", "px", ARGV[2])`)

func (b *buoyLock) Lock(ctx context.Context) error {
	if err := setOnce.Run(ctx, b.rdb, []string{b.key}, []any{b.token, b.ttl.Milliseconds()}).Err(); err != nil {
		return err
	}
	go b.keep(ctx)
	return nil
}

func (b *buoyLock) keep(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(b.ttl / 3):
			b.rdb.Expire(ctx, b.key, b.ttl)
		}
	}
}

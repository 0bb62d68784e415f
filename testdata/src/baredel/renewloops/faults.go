// Package renewloops keeps a lock alive from loops, tickers and timers that do not
// ask whose the lock is [E1]. Where the key comes from differs: captured, a field,
// a parameter that the acquirer fills in.
package renewloops

import (
	"context"
	"crypto/rand"
	"errors"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var (
	errBusy = errors.New("busy")
	release = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
)

// A package function that gets the key as a parameter and is started with go. The
// Expire is the fault: no caller could mend it.
type ferry struct {
	rdb        *redis.Client
	key, token string
}

func (f *ferry) Lock(ctx context.Context) bool {
	ok, err := f.rdb.SetNX(ctx, f.key, f.token, ttl).Result()
	if err != nil || !ok {
		return false
	}
	go sail(ctx, f.rdb, f.key)
	return true
}

func sail(ctx context.Context, rdb *redis.Client, berth string) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(ttl / 3):
			rdb.Expire(ctx, berth, ttl) // want `unowned-renew: `
		}
	}
}

// The same between two functions, and the key a local variable.
func dredge(ctx context.Context, rdb *redis.ClusterClient, canal string, fn func()) {
	lockKey, token := "canal_lock:"+canal, rand.Text()
	set, err := rdb.SetNX(ctx, lockKey, token, ttl).Result()
	if err != nil || !set {
		return
	}
	stop := make(chan struct{})
	go pump(ctx, rdb, lockKey, ttl, stop)
	fn()
	close(stop)
	release.Run(ctx, rdb, []string{lockKey}, token)
}

func pump(ctx context.Context, rdb *redis.ClusterClient, key string, d time.Duration, stop <-chan struct{}) {
	tick := time.NewTicker(d / 2)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if _, err := rdb.Expire(ctx, key, d).Result(); err != nil { // want `unowned-renew: `
				continue
			}
		case <-stop:
			return
		}
	}
}

// Methods whose names do not say "renew"; that they run in a loop beside the work
// does.
type buoy struct {
	rdb         *redis.Client
	name, token string
}

func (b *buoy) TryLock(ctx context.Context) bool {
	ok, err := b.rdb.SetNX(ctx, "buoy:"+b.name, b.token, ttl).Result()
	if err != nil {
		panic(err)
	}
	if ok {
		go b.dog(ctx)
	}
	return ok
}

func (b *buoy) dog(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(ttl / 3)
		b.more(ctx)
	}
}

func (b *buoy) more(ctx context.Context) bool {
	ok, _ := b.rdb.Expire(ctx, "buoy:"+b.name, ttl).Result() // want `unowned-renew: `
	return ok
}

// A timer in place of a loop: one renewal, after two thirds of the TTL.
type lightship struct {
	rdb  *redis.Client
	held map[string]string
}

func (l *lightship) Lock(ctx context.Context, name, token string) error {
	key := "lightship:lock:" + name
	ok, err := l.rdb.SetNX(ctx, key, token, ttl).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	l.held[key] = token
	time.AfterFunc(20*time.Second, func() {
		l.rdb.Expire(context.WithoutCancel(ctx), key, ttl) // want `unowned-renew: `
	})
	return nil
}

// A timer that its method resets as long as a flag in memory says "held". The flag
// does not know what Redis knows.
type pilot struct {
	cli        *redis.Client
	key, token string
	timer      *time.Timer
	on         bool
}

func (p *pilot) Lock(ctx context.Context) bool {
	p.on = p.cli.SetNX(ctx, p.key, p.token, ttl).Val()
	if p.on {
		p.timer = time.NewTimer(ttl / 2)
		go p.watch(ctx)
	}
	return p.on
}

func (p *pilot) watch(ctx context.Context) {
	for range p.timer.C {
		if !p.on || !p.cli.Expire(ctx, p.key, ttl).Val() { // want `unowned-renew: `
			return
		}
		p.timer.Reset(ttl / 2)
	}
}

// No lock name and no release: a ticker beside the work is enough to tell that the
// key is held while the work runs.
func survey(ctx context.Context, rdb *redis.Client, reef, token string, fn func()) {
	key := "survey:" + reef
	ok, err := rdb.SetNX(ctx, key, token, ttl).Result()
	if err != nil || !ok {
		return
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		tick := time.NewTicker(ttl / 3)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				rdb.Expire(ctx, key, ttl) // want `unowned-renew: `
			}
		}
	}()
	fn()
}

// Between the steps of the work. A step that takes too long loses the lock, and
// the next Expire prolongs the lock of the one who has it now.
func salvage(ctx context.Context, rdb *redis.Client, wreck, token string, steps []func() error) error {
	key := "wreck:lock:" + wreck
	ok, err := rdb.SetNX(ctx, key, token, ttl).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
		rdb.Expire(ctx, key, ttl) // want `unowned-renew: `
	}
	return nil
}

// A leader that reads who leads and then prolongs: the term may end in between.
type harbour struct {
	rdb    redis.UniversalClient
	me     string
	master bool
}

func (h *harbour) elect(ctx context.Context) {
	const leaderKey = "harbour:leader"
	res, err := h.rdb.SetArgs(ctx, leaderKey, h.me, redis.SetArgs{Mode: "NX", TTL: ttl}).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return
	}
	if res == "OK" {
		h.master = true
		return
	}
	who, err := h.rdb.Get(ctx, leaderKey).Result()
	if err != nil {
		log.Print(err)
		return
	}
	if h.master = who == h.me; h.master {
		h.rdb.Expire(ctx, leaderKey, ttl) // want `get-del-race: `
	}
}

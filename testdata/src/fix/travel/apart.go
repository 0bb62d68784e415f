package travel

import (
	"context"
	"crypto/rand"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
)

// Functions that cannot be given the token: it would not reach all of their calls, or
// would reach calls that free something else.

// It deletes keys that are no locks too.
func forget(rdb *redis.Client, key string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	rdb.Del(ctx, key)
}

func Publish(ctx context.Context, rdb *redis.Client, page string) error {
	key, token := "publish:lock:"+page, rand.Text()
	if !rdb.SetNX(ctx, key, token, time.Minute).Val() {
		return errBusy
	}
	defer forget(rdb, key)
	forget(rdb, "page:"+page)
	return work(ctx)
}

// It calls itself with another key.
func sweep(ctx context.Context, rdb *redis.Client, key string, more int) {
	if more > 0 {
		sweep(ctx, rdb, key+":old", more-1)
	}
	rdb.Del(ctx, key)
}

func Rotate(ctx context.Context, rdb *redis.Client, file string) error {
	key := "rotate:lock:" + file
	if !rdb.SetNX(ctx, key, "1", time.Minute).Val() {
		return errBusy
	}
	defer sweep(context.WithoutCancel(ctx), rdb, key, 2)
	return work(ctx)
}

// It is a value as well.
var Hook func(context.Context, *redis.Client, string)

func openGate(ctx context.Context, rdb *redis.Client, gate string) {
	defer work(ctx)
	rdb.Del(ctx, "gate:lock:"+gate)
}

func Pass(ctx context.Context, rdb *redis.Client, gate string) error {
	if !rdb.SetNX(ctx, "gate:lock:"+gate, "1", time.Minute).Val() {
		return errBusy
	}
	Hook = openGate
	defer openGate(context.WithoutCancel(ctx), rdb, gate)
	return work(ctx)
}

// An interface asks for it.
type closer interface {
	close(ctx context.Context, lane string)
}

type lanes struct{ rdb *redis.Client }

func (l *lanes) close(ctx context.Context, lane string) {
	defer work(ctx)
	l.rdb.Del(ctx, "lane:lock:"+lane)
}

func (l *lanes) Open(ctx context.Context, lane string) error {
	if !l.rdb.SetNX(ctx, "lane:lock:"+lane, "1", time.Minute).Val() {
		return errBusy
	}
	defer l.close(context.WithoutCancel(ctx), lane)
	return work(ctx)
}

func CloseAll(ctx context.Context, all []closer) {
	for _, c := range all {
		if l, ok := c.(*lanes); ok {
			_ = l
		}
	}
}

// Somebody calls it who did not acquire, and whom everybody can call.
func lowerBoom(ctx context.Context, rdb *redis.Client, dock string) {
	defer work(ctx)
	rdb.Del(ctx, "boom:lock:"+dock)
}

func Lower(ctx context.Context, rdb *redis.Client, dock string) { lowerBoom(ctx, rdb, dock) }

func Raise(ctx context.Context, rdb *redis.Client, dock string) error {
	if !rdb.SetNX(ctx, "boom:lock:"+dock, "1", time.Minute).Val() {
		return errBusy
	}
	defer lowerBoom(context.WithoutCancel(ctx), rdb, dock)
	return work(ctx)
}

// The token is another by the time that the helper runs.
func Relay(ctx context.Context, rdb *redis.Client, leg string) error {
	token := rand.Text()
	if !rdb.SetNX(ctx, "relay:lock:"+leg, token, time.Minute).Val() {
		return errBusy
	}
	token = "next " + token
	defer passBaton(context.WithoutCancel(ctx), rdb, leg)
	return work(ctx)
}

func passBaton(ctx context.Context, rdb *redis.Client, leg string) {
	defer work(ctx)
	rdb.Del(ctx, "relay:lock:"+leg)
}

// Another variable has the name of the token where the helper is called.
func Weigh(ctx context.Context, rdb *redis.Client, anchor string) error {
	token := rand.Text()
	if !rdb.SetNX(ctx, "weigh:lock:"+anchor, token, time.Minute).Val() {
		return errBusy
	}
	for _, token := range []string{"port", "starboard"} {
		if work(ctx) == nil {
			log.Print(token)
			dropAnchor(ctx, rdb, anchor)
		}
	}
	return nil
}

func dropAnchor(ctx context.Context, rdb *redis.Client, anchor string) {
	defer work(ctx)
	rdb.Del(ctx, "weigh:lock:"+anchor)
}

// Two tokens for one key.
func Tow(ctx context.Context, rdb *redis.Client, ship string, tug bool) error {
	ours, theirs := rand.Text(), rand.Text()
	key := "tow:lock:" + ship
	if tug {
		if !rdb.SetNX(ctx, key, theirs, time.Minute).Val() {
			return errBusy
		}
	} else if !rdb.SetNX(ctx, key, ours, time.Minute).Val() {
		return errBusy
	}
	defer castOff(ctx, rdb, key)
	return work(ctx)
}

func castOff(ctx context.Context, rdb *redis.Client, key string) {
	defer work(ctx)
	rdb.Del(ctx, key)
}

// It is acquired in one goroutine and freed in another.
func Ferry(ctx context.Context, rdb *redis.Client, in, out chan string) {
	go func() {
		for id := range in {
			if board(ctx, rdb, id) {
				out <- id
			}
		}
	}()
	go func() {
		for id := range out {
			disembark(ctx, rdb, id)
		}
	}()
}

func board(ctx context.Context, rdb *redis.Client, id string) bool {
	return rdb.SetNX(ctx, "ferry:lock:"+id, "1", time.Minute).Val()
}

func disembark(ctx context.Context, rdb *redis.Client, id string) {
	defer work(ctx)
	rdb.Del(ctx, "ferry:lock:"+id)
}

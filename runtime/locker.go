package lockrt

import (
	"context"
	"reflect"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Client sends one command. *redis.Client, *redis.ClusterClient, *redis.Ring and
// *redis.AutoPipeliner (the fastest with many goroutines) are Clients. A
// redis.Pipeliner and a *redis.Tx satisfy the interface too, but send later or to one
// connection; New refuses them with [ErrInvalid].
type Client interface {
	Process(ctx context.Context, cmd redis.Cmder) error
}

// A Locker acquires locks. It is safe for concurrent use, needs no closing, and owns
// no goroutine while it waits for no answer. Waiters of one Locker for one key form a
// line; only the first of them talks to Redis. A process should therefore share one Locker for each
// Redis deployment.
type Locker struct {
	client   Client
	opt      options
	epoch    time.Time // what now counts from
	requests sync.Pool // of *request

	mu    sync.Mutex
	lines map[string]*Lock // the head of each key's line
	room  int              // how many lines there may be before they are looked through
}

// New returns a Locker. opts are the defaults of every acquisition.
func New(c Client, opts ...Option) (*Locker, error) {
	if isNil(c) {
		return nil, invalid("nil client (%T)", c)
	}
	switch c.(type) {
	case redis.Pipeliner, *redis.Tx:
		return nil, invalid("%T does not send a command at once; pass the client it was made from", c)
	}
	o, err := defaults.with(opts)
	if err != nil {
		return nil, err
	}
	return &Locker{
		client:   c,
		opt:      *o,
		epoch:    time.Now().Add(-1), // so that now is never 0, which means no time
		requests: sync.Pool{New: newRequest},
		lines:    make(map[string]*Lock),
	}, nil
}

// isNil says whether a client is nil, or an interface around a nil pointer.
func isNil(client any) bool {
	v := reflect.ValueOf(client)
	return client == nil || v.Kind() == reflect.Pointer && v.IsNil()
}

// now is the monotonic clock, as time since the Locker was made: a change of the
// machine's clock does not touch a lease.
func (l *Locker) now() time.Duration { return time.Since(l.epoch) }

// newLock checks the arguments of an acquisition and makes its record.
func (l *Locker) newLock(key string, ttl time.Duration, opts []Option) (*Lock, error) {
	if l == nil || l.client == nil {
		return nil, invalid("a Locker that New did not make")
	}
	if key == "" {
		return nil, invalid("empty key")
	}
	if err := checkTTL(ttl); err != nil {
		return nil, err
	}
	o, err := l.opt.with(opts)
	if err != nil {
		return nil, err
	}
	if o.fencing {
		if _, err := fenceKey(key); err != nil {
			return nil, err
		}
	}
	return &Lock{locker: l, opt: o, key: key, ttl: ttl}, nil
}

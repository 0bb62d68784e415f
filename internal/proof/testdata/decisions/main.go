// Decisions are functions whose fix holds a decision: it is made with -fixes=all.
package main

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/internal/proof/harness"
)

var errBusy = harness.ErrBusy

const compareAndDelete = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`

func work(ctx context.Context) error { return ctx.Err() }

func freedCmd(ctx context.Context, rdb *redis.Client, id, token string) *redis.IntCmd {
	key := "freedCmd:lock:" + id
	if !rdb.SetNX(ctx, key, token, time.Hour).Val() {
		return redis.NewIntResult(0, errBusy)
	}
	_ = work(ctx)
	return rdb.Del(ctx, key)
}

func workBetween(ctx context.Context, rdb *redis.Client, id, token string) error {
	key := "workBetween:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	if err := work(ctx); err != nil {
		return err
	}
	return rdb.Expire(ctx, key, time.Hour).Err()
}

func untilEnd(ctx context.Context, rdb *redis.Client, id, token string, end time.Time) error {
	key := "untilEnd:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() {
		return errBusy
	}
	rdb.Expire(ctx, key, time.Until(end))
	return work(ctx)
}

func losersToo(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	lockKey := "losersToo:lock:" + id
	ok, err := rdb.SetNX(ctx, lockKey, token, 0).Result()
	rdb.Expire(ctx, lockKey, time.Hour)
	if err != nil || !ok {
		return ok, err
	}
	return true, work(ctx)
}

func errOnly(ctx context.Context, rdb *redis.Client, id, token string) error {
	lockKey := "errOnly:lock:" + id
	if err := rdb.SetNX(ctx, lockKey, token, 0).Err(); err != nil {
		return err
	}
	rdb.Expire(ctx, lockKey, time.Hour)
	defer rdb.Eval(ctx, compareAndDelete, []string{lockKey}, token)
	return work(ctx)
}

func errKept(ctx context.Context, rdb *redis.Client, id, token string) error {
	lockKey := "errKept:lock:" + id
	_, err := rdb.SetNX(ctx, lockKey, token, 0).Result()
	if err != nil {
		return err
	}
	rdb.Expire(ctx, lockKey, time.Hour)
	defer rdb.Eval(ctx, compareAndDelete, []string{lockKey}, token)
	return work(ctx)
}

func ignored(ctx context.Context, rdb *redis.Client, id, token string) error {
	lockKey := "ignored:lock:" + id
	rdb.SetNX(ctx, lockKey, token, 0)
	rdb.Expire(ctx, lockKey, time.Hour)
	defer rdb.Eval(ctx, compareAndDelete, []string{lockKey}, token)
	return work(ctx)
}

func ifPositive(ctx context.Context, rdb *redis.Client, id, token string, ttl time.Duration) (bool, error) {
	key := "ifPositive:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return false, err
	}
	if ttl > 0 {
		if err := rdb.Expire(ctx, key, ttl).Err(); err != nil {
			return false, err
		}
	}
	return true, nil
}

func valReturned(ctx context.Context, rdb *redis.Client, id, token string) bool {
	key := "valReturned:lock:" + id
	try := func() bool { return rdb.SetNX(ctx, key, token, 0).Val() }
	if !try() {
		return false
	}
	rdb.Expire(ctx, key, time.Hour)
	return work(ctx) == nil
}

func resultReturned(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "resultReturned:lock:" + id
	try := func() (bool, error) {
		return rdb.SetNX(ctx, key, token, 0).Result()
	}
	ok, err := try()
	if err != nil || !ok {
		return false, err
	}
	rdb.Expire(ctx, key, time.Hour)
	return true, work(ctx)
}

func valNotEqual(ctx context.Context, rdb *redis.Client, id, token string) bool {
	const lost = true
	key := "valNotEqual:lock:" + id
	if !rdb.SetNX(ctx, key, token, 0).Val() == lost {
		return false
	}
	rdb.Expire(ctx, key, time.Hour)
	return true
}

func deferredExpire(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "deferredExpire:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return ok, err
	}
	defer rdb.Expire(ctx, key, time.Hour)
	return true, work(ctx)
}

// XX sets an expiry only where there is one: it never does.
func expireXX(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	key := "expireXX:lock:" + id
	ok, err := rdb.SetNX(ctx, key, token, 0).Result()
	if err != nil || !ok {
		return ok, err
	}
	rdb.ExpireXX(ctx, key, time.Hour)
	return true, work(ctx)
}

func noEvidence(ctx context.Context, rdb *redis.Client, id, token string) (bool, error) {
	pipe := rdb.Pipeline()
	got := pipe.SetNX(ctx, "noEvidence:job:"+id, token, 0)
	pipe.Expire(ctx, "noEvidence:job:"+id, time.Hour)
	_, err := pipe.Exec(ctx)
	return got.Val(), err
}

// A mutex is one handle for one lock: the token is kept in it.
type mutex struct {
	rdb  *redis.Client
	name string
	ttl  time.Duration // of the lease
}

func (m *mutex) Lock(ctx context.Context) error {
	ok, err := m.rdb.SetNX(ctx, "mutex:lock:"+m.name, "1", m.ttl).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	return nil
}

func (m *mutex) TryLock(ctx context.Context) (bool, error) {
	return m.rdb.SetNX(ctx, "mutex:lock:"+m.name, "1", m.ttl).Result()
}

func (m *mutex) Unlock(ctx context.Context) error {
	return m.rdb.Del(ctx, "mutex:lock:"+m.name).Err()
}

func (m *mutex) Extend(ctx context.Context) (bool, error) {
	return m.rdb.Expire(ctx, "mutex:lock:"+m.name, 2*m.ttl).Result()
}

// A lease whose first command sets no expiry either.
type lease struct {
	rdb *redis.Client
	key string
}

func (l *lease) Acquire(ctx context.Context) bool {
	if ok, err := l.rdb.SetNX(ctx, l.key, 1, 0).Result(); err != nil || !ok {
		return false
	}
	l.rdb.Expire(ctx, l.key, time.Hour)
	return true
}

func (l *lease) Release(ctx context.Context) { l.rdb.Del(ctx, l.key) }

func newMutex(s *harness.Scene) *mutex { return &mutex{rdb: s.Client(), name: s.ID, ttl: time.Hour} }

func main() {
	harness.Main(map[string]harness.Form{
		"workBetween": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(workBetween(ctx, s.Client(), s.ID, s.Token))
		},
		"untilEnd": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(untilEnd(ctx, s.Client(), s.ID, s.Token, time.Now().Add(time.Hour)))
		},
		"losersToo": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(losersToo(ctx, s.Client(), s.ID, s.Token))
		},
		"errOnly": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(errOnly(ctx, s.Client(), s.ID, s.Token))
		},
		"errKept": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(errKept(ctx, s.Client(), s.ID, s.Token))
		},
		"ignored": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(ignored(ctx, s.Client(), s.ID, s.Token))
		},
		"ifPositive": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(ifPositive(ctx, s.Client(), s.ID, s.Token, time.Hour))
		},
		"valReturned": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(valReturned(ctx, s.Client(), s.ID, s.Token))
		},
		"resultReturned": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(resultReturned(ctx, s.Client(), s.ID, s.Token))
		},
		"valNotEqual": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(valNotEqual(ctx, s.Client(), s.ID, s.Token))
		},
		"deferredExpire": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(deferredExpire(ctx, s.Client(), s.ID, s.Token))
		},
		"expireXX": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(expireXX(ctx, s.Client(), s.ID, s.Token))
		},
		"noEvidence": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(noEvidence(ctx, s.Client(), s.ID, s.Token))
		},
		"mutex": func(ctx context.Context, s *harness.Scene) string {
			m := newMutex(s)
			if err := m.Lock(ctx); err != nil {
				return harness.Show(err)
			}
			return harness.Show(m.Unlock(ctx))
		},
		"mutexTry": func(ctx context.Context, s *harness.Scene) string {
			m := newMutex(s)
			if ok, err := m.TryLock(ctx); err != nil || !ok {
				return harness.Show(ok, err)
			}
			return harness.Show(m.Unlock(ctx))
		},
		"mutexExtend": func(ctx context.Context, s *harness.Scene) string {
			m := newMutex(s)
			if ok, err := m.TryLock(ctx); err != nil || !ok {
				return harness.Show(ok, err)
			}
			ok, err := m.Extend(ctx)
			return harness.Show(ok, errors.Join(err, m.Unlock(ctx)))
		},
		"freedCmd": func(ctx context.Context, s *harness.Scene) string {
			return harness.Show(freedCmd(ctx, s.Client(), s.ID, s.Token).Result())
		},
		"lease": func(ctx context.Context, s *harness.Scene) string {
			l := &lease{rdb: s.Client(), key: "lease:lock:" + s.ID}
			if !l.Acquire(ctx) {
				return harness.Show("busy")
			}
			l.Release(ctx)
			return harness.Show()
		},
	})
}

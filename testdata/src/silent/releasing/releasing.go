// Package releasing frees its locks in ways that are right, or that no pass
// judges.
package releasing

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const ttl = 30 * time.Second

var (
	errBusy = errors.New("busy")
	unlock  = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`)
	// Deletes with an early return and tells others about it [D5].
	notify = redis.NewScript(`
		if redis.call("GET", KEYS[1]) ~= ARGV[1] then
			return 0
		end
		redis.call("UNLINK", KEYS[1])
		return redis.call("PUBLISH", KEYS[1] .. ":free", "1")`)
)

func lockKey(id string) string { return "lock:print:" + id }

// D1, D12: a ctx of its own, with a time limit.
func bounded(ctx context.Context, rdb *redis.Client, id string, fn func() error) error {
	token := rand.Text()
	ok, err := rdb.SetNX(ctx, lockKey(id), token, ttl).Result()
	if err != nil || !ok {
		return errBusy
	}
	defer func() {
		c, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if err := unlock.Run(c, rdb, []string{lockKey(id)}, token).Err(); err != nil {
			fmt.Println(err)
		}
	}()
	return fn()
}

// D12: Background, and no limit.
func background(r *http.Request, rdb *redis.Client, fn func() error) error {
	key, token := "lock:upload:"+r.URL.Path, rand.Text()
	if ok, err := rdb.SetNX(r.Context(), key, token, ttl).Result(); err != nil || !ok {
		return errBusy
	}
	defer notify.Run(context.Background(), rdb, []string{key}, token)
	return fn()
}

// D2: before the attempt, with a compare.
func early(ctx context.Context, rdb *redis.Client, id string, fn func() error) error {
	key, token := "lock:early:"+id, rand.Text()
	defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	if ok, err := rdb.SetNX(ctx, key, token, ttl).Result(); err != nil || !ok {
		return errBusy
	}
	return fn()
}

// D11: written otherwise on the other side, the same text.
func spelled(ctx context.Context, rdb *redis.Client, id string, fn func() error) error {
	token := rand.Text()
	if ok, err := rdb.SetNX(ctx, fmt.Sprintf("lock:print:%s", id), token, ttl).Result(); err != nil || !ok {
		return errBusy
	}
	defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{lockKey(id)}, token)
	return fn()
}

// D12, D13: the same ctx, not deferred, only on success, the result not read.
func onSuccess(ctx context.Context, rdb *redis.Client, id string, fn func() error) error {
	key, token := "lock:success:"+id, rand.Text()
	if ok, err := rdb.SetNX(ctx, key, token, 2*time.Second).Result(); err != nil || !ok {
		return errBusy
	}
	if err := fn(); err != nil {
		return err // left to its TTL [D18]
	}
	unlock.Run(ctx, rdb, []string{key}, token)
	return nil
}

// D14: deferred in a literal that is called in the loop.
func each(ctx context.Context, rdb *redis.Client, jobs <-chan string, fn func(string)) {
	for job := range jobs {
		func() {
			key, token := "lock:each:"+job, rand.Text()
			if rdb.SetNX(ctx, key, token, ttl).Val() {
				defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
				fn(job)
			}
		}()
	}
}

// D15: the lock goes into the goroutine with the work.
func moved(ctx context.Context, rdb *redis.Client, id string, fn func()) {
	key, token := "lock:moved:"+id, rand.Text()
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return
	}
	go func() {
		defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
		fn()
	}()
}

// D15: the goroutines are done before the release.
func joined(ctx context.Context, rdb *redis.Client, id string, fns ...func()) {
	key, token := "lock:joined:"+id, rand.Text()
	if !rdb.SetNX(ctx, key, token, ttl).Val() {
		return
	}
	defer unlock.Run(context.WithoutCancel(ctx), rdb, []string{key}, token)
	var wg sync.WaitGroup
	for _, fn := range fns {
		wg.Go(fn)
	}
	wg.Wait()
}

// D18: held on purpose, the release is the caller's.
func handOver(ctx context.Context, rdb *redis.Client, id string) (string, error) {
	token := rand.Text()
	if ok, err := rdb.SetNX(ctx, "lock:handed:"+id, token, ttl).Result(); err != nil || !ok {
		return "", errBusy
	}
	return token, nil
}

func takeBack(ctx context.Context, rdb *redis.Client, id, token string) error {
	return unlock.Run(ctx, rdb, []string{"lock:handed:" + id}, token).Err()
}

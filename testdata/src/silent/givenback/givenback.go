// Package givenback marks work as done before it does it, and takes the mark back
// where the work failed, so that a later attempt may try again [F1]. How the
// failure is told differs; a path on which the work succeeded always keeps the
// mark, and so none of these is a lock.
package givenback

import (
	"context"
	"errors"
	"log"
	"net/http"
	"time"

	"github.com/redis/go-redis/v9"
)

const day = 24 * time.Hour

var errFatal = errors.New("fatal")

// Success returns from inside the retry loop, so the Del behind the loop is
// reached only after three failures, although it stands on no condition.
func refund(ctx context.Context, rdb *redis.Client, order string, pay func() error) error {
	key := "refunded:" + order
	ok, err := rdb.SetNX(ctx, key, "1", day).Result()
	if err != nil {
		return err
	}
	if !ok {
		return nil
	}
	for range 3 {
		if err := pay(); err == nil {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	rdb.Del(ctx, key)
	return nil
}

// The last error leaves the loop with the failure.
func ship(ctx context.Context, rdb *redis.Client, order string, call func() error) error {
	key := "shipped:" + order
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return err
	}
	var last error
	for range 3 {
		if last = call(); last == nil {
			return nil
		}
	}
	rdb.Del(ctx, key)
	return last
}

// The loop breaks off, and the error is asked behind it.
func pack(ctx context.Context, rdb *redis.Client, order string, call func() error, ack func()) {
	key := "packed:" + order
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return
	}
	var last error
	for range 3 {
		if last = call(); last == nil {
			break
		}
	}
	if last != nil {
		log.Print(last)
		_ = rdb.Del(ctx, key).Err()
	}
	ack()
}

// A flag says how the loop ended.
func dispatch(ctx context.Context, rdb *redis.Client, order string, send func() error, ack, nack func()) {
	key := "dispatched:" + order
	first, err := rdb.SetNX(ctx, key, "1", day).Result()
	if err != nil || !first {
		ack()
		return
	}
	sent := false
	for range 5 {
		if send() == nil {
			sent = true
			break
		}
	}
	if sent {
		ack()
	} else {
		rdb.Del(ctx, key)
		nack()
	}
}

// The work answers with a bool, and success leaves first.
func stamp(ctx context.Context, rdb *redis.Client, order string, print func() bool) {
	key := "stamped:" + order
	if !rdb.SetNX(ctx, key, "1", day).Val() {
		return
	}
	if print() {
		return
	}
	rdb.Del(ctx, key)
}

// The other way round, and with nothing behind it.
func book(ctx context.Context, rdb *redis.Client, order string, write func() error) error {
	key := "booked:" + order
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return err
	}
	if err := write(); err == nil {
		return nil
	}
	rdb.Del(ctx, key)
	return errFatal
}

// A status code is the error.
func webhook(ctx context.Context, rdb *redis.Client, order string, post func() (*http.Response, error)) error {
	key := "webhook:" + order
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return err
	}
	res, err := post()
	if err != nil || res.StatusCode >= http.StatusBadRequest {
		rdb.Del(ctx, key)
		return err
	}
	return nil
}

func pixel(ctx context.Context, rdb *redis.Client, order string, code func() int) {
	key := "pixel:" + order
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return
	}
	if code() != http.StatusOK {
		rdb.Del(ctx, key)
	}
}

// A field of the answer is.
type receipt struct {
	Accepted bool
	Problem  string
}

func declare(ctx context.Context, rdb *redis.Client, parcel string, customs func() *receipt) error {
	key := "declared:" + parcel
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return err
	}
	if r := customs(); !r.Accepted || r.Problem != "" {
		rdb.Del(ctx, key)
	}
	return nil
}

// A count is: nothing was written.
func count(ctx context.Context, rdb *redis.Client, parcel string, update func() int) error {
	key := "counted:" + parcel
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return err
	}
	if update() == 0 {
		rdb.Del(ctx, key)
	}
	return nil
}

// A nil answer is, with no error beside it.
func route(ctx context.Context, rdb *redis.Client, parcel string, find func() (*receipt, error)) (*receipt, error) {
	key := "routed:" + parcel
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return nil, err
	}
	r, err := find()
	if err != nil || r == nil {
		rdb.Del(ctx, key)
		return nil, err
	}
	return r, nil
}

// A list of failures is.
func bulk(ctx context.Context, rdb *redis.Client, batch string, all func() []error) {
	key := "bulk:" + batch
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return
	}
	if errs := all(); len(errs) > 0 {
		rdb.Del(ctx, key)
	}
}

// A state is: the job wants to come again.
func poll(ctx context.Context, rdb *redis.Client, parcel string, ask func() (string, error)) error {
	key := "polled:" + parcel
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return err
	}
	switch state, err := ask(); {
	case err != nil:
		rdb.Del(ctx, key)
		return err
	case state == "retry", state == "failed":
		rdb.Del(ctx, key)
		return nil
	}
	return rdb.Set(ctx, key, "done", 7*day).Err()
}

// Given back before the work began: the order is not fit for it. The other path
// keeps the mark.
func insure(ctx context.Context, rdb *redis.Client, order string, fit func() bool, do func() error) error {
	key := "insured:" + order
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return err
	}
	if !fit() {
		rdb.Del(ctx, key)
		return nil
	}
	return do()
}

// Not every failure may be tried again.
func bill(ctx context.Context, rdb *redis.Client, order string, do func() error) error {
	key := "billed:" + order
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return err
	}
	err := do()
	if err != nil && !errors.Is(err, errFatal) {
		rdb.Del(ctx, key)
	}
	return err
}

// The caller went away first.
func await(ctx context.Context, rdb *redis.Client, order string, done <-chan struct{}) error {
	key := "awaited:" + order
	if ok, err := rdb.SetNX(ctx, key, "1", day).Result(); err != nil || !ok {
		return err
	}
	select {
	case <-ctx.Done():
		rdb.Del(context.WithoutCancel(ctx), key)
		return ctx.Err()
	case <-done:
		return nil
	}
}

package lockrt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// A fakeRedis is a Client that keeps keys in memory, by the clock of its synctest
// bubble. It knows the requests that this package sends, and nothing else.
type fakeRedis struct {
	t *testing.T

	mu    sync.Mutex
	keys  map[string]fakeKey
	fence int64
	sent  [][]any     // every request
	fates []fate      // of the next requests
	fate  func() fate // of those after them; nil: 1 ms each
}

type fakeKey struct {
	value string
	until time.Time
}

// A fate is what happens to one request.
type fate struct {
	before, after time.Duration // it takes before it is applied, and before its answer is there
	lose          bool          // not applied, and the error is io.EOF
	err           error         // in place of the answer; applied if it is io.EOF
	heldBack      time.Duration // with io.EOF: a connection keeps it so long before it is applied
}

func newFake(t *testing.T, fates ...fate) *fakeRedis {
	return &fakeRedis{t: t, keys: map[string]fakeKey{}, fates: fates}
}

func (f *fakeRedis) locker(opts ...Option) *Locker {
	f.t.Helper()
	l, err := New(f, opts...)
	if err != nil {
		f.t.Fatal(err)
	}
	return l
}

// next sets the fates of the next requests.
func (f *fakeRedis) next(fates ...fate) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fates = fates
}

func (f *fakeRedis) Process(_ context.Context, cmd redis.Cmder) error {
	f.mu.Lock()
	f.sent = append(f.sent, cmd.Args())
	now := fate{before: time.Millisecond}
	if len(f.fates) > 0 {
		now, f.fates = f.fates[0], f.fates[1:]
	} else if f.fate != nil {
		now = f.fate()
	}
	f.mu.Unlock()

	time.Sleep(now.before)
	if now.heldBack > 0 {
		time.AfterFunc(now.heldBack, func() { _, _ = f.apply(cmd.Args()) })
		now.lose = true // as far as the caller can know
	}
	if now.lose || now.err != nil && !errors.Is(now.err, io.EOF) {
		if now.err == nil {
			now.err = io.EOF
		}
		time.Sleep(now.after)
		cmd.SetErr(now.err)
		return now.err
	}
	n, err := f.apply(cmd.Args())
	time.Sleep(now.after)
	if now.err != nil {
		err = now.err
	}
	if err != nil {
		cmd.SetErr(err)
		return err
	}
	switch c := cmd.(type) {
	case onceBool:
		c.SetVal(n == 1)
	case onceInt:
		c.SetVal(n)
	default:
		f.t.Errorf("a request of type %T", cmd)
	}
	return nil
}

// apply is the server's side: the meaning of each script, not its text.
func (f *fakeRedis) apply(args []any) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	set := func(key string, token, ms any) {
		f.keys[key] = fakeKey{fmt.Sprint(token), time.Now().Add(time.Duration(ms.(int64)) * time.Millisecond)}
	}
	extend := func(key string, token, ms any) {
		if k := f.keys[key]; f.live(key) == "" || time.Until(k.until) < time.Duration(ms.(int64))*time.Millisecond {
			set(key, token, ms)
		}
	}
	if args[0] == "set" {
		key := args[1].(string)
		if f.live(key) != "" {
			return 0, nil
		}
		set(key, args[2], args[4])
		return 1, nil
	}
	key := args[3].(string)
	v := f.live(key)
	switch args[1] {
	case reclaimScript.sha:
		if v != "" && v != args[4] {
			return 0, nil
		}
		extend(key, args[4], args[5])
		return 1, nil
	case fenceScript.sha:
		if v != "" && v != args[5] {
			return 0, nil
		}
		extend(key, args[5], args[6])
		f.fence++
		return f.fence, nil
	case renewScript.sha:
		if v == "" {
			return answerMissing, nil
		} else if v != args[4] {
			return answerTaken, nil
		}
		extend(key, args[4], args[5])
		return answerDone, nil
	case releaseScript.sha:
		if v == "" {
			return answerMissing, nil
		} else if v != args[4] {
			return answerTaken, nil
		}
		delete(f.keys, key)
		return answerDone, nil
	}
	return 0, errors.New("fakeRedis does not know " + fmt.Sprint(args))
}

func (f *fakeRedis) live(key string) string {
	k, ok := f.keys[key]
	if !ok || !time.Now().Before(k.until) {
		return ""
	}
	return k.value
}

// value is the value of a key, "" without one.
func (f *fakeRedis) value(key string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.live(key)
}

// until is when the key expires.
func (f *fakeRedis) until(key string) time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.keys[key].until
}

func (f *fakeRedis) put(key, value string, ttl time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keys[key] = fakeKey{value, time.Now().Add(ttl)}
}

// requests counts what was sent so far, by name: set, or that of the script.
func (f *fakeRedis) requests() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	names := map[any]string{reclaimScript.sha: "reclaim", renewScript.sha: "renew", releaseScript.sha: "release"}
	n := map[string]int{}
	for _, args := range f.sent {
		if args[0] == "set" {
			n["set"]++
		} else {
			n[names[args[1]]]++
		}
	}
	return n
}

// reply is an error of the server.
type reply string

func (r reply) Error() string { return string(r) }
func (reply) RedisError()     {}

package lockrt

import (
	"context"
	"strings"
	"time"
)

// fenceKeep is how long a fence counter stays after its last use: long enough that a
// server clock set back by hours does not make its numbers fall.
const fenceKeep = 24 * time.Hour

// fenceKey names the counter so that Redis Cluster keeps it in the slot of key. The
// slot is that of the part in the first {…}, if there is one and it is not empty, else of
// the whole key.
func fenceKey(key string) (string, error) {
	if _, rest, ok := strings.Cut(key, "{"); ok {
		if tag, _, ok := strings.Cut(rest, "}"); ok && tag != "" {
			return key + ":fence", nil
		}
	}
	if strings.Contains(key, "}") {
		return "", invalid("key %q: with Fencing, a key with a } needs a {tag}, or its counter cannot be in the same slot", key)
	}
	return "{" + key + "}:fence", nil
}

// Fence is the number of the innermost lock that ctx comes from, by [Locker.Do] or
// [Lock.Context]; 0 without one, or without [Fencing]. It is for the fn of Do, which has no Lock at
// hand.
func Fence(ctx context.Context) int64 {
	if c, ok := ctx.Value(innermost{}).(*scope); ok {
		return c.lock.fence
	}
	return 0
}

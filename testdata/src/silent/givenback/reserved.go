package givenback

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Names reserved together: what was reserved so far is given back when one is
// taken, and all are kept when none is.
func reserveAll(ctx context.Context, rdb *redis.Client, names []string, shop string) bool {
	var mine []string
	for _, name := range names {
		key := "name:" + name
		if !rdb.SetNX(ctx, key, shop, 0).Val() {
			rdb.Del(ctx, mine...)
			return false
		}
		mine = append(mine, key)
	}
	return true
}

// The same, in a loop of its own, behind a look at the length.
func reserveEach(ctx context.Context, rdb *redis.Client, names []string, shop string) bool {
	won := map[string]bool{}
	for _, name := range names {
		if rdb.SetNX(ctx, "label:"+name, shop, 0).Val() {
			won[name] = true
			continue
		}
		if len(won) > 0 {
			for n := range won {
				rdb.Del(ctx, "label:"+n)
			}
		}
		return false
	}
	return true
}

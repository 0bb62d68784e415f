package scripts

import (
	"context"
	"crypto/rand"
	_ "embed"
	"time"

	"github.com/redis/go-redis/v9"
)

//go:embed lua/release.lua
var releaseText string

//go:embed lua/release.lua
var releaseBytes []byte

var (
	// Early return and an extra effect.
	earlyReturn = redis.NewScript(`
		local owner = redis.call("GET", KEYS[1])
		if owner ~= ARGV[1] then return 0 end -- not ours
		redis.call("DEL", KEYS[1])
		redis.call("PUBLISH", KEYS[2], "free")
		return 1`)
	// pcall, single quotes, the comparison the other way round.
	pcalled = redis.NewScript(`if ARGV[1] == redis.pcall('get', KEYS[1]) then return redis.pcall('unlink', KEYS[1]) end`)
	// The owner is a field of a hash.
	hashOwner = redis.NewScript(`
		if redis.call('hget', KEYS[1], 'owner') == ARGV[1] then
			return redis.call('del', KEYS[1])
		end
		return 0`)
	// The owner is inside a JSON document.
	jsonOwner = redis.NewScript(`
		local raw = redis.call('GET', KEYS[1])
		if not raw then return 0 end
		if cjson.decode(raw).owner ~= ARGV[1] then return 0 end
		return redis.call('DEL', KEYS[1])`)
	// Compares with a constant: that is a fault of the value, not of the script.
	constant = redis.NewScript(`if redis.call("get", KEYS[1]) == "locked" then return redis.call("del", KEYS[1]) end return 0`)
	// Re-entrant: the count of this owner goes down, the last one frees.
	reentrant = redis.NewScript(`
		if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return nil end
		if redis.call('hincrby', KEYS[1], ARGV[1], -1) > 0 then return 0 end
		redis.call('del', KEYS[1])
		return 1`)
)

type tenantGate struct {
	rdb        *redis.Client
	key, token string
}

func (g *tenantGate) Acquire(ctx context.Context) (bool, error) {
	return g.rdb.SetNX(ctx, g.key, g.token, time.Minute).Result()
}

func (g *tenantGate) Release(ctx context.Context) error {
	return earlyReturn.Run(ctx, g.rdb, []string{g.key, "freed"}, g.token).Err()
}

func (g *tenantGate) ReleasePcall(ctx context.Context) error {
	return pcalled.Run(ctx, g.rdb, []string{g.key}, g.token).Err()
}

func (g *tenantGate) ReleaseHash(ctx context.Context) error {
	return hashOwner.Run(ctx, g.rdb, []string{g.key}, g.token).Err()
}

func (g *tenantGate) ReleaseJSON(ctx context.Context) error {
	return jsonOwner.Run(ctx, g.rdb, []string{g.key}, g.token).Err()
}

func (g *tenantGate) ReleaseConstant(ctx context.Context) error {
	return constant.Run(ctx, g.rdb, []string{g.key}).Err()
}

func (g *tenantGate) ReleaseReentrant(ctx context.Context) error {
	return reentrant.Run(ctx, g.rdb, []string{g.key}, g.token).Err()
}

func (g *tenantGate) ReleaseEmbedded(ctx context.Context) error {
	return redis.NewScript(releaseText).Run(ctx, g.rdb, []string{g.key}, g.token).Err()
}

func (g *tenantGate) ReleaseBytes(ctx context.Context) error {
	return g.rdb.Eval(ctx, string(releaseBytes), []string{g.key}, g.token).Err()
}

// By digest: the text is known here, and compares.
func (g *tenantGate) ReleaseSha(ctx context.Context) error {
	return g.rdb.EvalSha(ctx, pcalled.Hash(), []string{g.key}, g.token).Err()
}

// A text that is only known when the program runs: nothing to say.
func (g *tenantGate) ReleaseWith(ctx context.Context, text string) error {
	return g.rdb.Eval(ctx, text, []string{g.key}, g.token).Err()
}

// The old token as KEYS[2]: odd and cluster-hostile, but it compares [D6].
func (g *tenantGate) ReleaseKeys(ctx context.Context) error {
	const text = `if redis.call("get", KEYS[1]) == KEYS[2] then return redis.call("del", KEYS[1]) end return 0`
	return g.rdb.Eval(ctx, text, []string{g.key, g.token}).Err()
}

// A script that deletes, and no lock: an emptied basket.
var emptyBasket = redis.NewScript(`return redis.call("del", KEYS[1], KEYS[2])`)

func checkout(ctx context.Context, rdb *redis.Client, user string) error {
	return emptyBasket.Run(ctx, rdb, []string{"basket:" + user, "basket:total:" + user}).Err()
}

// Helper around the script, and the compare inside it.
func unlockWith(ctx context.Context, rdb redis.Scripter, s *redis.Script, key, token string) bool {
	n, err := s.Run(ctx, rdb, []string{key}, token).Int()
	return err == nil && n == 1
}

func trim(ctx context.Context, rdb *redis.Client, log string, fn func()) {
	key, token := "trim:"+log, rand.Text()
	if rdb.SetNX(ctx, key, token, time.Minute).Val() {
		defer unlockWith(context.WithoutCancel(ctx), rdb, pcalled, key, token)
		fn()
	}
}

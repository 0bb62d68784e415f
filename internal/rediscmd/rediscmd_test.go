package rediscmd_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/locklint/locklint/internal/defs"
	"github.com/locklint/locklint/internal/rediscmd"
	"github.com/locklint/locklint/internal/typetest"
)

var universe *typetest.Universe

func TestMain(m *testing.M) {
	paths := slices.DeleteFunc(rediscmd.ImportPaths(), func(path string) bool {
		return path == "github.com/go-redis/redis/v9" // it was only ever a beta
	})
	u, err := typetest.New("../..", append(paths, "context", "time", "fmt")...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	universe = u
	os.Exit(m.Run())
}

// commands type-checks a source and shows, line by line, the command that each call
// in f sends; calls that send none are left out.
func commands(t testing.TB, src string) []string {
	t.Helper()
	p := universe.MustPackage(t, "example.com/m/p", src)
	rec := &rediscmd.Recognizer{Info: p.TypesInfo, Defs: defs.New(p.Syntax, p.TypesInfo)}
	var out []string
	for _, d := range p.Syntax[0].Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil || fd.Name.Name != "f" {
			continue
		}
		ast.Inspect(fd.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if c := rec.Command(call); c != nil {
					out = append(out, show(c))
				}
			}
			return true
		})
	}
	return out
}

var verbNames = map[rediscmd.Verb]string{
	rediscmd.Set: "set", rediscmd.Get: "get", rediscmd.GetSet: "getset", rediscmd.GetDel: "getdel", rediscmd.GetEx: "getex",
	rediscmd.Del: "del", rediscmd.DelEx: "delex", rediscmd.Expire: "expire", rediscmd.Persist: "persist",
	rediscmd.Script: "script", rediscmd.Inspect: "inspect", rediscmd.Data: "data",
}

var condNames = map[rediscmd.Cond]string{
	rediscmd.IfAbsent: "nx", rediscmd.IfPresent: "xx", rediscmd.IfEqual: "ifeq", rediscmd.IfDifferent: "ifne", rediscmd.CondUnknown: "cond?",
}

func show(c *rediscmd.Command) string {
	words := []string{verbNames[c.Verb]}
	add := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	keys := make([]string, len(c.Keys))
	for i, k := range c.Keys {
		keys[i] = types.ExprString(k)
	}
	if c.Spread {
		keys[len(keys)-1] += "..."
	}
	if len(keys) > 0 {
		add("%s", strings.Join(keys, ","))
	}
	if c.Value != nil {
		add("value=%s", types.ExprString(c.Value))
	}
	if c.Cond != rediscmd.Always {
		add("%s", condNames[c.Cond])
	}
	if c.Match != nil {
		add("match=%s", types.ExprString(c.Match))
	}
	if c.Verb == rediscmd.Set || c.Verb == rediscmd.Expire || c.Verb == rediscmd.GetEx {
		switch {
		case c.TTL.Kind == rediscmd.TTLNone:
			add("ttl=none")
		case c.TTL.Kind == rediscmd.TTLKeep:
			add("ttl=keep")
		case c.TTL.Kind == rediscmd.TTLConst:
			add("ttl=%v", c.TTL.Dur)
		default:
			add("ttl=?")
		}
		if c.TTL.At {
			add("at")
		}
		if c.TTL.Clash {
			add("clash")
		}
	}
	if c.OnlyIf != "" {
		add("onlyif=%s", c.OnlyIf)
	}
	if c.Millis {
		add("ms")
	}
	if c.NilReply {
		add("nil")
	}
	if len(c.Extra) > 0 {
		add("extra=%d", len(c.Extra))
	}
	if c.Verb == rediscmd.Script {
		text := "?"
		if c.Text != nil {
			text = types.ExprString(c.Text)
		}
		add("text=%s args=%d", text, len(c.Args))
		if !c.ArgsAll {
			add("and more")
		}
	}
	switch c.Conn {
	case rediscmd.Queued:
		add("queued")
	case rediscmd.Tx:
		add("tx")
	}
	return strings.Join(words, " ")
}

// clients are the versions of the library that a test runs against.
var clients = map[int]string{
	9: "github.com/redis/go-redis/v9", 8: "github.com/go-redis/redis/v8", 7: "github.com/go-redis/redis/v7", 6: "github.com/go-redis/redis",
}

// source puts statements into a function that has what they need. CTX stands for
// the context argument, where the version has one.
func source(major int, body string) string {
	ctx := ""
	if major >= 8 {
		ctx = "ctx, "
	}
	body = strings.ReplaceAll(strings.ReplaceAll(body, "CTX, ", ctx), "CTX", strings.TrimSuffix(ctx, ", "))
	return `package p

import (
	"context"
	"fmt"
	"time"

	redis "` + clients[major] + `"
)

var (
	_ = fmt.Sprint
	_ = time.Second
	_ = context.Background
)

const (
	ttl  = 30 * time.Second
	verb = "set"
)

var script = redis.NewScript("return 1")

type wrapper struct{ *redis.Client }

type value struct{ redis.Client }

type holder struct {
	rdb    *redis.Client
	script *redis.Script
}

func newHolder() *holder { return &holder{script: redis.NewScript("return 2")} }

func (h *holder) client() *redis.Client { return h.rdb }

type other struct{}

func (other) SetNX(ctx context.Context, key string, value any, ttl time.Duration) bool { return false }
func (other) Del(ctx context.Context, keys ...string) error                             { return nil }
func (other) Do(args ...any) *other                                                      { return nil }

func opts() []any { return nil }

func f(ctx context.Context, rdb *redis.Client, key, token string, d time.Duration, n int, keys []string) {
	_, _, _, _, _, _, _ = ctx, rdb, key, token, d, n, keys
` + body + "\n}\n"
}

// What each call of a client sends; "" is nothing that is understood.
var methodTable = []struct {
	majors string // the versions that have it: "9876"
	call   string
	want   string
}{
	{"9876", `rdb.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `rdb.SetNX(CTX, key, token, 0)`, "set key value=token nx ttl=none"},
	{"9876", `rdb.SetNX(CTX, key, token, d)`, "set key value=token nx ttl=?"},
	{"9876", `rdb.SetNX(CTX, key, token, -1)`, "set key value=token nx ttl=keep"},
	{"98", `rdb.SetNX(CTX, key, token, redis.KeepTTL)`, "set key value=token nx ttl=keep"},
	{"9876", `rdb.SetNX(CTX, key, token, 30)`, "set key value=token nx ttl=30ns"},
	{"9876", `rdb.Set(CTX, key, token, ttl)`, "set key value=token ttl=30s"},
	{"9876", `rdb.Set(CTX, key, token, 0)`, "set key value=token ttl=none"},
	{"9876", `rdb.SetXX(CTX, key, token, ttl)`, "set key value=token xx ttl=30s"},
	{"8", `rdb.SetEX(CTX, key, token, ttl)`, "set key value=token ttl=30s"},
	{"9", `rdb.SetEx(CTX, key, token, ttl)`, "set key value=token ttl=30s"},
	{"9", `rdb.SetIFEQ(CTX, key, token, "old", ttl)`, `set key value=token ifeq match="old" ttl=30s`},
	{"9", `rdb.SetIFNE(CTX, key, token, "old", ttl)`, `set key value=token ifne match="old" ttl=30s`},
	{"9876", `rdb.Get(CTX, key)`, "get key"},
	{"9876", `rdb.GetSet(CTX, key, token)`, "getset key value=token"},
	{"98", `rdb.GetDel(CTX, key)`, "getdel key"},
	{"98", `rdb.GetEx(CTX, key, ttl)`, "getex key ttl=30s"},
	{"9876", `rdb.Del(CTX, key)`, "del key"},
	{"9876", `rdb.Del(CTX, key, token)`, "del key,token"},
	{"9876", `rdb.Del(CTX, keys...)`, "del keys..."},
	{"9876", `rdb.Unlink(CTX, key)`, "del key"},
	{"9876", `rdb.Expire(CTX, key, ttl)`, "expire key ttl=30s"},
	{"9876", `rdb.Expire(CTX, key, 0)`, "expire key ttl=none"},
	{"9876", `rdb.PExpire(CTX, key, ttl)`, "expire key ttl=30s ms"},
	{"9876", `rdb.ExpireAt(CTX, key, time.Now())`, "expire key ttl=? at"},
	{"9876", `rdb.PExpireAt(CTX, key, time.Now())`, "expire key ttl=? at ms"},
	{"98", `rdb.ExpireNX(CTX, key, ttl)`, "expire key ttl=30s onlyif=NX"},
	{"98", `rdb.ExpireXX(CTX, key, ttl)`, "expire key ttl=30s onlyif=XX"},
	{"98", `rdb.ExpireGT(CTX, key, ttl)`, "expire key ttl=30s onlyif=GT"},
	{"98", `rdb.ExpireLT(CTX, key, ttl)`, "expire key ttl=30s onlyif=LT"},
	{"9876", `rdb.Persist(CTX, key)`, "persist key"},
	{"9876", `rdb.Exists(CTX, key)`, "inspect key"},
	{"9876", `rdb.TTL(CTX, key)`, "inspect key"},
	{"9876", `rdb.Incr(CTX, key)`, "data key"},
	{"9876", `rdb.HSetNX(CTX, key, "field", token)`, "data key"},
	{"9876", `rdb.HSet(CTX, key, "field", token)`, "data key"},
	{"9876", `rdb.MSetNX(CTX, key, token)`, ""},
	{"9876", `rdb.LPush(CTX, key, token)`, "data key"},
	{"9876", `rdb.Rename(CTX, key, token)`, "data key"},
	{"9876", `rdb.Publish(CTX, key, token)`, ""},
	{"9876", `rdb.Keys(CTX, key)`, ""},
	{"9876", `rdb.Scan(CTX, 0, key, 10)`, ""},
	{"9876", `rdb.Ping(CTX)`, ""},
	{"9876", `rdb.ScriptLoad(CTX, key)`, ""},
	{"9876", `rdb.Eval(CTX, "return 1", []string{key}, token)`, `script key text="return 1" args=1`},
	{"9876", `rdb.Eval(CTX, "return 1", keys, token)`, `script keys... text="return 1" args=1`},
	{"9876", `rdb.Eval(CTX, "return 1", []string{key}, opts()...)`, `script key text="return 1" args=1 and more`},
	{"9876", `rdb.Eval(CTX, "return 1", []string{key}, []string{token, key})`, `script key text="return 1" args=2`},
	{"98", `rdb.Eval(CTX, "return 1", []string{key}, []any{token, 1})`, `script key text="return 1" args=2`},
	{"76", `rdb.Eval(CTX, "return 1", []string{key}, []any{token, 1})`, `script key text="return 1" args=1`},
	{"9876", `rdb.Eval(CTX, "return 1", []string{key}, []any{token, 1}...)`, `script key text="return 1" args=2`},
	{"9876", `rdb.Eval(CTX, "return 1", []string{key}, []string{token, key}, 1)`, `script key text="return 1" args=2`},
	{"9876", `rdb.Eval(CTX, "return 1", []string{key}, keys)`, `script key text="return 1" args=1 and more`},
	{"9876", `rdb.EvalSha(CTX, token, []string{key})`, `script key text=? args=0`},
	{"9876", `rdb.EvalSha(CTX, script.Hash(), []string{key})`, `script key text="return 1" args=0`},
	{"9876", `script.Run(CTX, rdb, []string{key}, token)`, `script key text="return 1" args=1`},
	{"9876", `script.Eval(CTX, rdb, []string{key}, token)`, `script key text="return 1" args=1`},
	{"9876", `script.EvalSha(CTX, rdb, []string{key}, token)`, `script key text="return 1" args=1`},
	{"9876", `script.Exists(CTX, rdb)`, ""},
	{"9876", `redis.NewScript("return 3").Run(CTX, rdb, nil)`, `script nil... text="return 3" args=0`},
	{"9876", `newHolder().script.Run(CTX, rdb, []string{key})`, `script key text="return 2" args=0`},
	{"98", `sha := rdb.ScriptLoad(CTX, "return 4").Val(); rdb.EvalSha(CTX, sha, []string{key})`, `script key text="return 4" args=0`},

	// SetArgs: a literal, a pointer, a variable that is filled later.
	{"98", `rdb.SetArgs(CTX, key, token, redis.SetArgs{Mode: "NX", TTL: ttl})`, "set key value=token nx ttl=30s nil"},
	{"98", `rdb.SetArgs(CTX, key, token, redis.SetArgs{Mode: "nx", TTL: ttl})`, "set key value=token nx ttl=30s nil"},
	{"98", `rdb.SetArgs(CTX, key, token, redis.SetArgs{Mode: "NX"})`, "set key value=token nx ttl=none nil"},
	{"98", `rdb.SetArgs(CTX, key, token, redis.SetArgs{Mode: "NX", TTL: -time.Second})`, "set key value=token nx ttl=none nil"},
	{"98", `rdb.SetArgs(CTX, key, token, redis.SetArgs{Mode: "NX", KeepTTL: true})`, "set key value=token nx ttl=keep nil"},
	{"98", `rdb.SetArgs(CTX, key, token, redis.SetArgs{Mode: "NX", KeepTTL: false, TTL: ttl})`, "set key value=token nx ttl=30s nil"},
	{"98", `rdb.SetArgs(CTX, key, token, redis.SetArgs{Mode: "NX", KeepTTL: true, TTL: ttl})`, "set key value=token nx ttl=keep clash nil"},
	{"98", `rdb.SetArgs(CTX, key, token, redis.SetArgs{Mode: "NX", KeepTTL: n > 0})`, "set key value=token nx ttl=? nil"},
	{"98", `rdb.SetArgs(CTX, key, token, redis.SetArgs{Mode: "NX", ExpireAt: time.Now()})`, "set key value=token nx ttl=? at nil"},
	{"98", `rdb.SetArgs(CTX, key, token, redis.SetArgs{Mode: "XX", TTL: ttl})`, "set key value=token xx ttl=30s nil"},
	{"98", `rdb.SetArgs(CTX, key, token, redis.SetArgs{TTL: ttl})`, "set key value=token ttl=30s nil"},
	{"98", `rdb.SetArgs(CTX, key, token, redis.SetArgs{Mode: token, TTL: ttl})`, "set key value=token cond? ttl=30s nil"},
	{"98", `rdb.SetArgs(CTX, key, token, *(&redis.SetArgs{Mode: "NX", TTL: ttl}))`, "set key value=token nx ttl=30s nil"},
	{"98", `a := redis.SetArgs{Mode: "NX"}; a.TTL = ttl; rdb.SetArgs(CTX, key, token, a)`, "set key value=token nx ttl=30s nil"},
	{"98", `var a redis.SetArgs; a.Mode = "NX"; a.TTL = ttl; rdb.SetArgs(CTX, key, token, a)`, "set key value=token nx ttl=30s nil"},
	{"98", `a := &redis.SetArgs{Mode: "NX"}; a.TTL = ttl; rdb.SetArgs(CTX, key, token, *a)`, "set key value=token nx ttl=30s nil"},
	{"98", `a := redis.SetArgs{Mode: "NX"}; if n > 0 { a.TTL = ttl }; rdb.SetArgs(CTX, key, token, a)`, "set key value=token nx ttl=30s nil"},
	{"98", `a := redis.SetArgs{Mode: "NX"}; fill(&a); rdb.SetArgs(CTX, key, token, a)`, "set key value=token cond? ttl=? nil"},
	{"98", `a := redis.SetArgs{Mode: "NX", TTL: ttl}; a.TTL = 0; rdb.SetArgs(CTX, key, token, a)`, "set key value=token nx ttl=? nil"},
	{"98", `a := defaults(); rdb.SetArgs(CTX, key, token, a)`, "set key value=token cond? ttl=? nil"},
	{"98", `a := defaults(); a.Mode = "NX"; rdb.SetArgs(CTX, key, token, a)`, "set key value=token cond? ttl=? nil"},
	{"98", `rdb.SetArgs(CTX, key, token, global)`, "set key value=token cond? ttl=? nil"},
	{"9", `rdb.DelExArgs(CTX, key, redis.DelExArgs{Mode: "IFEQ", MatchValue: token})`, "delex key ifeq match=token"},
	{"9", `rdb.DelExArgs(CTX, key, redis.DelExArgs{Mode: "ifne", MatchValue: token})`, "delex key ifne"},
	{"9", `rdb.DelExArgs(CTX, key, redis.DelExArgs{})`, "delex key"},
	{"9", `rdb.DelExArgs(CTX, key, redis.DelExArgs{Mode: "NX"})`, "delex key cond?"},
	{"9", `rdb.DelExArgs(CTX, key, redis.DelExArgs{Mode: token})`, "delex key cond?"},

	// Raw commands.
	{"9876", `rdb.Do(CTX, "SET", key, token, "NX", "EX", 30)`, "set key value=token nx ttl=30s nil"},
	{"9876", `rdb.Do(CTX, "set", key, token, "ex", 30, "nx")`, "set key value=token nx ttl=30s nil"},
	{"9876", `rdb.Do(CTX, "Set", key, token, "pX", 30, "Nx")`, "set key value=token nx ttl=30ms nil"},
	{"9876", `rdb.Do(CTX, verb, key, token, "NX")`, "set key value=token nx ttl=none nil"},
	{"9876", `rdb.Do(CTX, "SET", key, token, "NX", "EX", n)`, "set key value=token nx ttl=? nil"},
	{"9876", `rdb.Do(CTX, "SET", key, token, "NX", "EX", int(ttl.Seconds()))`, "set key value=token nx ttl=? nil"},
	{"9876", `rdb.Do(CTX, "SET", key, token, "NX", "EX", 1<<62)`, "set key value=token nx ttl=? nil"},
	{"9876", `rdb.Do(CTX, "SET", key, token, "NX", "EX", -1<<62)`, "set key value=token nx ttl=? nil"},
	{"9876", `rdb.Do(CTX, "SET", key, token, "ifne", "old")`, "set key value=token ifne ttl=none nil"},
	{"9876", `rdb.Do(CTX, "SET", key, token, "NX", "EXAT", n)`, "set key value=token nx ttl=? at nil"},
	{"9876", `rdb.Do(CTX, "SET", key, token, "NX", "KEEPTTL")`, "set key value=token nx ttl=keep nil"},
	{"9876", `rdb.Do(CTX, "SET", key, token, "NX", "GET", "EX", 30)`, "set key value=token nx ttl=30s nil"},
	{"9876", `rdb.Do(CTX, "SET", key, token, "XX", "EX", 30)`, "set key value=token xx ttl=30s nil"},
	{"9876", `rdb.Do(CTX, "SET", key, token, "IFEQ", "old", "EX", 30)`, `set key value=token ifeq match="old" ttl=30s nil`},
	{"9876", `rdb.Do(CTX, "SET", key, token, "NX", "SOON")`, "set key value=token cond? ttl=? nil"},
	{"9876", `rdb.Do(CTX, "SET", key, token, token)`, "set key value=token cond? ttl=? nil"},
	{"9876", `rdb.Do(CTX, "SET", key, token, "NX", "EX")`, "set key value=token nx ttl=none nil"},
	{"9876", `rdb.Do(CTX, "SET", key)`, ""},
	{"9876", `rdb.Do(CTX, "SETNX", key, token)`, "set key value=token nx ttl=none"},
	{"9876", `rdb.Do(CTX, "SETNX", key, token, "EX", 30)`, "set key value=token nx ttl=none extra=2"},
	{"9876", `rdb.Do(CTX, "SETEX", key, 30, token)`, "set key value=token ttl=30s nil"},
	{"9876", `rdb.Do(CTX, "PSETEX", key, 30, token)`, "set key value=token ttl=30ms nil"},
	{"9876", `rdb.Do(CTX, "DEL", key, token)`, "del key,token nil"},
	{"9876", `rdb.Do(CTX, "unlink", key)`, "del key nil"},
	{"9876", `rdb.Do(CTX, "GETDEL", key)`, "getdel key nil"},
	{"9876", `rdb.Do(CTX, "DELEX", key, "IFEQ", token)`, "delex key ifeq match=token nil"},
	{"9876", `rdb.Do(CTX, "DELEX", key, "ifne", token)`, "delex key ifne nil"},
	{"9876", `rdb.Do(CTX, "DELEX", key)`, "delex key nil"},
	{"9876", `rdb.Do(CTX, "EXPIRE", key, 30)`, "expire key ttl=30s nil"},
	{"9876", `rdb.Do(CTX, "PEXPIRE", key, 30, "nx")`, "expire key ttl=30ms onlyif=NX ms nil"},
	{"9876", `rdb.Do(CTX, "EXPIREAT", key, n)`, "expire key ttl=? at nil"},
	{"9876", `rdb.Do(CTX, "GET", key)`, "get key nil"},
	{"9876", `rdb.Do(CTX, "INCR", key)`, "data key nil"},
	{"9876", `rdb.Do(CTX, "EVAL", "return 1", 1, key, token)`, `script key nil text="return 1" args=1`},
	{"9876", `rdb.Do(CTX, "EVAL", "return 1", n, key, token)`, ""},
	{"9876", `rdb.Do(CTX, "EVAL", "return 1", 5, key, token)`, ""},
	{"9876", `rdb.Do(CTX, "EVAL", "return 1", -1, key, token)`, ""},
	{"9876", `rdb.Do(CTX, opts()...)`, ""},
	{"9876", `rdb.Do(CTX, token, key)`, ""},
	{"9876", `rdb.Do(CTX, "PUBLISH", key, token)`, ""},
	{"9876", `rdb.Do(CTX, "PING")`, ""},
	{"98", `rdb.Process(CTX, redis.NewCmd(CTX, "SET", key, token, "NX", "EX", 30))`, "set key value=token nx ttl=30s nil"},
	{"76", `rdb.Process(redis.NewCmd("SET", key, token, "NX", "EX", 30))`, "set key value=token nx ttl=30s nil"},
	{"98", `cmd := redis.NewBoolCmd(CTX, "setnx", key, token); rdb.Process(CTX, cmd)`, "set key value=token nx ttl=none"},
	{"76", `cmd := redis.NewBoolCmd("setnx", key, token); rdb.Process(cmd)`, "set key value=token nx ttl=none"},
	{"98", `cmd := redis.NewCmd(CTX, opts()...); rdb.Process(CTX, cmd)`, ""},
	{"98", `var cmd redis.Cmder; rdb.Process(CTX, cmd)`, ""},

	// Receivers.
	{"9876", `wrapper{rdb}.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `(&wrapper{rdb}).Client.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `var v value; v.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `(*rdb).SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `newHolder().rdb.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `newHolder().client().SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `var c redis.Cmdable = rdb; c.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `var c redis.UniversalClient = rdb; c.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `var c *redis.ClusterClient; c.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `var c *redis.Ring; c.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"987", `var c *redis.Conn; c.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `var c *redis.Tx; c.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s tx"},
	{"9876", `rdb.Pipeline().SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s queued"},
	{"9876", `rdb.TxPipeline().SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s queued"},
	{"9876", `var p redis.Pipeliner; p.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s queued"},
	{"9876", `var p *redis.Pipeline; p.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s queued"},
	{"9876", `rdb.Pipeline().Do(CTX, "SET", key, token, "NX")`, "set key value=token nx ttl=none nil queued"},
	{"9876", `var p struct{ redis.Pipeliner }; p.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s queued"},
	{"9876", `var tx struct{ *redis.Tx }; tx.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s tx"},
	{"9876", `var tx *redis.Tx; script.Run(CTX, tx, []string{key})`, `script key text="return 1" args=0 tx`},
	{"9876", `script.Run(CTX, rdb.Pipeline(), []string{key})`, `script key text="return 1" args=0 queued`},
	{"98", `type c interface { SetNX(ctx context.Context, key string, value interface{}, ttl time.Duration) *redis.BoolCmd }; c(rdb).SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"98", `type c interface { redis.Cmdable; Close() error }; c(rdb).SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"76", `type c interface { SetNX(key string, value interface{}, ttl time.Duration) *redis.BoolCmd }; c(rdb).SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `(rdb.SetNX)(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `go rdb.SetNX(CTX, key, token, ttl)`, "set key value=token nx ttl=30s"},
	{"9876", `func() { defer rdb.Del(CTX, key) }()`, "del key"},

	// Not commands of a client.
	{"9876", `other{}.SetNX(ctx, key, token, ttl)`, ""},
	{"9876", `other{}.Del(ctx, key)`, ""},
	{"9876", `other{}.Do("SET", key, token, "NX")`, ""},
	{"9876", `set := rdb.SetNX; set(CTX, key, token, ttl)`, ""},
	{"9876", `SetNX := func(...any) {}; SetNX(ctx, key, token, ttl)`, ""},
	{"9876", `type c interface { SetNX(ctx context.Context, key string, value interface{}, ttl time.Duration) bool }; c(other{}).SetNX(ctx, key, token, ttl)`, ""},
	{"9876", `rdb.Close()`, ""},
	{"9876", `rdb.String()`, ""},
	{"98", `(*redis.Client).SetNX(rdb, CTX, key, token, ttl)`, ""},
}

func TestCommand(t *testing.T) {
	t.Parallel()
	for _, c := range methodTable {
		for _, v := range c.majors {
			major := int(v - '0')
			t.Run(fmt.Sprintf("v%d/%s", major, c.call), func(t *testing.T) {
				t.Parallel()
				src := source(major, c.call)
				if major >= 8 {
					src += "\nfunc fill(*redis.SetArgs) {}\nfunc defaults() redis.SetArgs { return redis.SetArgs{Mode: \"NX\"} }\nvar global = redis.SetArgs{Mode: \"NX\"}\n"
				}
				got := strings.Join(commands(t, src), "; ")
				if got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			})
		}
	}
}

// Methods with the types of a caller: generic receivers, callbacks.
func TestReceivers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"type parameter", `func f[C redis.Cmdable](ctx context.Context, c C) { c.SetNX(ctx, "k", 1, 0) }`, `set "k" value=1 nx ttl=none`},
		{"type parameter of pipelines", `func f[C redis.Pipeliner](ctx context.Context, c C) { c.SetNX(ctx, "k", 1, 0) }`, `set "k" value=1 nx ttl=none queued`},
		{"generic struct", `type g[C redis.Cmdable] struct{ c C }
func (g *g[C]) f(ctx context.Context) { g.c.SetNX(ctx, "k", 1, 0) }`, `set "k" value=1 nx ttl=none`},
		{"Pipelined", `func f(ctx context.Context, rdb *redis.Client) {
	rdb.Pipelined(ctx, func(p redis.Pipeliner) error { p.Del(ctx, "k"); return nil })
}`, `del "k" queued`},
		{"Watch", `func f(ctx context.Context, rdb *redis.Client) {
	rdb.Watch(ctx, func(tx *redis.Tx) error { return tx.Del(ctx, "k").Err() }, "k")
}`, `del "k" tx`},
		{"AutoPipeline", `func f(ctx context.Context, rdb *redis.Client) { p, _ := rdb.AutoPipeline(); p.SetNX(ctx, "k", 1, 0) }`, `set "k" value=1 nx ttl=none`},
		{"alias", `type A = redis.Client
func f(ctx context.Context, rdb *A) { rdb.SetNX(ctx, "k", 1, 0) }`, `set "k" value=1 nx ttl=none`},
		{"defined type", `type D redis.Client
func f(ctx context.Context, d *D) { (*redis.Client)(d).SetNX(ctx, "k", 1, 0) }`, `set "k" value=1 nx ttl=none`},
		{"two levels of embedding", `type A struct{ *redis.Client }
type B struct{ A }
func f(ctx context.Context, b B) { b.SetNX(ctx, "k", 1, 0) }`, `set "k" value=1 nx ttl=none`},
		{"shadowed by a method of its own", `type A struct{ *redis.Client }
func (A) SetNX(string) bool { return true }
func f(ctx context.Context, a A) { a.SetNX("k"); a.Client.SetNX(ctx, "k", 1, 0) }`, `set "k" value=1 nx ttl=none`},
		{"arguments from one call", `func args() (context.Context, string, any, time.Duration) { return nil, "", nil, 0 }
func f(rdb *redis.Client) { rdb.SetNX(args()) }`, ``},
		{"package variable", `var rdb *redis.Client
func f(ctx context.Context) { rdb.SetNX(ctx, "k", 1, 0) }`, `set "k" value=1 nx ttl=none`},
		{"a parameter that is defaulted", `func f(ctx context.Context, rdb *redis.Client, ttl time.Duration) {
	if ttl < 0 { ttl = 0 }
	rdb.SetNX(ctx, "k", 1, ttl)
}`, `set "k" value=1 nx ttl=?`},
		{"options that are defaulted", `func f(ctx context.Context, rdb *redis.Client, a *redis.SetArgs, b redis.SetArgs) {
	if a == nil { a = &redis.SetArgs{Mode: "NX"} }
	if b.Mode == "" { b = redis.SetArgs{Mode: "NX"} }
	rdb.SetArgs(ctx, "k", 1, *a)
	rdb.SetArgs(ctx, "k", 1, b)
}`, `set "k" value=1 cond? ttl=? nil; set "k" value=1 cond? ttl=? nil`},
		{"in a map", `func f(ctx context.Context, m map[string]redis.Cmdable) { m["a"].SetNX(ctx, "k", 1, 0) }`, `set "k" value=1 nx ttl=none`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			src := "package p\n\nimport (\n\t\"context\"\n\t\"time\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\nvar _ time.Duration\n\n" + c.src + "\n"
			if got := strings.Join(commands(t, src), "; "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestLibraryOf(t *testing.T) {
	t.Parallel()
	for _, path := range rediscmd.ImportPaths() {
		if l := rediscmd.LibraryOf(path); l == nil || l.Path != path || l.Context != (l.Major >= 8) {
			t.Errorf("%s: %+v", path, l)
		}
	}
	for _, path := range []string{"", "github.com/redis/go-redis", "github.com/redis/go-redis/v9/internal", "example.com/go-redis/v9", "github.com/gomodule/redigo/redis"} {
		if rediscmd.LibraryOf(path) != nil {
			t.Errorf("%q is taken for a client", path)
		}
	}
}

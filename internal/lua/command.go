package lua

import (
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// A cmd is one redis.call with its arguments, on one path.
type cmd struct {
	in   *interp
	e    *ast.FuncCallExpr
	st   *state
	name string
	args []*value // without the name
	more bool     // further arguments that are not known
}

// handlers are the commands that tell more than "touches its keys". Each gives
// the reply; the state is c.st.
var handlers map[string]func(c *cmd) *value

func init() {
	handlers = map[string]func(c *cmd) *value{
		"SET": (*cmd).set, "SETNX": (*cmd).setNX, "MSETNX": (*cmd).msetNX, "HSETNX": (*cmd).hsetNX,
		"SETEX": (*cmd).setEX, "PSETEX": (*cmd).setEX, "GETSET": (*cmd).getSet, "MSET": (*cmd).mset,
		"GET": (*cmd).get, "GETEX": (*cmd).getEX, "GETDEL": (*cmd).getDel, "MGET": (*cmd).mget,
		"HGET": (*cmd).hget, "HMGET": (*cmd).hmget, "EXISTS": (*cmd).exists,
		"HEXISTS": (*cmd).hexists, "SISMEMBER": (*cmd).sismember,
		"ZSCORE": (*cmd).score, "ZRANK": (*cmd).score, "ZREVRANK": (*cmd).score,
		"EXPIRE": (*cmd).expire, "PEXPIRE": (*cmd).expire, "EXPIREAT": (*cmd).expire, "PEXPIREAT": (*cmd).expire,
		"DEL": (*cmd).del, "UNLINK": (*cmd).del, "DELEX": (*cmd).delEX, "DELIFEQ": (*cmd).delIfEq,
		"RENAME": (*cmd).rename, "RENAMENX": (*cmd).rename,
	}
}

// command runs redis.call.
func (in *interp) command(e *ast.FuncCallExpr, args result) []result {
	if len(args.vals) == 0 || args.vals[0].op != opStr {
		return in.opaque(e, args)
	}
	c := &cmd{
		in: in, e: e, st: args.st.clone(), more: args.more,
		name: strings.ToUpper(strings.TrimSpace(args.vals[0].text)), args: args.vals[1:],
	}
	var reply *value
	if h := handlers[c.name]; h != nil {
		if c.arg(0).op == opNil && len(c.args) == 0 && !c.more {
			return []result{{st: c.st, vals: []*value{c.data()}}} // an error in Redis
		}
		reply = h(c)
	} else {
		reply = c.plain()
	}
	return []result{{st: c.st, vals: []*value{reply}}}
}

func (c *cmd) arg(i int) *value {
	if i < len(c.args) && c.args[i].op != opSpread {
		return c.args[i]
	}
	if c.more || i < len(c.args) {
		return unknown(c.in.here(c.e) + "arg" + strconv.Itoa(i))
	}
	return vNil
}

// loose reports whether some arguments from i on are not known one by one.
func (c *cmd) loose(i int) bool {
	if c.more {
		return true
	}
	for ; i < len(c.args); i++ {
		if c.args[i].op == opSpread {
			return true
		}
	}
	return false
}

// key names a key argument; unpack(KEYS) is all keys.
func (c *cmd) key(i int) *value {
	if i < len(c.args) && c.args[i].op == opSpread {
		return element(opKeys, vEvery)
	}
	return bareString(c.arg(i))
}

func (c *cmd) epoch() string { return strconv.Itoa(c.st.epoch) }

// data is a reply about which only its command and keys are known.
func (c *cmd) data() *value {
	v := compound(opData, c.name, c.args...)
	v.canon += "@" + c.epoch() + "/" + c.in.here(c.e)
	v.leaf |= leafStored
	return v
}

// wrote ends the life of what was read before.
func (c *cmd) wrote() { c.st.epoch++ }

// plain is a command with no handler.
func (c *cmd) plain() *value {
	spec, ok := specs[c.name]
	if !ok {
		c.in.incomplete()
		c.wrote()
		return c.data()
	}
	switch {
	case spec == keyless:
		if c.name == "KEYS" || c.name == "SCAN" || c.name == "RANDOMKEY" {
			return c.data()
		}
		return app("redis."+c.name, str(c.epoch()))
	case spec.first < 0:
		c.countedKeys(spec)
	default:
		last := spec.last
		if last < 0 {
			last += len(c.args) + 1
			if c.more {
				c.in.incomplete()
			}
		}
		for i := spec.first; i <= last && i <= len(c.args); i += spec.step {
			c.plainKey(spec.kind, c.key(i-1))
		}
		if len(c.args) < spec.first && c.more {
			c.in.incomplete()
		}
	}
	reply := c.data()
	if spec.kind != Read {
		c.wrote()
	}
	return reply
}

func (c *cmd) countedKeys(spec keySpec) {
	at := 0
	if spec == storeCounted {
		c.plainKey(Data, c.key(0))
		at = 1
	}
	n, ok := constNumber(c.arg(at))
	if !ok || !(0 <= n && n <= float64(len(c.args)-at-1)) { // NaN too
		c.in.incomplete()
		return
	}
	for i := range int(n) {
		c.plainKey(Data, c.key(at+1+i))
	}
}

// plainKey records a command on a key; on a key found missing, a founding
// command makes it.
func (c *cmd) plainKey(kind Kind, key *value) {
	if founders[c.name] && c.st.absent(key.canon) {
		t := touch{kind: Data, key: key}
		if ownerHash[c.name] {
			t.kind, t.hash, t.byCheck = Create, true, true
			t.value = c.arg(1)
			if t.value.constant() {
				t.value = c.arg(2)
			}
			t.ttl = TTL{Kind: TTLNone}
		}
		c.found(t)
		return
	}
	c.touch(touch{kind: kind, key: key})
}

// found records a write that makes a key known to be missing.
func (c *cmd) found(t touch) {
	site := c.touch(t)
	id := "created:" + t.key.canon + "@" + c.epoch()
	if n := c.st.know(id, fact{kind: factCreated, keys: []string{t.key.canon}, truth: true}); n != nil {
		c.st = n.clone()
	}
	c.st.written[t.key.canon] = true
	if t.kind == Create && site >= 0 {
		c.st.made[site] = made{key: t.key.canon, id: id, ttl: t.ttl.Kind != TTLNone}
	}
}

func (c *cmd) get() *value {
	k := c.key(0)
	c.touch(touch{kind: Read, key: k})
	return stored(c.epoch(), k, nil, c.st.written[k.canon])
}

func (c *cmd) mget() *value {
	reply := &value{op: opMulti, canon: c.data().canon, leaf: leafStored}
	for i := range c.args {
		k := c.key(i)
		c.touch(touch{kind: Read, key: k})
		reply.args = append(reply.args, stored(c.epoch(), k, nil, c.st.written[k.canon]))
	}
	if c.more {
		c.in.incomplete()
		return c.data()
	}
	return reply
}

func (c *cmd) hget() *value {
	k := c.key(0)
	c.touch(touch{kind: Read, key: k})
	return stored(c.epoch(), k, c.arg(1), c.st.written[k.canon])
}

func (c *cmd) hmget() *value {
	k := c.key(0)
	c.touch(touch{kind: Read, key: k})
	if c.loose(1) {
		return c.data()
	}
	reply := &value{op: opMulti, canon: c.data().canon, leaf: leafStored}
	for _, f := range c.args[1:] {
		reply.args = append(reply.args, stored(c.epoch(), k, f, c.st.written[k.canon]))
	}
	return reply
}

func (c *cmd) exists() *value {
	for i := range c.args {
		c.touch(touch{kind: Read, key: c.key(i)})
	}
	if len(c.args) == 1 && !c.loose(0) && !c.st.written[c.key(0).canon] {
		return flag("exists", c.epoch(), []*value{c.key(0)}, nil)
	}
	if c.more {
		c.in.incomplete()
	}
	return c.data()
}

// hexists and sismember ask for a member; one that ARGV names is the owner.
func (c *cmd) hexists() *value   { return c.member(Read) }
func (c *cmd) sismember() *value { return c.member(Data) }

func (c *cmd) member(kind Kind) *value {
	k, m := c.key(0), c.arg(1)
	c.touch(touch{kind: kind, key: k})
	switch {
	case c.st.written[k.canon] || !m.outside():
		return c.data()
	case m.constant():
		return flag("exists", c.epoch(), []*value{k}, m)
	}
	return flag("member", c.epoch(), []*value{k}, m)
}

// score is there if the member is.
func (c *cmd) score() *value {
	k, m := c.key(0), c.arg(1)
	c.touch(touch{kind: Data, key: k})
	if !m.outside() {
		return c.data()
	}
	return stored(c.epoch()+c.name, k, m, c.st.written[k.canon])
}

func (c *cmd) getDel() *value {
	k := c.key(0)
	reply := stored(c.epoch(), k, nil, c.st.written[k.canon])
	c.free(touch{kind: Free, key: k})
	return reply
}

func (c *cmd) getEX() *value {
	k := c.key(0)
	reply := stored(c.epoch(), k, nil, c.st.written[k.canon])
	c.touch(touch{kind: Read, key: k})
	if len(c.args) > 1 || c.more {
		o := c.options(1)
		switch {
		case o.unknown:
			c.touch(touch{kind: Expire, key: k, unclear: true})
		case o.ttl.Kind == TTLGiven:
			c.renew(touch{kind: Expire, key: k, ttl: o.ttl})
		default:
			c.touch(touch{kind: Data, key: k})
		}
		c.wrote()
	}
	return reply
}

var expireUnit = map[string]Unit{"EXPIRE": Seconds, "PEXPIRE": Millis, "EXPIREAT": UnixSeconds, "PEXPIREAT": UnixMillis}

func (c *cmd) expire() *value {
	k, t := c.key(0), c.arg(1)
	reply := c.data()
	if n, ok := constNumber(t); ok && n <= 0 {
		c.free(touch{kind: Free, key: k})
		return reply
	}
	e := touch{kind: Expire, key: k, ttl: given(t, expireUnit[c.name])}
	if len(c.args) > 2 || c.more {
		// EXPIRE ... NX and LT never make a key live longer.
		o := bareString(c.arg(2))
		e.unclear = o.op != opStr || !strings.EqualFold(o.text, "XX") && !strings.EqualFold(o.text, "GT")
	}
	c.renew(e)
	c.wrote()
	return reply
}

func (c *cmd) del() *value {
	reply := c.data()
	for i := range c.args {
		c.free(touch{kind: Free, key: c.key(i)})
	}
	if c.more {
		c.in.incomplete()
	}
	return reply
}

// delEX is DELEX key [IFEQ | IFNE | IFDEQ | IFDNE value]; without a condition it
// is DEL.
func (c *cmd) delEX() *value {
	reply := c.data()
	t := touch{kind: Free, key: c.key(0)}
	if len(c.args) > 1 || c.more {
		o := bareString(c.arg(1))
		if o.op == opStr && (strings.EqualFold(o.text, "IFEQ") || strings.EqualFold(o.text, "IFDEQ")) {
			t.against = c.arg(2)
		} else {
			t.unclear = true
		}
	}
	c.free(t)
	return reply
}

func (c *cmd) delIfEq() *value {
	reply := c.data()
	c.free(touch{kind: Free, key: c.key(0), against: c.arg(1)})
	return reply
}

func (c *cmd) rename() *value {
	reply := c.data()
	c.free(touch{kind: Free, key: c.key(0)})
	c.touch(touch{kind: Set, key: c.key(1), unclear: c.name == "RENAMENX"})
	c.wrote()
	return reply
}

// free records a Free and what it means for creates on this path.
func (c *cmd) free(t touch) {
	c.touch(t)
	for id, m := range c.st.made {
		if mayBe(m.key, t.key.canon) {
			m.gone = true
			c.st.made[id] = m
		}
	}
	c.wrote()
}

// renew records an Expire and closes the open expiry of creates on this path.
func (c *cmd) renew(t touch) {
	c.touch(t)
	for id, m := range c.st.made {
		if !mayBe(m.key, t.key.canon) {
			continue
		}
		if f, ok := c.st.atoms[m.id]; ok && !f.truth {
			continue
		}
		if !m.ttl {
			m.ttl = true
			c.st.made[id] = m
			c.in.lateTTL(id, t.ttl)
		}
	}
}

// mayBe reports whether two keys may be one: the key of a loop may be any.
func mayBe(a, b string) bool {
	return a == b || strings.ContainsAny(a, "'*?") || strings.ContainsAny(b, "'*?")
}

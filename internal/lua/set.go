package lua

import "strings"

// options of SET and GETEX.
type options struct {
	nx, xx, get, keep bool
	equal             *value // IFEQ, IFDEQ
	other             bool   // IFNE, IFDNE
	ttl               TTL
	unknown           bool // an option that is no constant
}

func given(v *value, u Unit) TTL { return TTL{Kind: TTLGiven, Value: v.ref(), Unit: u} }

var optionUnit = map[string]Unit{"EX": Seconds, "PX": Millis, "EXAT": UnixSeconds, "PXAT": UnixMillis}

// options reads the arguments from i on, in any order and case.
func (c *cmd) options(i int) options {
	o := options{ttl: TTL{Kind: TTLNone}, unknown: c.loose(i)}
	for ; i < len(c.args) && !o.unknown; i++ {
		v := bareString(c.args[i])
		if v.op != opStr {
			o.unknown = true
			break
		}
		switch name := strings.ToUpper(v.text); name {
		case "NX":
			o.nx = true
		case "XX":
			o.xx = true
		case "GET":
			o.get = true
		case "KEEPTTL":
			o.keep = true
		case "PERSIST":
		case "EX", "PX", "EXAT", "PXAT":
			i++
			o.ttl = given(c.arg(i), optionUnit[name])
		case "IFEQ", "IFDEQ":
			i++
			o.equal = c.arg(i)
		case "IFNE", "IFDNE":
			i++
			o.other = true
		default:
			o.unknown = true
		}
	}
	return o
}

func (c *cmd) set() *value {
	k, v := c.key(0), c.arg(1)
	o := c.options(2)
	old := stored(c.epoch(), k, nil, c.st.written[k.canon])
	reply := c.data()
	if o.get {
		reply = old
	}
	switch {
	case o.unknown:
		c.in.incomplete()
		c.touch(touch{kind: Set, key: k, value: v, unclear: true})
	case o.nx:
		id := c.create(touch{kind: Create, key: k, value: v, ttl: o.ttl})
		if !o.get {
			reply = &value{op: opStatus, text: id, keys: []*value{k}, canon: "status " + id, leaf: leafStored}
		}
	case o.xx || o.equal != nil:
		if o.keep {
			o.ttl = TTL{}
		}
		c.renew(touch{kind: Expire, key: k, value: v, ttl: o.ttl, against: o.equal})
	default:
		if o.keep {
			o.ttl = TTL{}
		}
		c.overwrite(touch{kind: Set, key: k, value: v, ttl: o.ttl, unclear: o.other})
	}
	c.wrote()
	return reply
}

// create records SET NX and kin and gives the id of its success.
func (c *cmd) create(t touch) string {
	site := c.touch(t)
	id := t.key.canon + "@" + c.epoch()
	if site >= 0 {
		c.st.made[site] = made{key: t.key.canon, id: "created:" + id, ttl: t.ttl.Kind != TTLNone}
	}
	return id
}

// overwrite records a plain write; on a key found missing it is a create.
func (c *cmd) overwrite(t touch) {
	if c.st.absent(t.key.canon) && !t.unclear {
		t.kind, t.byCheck = Create, true
		c.found(t)
		return
	}
	c.touch(t)
	if !t.unclear {
		c.st.written[t.key.canon] = true
	}
}

func (c *cmd) setNX() *value {
	k := c.key(0)
	c.create(touch{kind: Create, key: k, value: c.arg(1), ttl: TTL{Kind: TTLNone}})
	reply := flag("created", c.epoch(), []*value{k}, nil)
	c.wrote()
	return reply
}

func (c *cmd) msetNX() *value {
	if c.loose(0) {
		c.in.incomplete()
		c.wrote()
		return c.data()
	}
	var keys []*value
	for i := 0; i < len(c.args); i += 2 {
		keys = append(keys, c.key(i))
	}
	reply := flag("created", c.epoch(), keys, nil)
	for i, k := range keys {
		site := c.touch(touch{kind: Create, key: k, value: c.arg(2*i + 1), ttl: TTL{Kind: TTLNone}})
		if site >= 0 {
			c.st.made[site] = made{key: k.canon, id: createdID(reply)}
		}
	}
	c.wrote()
	return reply
}

// hsetNX makes a field; the key may have been there.
func (c *cmd) hsetNX() *value {
	k := c.key(0)
	reply := flag("created", c.epoch(), []*value{k}, nil)
	c.touch(touch{kind: Data, key: k})
	c.wrote()
	return reply
}

func (c *cmd) setEX() *value {
	reply := c.data()
	u := Seconds
	if c.name == "PSETEX" {
		u = Millis
	}
	c.overwrite(touch{kind: Set, key: c.key(0), value: c.arg(2), ttl: given(c.arg(1), u)})
	c.wrote()
	return reply
}

func (c *cmd) getSet() *value {
	k := c.key(0)
	reply := stored(c.epoch(), k, nil, c.st.written[k.canon])
	c.overwrite(touch{kind: Set, key: k, value: c.arg(1), ttl: TTL{Kind: TTLNone}})
	c.wrote()
	return reply
}

func (c *cmd) mset() *value {
	reply := c.data()
	if c.loose(0) {
		c.in.incomplete()
	}
	for i := 0; i < len(c.args) && c.args[i].op != opSpread; i += 2 {
		c.overwrite(touch{kind: Set, key: c.key(i), value: c.arg(i + 1), ttl: TTL{Kind: TTLNone}})
	}
	c.wrote()
	return reply
}

package lua

import "strconv"

// Kind says what a command does to its key.
type Kind uint8

const (
	// Read only looks: GET, HGET, EXISTS, TTL and the like.
	Read Kind = iota
	// Create makes the key only if it is missing: SET NX, SETNX, MSETNX, or a
	// write on a path where the script found the key missing.
	Create
	// Set stores a value whatever was there: SET, SETEX, GETSET, MSET.
	Set
	// Expire gives the key a new time to live: EXPIRE and kin, GETEX with a
	// time, SET XX and SET IFEQ.
	Expire
	// Free removes the key: DEL, UNLINK, GETDEL, DELEX, DELIFEQ, RENAME away,
	// and EXPIRE with a constant of zero or less.
	Free
	// Data is any other command on the key (INCR, HSET, ZADD, LPUSH, ...): the
	// key holds data rather than, or besides, a lock value.
	Data
)

func (k Kind) String() string {
	switch k {
	case Read:
		return "read"
	case Create:
		return "create"
	case Set:
		return "set"
	case Expire:
		return "expire"
	case Free:
		return "free"
	case Data:
		return "data"
	}
	return "kind(" + strconv.Itoa(int(k)) + ")"
}

// RefKind says where a value comes from.
type RefKind uint8

const (
	// Unknown is a value this package cannot name.
	Unknown RefKind = iota
	// Keys is KEYS[Index].
	Keys
	// Argv is ARGV[Index].
	Argv
	// Const is the constant Text.
	Const
	// Derived is computed from KEYS, ARGV and constants alone, as Text says:
	// KEYS[1]..":owner". Equal texts in one script are equal values.
	Derived
)

// Ref names a key or a value of the script.
type Ref struct {
	Kind RefKind
	// Index counts from 1. For Keys and Argv it is 0 where the index is not one
	// number: the variable of a loop, or all of KEYS through unpack.
	Index int
	// Text is the constant of a Const and the normal form of the others: KEYS[1],
	// KEYS[*] for unpack(KEYS), KEYS[i'4] for a loop variable, whose mark tells
	// it from that of another loop.
	Text string
}

func (r Ref) String() string {
	switch r.Kind {
	case Const:
		return strconv.Quote(r.Text)
	case Unknown:
		return "?"
	}
	return r.Text
}

// Unit is the unit of a time to live.
type Unit uint8

const (
	// Seconds counts from now: EX, EXPIRE, SETEX.
	Seconds Unit = iota
	// Millis counts milliseconds from now: PX, PEXPIRE, PSETEX.
	Millis
	// UnixSeconds is a point in time: EXAT, EXPIREAT.
	UnixSeconds
	// UnixMillis is a point in time: PXAT, PEXPIREAT.
	UnixMillis
)

// TTLKind says what is known about a time to live.
type TTLKind uint8

const (
	// TTLUnknown: given on some paths only, by options from ARGV, or kept from
	// the old value.
	TTLUnknown TTLKind = iota
	// TTLNone: the key stays for ever.
	TTLNone
	// TTLGiven: the time is TTL.Value in TTL.Unit.
	TTLGiven
)

// TTL is the time to live that a command, or for a Create the whole script,
// gives a key.
type TTL struct {
	Kind  TTLKind
	Value Ref
	Unit  Unit
}

// Creation is what a Create brings into being.
type Creation struct {
	// Value is what is stored; for a hash the field that the owner is known
	// by, or the field's value where the field is a constant.
	Value Ref
	// TTL is the time to live at the end of the script, by the creating command
	// or by an Expire that follows wherever the create succeeded.
	TTL TTL
	// Guarded is true where a condition on stored data stands before it on
	// every path.
	Guarded bool
	// ByCheck is true where the key is new because the script looked (EXISTS,
	// GET) rather than because the command says NX.
	ByCheck bool
	// Hash is true for a key that is not a string (HSET, HINCRBY, ZADD, ...).
	Hash bool
}

// Effect is one thing the script does to one key.
type Effect struct {
	Kind Kind
	// Key is the key; its Kind is Unknown if this package cannot name it.
	Key Ref

	// Checked is true if every path to the effect compared the value stored at
	// Key for equality with a value from outside the script and found it equal.
	// A path on which the script created the key itself counts as well, if
	// another path compared (reentrant locks). The value may be the string, a
	// hash field, a field of decoded JSON; the presence of a member named by
	// ARGV (HEXISTS, SISMEMBER, ZSCORE) is a compare too, and so is DELEX IFEQ.
	// tonumber on both sides counts, although two words are then both nil.
	Checked bool
	// Against is what the stored value was compared with, when Checked. A Const
	// cannot tell owners apart.
	Against Ref
	// NeverEqual is true if the compare is of a string with a number, which is
	// never true in Lua: the effect never happens. Only when Checked.
	NeverEqual bool

	// IfCreated is true if every path to the effect passed the success of this
	// script's own create of Key.
	IfCreated bool

	// Unclear is true if the effect is neither Checked nor IfCreated, yet some
	// condition on stored data stands before it. Make no claim about it.
	Unclear bool

	// Created is set for a Create.
	Created Creation
	// Value is what a Set stores; unknown where paths store different values.
	Value Ref
	// TTL is set for an Expire and a Set.
	TTL TTL

	// Command is the Redis command in upper case.
	Command string
	// Pos is the line of the call in the script, from 1.
	Pos int
}

// Bare reports whether nothing on the way to the effect asks whose key it is or
// looks at stored data in a way this package does not understand.
func (e Effect) Bare() bool { return !e.Checked && !e.IfCreated && !e.Unclear }

// Script is what a script does.
type Script struct {
	// Effects are in the order of the text.
	Effects []Effect
	// Complete is false if the script may do something to a key that Effects
	// does not tell: a command or a key that is computed from stored data,
	// recursion, loadstring. What Effects tells holds all the same; what needs
	// the absence of an effect (a create that nothing expires) needs Complete.
	Complete bool
}

package rediscmd

import (
	"go/ast"
	"go/types"
	"time"
)

// A Verb is what a command does, as far as locks care.
type Verb uint8

const (
	_       Verb = iota
	Set          // SET in all its forms, SETNX, SETEX
	Get          // GET
	GetSet       // GETSET: writes, drops the TTL
	GetDel       // GETDEL
	GetEx        // GETEX
	Del          // DEL, UNLINK
	DelEx        // DELEX
	Expire       // EXPIRE and its relatives
	Persist      // PERSIST
	Script       // EVAL, EVALSHA
	Inspect      // EXISTS, TTL, …: looks and leaves
	Data         // any other command on the key: the key holds data
)

// Conn says how a command travels.
type Conn uint8

const (
	Direct Conn = iota // sent at once
	Queued             // queued in a pipeline or a transaction
	Tx                 // sent at once on the connection of a WATCH
)

// TTLKind says what is known of an expiry.
type TTLKind uint8

const (
	TTLNone    TTLKind = iota // provably none
	TTLKeep                   // KEEPTTL: none, for a new key
	TTLConst                  // a constant duration
	TTLUnknown                // given, value not known
)

// A TTL is the expiry that a command gives.
type TTL struct {
	Kind TTLKind
	Expr ast.Expr      // the argument, nil if the command has none
	Dur  time.Duration // of TTLConst
	// At says that Expr is an absolute time.
	At bool
	// Clash says that KEEPTTL and a time are given, which the server refuses.
	Clash bool
}

// Missing reports whether a key created with this expiry never expires.
func (t TTL) Missing() bool { return t.Kind == TTLNone || t.Kind == TTLKeep }

// Cond is the condition of a SET.
type Cond uint8

const (
	Always      Cond = iota
	IfAbsent         // NX
	IfPresent        // XX
	IfEqual          // IFEQ, IFDEQ: compares the owner
	IfDifferent      // IFNE, IFDNE
	CondUnknown      // options that are not constants
)

// A Command is one command that a call sends.
type Command struct {
	Call   *ast.CallExpr // the call
	Lib    *Library
	Name   string // as written: SetNX, Del, Do("SET")
	Verb   Verb
	Client ast.Expr // the client expression, nil if there is none
	Conn   Conn
	Method bool     // a typed method, not raw arguments
	Ctx    ast.Expr // the context argument, nil for v6 and v7

	Keys   []ast.Expr
	Spread bool // the last key is a slice: keys...

	// Of Set:
	Cond  Cond
	Value ast.Expr
	Match ast.Expr // what IFEQ compares with; of DelEx too
	TTL   TTL      // of Set, Expire and GetEx
	// Options is the SetArgs literal, where it is written in the call.
	Options *ast.CompositeLit
	// Reply of a missed NX is redis.Nil rather than false.
	NilReply bool
	// Extra are arguments that the command does not take.
	Extra []ast.Expr

	// Of Expire:
	OnlyIf string // NX, XX, GT, LT
	Millis bool   // PEXPIRE: milliseconds kept

	// Of Script:
	Text    ast.Expr // expression of the script text; nil if not known
	KeyList ast.Expr // the slice of keys
	Args    []ast.Expr
	ArgsAll bool // false if the last of Args is a spread slice
}

// A Library is one client library.
type Library struct {
	Path string
	// Major is the major version of go-redis.
	Major int
	// Context says that methods take a context first.
	Context bool
}

var libraries = []*Library{
	{Path: "github.com/redis/go-redis/v9", Major: 9, Context: true},
	{Path: "github.com/go-redis/redis/v9", Major: 9, Context: true},
	{Path: "github.com/go-redis/redis/v8", Major: 8, Context: true},
	{Path: "github.com/go-redis/redis/v7", Major: 7},
	{Path: "github.com/go-redis/redis", Major: 6},
}

// ImportPaths lists the import paths of the client libraries.
func ImportPaths() []string {
	paths := make([]string, len(libraries))
	for i, l := range libraries {
		paths[i] = l.Path
	}
	return paths
}

// LibraryOf returns the library with that import path, nil if there is none.
func LibraryOf(path string) *Library {
	for _, l := range libraries {
		if l.Path == path {
			return l
		}
	}
	return nil
}

// funcLibrary returns the library a function belongs to, nil if it is in none.
func funcLibrary(fn *types.Func) *Library {
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	return LibraryOf(fn.Pkg().Path())
}

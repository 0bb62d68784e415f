package locks

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/rediscmd"
)

// A Kind is what a call does to a key.
type Kind uint8

const (
	_            Kind = iota
	Create            // the key is set if absent
	Expire            // an expiry is set
	Free              // the key is deleted, whoever holds it
	CheckedFree       // the key is deleted if it still holds the caller's value
	CheckedRenew      // the expiry is set if the key still holds the caller's value
	Read              // the value is read
	Inspect           // EXISTS, TTL: somebody asks whether the key is there
	Overwrite         // the value is set, whoever holds the key
	Data              // the key holds data
)

var kindNames = [...]string{"", "create", "expire", "free", "checked free", "checked renew", "read", "inspect", "overwrite", "data"}

func (k Kind) String() string { return kindNames[k] }

// A ValueKind is what is known of the value a lock is created with.
type ValueKind uint8

const (
	ValueUnknown ValueKind = iota
	ValueConst             // the same for every holder
	ValueHost              // the same for all acquisitions of one host or process
	ValueProcess           // a package variable: made once per process
	ValueSecond            // the clock, in seconds
	ValueFresh             // unique, made inside the call
	ValueKept              // in a variable, a field or a parameter
	ValueScript            // chosen by a script
)

var valueNames = [...]string{"unknown", "constant", "host", "process", "second", "fresh, not kept", "kept", "script"}

func (v ValueKind) String() string { return valueNames[v] }

// A Value is the value that a create writes or a checked free compares with.
type Value struct {
	Kind  ValueKind
	Expr  ast.Expr // at the site of the effect
	Param int      // index of the parameter it is; keyexpr.NoParam if none
	Text  string   // as written, for messages
}

// A TTL is the expiry of an effect.
type TTL struct {
	rediscmd.TTL
	Param int    // index of the parameter it is; keyexpr.NoParam if none
	Path  string // the field path below the parameter
}

// A Queue says how a queued command is sent.
type Queue uint8

const (
	NoQueue  Queue = iota
	Pipeline       // sent together, not a transaction
	Multi          // MULTI … EXEC
	AnyQueue       // one of the two
)

// An Effect is what one call does to one key.
type Effect struct {
	Kind Kind
	Fn   *Func    // the declared function it stands in
	Body ast.Node // the innermost *ast.FuncDecl or *ast.FuncLit
	Call *ast.CallExpr
	Cmd  *rediscmd.Command // nil if the call is of a function with a summary
	Lit  string            // how the call names the command: "Del", "release script"

	Key     keyexpr.Key
	KeyExpr ast.Expr // as written here; nil if the callee fixes the key
	KeyArg  int      // index among Cmd.Keys
	Value   Value    // of Create; what is compared of a checked effect
	TTL     TTL
	NoReply bool // SetArgs, Do: a held lock is answered by redis.Nil
	OnlyIf  string

	Queue   Queue
	QueueOf *types.Var // the pipeline
	Watched bool       // queued or sent in a Watch callback
	InTx    bool       // sent on the Tx itself
	// Weak frees are faults of a lock but no evidence of one: GETDEL, a script
	// without a compare, an expiry of zero.
	Weak bool
	// Script effects: the expiry of a created key is set for losers too.
	Losers bool
	Script bool
	// BadArgs are arguments SETNX does not take.
	BadArgs bool
	// Looped says that the command stands in a loop of its function.
	Looped bool
	// Shape says that the call is of an interface method taken for a command.
	Shape bool

	// Root is the command behind a call of a function of this package; the effect
	// itself for a command. Nil if it is in another package.
	Root *Effect
	// Step is the effect of the callee that this one is made of.
	Step *Effect
	// Far describes a root in another package.
	Far *Origin

	forced    bool // an imported function that breaks the lock on purpose
	farSteps  int
	farLooked bool
	floating  bool     // of an imported function that is not called here
	collected ast.Node // where the key was put into the slice it is taken from

	named bool  // of a function that the settings name
	lock  *Lock // the lock it was found to belong to
	// valueFromCaller and ttlFromCaller say what the call of a function supplied.
	valueFromCaller, ttlFromCaller bool
	// raced: stands behind a GET of the same key that is compared.
	raced *Effect
}

// An Origin is a place in another package.
type Origin struct {
	Func   string // full name of the function
	Where  string // file:line
	Judged bool   // found to be part of a lock there
}

// Pos is where the effect happens in the source of this package; no position for
// one of an imported function that is not called here.
func (e *Effect) Pos() token.Pos {
	if e.Call == nil {
		return token.NoPos
	}
	return e.Call.Pos()
}

// End is where the call ends.
func (e *Effect) End() token.Pos {
	if e.Call == nil {
		return token.NoPos
	}
	return e.Call.End()
}

// Derived reports whether the effect is that of a called function.
func (e *Effect) Derived() bool { return e.Cmd == nil && !e.Shape }

// A Func is a declared function with effects.
type Func struct {
	Obj     *types.Func
	Decl    *ast.FuncDecl
	Scope   *keyexpr.Scope
	Effects []*Effect
	calls   []*ast.CallExpr // of functions that may have a summary
	Test    bool            // declared in a _test.go file
	literal bool            // a func literal of a package variable
	litOf   map[*ast.FuncLit]ast.Node
	graphs  map[ast.Node]*graph
}

// Name is how the function is shown: Release, locks.Release.
func (f *Func) Name() string { return f.Obj.Name() }

// Recv is the named type the function is a method of, nil if it is none.
func (f *Func) Recv() *types.TypeName {
	r := f.Scope.Recv
	if r == nil {
		return nil
	}
	t := r.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

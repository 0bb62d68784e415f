package rediscmd

import (
	"go/ast"
	"go/constant"
	"time"
)

// Duration judges an expiry argument.
func (r *Recognizer) Duration(e ast.Expr) TTL {
	if e == nil {
		return TTL{Kind: TTLUnknown}
	}
	t := TTL{Kind: TTLUnknown, Expr: e}
	d, ok := r.constInt(e)
	if !ok {
		return t
	}
	switch {
	case d == 0:
		t.Kind = TTLNone
	case d == -1:
		t.Kind = TTLKeep
	default:
		t.Kind, t.Dur = TTLConst, time.Duration(d)
	}
	return t
}

// constValue evaluates a constant, or a local that is assigned one once; nil for
// anything else.
func (r *Recognizer) constValue(e ast.Expr) constant.Value {
	return r.Info.Types[r.Defs.Resolve(e)].Value
}

// constInt evaluates an integer.
func (r *Recognizer) constInt(e ast.Expr) (int64, bool) {
	v := r.constValue(e)
	if v == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v))
}

// constString evaluates a string.
func (r *Recognizer) constString(e ast.Expr) (string, bool) {
	v := r.constValue(e)
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// constBool evaluates a bool in the way of constInt.
func (r *Recognizer) constBool(e ast.Expr) (val, ok bool) {
	v := r.constValue(e)
	if v == nil || v.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(v), true
}

// seconds judges an expiry given as a number of seconds, or of milliseconds. Zero is
// refused by the server as an option of SET and deletes in EXPIRE: it is a constant
// like any other here.
func (r *Recognizer) seconds(e ast.Expr, millis bool) TTL {
	t := TTL{Kind: TTLUnknown, Expr: e}
	unit := time.Second
	if millis {
		unit = time.Millisecond
	}
	if n, ok := r.constInt(e); ok {
		if d := time.Duration(n) * unit; d/unit == time.Duration(n) { // no overflow
			t.Kind, t.Dur = TTLConst, d
		}
	}
	return t
}

package locks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/locklint/locklint/internal/keyexpr"
	"github.com/locklint/locklint/internal/rediscmd"
)

// The interface-shape table. A method of an interface whose implementations are
// not known, with one of these names and with parameters (context, key, …), is
// taken for the command.
var shapes = []struct {
	kind   Kind
	names  []string
	value  bool // takes the value after the key
	ttl    bool // takes a TTL last
	result string
}{
	{Create, []string{"SetNX", "SetNx", "Setnx", "SetIfAbsent", "SetIfNotExists", "SetIfNotExist", "AddIfAbsent", "PutIfAbsent", "SetNotExists"}, true, true, "bool"},
	{Free, []string{"Del", "Delete", "Remove", "Unlink", "DelKey", "DeleteKey"}, false, false, ""},
	{Expire, []string{"Expire", "Touch", "PExpire"}, false, true, ""},
	{CheckedFree, []string{"CompareAndDelete", "RemoveIf", "DeleteIf", "DelIfMatch", "DeleteIfMatch", "DeleteIfEquals", "DelIfEqual", "CompareAndDel"}, true, false, ""},
	{CheckedRenew, []string{"CompareAndExpire", "ExpireIf", "ExpireIfMatch", "ExpireIfEquals"}, true, true, ""},
	{Read, []string{"Get", "GetString"}, false, false, ""},
}

// ShapeNames lists the method names without which an interface shape cannot be a
// lock: those of creates.
func ShapeNames() []string { return slices.Clone(shapes[0].names) }

// isShapeName is ShapeNames without allocation.
func isShapeName(name string) bool { return slices.Contains(shapes[0].names, name) }

func isInterfaceMethod(fn *types.Func) bool {
	r := fn.Type().(*types.Signature).Recv()
	return r != nil && types.IsInterface(r.Type())
}

// shape takes a method of an interface for the command it looks like.
func (c *collector) shape(f *Func, body ast.Node, call *ast.CallExpr, fn *types.Func) []*Effect {
	sig := fn.Type().(*types.Signature)
	for _, s := range shapes {
		if !slices.Contains(s.names, fn.Name()) {
			continue
		}
		i := 0
		if sig.Params().Len() > 0 && isContext(sig.Params().At(0).Type()) {
			i = 1
		}
		if i >= sig.Params().Len() || i >= len(call.Args) || !returns(sig, s.result) {
			return nil
		}
		last := sig.Params().Len() - 1
		kt := sig.Params().At(i).Type()
		variadic := sig.Variadic() && i == last
		if sl, ok := kt.(*types.Slice); ok && (variadic || s.kind == Free) {
			kt = sl.Elem()
		}
		if !isString(kt) {
			return nil
		}
		if len(call.Args) < last+1 && !variadic {
			return nil // c.SetNX(f()): the results of one call
		}
		args := call.Args[i:]
		rest := last - i
		switch {
		case s.value && s.ttl && rest != 2, s.value != s.ttl && rest != 1, !s.value && !s.ttl && rest != 0:
			return nil
		}
		if s.ttl && !isDuration(sig.Params().At(last).Type()) && !isInt(sig.Params().At(last).Type()) {
			return nil
		}
		keys := args[:1]
		if variadic && !call.Ellipsis.IsValid() {
			keys = args
		}
		var out []*Effect
		for n, k := range keys {
			e := &Effect{Kind: s.kind, Fn: f, Body: body, Call: call, Lit: fn.Name(), KeyExpr: k, KeyArg: n, Shape: true}
			e.Root = e
			e.Key = c.fold.Fold(k, f.Scope)
			if elems, ok := c.defs.Elems(k); ok && len(elems) == 1 {
				e.Key = c.fold.Fold(elems[0], f.Scope)
			}
			e.Value.Param, e.TTL.Param = keyexpr.NoParam, keyexpr.NoParam
			e.TTL.Kind = rediscmd.TTLUnknown
			if s.value {
				e.Value = c.value(args[1], f)
			}
			if s.kind == Create && isDuration(sig.Params().At(last).Type()) {
				e.TTL = c.ttl(c.rec.Duration(args[2]), f)
			}
			if e.Key.Known() {
				out = append(out, e)
			}
		}
		return out
	}
	return nil
}

// returns reports whether a method answers as the table says: bool, or bool and
// error; anything where it does not say.
func returns(sig *types.Signature, want string) bool {
	if want == "" {
		return true
	}
	r := sig.Results()
	if r.Len() == 0 || r.Len() > 2 || r.Len() == 2 && !isError(r.At(1).Type()) {
		return false
	}
	return isBool(r.At(0).Type())
}

func isContext(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Context" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context"
}

func isDuration(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Duration" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time"
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}

func isInt(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// implementations returns the methods of concrete types that implement an
// interface's method, of this package and of those with a summary. known reports
// that an implementation was found, be it one without Redis: then the shape says
// nothing. Mocks and fakes do not count.
func (c *collector) implementations(fn *types.Func) (impls []*types.Func, known bool) {
	if got, ok := c.impls[fn]; ok {
		return got.funcs, got.known
	}
	iface, ok := fn.Type().(*types.Signature).Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return nil, false
	}
	seen := map[*types.TypeName]bool{}
	try := func(tn *types.TypeName) {
		if seen[tn] || tn.IsAlias() {
			return
		}
		seen[tn] = true
		named, ok := tn.Type().(*types.Named)
		if !ok || types.IsInterface(named) || named.TypeParams().Len() > 0 || mockNamed(tn.Name()) {
			return
		}
		ptr := types.NewPointer(named)
		if !types.Implements(ptr, iface) {
			return
		}
		if m, _, _ := types.LookupFieldOrMethod(ptr, true, fn.Pkg(), fn.Name()); m != nil {
			if mf, ok := m.(*types.Func); ok && !isInterfaceMethod(mf) {
				impls = append(impls, mf.Origin())
				known = true
			}
		}
	}
	scope := c.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		if tn, ok := scope.Lookup(name).(*types.TypeName); ok {
			try(tn)
		}
	}
	for _, tn := range c.summarisedTypes() {
		try(tn)
	}
	c.impls[fn] = implementation{impls, known}
	return impls, known
}

type implementation struct {
	funcs []*types.Func
	known bool
}

// summarisedTypes are the types of imported packages that have a method with a
// summary, in a fixed order.
func (c *collector) summarisedTypes() []*types.TypeName {
	if c.farTypes != nil {
		return c.farTypes
	}
	c.farTypes = []*types.TypeName{}
	seen := map[*types.TypeName]bool{}
	for _, of := range c.pass.AllObjectFacts() {
		fn, ok := of.Object.(*types.Func)
		if !ok || fn.Pkg() == c.pass.Pkg {
			continue
		}
		if tn := (&Func{Scope: keyexpr.ScopeOf(fn)}).Recv(); tn != nil && !seen[tn] {
			seen[tn] = true
			c.farTypes = append(c.farTypes, tn)
		}
	}
	slices.SortFunc(c.farTypes, func(a, b *types.TypeName) int {
		return strings.Compare(a.Pkg().Path()+"."+a.Name(), b.Pkg().Path()+"."+b.Name())
	})
	return c.farTypes
}

func mockNamed(name string) bool {
	return has(name, []string{"mock", "mocked", "fake", "stub", "noop", "nop", "dummy", "test", "spy"})
}

// knownLibrary reports whether a function belongs to a lock library that is right
// by itself.
func knownLibrary(fn *types.Func) bool {
	path := pathOf(fn)
	for _, lib := range []string{
		"github.com/bsm/redislock", "github.com/go-redsync/redsync", "github.com/redis/rueidis",
		"github.com/valkey-io/valkey-go", "github.com/zeromicro/go-zero/core/stores/redis", "github.com/locklint/locklint/runtime",
	} {
		if path == lib || strings.HasPrefix(path, lib+"/") {
			return true
		}
	}
	return false
}

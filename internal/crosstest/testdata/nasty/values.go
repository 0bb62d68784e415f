package p

import (
	. "context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unsafe"

	r "github.com/redis/go-redis/v9"
)

type (
	client interface{ r.Cmdable }
	nested struct{ client }
	deep   struct{ *nested }
	fn     func(Context, string) bool
	rec    struct {
		next *rec
		key  string
	}
	gen[T any, C interface {
		~string
		fmt.Stringer
	}] struct {
		deep
		key  C
		vals []T
		call func(...C) T
	}
	self[T any] struct{ in *self[T] }
)

var (
	a    = b
	b, _ = func() (string, error) { return "lock:" + c, nil }()
	c    = strings.Repeat("x", int(unsafe.Sizeof(0)))
	d    = deep{&nested{r.NewClient(&r.Options{})}}
	f    = d.SetNX
	tab  = map[string]fn{"k": func(ctx Context, k string) bool { return d.SetNX(ctx, k, 1, 0).Val() }, "d": nil}
	_    = func(ctx Context) { d.Del(ctx, a) }
	_, _ = d.Del(Background(), a).Result()
)

func init() { d.SetNX(Background(), a, b, 0) }

func init() {
	if d.SetNX(Background(), a, b, 0).Val() {
		d.Del(Background(), a)
	}
}

func (g *gen[T, C]) lock(ctx Context, more ...C) (t T) {
	if g.SetNX(ctx, string(g.key), g.vals, 0).Val() {
		defer g.Del(ctx, g.key.String())
		return g.call(append(more, g.key)...)
	}
	for _, m := range more {
		g.lock(ctx, m, C("x"))
		g.Unlink(ctx, fmt.Sprintf("%v%[1]v", m))
	}
	return *new(T)
}

func (*gen[_, _]) blank(_ Context, _ string, _ ...any) {}

func (g gen[T, C]) method() func(Context, ...C) T { return g.lock }

func variadics(ctx Context, keys ...string) {
	variadics(ctx, keys...)
	d.Del(ctx, keys...)
	variadics(ctx)
}

func values(ctx Context, p *rec, x any, arr [3]string, ch <-chan string) {
	const nx = "n" + "X"
	error := "shadowed"
	len := func(string) int { return 0 }
	nil := r.Nil
	append := fmt.Sprint
	_, _, _, _ = error, len, nil, append(1)
	for q := p; q.next != p; q = q.next {
		d.SetNX(ctx, q.key, q.next.next.key, 0)
		d.Del(ctx, (*q).next.key)
	}
	f(ctx, "lock:f", 1, 0)
	tab["k"](ctx, "lock:g")
	(func(k fn) bool { return k(ctx, "lock:h") })(tab["d"])
	d.SetNX(ctx, arr[0], arr[len("")], 0)
	d.SetNX(ctx, arr[:][1][1:], <-ch, 0)
	d.Del(ctx, <-ch, arr[2], fmt.Sprint(x), x.(fmt.Stringer).String(), strconv.Quote("lock"))
	d.client.(*r.Client).Do(ctx, "set", "lock:i", 1, nx, "eX", time.Second)
	d.client.(*r.Client).Do(ctx, "set", "lock:i", 1, nx, "px", 1<<62)
	d.client.(*r.Client).Do(ctx, "eval", "return 1", 2, "a", "b", "c")
	d.client.(*r.Client).Do(ctx)
	d.client.(*r.Client).Do(ctx, "")
	d.SetNX(args())
	d.Expire(ctx, "lock:i", -1<<63)
	d.SetArgs(ctx, "lock:j", unsafe.Pointer(p), r.SetArgs{"nx", nil2[any](), 0, 0, time.Time{}, false, r.KeepTTL > 0})
	d.SetArgs(ctx, "lock:j", struct{ x, y int }{1, 2}, *(*r.SetArgs)(unsafe.Pointer(p)))
	d.SetArgs(ctx, "lock:j", [...]int{2: 1}, r.SetArgs{Mode: "NX", TTL: map[bool]time.Duration{true: 0}[true]})
	(*r.Client).SetNX(r.NewClient(nil2[*r.Options]()), ctx, "lock:k", 1, 0)
	r.Cmdable.Del(d, ctx, "lock:k")
	for _, g := range []interface {
		Del(Context, ...string2) *r.IntCmd
	}{} {
		g.Del(ctx, "lock:l")
	}
	if s := (&gen[int, name]{}); s != (*gen[int, name])(unsafe.Pointer(p)) {
		s.lock(ctx, "a", "b")
		(*gen[int, name]).lock(s, ctx)
		s.method()(ctx)
	}
}

type string2 = string

type name string

func (n name) String() string { return string(n) + n.String() }

func args() (Context, string, any, time.Duration) { return nil, "lock:m", nil, 0 }

func nil2[T any]() (t T) { return }

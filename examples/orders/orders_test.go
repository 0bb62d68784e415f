// Package orders tests what the two order services do when their locks overlap.
package orders

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/locklint/locklint/examples/orders/broken"
	"github.com/locklint/locklint/examples/orders/fixed"
)

// A shop runs during in the middle of each piece of work.
type shop struct{ during func() }

func (s shop) work() error {
	if s.during != nil {
		s.during()
	}
	return nil
}

func (s shop) Charge(context.Context, string) error   { return s.work() }
func (s shop) Pack(context.Context, string) error     { return s.work() }
func (s shop) PayBack(context.Context, string) error  { return s.work() }
func (s shop) Print(context.Context, string) error    { return s.work() }
func (s shop) Restock(context.Context, string) error  { return s.work() }
func (s shop) Index(context.Context, int) error       { return s.work() }
func (s shop) WriteCSV(context.Context, string) error { return s.work() }

func server(t *testing.T) (*miniredis.Miniredis, *redis.Client) {
	m := miniredis.RunT(t)
	rdb := redis.NewClient(&redis.Options{Addr: m.Addr()})
	t.Cleanup(func() { rdb.Close() })
	return m, rdb
}

// service is what the broken and the fixed service have in common.
type service interface {
	Pay(ctx context.Context, order string) error
	Ship(ctx context.Context, order string) error
	Refund(ctx context.Context, order string) error
	Cancel(ctx context.Context, order string) error
	Invoice(ctx context.Context, order string) error
	Reindex(ctx context.Context, pages int) error
	Export(ctx context.Context, day string) error
}

func newFixed(t *testing.T, rdb *redis.Client, during func()) service {
	s, err := fixed.New(rdb, shop{during})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// While one works, the next one is told that it cannot.
func TestExclusion(t *testing.T) {
	ctx := t.Context()
	for name, call := range map[string]func(service) error{
		"Pay":     func(s service) error { return s.Pay(ctx, "7") },
		"Ship":    func(s service) error { return s.Ship(ctx, "7") },
		"Refund":  func(s service) error { return s.Refund(ctx, "7") },
		"Cancel":  func(s service) error { return s.Cancel(ctx, "7") },
		"Invoice": func(s service) error { return s.Invoice(ctx, "7") },
		"Reindex": func(s service) error { return s.Reindex(ctx, 1) },
	} {
		_, rdb := server(t)
		second := newFixed(t, rdb, func() { t.Errorf("%s: two at once", name) })
		first := newFixed(t, rdb, func() {
			if err := call(second); !errors.Is(err, fixed.ErrBusy) {
				t.Errorf("%s of the second: %v", name, err)
			}
		})
		if err := call(first); err != nil {
			t.Errorf("%s of the first: %v", name, err)
		}
	}
}

// When the lock ended in the middle of the work and another has it, the broken service
// frees the other's lock, and the fixed one does not.
func TestLateRelease(t *testing.T) {
	ctx := t.Context()
	for _, c := range []struct {
		name, key string
		call      func(service) error
	}{
		{"Ship", "ship:7", func(s service) error { return s.Ship(ctx, "7") }},
		{"Cancel", "cancel:7", func(s service) error { return s.Cancel(ctx, "7") }},
		{"Refund", "refund:7", func(s service) error { return s.Refund(ctx, "7") }},
	} {
		m, rdb := server(t)
		overtaken := func() {
			m.FastForward(time.Minute)
			m.Set(c.key, "another's token")
		}
		if err := c.call(broken.New(rdb, shop{overtaken})); err != nil {
			t.Errorf("broken %s: %v", c.name, err)
		}
		if m.Exists(c.key) {
			t.Errorf("broken %s does not show its fault", c.name)
		}
		if err := c.call(newFixed(t, rdb, overtaken)); err != nil {
			t.Errorf("fixed %s: %v", c.name, err)
		}
		if !m.Exists(c.key) {
			t.Errorf("fixed %s frees another's lock", c.name)
		}
	}
}

// The loser of the broken Refund frees the winner's lock.
func TestRefundByLoser(t *testing.T) {
	m, rdb := server(t)
	m.Set("refund:7", "the winner's token")
	if err := broken.New(rdb, shop{}).Refund(t.Context(), "7"); !errors.Is(err, broken.ErrBusy) {
		t.Errorf("broken Refund: %v", err)
	}
	if m.Exists("refund:7") {
		t.Error("broken Refund does not show its fault")
	}
	m.Set("refund:7", "the winner's token")
	if err := newFixed(t, rdb, nil).Refund(t.Context(), "7"); !errors.Is(err, fixed.ErrBusy) {
		t.Errorf("fixed Refund: %v", err)
	}
	if !m.Exists("refund:7") {
		t.Error("fixed Refund frees another's lock")
	}
}

// All workers of the broken Invoice store the same value: a late one takes another's lock for its own.
func TestInvoiceOfAnother(t *testing.T) {
	m, rdb := server(t)
	overtaken := func() {
		m.FastForward(time.Minute)
		m.Set("invoice:7", "printing")
	}
	if err := broken.New(rdb, shop{overtaken}).Invoice(t.Context(), "7"); err != nil {
		t.Error(err)
	}
	if m.Exists("invoice:7") {
		t.Error("broken Invoice does not show its fault")
	}
	if err := newFixed(t, rdb, overtaken).Invoice(t.Context(), "7"); err != nil {
		t.Error(err)
	}
	if !m.Exists("invoice:7") {
		t.Error("fixed Invoice frees another's lock")
	}
}

// When its lock is another's, the broken Reindex goes on and renews it; the fixed one stops.
func TestReindexLost(t *testing.T) {
	const key, left = "orders:reindex", 5 * time.Second
	m, rdb := server(t)
	pages := 0
	overtaken := func() {
		pages++
		m.Set(key, "another's token")
		m.SetTTL(key, left)
	}
	if err := broken.New(rdb, shop{overtaken}).Reindex(t.Context(), 3); err != nil {
		t.Error(err)
	}
	if m.TTL(key) == left || pages != 3 {
		t.Errorf("broken Reindex does not show its fault: TTL %v after %d pages", m.TTL(key), pages)
	}
	m.Del(key)
	pages = 0
	if err := newFixed(t, rdb, overtaken).Reindex(t.Context(), 3); !errors.Is(err, fixed.ErrLost) {
		t.Errorf("fixed Reindex: %v", err)
	}
	if m.TTL(key) != left || pages != 1 {
		t.Errorf("fixed Reindex renews another's lock: TTL %v after %d pages", m.TTL(key), pages)
	}
}

// The lock of the runtime package is gone when Do returns.
func TestExport(t *testing.T) {
	m, rdb := server(t)
	held := false
	s := newFixed(t, rdb, func() { held = m.Exists("export:monday") })
	if err := s.Export(t.Context(), "monday"); err != nil {
		t.Error(err)
	}
	if !held || m.Exists("export:monday") {
		t.Errorf("held during the work: %v; keys after it: %v", held, m.Keys())
	}
}

// A clerk's lock is freed by its token alone.
func TestClerk(t *testing.T) {
	_, rdb := server(t)
	ctx := t.Context()
	s, err := fixed.New(rdb, shop{})
	if err != nil {
		t.Fatal(err)
	}
	token, ok, err := s.Lock(ctx, "7")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if err := s.Unlock(ctx, "7", "another's token"); !errors.Is(err, fixed.ErrLost) {
		t.Errorf("Unlock with another's token: %v", err)
	}
	if err := s.Unlock(ctx, "7", token); err != nil {
		t.Error(err)
	}
	if !s.Hold(ctx, "12") || s.Hold(ctx, "12") {
		t.Error("Hold does not exclude")
	}
	if broken.New(rdb, shop{}).Hold(ctx, "13") {
		t.Error("broken Hold does not show its fault")
	}
}

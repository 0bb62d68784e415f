package lockrt_test

import (
	"context"
	"testing"
	"time"

	"github.com/locklint/locklint/internal/redistest"
	lockrt "github.com/locklint/locklint/runtime"
)

func BenchmarkPair(b *testing.B) {
	c := redistest.Start(b).Client(b)
	l, err := lockrt.New(c)
	if err != nil {
		b.Fatal(err)
	}
	cancellable, cancel := context.WithCancel(b.Context())
	defer cancel()
	for _, bb := range []struct {
		name string
		ctx  context.Context
		use  bool
	}{{"plain", context.Background(), false}, {"plain+Context", context.Background(), true}, {"cancellable", cancellable, false}, {"cancellable+Context", cancellable, true}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k, err := l.Acquire(bb.ctx, "k", 10*time.Second)
				if err != nil {
					b.Fatal(err)
				}
				if bb.use {
					k.Context()
				}
				if err := k.Release(bb.ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

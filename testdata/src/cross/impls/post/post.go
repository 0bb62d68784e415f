//locklint:test passes=baredel,constvalue,setnxexpire

// Package post calls one of two carriers by an interface: their faults are told
// where they are.
package post

import (
	"context"

	"github.com/locklint/locklint/testdata/src/cross/impls/air"
	"github.com/locklint/locklint/testdata/src/cross/impls/sea"
)

type carrier interface {
	Ship(ctx context.Context, work func() error) error
}

func choose(far bool) carrier {
	if far {
		return &air.Carrier{}
	}
	return &sea.Carrier{}
}

func send(ctx context.Context, far bool) error {
	return choose(far).Ship(ctx, func() error { return nil })
}

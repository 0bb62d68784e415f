// Package lockrt compares a constant by way of the runtime package.
package lockrt

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	lockrt "github.com/locklint/locklint/runtime"
)

var errBusy = errors.New("busy")

func export(ctx context.Context, rdb *redis.Client, report string, fn func() error) error {
	key := "export:" + report
	ok, err := rdb.SetNX(ctx, key, "exporting", time.Minute).Result() // want `weak-token: `
	if err != nil || !ok {
		return errBusy
	}
	defer lockrt.CompareAndDelete(context.WithoutCancel(ctx), rdb, key, "exporting")
	return fn()
}

// Package fixed is the order service of package broken with right locks.
package fixed

import (
	"context"
	"errors"

	lockrt "github.com/locklint/locklint/runtime"
	"github.com/redis/go-redis/v9"
)

var (
	// ErrBusy says that another worker has the order.
	ErrBusy = errors.New("orders: another worker has it")
	// ErrLost says that the lock ended before the work did.
	ErrLost = errors.New("orders: the lock was lost")
)

// A Shop does the work that the locks are for.
type Shop interface {
	Charge(ctx context.Context, order string) error
	Pack(ctx context.Context, order string) error
	PayBack(ctx context.Context, order string) error
	Print(ctx context.Context, order string) error
	Restock(ctx context.Context, order string) error
	Index(ctx context.Context, page int) error
	WriteCSV(ctx context.Context, day string) error
}

// A Service handles orders; many processes run it at once.
type Service struct {
	rdb   *redis.Client
	locks *lockrt.Locker // for the jobs that take long
	shop  Shop
}

// New returns a Service.
func New(rdb *redis.Client, shop Shop) (*Service, error) {
	locks, err := lockrt.New(rdb)
	if err != nil {
		return nil, err
	}
	return &Service{rdb: rdb, locks: locks, shop: shop}, nil
}

// unlock deletes a key if it has the value that the caller stored. All in one step:
// what is true when the script looks is true when it deletes.
var unlock = redis.NewScript(`
if redis.call("get", KEYS[1]) == ARGV[1] then
	return redis.call("del", KEYS[1])
end
return 0`)

// Package broken is an order service whose locks have each fault that locklint
// knows. Package fixed beside it has the same functions with right locks.
package broken

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

// ErrBusy says that another worker has the order.
var ErrBusy = errors.New("orders: another worker has it")

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
	rdb  *redis.Client
	shop Shop
}

// New returns a Service.
func New(rdb *redis.Client, shop Shop) *Service {
	return &Service{rdb: rdb, shop: shop}
}

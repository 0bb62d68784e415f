//locklint:test passes=baredel,constvalue,setnxexpire

// Package keys is where a service keeps the texts of its keys.
package keys

import (
	"fmt"
	"strings"
)

const (
	Maintenance = "lock:maintenance"
	StockFormat = "stock:%s:%s"
	sep         = ":"
)

// Order is a helper function with a constant inside.
func Order(id int64) string { return fmt.Sprintf("order:%d:lock", id) }

// Tenant joins.
func Tenant(tenant, name string) string {
	return strings.Join([]string{"tenant", tenant, name}, sep)
}

// Scope is a helper method.
type Scope struct{ Name string }

func (s Scope) Mutex(id string) string { return s.Name + sep + "mutex" + sep + id }

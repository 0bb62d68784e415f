package lockrt

import (
	"errors"
	"net"
	"strings"

	"github.com/redis/go-redis/v9"
)

// A fault says what an error means for the request that met it.
type fault int

const (
	unknown fault = iota // the request may have been applied
	refused              // it was not applied; another try may succeed
	final                // it was not applied, and no other try will be
)

// transient are the replies of a server that cannot serve now.
var transient = []string{"LOADING ", "READONLY ", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "NOREPLICAS",
	"BUSY ", "max number of clients reached"}

func classify(err error) fault {
	if errors.Is(err, redis.ErrClosed) {
		return final
	}
	var reply redis.Error
	if errors.As(err, &reply) {
		for _, p := range transient {
			if strings.HasPrefix(strings.TrimPrefix(reply.Error(), "ERR "), p) {
				return refused
			}
		}
		return final
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" || errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrPoolExhausted) {
		return refused
	}
	return unknown
}

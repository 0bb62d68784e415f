package p

// #include <stdlib.h>
import "C"

import (
	"context"
	"unsafe"

	"github.com/redis/go-redis/v9"
)

//export Unlock
func Unlock(ctx context.Context, rdb *redis.Client, key *C.char) {
	defer C.free(unsafe.Pointer(key))
	if rdb.SetNX(ctx, C.GoString(key), C.int(1), 0).Val() {
		rdb.Del(ctx, C.GoString(key))
	}
}

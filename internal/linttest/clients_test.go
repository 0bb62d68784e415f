package linttest

// The packages of testdata import these. go mod tidy does not look into testdata,
// so without this file it would drop them.
import (
	_ "github.com/bsm/redislock"
	_ "github.com/go-redis/redis"
	_ "github.com/go-redis/redis/v7"
	_ "github.com/go-redis/redis/v8"
	_ "github.com/go-redsync/redsync/v4"
	_ "github.com/redis/go-redis/v9"
	_ "golang.org/x/sync/errgroup"
)

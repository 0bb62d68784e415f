// Package boards keeps leader boards: the leader of one is nobody's lock.
package boards

import (
	"context"

	"github.com/redis/go-redis/v9"
)

func seed(ctx context.Context, rdb *redis.Client, game string) (bool, error) {
	return rdb.SetNX(ctx, "leader_board:"+game, 0, 0).Result()
}

func drop(ctx context.Context, rdb *redis.Client, game string) error {
	return rdb.Del(ctx, "leader_board:"+game).Err()
}

func leaderBoardKey(game string) string { return "game:" + game }

func start(ctx context.Context, rdb *redis.Client, game string) (bool, error) {
	return rdb.SetNX(ctx, leaderBoardKey(game), 0, 0).Result()
}

func stop(ctx context.Context, rdb *redis.Client, game string) error {
	return rdb.Del(ctx, leaderBoardKey(game)).Err()
}

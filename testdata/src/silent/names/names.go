// Package names has names that look like a lock's and are not.
package names

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errLockedOut = errors.New("too many attempts")

type Service struct{ rdb *redis.Client }

// lockKey names a counter of failed logins, which a good login deletes.
func (s *Service) Login(ctx context.Context, user string, check func() bool) error {
	lockKey := "login:failed:" + user
	if err := s.rdb.SetNX(ctx, lockKey, 0, 15*time.Minute).Err(); err != nil {
		return err
	}
	if n, err := s.rdb.Get(ctx, lockKey).Int(); err != nil || n >= 5 {
		return errors.Join(errLockedOut, err)
	}
	if !check() {
		return s.rdb.Incr(ctx, lockKey).Err()
	}
	return s.rdb.Del(ctx, lockKey).Err()
}

// "block" is not "lock".
func (s *Service) Block(ctx context.Context, user, other string) error {
	return s.rdb.SetNX(ctx, "block:"+user+":"+other, 1, 0).Err()
}

func (s *Service) Unblock(ctx context.Context, user, other string) error {
	return s.rdb.Del(ctx, "block:"+user+":"+other).Err()
}

// Nor is "clock".
func (s *Service) PunchIn(ctx context.Context, worker string) (bool, error) {
	return s.rdb.SetNX(ctx, "timeclock:"+worker, time.Now().Unix(), 12*time.Hour).Result()
}

func (s *Service) PunchOut(ctx context.Context, worker string) error {
	return s.rdb.Del(ctx, "timeclock:"+worker).Err()
}

// Nor "location".
func (s *Service) Enter(ctx context.Context, device, place string) (bool, error) {
	locKey := "location:" + device
	return s.rdb.SetNX(ctx, locKey, place, time.Hour).Result()
}

func (s *Service) Leave(ctx context.Context, device string) error {
	locKey := "location:" + device
	return s.rdb.Del(ctx, locKey).Err()
}

// Nor "lockout", a state of an account.
func (s *Service) Punish(ctx context.Context, user string) (bool, error) {
	return s.rdb.SetNX(ctx, "lockout:"+user, 1, time.Hour).Result()
}

func (s *Service) Pardon(ctx context.Context, user string) error {
	return s.rdb.Del(ctx, "lockout:"+user).Err()
}

// Nor "locked", another one.
func (s *Service) Suspend(ctx context.Context, user string) (bool, error) {
	return s.rdb.SetNX(ctx, "account:locked:"+user, 1, time.Hour).Result()
}

func (s *Service) Restore(ctx context.Context, user string) error {
	return s.rdb.Del(ctx, "account:locked:"+user).Err()
}

// Claim and Release, of a marker.
type Deliveries struct{ rdb redis.UniversalClient }

func (d *Deliveries) Claim(ctx context.Context, id string) (bool, error) {
	return d.rdb.SetNX(ctx, "delivery:idem:"+id, 1, 24*time.Hour).Result()
}

func (d *Deliveries) Release(ctx context.Context, id string) error {
	return d.rdb.Del(ctx, "delivery:idem:"+id).Err()
}

// ReleaseLock only shortens the TTL: the next visit may come in a minute.
type Visits struct{ rdb *redis.Client }

func (v *Visits) AcquireLock(ctx context.Context, site string) (bool, error) {
	return v.rdb.SetNX(ctx, "visit:"+site, time.Now().Unix(), time.Hour).Result()
}

func (v *Visits) ReleaseLock(ctx context.Context, site string) error {
	return v.rdb.Expire(ctx, "visit:"+site, time.Minute).Err()
}

// Unlock does nothing, on purpose: the lock of a cron run must outlive it, or
// another node runs the job again.
type CronLocker struct{ rdb *redis.Client }

func (c *CronLocker) Lock(ctx context.Context, job string) (bool, error) {
	return c.rdb.SetNX(ctx, "cron:"+job, "1", 50*time.Second).Result()
}

func (c *CronLocker) Unlock(ctx context.Context, job string) error { return nil }

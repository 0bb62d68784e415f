// Package codes compares a stored value and deletes it, and holds no lock:
// one-time codes, captchas, CSRF tokens and refresh tokens have that shape.
package codes

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errInvalid = errors.New("invalid code")

type Codes struct{ rdb *redis.Client }

func (c *Codes) Send(ctx context.Context, phone string) (string, error) {
	code := rand.Text()[:6]
	return code, c.rdb.Set(ctx, "otp:"+phone, code, 5*time.Minute).Err()
}

func (c *Codes) Verify(ctx context.Context, phone, code string) error {
	want, err := c.rdb.Get(ctx, "otp:"+phone).Result()
	if err != nil {
		return err
	}
	if subtle.ConstantTimeCompare([]byte(want), []byte(code)) != 1 {
		return errInvalid
	}
	return c.rdb.Del(ctx, "otp:"+phone).Err()
}

// SET NX so that a second request does not send a second code. Still a code.
func (c *Codes) Issue(ctx context.Context, session, answer string) (bool, error) {
	return c.rdb.SetNX(ctx, "captcha:"+session, answer, 2*time.Minute).Result()
}

func (c *Codes) Solve(ctx context.Context, session, answer string) bool {
	if c.rdb.Get(ctx, "captcha:"+session).Val() != answer {
		return false
	}
	c.rdb.Del(ctx, "captcha:"+session)
	return true
}

// A one-time read.
func (c *Codes) Redeem(ctx context.Context, voucher string) (string, error) {
	return c.rdb.GetDel(ctx, "voucher:"+voucher).Result()
}

// GETDEL and a compare after it: a CSRF token, used once whatever comes.
func (c *Codes) CheckCSRF(ctx context.Context, session, token string) error {
	stored, err := c.rdb.GetDel(ctx, "csrf:"+session).Result()
	if err == nil && stored != token {
		return errInvalid
	}
	return err
}

// A sliding session: compare, then expire.
func (c *Codes) Touch(ctx context.Context, id, agent string) (bool, error) {
	bound, err := c.rdb.Get(ctx, "session:"+id).Result()
	if err != nil || bound != agent {
		return false, err
	}
	return c.rdb.Expire(ctx, "session:"+id, 30*time.Minute).Result()
}

// Nothing but parameters: no create in this package, no name that says lock.
func consume(ctx context.Context, rdb redis.Cmdable, key, value string) error {
	cur, err := rdb.Get(ctx, key).Result()
	if err != nil || cur != value {
		return err
	}
	return rdb.Del(ctx, key).Err()
}

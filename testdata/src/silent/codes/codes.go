// Package codes stores codes that are good for one use: made if absent, compared,
// deleted. That shape is a lock's fault, and no proof of a lock.
package codes

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

type app struct{ rdb *redis.Client }

func (a *app) SendCode(ctx context.Context, phone string) (string, error) {
	code := rand.Text()[:6]
	ok, err := a.rdb.SetNX(ctx, "login-code:"+phone, code, time.Minute).Result()
	if err != nil || !ok {
		return "", errors.Join(err, errors.New("wait a minute"))
	}
	return code, nil
}

func (a *app) CheckCode(ctx context.Context, phone, code string) bool {
	if a.rdb.Get(ctx, "login-code:"+phone).Val() == code {
		a.rdb.Del(ctx, "login-code:"+phone)
		return true
	}
	return false
}

// A form's token against forged requests.
func (a *app) Issue(ctx context.Context, session string) (string, error) {
	token := rand.Text()
	ok, err := a.rdb.SetNX(ctx, "form:"+session, token, time.Hour).Result()
	if err != nil || !ok {
		return "", errors.Join(err, errors.New("issued already"))
	}
	return token, nil
}

func (a *app) Consume(ctx context.Context, session, token string) bool {
	got, err := a.rdb.Get(ctx, "form:"+session).Result()
	if err != nil || got != token {
		return false
	}
	return a.rdb.Del(ctx, "form:"+session).Val() == 1
}

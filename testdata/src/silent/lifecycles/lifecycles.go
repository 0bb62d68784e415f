// Package lifecycles creates a key once and deletes it in another method. The
// value is data or a mere flag, and the time between is a state, not a critical
// section: what is deleted is gone on purpose, whoever created it.
package lifecycles

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// Sessions and invitations: made, prolonged, ended.
type Users struct{ rdb *redis.Client }

func (u *Users) Login(ctx context.Context, session, user string) (bool, error) {
	return u.rdb.SetNX(ctx, "session:"+session, user, time.Hour).Result()
}

func (u *Users) Touch(ctx context.Context, session string) error {
	return u.rdb.Expire(ctx, "session:"+session, time.Hour).Err()
}

func (u *Users) Logout(ctx context.Context, session string) error {
	return u.rdb.Del(ctx, "session:"+session).Err()
}

func (u *Users) Invite(ctx context.Context, code, user string) bool {
	return u.rdb.SetNX(ctx, "invite:"+code, user, 24*time.Hour).Val()
}

func (u *Users) Accept(ctx context.Context, code string) (string, error) {
	return u.rdb.GetDel(ctx, "invite:"+code).Result()
}

// A one-time code is compared and deleted. That is the shape of a faulty release,
// and here it is only a code.
func (u *Users) SendCode(ctx context.Context, phone, code string) (bool, error) {
	return u.rdb.SetNX(ctx, "otp:"+phone, code, 5*time.Minute).Result()
}

func (u *Users) CheckCode(ctx context.Context, phone, code string) (bool, error) {
	sent, err := u.rdb.Get(ctx, "otp:"+phone).Result()
	if err != nil || sent != code {
		return false, err
	}
	return true, u.rdb.Del(ctx, "otp:"+phone).Err()
}

// Votes and subscriptions stand until they are withdrawn: no TTL, on purpose.
func (u *Users) Vote(ctx context.Context, user string) (bool, error) {
	return u.rdb.SetNX(ctx, "vote:"+user, 1, 0).Result()
}

func (u *Users) Unvote(ctx context.Context, user string) error {
	return u.rdb.Del(ctx, "vote:"+user).Err()
}

func (u *Users) Subscribe(ctx context.Context, user string) (bool, error) {
	return u.rdb.SetNX(ctx, "newsletter:"+user, time.Now().Unix(), 0).Result()
}

func (u *Users) Unsubscribe(ctx context.Context, user string) error {
	return u.rdb.Del(ctx, "newsletter:"+user).Err()
}

// A node in a registry keeps its entry alive. If another one took the name, the
// address in the value shows it.
type Registry struct{ rdb redis.UniversalClient }

func (r *Registry) Register(ctx context.Context, node, addr string) (bool, error) {
	return r.rdb.SetNX(ctx, "node:"+node, addr, time.Minute).Result()
}

func (r *Registry) Heartbeat(ctx context.Context, node string) error {
	return r.rdb.Expire(ctx, "node:"+node, time.Minute).Err()
}

func (r *Registry) Deregister(ctx context.Context, node string) error {
	return r.rdb.Del(ctx, "node:"+node).Err()
}

// Work that is under way, for the dashboard.
func (r *Registry) Start(ctx context.Context, job string) (bool, error) {
	return r.rdb.SetNX(ctx, "job:active:"+job, 1, time.Hour).Result()
}

func (r *Registry) Finish(ctx context.Context, job string) error {
	return r.rdb.Del(ctx, "job:active:"+job).Err()
}

// A message in flight, as queues have it: visible again when the TTL is over.
type Inbox struct{ rdb *redis.Client }

func (q *Inbox) Receive(ctx context.Context, id, worker string) (bool, error) {
	return q.rdb.SetNX(ctx, "inflight:"+id, worker, time.Minute).Result()
}

func (q *Inbox) Extend(ctx context.Context, id string) error {
	return q.rdb.Expire(ctx, "inflight:"+id, time.Minute).Err()
}

func (q *Inbox) Ack(ctx context.Context, id string) error {
	return q.rdb.Del(ctx, "inflight:"+id).Err()
}

// Claim and Release, of a notice that is sent once. The word is in the key helper.
func noticeKey(id string) string { return "dedup:notice:" + id }

func (q *Inbox) Claim(ctx context.Context, id string) (bool, error) {
	return q.rdb.SetNX(ctx, noticeKey(id), "1", 24*time.Hour).Result()
}

func (q *Inbox) Release(ctx context.Context, id string) error {
	return q.rdb.Del(ctx, noticeKey(id)).Err()
}

// An idempotency store: the key is written over with the response.
type IdempotencyStore struct{ rdb *redis.Client }

func (s *IdempotencyStore) Acquire(ctx context.Context, key string) (bool, error) {
	return s.rdb.SetNX(ctx, "idempotency:"+key, "processing", time.Hour).Result()
}

func (s *IdempotencyStore) Complete(ctx context.Context, key, body string) error {
	return s.rdb.Set(ctx, "idempotency:"+key, body, 24*time.Hour).Err()
}

func (s *IdempotencyStore) Release(ctx context.Context, key string) error {
	return s.rdb.Del(ctx, "idempotency:"+key).Err()
}

// One purchase a customer. The mark goes when nothing is left, and when the order
// is cancelled.
func (s *IdempotencyStore) Buy(ctx context.Context, customer string, order func() error) error {
	key := "bought:" + customer
	ok, err := s.rdb.SetNX(ctx, key, 1, 24*time.Hour).Result()
	if err != nil || !ok {
		return errors.Join(err, errors.New("not bought"))
	}
	if s.rdb.Decr(ctx, "tickets").Val() < 0 {
		s.rdb.Incr(ctx, "tickets")
		s.rdb.Del(ctx, key)
		return errors.New("sold out")
	}
	return order()
}

func (s *IdempotencyStore) Cancel(ctx context.Context, customer string) {
	s.rdb.Del(ctx, "bought:"+customer)
	s.rdb.Incr(ctx, "tickets")
}

// A short link is tried until one is free, and dropped by name.
func shorten(ctx context.Context, rdb *redis.Client, long string, code func() string) (string, error) {
	for range 5 {
		c := code()
		ok, err := rdb.SetNX(ctx, "link:"+c, long, 0).Result()
		if err != nil {
			return "", err
		}
		if ok {
			return c, nil
		}
	}
	return "", errors.New("no free code")
}

func drop(ctx context.Context, rdb *redis.Client, code string) error {
	return rdb.Del(ctx, "link:"+code).Err()
}

// A new name is taken before the old one goes: two keys of one template.
func rename(ctx context.Context, rdb *redis.Client, from, to, id string) error {
	ok, err := rdb.SetNX(ctx, "name:"+to, id, 0).Result()
	if err != nil || !ok {
		return err
	}
	return rdb.Del(ctx, "name:"+from).Err()
}

// Deleted first, and written anew.
func restart(ctx context.Context, rdb *redis.Client, id string) {
	rdb.Del(ctx, "round:"+id)
	rdb.SetNX(ctx, "round:"+id, "new", time.Hour)
}

// A temporary entry that its writer removes. Nobody learns whether it was there
// before, and nothing calls it a lock.
func announce(ctx context.Context, rdb *redis.Client, id, text string, fn func()) error {
	if err := rdb.SetNX(ctx, "banner:"+id, text, time.Minute).Err(); err != nil {
		return err
	}
	defer rdb.Del(ctx, "banner:"+id)
	fn()
	return nil
}

// Payloads and generations in a pipeline: no reply is looked at.
func remember(ctx context.Context, rdb *redis.Client, id, payload string, kinds []string, seed func() string) error {
	p := rdb.TxPipeline()
	p.SetNX(ctx, "payload:"+id, payload, time.Hour)
	p.Expire(ctx, "payload:"+id, time.Hour)
	for _, kind := range kinds {
		p.SetNX(ctx, "generation:"+kind, seed(), 0)
		p.Incr(ctx, "generation:"+kind)
	}
	_, err := p.Exec(ctx)
	return err
}

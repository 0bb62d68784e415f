package p

import "time"

type cache interface {
	SetNX(key string, v any, ttl time.Duration) (bool, error)
	Expire(key string, ttl time.Duration) error
	CompareAndDelete(key, token string) error
	Del(keys ...string) error
}

func all() (string, any, time.Duration) { return "lock:a", 1, 0 }
func half() (string, time.Duration)     { return "lock:a", 0 }
func pair() (string, string)            { return "lock:a", "b" }

func f(c cache) {
	if ok, _ := c.SetNX(all()); ok {
		c.Expire(half())
		defer c.CompareAndDelete(pair())
		defer c.Del(pair())
	}
}

package locks

import (
	"slices"
	"strings"
	"unicode"
)

// lockWords name a lock as a whole word of a key, a function or a type.
var lockWords = []string{
	"lock", "locks", "locker", "lockers", "mutex", "mutexes", "lease", "leases", "leader",
	"leadership", "semaphore", "dlock", "distlock", "redlock", "redislock",
}

// acquireWords name the function that takes a lock, releaseWords the one that
// gives it back, forceWords one that breaks it on purpose.
var (
	acquireWords = []string{"acquire", "lock", "trylock", "obtain", "acquires", "acquirelock", "getlock", "setlock", "addlock", "dolock", "takelock"}
	releaseWords = []string{"release", "unlock", "free", "relinquish", "releaselock", "dellock", "deletelock", "removelock", "freelock"}
	forceWords   = []string{"force", "forced", "forcibly", "forceful", "admin", "operator", "manual", "manually", "break", "steal"}
	renewWords   = []string{
		"renew", "renewal", "extend", "ext", "refresh", "keepalive", "keep", "watchdog", "heartbeat", "prolong", "touch",
		"renewlock", "watch", "dog", "alive",
	}
	// markerWords speak against a lock where nothing but a name speaks for one.
	markerWords = []string{
		"seen", "dedup", "dedupe", "idem", "idempotent", "idempotency", "processed", "applied", "nonce", "replay",
		"once", "used", "blacklist", "revoked", "throttle", "cooldown", "rate", "quota", "debounce", "window",
		"cache", "captcha", "otp", "sms", "csrf", "verification", "invite", "totp", "seed", "epoch", "generation", "count", "counter", "seq", "marker",
		"mark", "claim", "first", "paused", "pause", "flag", "lockout",
	}
	// barWords are in the keys of flags that bar an account.
	barWords = []string{
		"login", "signin", "auth", "fail", "failed", "failure", "failures", "attempt", "attempts", "password", "passwd",
		"account", "ban", "banned", "barred", "blocked",
	}
	// markerFuncs are what a helper that sets a marker is called.
	markerFuncs = []string{"mark", "marked", "claim", "first", "seen", "dedup", "dedupe", "alerted", "notified"}
)

// words splits a name or a key into lower-case words: at camelCase humps, digits'
// edges and anything that is no letter.
func words(s string) []string {
	var out []string
	var cur []rune
	flush := func() {
		if len(cur) > 0 {
			out = append(out, strings.ToLower(string(cur)))
			cur = cur[:0]
		}
	}
	rs := []rune(s)
	for i, r := range rs {
		switch {
		case !unicode.IsLetter(r):
			flush()
			continue
		case unicode.IsUpper(r):
			// A new hump: aB, or the B of ABc.
			if i > 0 && unicode.IsLower(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1]) && i > 0 && unicode.IsUpper(rs[i-1]) {
				flush()
			}
		}
		cur = append(cur, r)
	}
	flush()
	return out
}

// has reports whether one of the words of s is in list.
func has(s string, list []string) bool {
	for _, w := range words(s) {
		if slices.Contains(list, w) {
			return true
		}
	}
	return false
}

// lockNamed reports whether a name or key names a lock.
func (c *collector) lockNamed(s string) bool {
	if strings.Contains(s, "锁") {
		return true
	}
	w := words(s)
	for i, x := range w {
		board := x == "leader" && i+1 < len(w) && strings.HasPrefix(w[i+1], "board") // a leader board is a list
		if slices.Contains(lockWords, x) && !board {
			return true
		}
	}
	return len(c.cfg.LockWords) > 0 && hasFold(s, c.cfg.LockWords)
}

func hasFold(s string, list []string) bool {
	for _, w := range words(s) {
		if slices.ContainsFunc(list, func(l string) bool { return strings.EqualFold(l, w) }) {
			return true
		}
	}
	return false
}

// The names of functions. Un-lock written as two words is a release.
func acquireNamed(name string) bool { return has(name, acquireWords) && !releaseNamed(name) }

func releaseNamed(name string) bool {
	w := words(name)
	for i, x := range w {
		if slices.Contains(releaseWords, x) {
			return true
		}
		if x == "lock" && i > 0 && slices.Contains([]string{"un", "del", "delete", "remove", "drop", "clear", "end", "exit"}, w[i-1]) {
			return true
		}
	}
	return strings.Contains(name, "释放") || strings.Contains(name, "解锁")
}

func renewNamed(name string) bool { return has(name, renewWords) }
func forceNamed(name string) bool { return has(name, forceWords) }
func markerNamed(s string) bool   { return has(s, markerWords) }

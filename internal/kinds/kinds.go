// Package kinds is the one ordered table of what locklint reports. Help, README,
// SARIF rules and the docs are made from it.
package kinds

// A FixClass says what kind of fix a kind can carry.
type FixClass string

const (
	FixSafe      FixClass = "safe"      // keeps results, removes the fault
	FixSuggested FixClass = "suggested" // holds a decision; attached with -fixes=all
	FixNone      FixClass = "none"      // the message says what to do
)

// A Kind is one kind of fault: the category of a diagnostic, the name in a
// locklint:ignore directive, and a page of the documentation.
type Kind struct {
	Name    string
	Pass    string // name of the analyzer that reports it
	Title   string // one line
	Default bool   // on unless disabled
	Fix     FixClass
	Since   string // first release
	Chinese string // Title for README.zh-CN.md
}

// URL is the page of the kind.
func (k Kind) URL() string {
	return "https://github.com/locklint/locklint/blob/main/docs/kinds/" + k.Name + ".md"
}

// All lists the kinds in the order in which they are documented.
var All = []Kind{
	{"setnx-expire", "setnxexpire", "a lock is created without a TTL and expired by a second command", true, FixSafe, "v0.1.0", "创建锁时没有 TTL，过期时间由第二条命令设置"},
	{"no-ttl", "setnxexpire", "a lock is created with no expiry at all", true, FixNone, "v0.1.0", "创建的锁根本没有过期时间"},
	{"bad-args", "setnxexpire", "SETNX is given options that it does not take", true, FixSafe, "v0.1.0", "给 SETNX 传了它不接受的选项"},
	{"unowned-release", "baredel", "a lock is freed without checking that it is still the caller's", true, FixSafe, "v0.1.0", "释放锁时没有检查锁是否仍属于自己"},
	{"release-unheld", "baredel", "a lock is freed by a caller that did not acquire it", true, FixSafe, "v0.1.0", "没有拿到锁的调用者释放了锁"},
	{"get-del-race", "baredel", "a lock's owner is checked and the lock freed or renewed in two steps", true, FixSafe, "v0.1.0", "检查持有者与释放（或续期）分成了两步"},
	{"unowned-renew", "baredel", "a lock is renewed without checking that it is still the caller's", true, FixSafe, "v0.1.0", "续期时没有检查锁是否仍属于自己"},
	{"weak-token", "constvalue", "a lock's value does not tell its holders apart", true, FixSafe, "v0.1.0", "锁的值无法区分不同的持有者"},
	{"lost-token", "constvalue", "a lock's unique value is not kept for the release", true, FixSafe, "v0.1.0", "锁的值是唯一的，但没有保留下来供释放时比较"},
}

// ByName finds a kind.
func ByName(name string) (Kind, bool) {
	for _, k := range All {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// OfPass lists the kinds of one pass.
func OfPass(pass string) []Kind {
	var of []Kind
	for _, k := range All {
		if k.Pass == pass {
			of = append(of, k)
		}
	}
	return of
}

// Names lists the names of all kinds.
func Names() []string {
	names := make([]string, len(All))
	for i, k := range All {
		names[i] = k.Name
	}
	return names
}

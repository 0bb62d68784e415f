package locks

import (
	"go/token"

	"github.com/locklint/locklint/internal/keyexpr"
)

// A Lock is a key that there is evidence is a lock, with all that is done to it.
type Lock struct {
	Key  keyexpr.Key
	Text string // the key as written where it is created

	Creates  []*Member
	Expires  []*Member // unconditional expiries: second halves and renewals
	Frees    []*Member // unconditional frees
	Checked  []*Member // owner-checked frees and renewals
	Others   []*Member // reads, overwrites and data commands
	Evidence Evidence
}

// A Member is an effect in its lock.
type Member struct {
	*Effect
	Lock *Lock
	// Path is how a holder gets here from the create of the same function.
	Path Path
	// Same says that a create stands in the same function.
	Same bool
	// At is the effect to report at: this one, or the root in a helper that is
	// used for locks only. Nil: reported elsewhere.
	At *Effect

	renewal bool
	linked  bool // tied by a field that the acquiring function fills
	// Supplies are the calls that pass the value of a create through a constructor.
	Supplies []Supply
}

// Evidence says why a key is a lock.
type Evidence struct {
	Kind EvidenceKind
	// Why is the reason in words: "Release (store.go:33) deletes it".
	Why string
	Pos token.Pos
}

// An EvidenceKind is one of the reasons to take a key for a lock.
type EvidenceKind uint8

const (
	NoEvidence EvidenceKind = iota
	// Excludes: the create decides whether code runs, and the expiry is set by a
	// second command. Enough for setnx-expire alone.
	Excludes
	// Renewed: the holder keeps it alive in a loop. Enough for unowned-renew alone.
	Renewed
	// Compares: the value is compared with the caller's before the key is freed.
	Compares
	// Named: key, function or type is named after a lock, and it is freed or renewed.
	Named
	// Siblings: created and freed by functions named like acquire and release.
	Siblings
	// FreedOnSuccess: the holder frees it when the work is done.
	FreedOnSuccess
	// OwnerChecked: it is freed or renewed with a check of the owner.
	OwnerChecked
)

var evidenceNames = [...]string{"none", "excludes", "renewed", "compares", "named", "siblings", "freed on success", "owner checked"}

func (k EvidenceKind) String() string { return evidenceNames[k] }

// IsLock reports whether the evidence is enough for all rules.
func (e Evidence) IsLock() bool { return e.Kind >= Compares }

// Released reports whether the holder frees or renews the key.
func (l *Lock) Released() bool {
	return len(l.Frees) > 0 || len(l.Checked) > 0 || len(l.Expires) > 0
}

// Members lists all effects of the lock.
func (l *Lock) Members() []*Member {
	var out []*Member
	for _, list := range [][]*Member{l.Creates, l.Expires, l.Frees, l.Checked, l.Others} {
		out = append(out, list...)
	}
	return out
}

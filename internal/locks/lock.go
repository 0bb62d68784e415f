package locks

import (
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
	// Supplies are the values that calls pass to a create through a constructor.
	Supplies []Value
}

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

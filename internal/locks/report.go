package locks

import "slices"

// reportAt finds the root of a fault: a derived effect whose command is part of a
// lock itself is reported there; the command of an unexported helper that is used
// for locks only stands for all its callers; else the call is to blame.
func (c *collector) reportAt(m *Member) *Effect {
	if !m.Derived() {
		return m.Effect
	}
	if m.floating {
		// The free of an imported package: told at the acquiring call.
		if cr := m.Lock.CreateFor(m); cr != nil && !cr.floating && !m.Far.Judged && m.Kind != Create {
			return cr.Effect
		}
		return nil
	}
	if m.Root != nil && m.Root.lock != nil || m.Far != nil && m.Far.Judged {
		return nil
	}
	at := m.Effect
	for at.Step != nil && at.Step.Call != nil && !general(at.Step.Fn.Name()) && c.onlyForLocks(at.Step) {
		at = at.Step
	}
	return at
}

// generalWords are what a helper is called that does no more than its command.
var generalWords = []string{
	"del", "delete", "remove", "rm", "drop", "clear", "unlink", "erase", "invalidate", "touch", "expire", "set", "setnx",
	"nx", "key", "keys", "redis", "cache", "with", "ttl", "ex", "if", "not", "exist", "exists", "absent", "value", "string",
	"cmd", "do", "safe", "once", "one", "put", "add", "store", "from", "item", "bump", "reset", "expiry", "expiration",
}

// general reports whether a helper's name says no more than what its command does.
func general(name string) bool {
	for _, w := range words(name) {
		if !slices.Contains(generalWords, w) {
			return false
		}
	}
	return true
}

// onlyForLocks reports whether the function of an effect is a helper all of whose
// uses in the package have this effect on a lock.
func (c *collector) onlyForLocks(s *Effect) bool {
	fn := s.Fn.Obj
	calls := c.callers[fn]
	if fn.Exported() || len(calls) == 0 || len(c.uses[fn]) != len(calls) {
		return false
	}
	for _, call := range calls {
		found := false
		for _, f := range c.funcs {
			for _, e := range f.Effects {
				if e.Call == call && e.Step == s && e.lock != nil {
					found = true
				}
			}
		}
		if !found {
			return false
		}
	}
	return true
}

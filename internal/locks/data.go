package locks

// data reports whether the key also holds data: a counter, a list, a value that is
// read or overwritten. within limits it to some functions.
func (l *Lock) data(within func(*Func) bool) bool {
	for _, m := range l.Others {
		if within != nil && !within(m.Fn) {
			continue
		}
		if m.Kind == Data || m.Kind == Overwrite {
			return true
		}
	}
	return false
}

// givenBack reports whether the function that frees the key reads what it holds and
// uses it: stock that is given back, not a lock. What is compared is an owner.
func (l *Lock) givenBack(c *collector) bool {
	for _, cr := range l.Creates {
		if cr.Value.Kind != ValueKept || c.ownerValue(cr.Effect) {
			return false
		}
	}
	for _, m := range l.Frees {
		for _, r := range l.Others {
			if r.Kind == Read && r.Fn == m.Fn && !r.Derived() && c.looked(r.Effect) && !c.compared(r.Effect) {
				return true
			}
		}
	}
	return false
}

// readAsData reports whether a GET of the key in the function or its type is used
// for anything but a compare.
func (l *Lock) readAsData(c *collector, f *Func) bool {
	for _, m := range l.Others {
		if m.Kind == Read && (m.Fn == f || f.Recv() != nil && f.Recv() == m.Fn.Recv()) && !m.Derived() && !c.compared(m.Effect) {
			return true
		}
	}
	return false
}

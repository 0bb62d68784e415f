package lockrt

import (
	"context"
	"maps"
	"slices"
)

// The waiters of one key in one Locker form a line. Its head is the holder, or the one
// that asks Redis; the others sleep until it leaves. So a process is one contender,
// and a hand-over within it needs no polling. A place in the line is part of the Lock, so an
// uncontended lock costs no allocation here.
type place struct {
	next  *Lock
	tail  *Lock         // the last in line; valid at the head
	ready chan struct{} // closed when this one becomes the head
}

// enter returns nil when k is the head of its line. Without wait it returns ErrHeld
// instead of waiting. waited says that there was somebody before k.
func (l *Locker) enter(ctx context.Context, k *Lock, wait bool) (waited bool, err error) {
	l.mu.Lock()
	head := l.lines[k.name()]
	if head != nil && !wait {
		l.mu.Unlock()
		if !head.isOver() {
			return false, ErrHeld
		}
		l.mu.Lock() // the lease of a forgotten handle has just ended
		if head = l.lines[k.name()]; head != nil {
			l.mu.Unlock()
			return false, ErrHeld
		}
	}
	if head == nil {
		l.lines[k.name()] = k
		k.place.tail = k
		crowded := len(l.lines) >= max(fewLines, l.room)
		l.mu.Unlock()
		if crowded {
			l.sweep()
		}
		return false, nil
	}
	k.place.ready = make(chan struct{})
	head.place.tail.place.next = k
	head.place.tail = k
	l.mu.Unlock()

	head.watch()
	k.emit(Event{Kind: EventContended})
	select {
	case <-k.place.ready:
	case <-ctx.Done():
	}
	if ctx.Err() != nil { // perhaps both
		l.leave(k)
		return true, ended(ctx, k.name(), ErrHeld)
	}
	return true, nil
}

// fewLines is how many lines are never looked through.
const fewLines = 128

// sweep looks through the lines, each time their number has doubled. A handle that was forgotten, on
// a key that nobody asks for again, has no timer and would stay for ever; to check it is
// to let it go.
func (l *Locker) sweep() {
	l.mu.Lock()
	heads := slices.Collect(maps.Values(l.lines))
	l.room = 2 * len(heads) // for those who come meanwhile
	l.mu.Unlock()
	for _, h := range heads {
		h.check()
	}
	l.mu.Lock()
	l.room = 2 * len(l.lines)
	l.mu.Unlock()
}

// leave takes k out of its line, and wakes the next one if k was its head. A second
// call does nothing.
func (l *Locker) leave(k *Lock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	head := l.lines[k.name()]
	if head == k {
		next := k.place.next
		if next == nil {
			delete(l.lines, k.name())
		} else {
			next.place.tail = k.place.tail
			l.lines[k.name()] = next
			close(next.place.ready)
		}
		k.place = place{}
		return
	}
	for p := head; p != nil; p = p.place.next {
		if p.place.next != k {
			continue
		}
		p.place.next = k.place.next
		if head.place.tail == k {
			head.place.tail = p
		}
		k.place = place{}
		return
	}
}

// followed says whether somebody in this process waits for k to leave.
func (l *Locker) followed(k *Lock) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return k.place.next != nil
}

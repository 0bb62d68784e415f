package lockrt

import (
	"context"
	"math/rand/v2"
	"time"
)

// pauses are random waits between a half and the whole of a limit that doubles.
type pauses struct {
	shortest, limit, longest time.Duration
	timer                    *time.Timer
}

func newPauses(o *options) pauses {
	return pauses{shortest: o.minPause, limit: 2 * o.minPause, longest: o.maxPause}
}

// faultPauses are for requests that failed while a lock is held: Backoff is about others' locks.
func faultPauses() pauses { return newPauses(&defaults) }

// sleep returns false when ctx ends before the pause does.
func (p *pauses) sleep(ctx context.Context) bool {
	p.limit = min(p.limit, p.longest)
	low := max(p.shortest, p.limit/2)
	d := low + rand.N(p.limit-low+1)
	if p.limit <= p.longest/2 {
		p.limit *= 2
	} else {
		p.limit = p.longest
	}
	if p.timer == nil {
		p.timer = time.NewTimer(d)
	} else {
		p.timer.Reset(d)
	}
	select {
	case <-p.timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

func (p *pauses) stop() {
	if p.timer != nil {
		p.timer.Stop()
	}
}

// spread is d plus or minus a tenth, so that renewals of many locks do not come together.
func spread(d time.Duration) time.Duration {
	return d - d/10 + rand.N(d/5+1)
}

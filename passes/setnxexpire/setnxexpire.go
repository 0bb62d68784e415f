package setnxexpire

import (
	_ "embed"
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/locklint/locklint/internal/config"
	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/pass"
	"github.com/locklint/locklint/internal/report"
	"github.com/locklint/locklint/internal/rewrite"
)

//go:embed doc.go
var doc string

// Analyzer is the pass as a variable, with the settings as its flags.
var Analyzer = pass.Variable(New)

// New returns the analyzer, judging the locks and offering the rewrites that the
// analyzer plans finds.
func New(cfg *config.Config, plans *analysis.Analyzer) *analysis.Analyzer {
	return pass.New("setnxexpire", doc, cfg, plans, run)
}

// run judges how each lock is created.
func run(r *report.Reporter, res *rewrite.Plans) {
	for _, e := range res.BadArgs {
		plan := res.ForBadArgs(e)
		r.Report(report.Finding{
			Kind: "bad-args", Pos: e.Call.Pos(), End: e.Call.End(),
			Text: "SETNX takes no options: the server refuses this command every time; use SET key value NX EX seconds, or SetNX with a TTL" + res.Advice(plan, rewrite.BadArgs, e),
			Fix:  res.Fix(plan, rewrite.BadArgs, e),
		})
	}
	for _, l := range res.Locks {
		for _, cr := range l.Creates {
			judge(r, res, l, cr)
		}
	}
}

// judge reports a create that leaves its expiry to another command, or to none.
func judge(r *report.Reporter, res *rewrite.Plans, l *locks.Lock, cr *locks.Member) {
	at := cr.TTLAt()
	if at == nil || cr.BadArgs {
		return
	}
	half, right := secondHalf(l, cr)
	if half != nil {
		plan := res.For(l)
		r.Report(report.Finding{
			Kind: "setnx-expire", Pos: at.Call.Pos(), End: at.Call.End(),
			Text:    half.text(l) + res.Advice(plan, rewrite.Expiry, at),
			Fix:     res.Fix(plan, rewrite.Expiry, at),
			Related: []report.Related{{Pos: half.Pos(), End: half.End(), Text: "the expiry is set here"}},
		})
		return
	}
	if right || !cr.TTL.Missing() || !l.Evidence.IsLock() || !l.Released() {
		return
	}
	r.Report(report.Finding{
		Kind: "no-ttl", Pos: at.Call.Pos(), End: at.Call.End(),
		Text: fmt.Sprintf("lock key %s has no TTL%s: if its holder dies the lock is never released; pass a TTL longer than the work, and renew it (a lock, because %s)",
			l.Name(), keep(cr), l.Evidence.Why),
		Related: l.Evidence.Related(),
	})
}

// keep says what KEEPTTL does where somebody thought that it sets a TTL.
func keep(cr *locks.Member) string {
	if cr.TTL.Clash {
		return " (KEEPTTL and a TTL exclude each other, the server refuses the command)"
	}
	if cr.TTL.Keeps() {
		return " (KEEPTTL gives a new key none)"
	}
	return ""
}

// A half is the command that should have been one with the create.
type half struct{ *locks.Member }

// secondHalf finds the command that expires what cr created. right is true if all
// there is to find is an expiry that is right: NX in the same transaction.
func secondHalf(l *locks.Lock, cr *locks.Member) (h *half, right bool) {
	for _, m := range l.Expires {
		if !locks.SecondHalf(cr, m) {
			continue
		}
		if m.Fn != cr.Fn && !l.Evidence.IsLock() {
			continue
		}
		if m.Queue == locks.Multi && m.OnlyIf == "NX" && cr.Queue == locks.Multi {
			right = true
			continue
		}
		if h == nil || h.Fn != cr.Fn && m.Fn == cr.Fn {
			h = &half{m}
		}
	}
	return h, right && h == nil
}

func (h *half) text(l *locks.Lock) string {
	key := "lock key " + l.Name()
	switch {
	case h.Script:
		return key + " is created by a script that sets its expiry even when the lock is held: every failed attempt extends the holder's lock; use SET key token NX PX ttl"
	case h.OnlyIf == "XX" || h.OnlyIf == "GT":
		return fmt.Sprintf("%s is created without a TTL, and Expire%s has no effect on a key without one: the lock never expires; pass the TTL when creating it", key, h.OnlyIf)
	case h.Queue == locks.Multi:
		return key + " is created without a TTL and expired in the same MULTI: EXPIRE also runs when SETNX fails, so every failed attempt extends the holder's lock; pass the TTL to SETNX"
	case h.Queue == locks.Pipeline || h.Queue == locks.AnyQueue:
		return key + " is created without a TTL and expired by a second command of the pipeline: a pipeline is not a transaction, and EXPIRE also runs when SETNX fails; pass the TTL to SETNX"
	}
	return key + " is created without a TTL and expired by a separate command: if this process stops in between, the lock is never released; set both in one command, SET NX with the TTL"
}

package baredel

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
	return pass.New("baredel", doc, cfg, plans, run)
}

// run judges each release and each renewal of each lock.
func run(r *report.Reporter, res *rewrite.Plans) {
	for _, l := range res.Locks {
		if l.Evidence.IsLock() {
			for _, m := range l.Frees {
				free(r, res, l, m)
			}
		}
		// A key that is kept alive in a loop is judged by its renewals alone.
		if l.Evidence.IsLock() || l.Evidence.Kind == locks.Renewed {
			for _, m := range l.Expires {
				renew(r, res, l, m)
			}
		}
	}
}

// free reports a command that deletes the lock, whoever holds it.
func free(r *report.Reporter, res *rewrite.Plans, l *locks.Lock, m *locks.Member) {
	if m.At == nil || m.Same && !m.Path.After() {
		return // the key is cleared before it is created
	}
	kind, text := "unowned-release", ""
	switch {
	case m.Raced() != nil && m.InTx:
		kind = "get-del-race"
		text = fmt.Sprintf("WATCH does not protect this %s of lock %s, since it is not inside TxPipelined: the lock can change hands between GET and %s", m.Lit, l.Name(), m.Lit)
	case m.Raced() != nil:
		kind = "get-del-race"
		text = fmt.Sprintf("GET and %s are two commands: lock %s can change hands in between, and this deletes the new holder's lock", m.Lit, l.Name())
	case m.GetsAndDeletes():
		kind = "get-del-race"
		text = fmt.Sprintf("GETDEL deletes lock %s before its value is compared: another holder's lock is gone by then", l.Name())
	case m.Same && m.Path.NotAcquired():
		kind = "release-unheld"
		text = fmt.Sprintf("deletes lock %s on the path where it was not acquired: this frees the lock of whoever holds it; leave it to its holder and its TTL", l.Name())
	case m.Same && m.Path.Deferred && m.Path.Unheld():
		kind = "release-unheld"
		text = fmt.Sprintf("deferred before lock %s is known to be acquired: a caller that fails to acquire it deletes the holder's lock", l.Name())
	case m.Script:
		text = fmt.Sprintf("release script deletes lock %s without comparing its value: %s", l.Name(), expired(l))
	default:
		text = fmt.Sprintf("releases lock %s without checking that it is still held by this caller: %s", l.Name(), expired(l))
	}
	if kind != "release-unheld" || !m.Path.NotAcquired() {
		text += "; compare the token and delete in one step (a script, or DELEX IFEQ)"
	}
	reportAt(r, res, kind, text, l, m)
}

// expired says when a release without a check goes wrong.
func expired(l *locks.Lock) string {
	if ttl := l.TTL(); ttl != "" {
		return "if the TTL (" + ttl + ") ran out, this deletes another holder's lock"
	}
	return "if its TTL ran out, this deletes another holder's lock"
}

// renew reports a command that extends the lock, whoever holds it.
func renew(r *report.Reporter, res *rewrite.Plans, l *locks.Lock, m *locks.Member) {
	if m.At == nil {
		return
	}
	switch {
	case m.Raced() != nil:
		reportAt(r, res, "get-del-race", fmt.Sprintf("GET and %s are two commands: lock %s can change hands in between, and this extends the new holder's lock; compare the token and set the expiry in one step", m.Lit, l.Name()), l, m)
	case m.Renewal() && !l.Halves(m):
		reportAt(r, res, "unowned-renew", fmt.Sprintf("renews lock %s without checking that it is still held by this caller: after a pause this keeps another holder's lock alive; compare the token and set the expiry in one step", l.Name()), l, m)
	}
}

// reportAt reports at a command, and shows where the lock is acquired and compared.
func reportAt(r *report.Reporter, res *rewrite.Plans, kind, text string, l *locks.Lock, m *locks.Member) {
	pos, end := m.At.Call.Pos(), m.At.Call.End()
	if e := m.At.OneOfKeys(); e != nil {
		pos, end = e.Pos(), e.End()
	}
	f := report.Finding{Kind: kind, Pos: pos, End: end, Text: text + " (a lock, because " + l.Evidence.Why + ")"}
	plan := res.For(l)
	f.Fix = res.Fix(plan, rewrite.Owner, m.At)
	f.Text += res.Advice(plan, rewrite.Owner, m.At)
	if cr := l.CreateFor(m); cr != nil {
		f.Related = append(f.Related, report.Related{Pos: cr.Pos(), End: cr.End(), Text: "the lock is acquired here"})
	}
	if raced := m.Raced(); raced != nil {
		f.Related = append(f.Related, report.Related{Pos: raced.Pos(), End: raced.End(), Text: "its owner is compared here"})
	}
	r.Report(f)
}

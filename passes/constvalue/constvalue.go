package constvalue

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
	return pass.New("constvalue", doc, cfg, plans, run)
}

// run judges the value of each lock that something frees or renews.
func run(r *report.Reporter, res *rewrite.Plans) {
	for _, v := range res.FarSupplies() {
		supplied(r, v, "a lock")
	}
	for _, l := range res.Locks {
		if !l.Evidence.IsLock() || !l.Released() {
			continue
		}
		for _, cr := range l.Creates {
			judge(r, res, l, cr)
			for _, v := range cr.Supplies {
				supplied(r, v, "lock "+l.Name())
			}
		}
	}
}

// judge reports a value that is not unique to an acquisition, or is not kept.
func judge(r *report.Reporter, res *rewrite.Plans, l *locks.Lock, cr *locks.Member) {
	at := cr.ValueAt()
	if at == nil {
		return
	}
	v := cr.Value
	var kind, text string
	switch v.Kind {
	case locks.ValueConst:
		kind = "weak-token"
		text = fmt.Sprintf("value %s of lock %s is the same for every holder", v.Text, l.Name())
	case locks.ValueHost, locks.ValueProcess:
		if l.Elects() {
			return // one campaign a process: the process is the owner
		}
		kind = "weak-token"
		of := "process"
		if v.Kind == locks.ValueHost {
			of = "host"
		}
		text = fmt.Sprintf("value %s of lock %s is shared by all acquisitions of one %s", v.Text, l.Name(), of)
	case locks.ValueSecond:
		kind = "weak-token"
		text = fmt.Sprintf("value %s of lock %s is shared by all acquisitions within a second", v.Text, l.Name())
	case locks.ValueFresh:
		if !l.Blames(cr) {
			return
		}
		kind = "lost-token"
		text = fmt.Sprintf("token %s of lock %s is not kept", v.Text, l.Name())
	default:
		return
	}
	if kind == "weak-token" {
		if len(l.Checked) > 0 && len(l.Frees) == 0 {
			text += ", so the compare in the release always succeeds"
		} else {
			text += ", so no release can tell whose lock it frees"
		}
		text += "; store a fresh random token for each acquisition"
	} else {
		text += ", so the release cannot check whose lock it frees; keep it in a variable and compare it when releasing"
	}
	pos, end := at.Call.Pos(), at.Call.End()
	if at.Value.Expr != nil {
		pos, end = at.Value.Expr.Pos(), at.Value.Expr.End()
	}
	plan := res.For(l)
	r.Report(report.Finding{
		Kind: kind, Pos: pos, End: end,
		Text:    text + " (a lock, because " + l.Evidence.Why + ")" + res.Advice(plan, rewrite.Value, at),
		Fix:     res.Fix(plan, rewrite.Value, at),
		Related: l.Evidence.Related(),
	})
}

// supplied reports a constant that reaches a lock through a constructor.
func supplied(r *report.Reporter, v locks.Value, lock string) {
	if v.Kind != locks.ValueConst {
		return
	}
	r.Report(report.Finding{
		Kind: "weak-token", Pos: v.Expr.Pos(), End: v.Expr.End(),
		Text: fmt.Sprintf("value %s becomes the value of %s and is the same for every holder, so no release can tell whose lock it frees; pass a fresh random token for each acquisition; no fix is offered, for it is not known whether what is made here is for one acquisition", v.Text, lock),
	})
}

package rewrite

import (
	"fmt"
	"sort"
	"strings"
)

// Debug shows every lock of the package as its record, and the plan for it.
func (p *Plans) Debug() string {
	var b strings.Builder
	records := strings.SplitAfter(p.Result.Debug(), "\nlock ")
	for i, r := range records {
		b.WriteString(strings.TrimSuffix(r, "lock "))
		if i < len(p.Locks) {
			b.WriteString(p.plans[p.Locks[i]].debug())
		}
		if i+1 < len(records) {
			b.WriteString("lock ")
		}
	}
	return b.String()
}

var partNames = [...]string{"expiry", "value", "owner", "arguments"}

func (plan *Plan) debug() string {
	if plan == nil {
		return ""
	}
	var b strings.Builder
	if len(plan.edits) > 0 {
		kind := "safe"
		if !plan.Safe {
			kind = "suggested"
		}
		fmt.Fprintf(&b, "  plan      %s: %s\n", kind, plan.fix.Message)
		for _, e := range plan.edits {
			at := plan.source.tok.Position(e.pos)
			fmt.Fprintf(&b, "            %d:%d %q -> %q\n", at.Line, at.Column, plan.source.slice(e.pos, e.end), e.text)
		}
	}
	var at []place
	for x := range plan.why {
		if !plan.done[x] {
			at = append(at, x)
		}
	}
	sort.Slice(at, func(i, j int) bool {
		return at[i].call < at[j].call || at[i].call == at[j].call && at[i].part < at[j].part
	})
	for _, x := range at {
		fmt.Fprintf(&b, "  no fix    of the %s: %s\n", partNames[x.part], plan.why[x])
	}
	return b.String()
}

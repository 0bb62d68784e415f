package output

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A SARIF is one run, to be written as SARIF 2.1.0, the format of code scanning.
type SARIF struct {
	Version string // of locklint
	Root    string // URIs are relative to this directory, the root of the repository
	Rules   []Rule
	// Errors say what could not be analysed.
	Errors []string
	// Suppressed are the findings that are hidden on purpose.
	Suppressed []Suppressed
}

// A Suppressed finding is hidden, in the source or by something outside of it.
type Suppressed struct {
	Finding
	InSource bool
	Reason   string
}

// A Rule describes a kind of finding.
type Rule struct {
	ID, Name, Tag, Title, Help, URL string
}

// Print writes the findings, and among them those that are hidden.
func (s *SARIF) Print(w io.Writer, findings []Finding) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name:    "locklint",
			Version: s.Version,
			InfoURI: "https://github.com/locklint/locklint",
			Rules:   s.rules(),
		}},
		Invocations: []sarifInvocation{s.invocation()},
		URIBases:    map[string]sarifLocation{srcRoot: {URI: fileURI(s.Root) + "/"}},
		ColumnKind:  "unicodeCodePoints",
		Results:     s.results(findings),
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

func (s *SARIF) invocation() sarifInvocation {
	inv := sarifInvocation{Successful: len(s.Errors) == 0}
	for _, e := range s.Errors {
		inv.Notifications = append(inv.Notifications, sarifNotification{"error", sarifText{Text: e}})
	}
	return inv
}

func (s *SARIF) rules() []sarifRule {
	var rules []sarifRule
	for _, r := range s.Rules {
		rules = append(rules, sarifRule{
			ID:      r.ID,
			Name:    r.Name,
			Short:   sarifText{Text: r.Title},
			Help:    sarifText{Text: r.Help, Markdown: r.Help},
			HelpURI: r.URL,
			Config:  sarifConfig{"warning"},
			Props:   sarifProperties{Tags: []string{"redis", "lock", r.Tag}, Precision: "high"},
		})
	}
	return rules
}

// results are the findings and the suppressed ones, in the order of their positions.
// Fingerprints count them together, so that a finding keeps its own when it, or one
// like it, gets suppressed.
func (s *SARIF) results(findings []Finding) []sarifResult {
	all := make([]Suppressed, 0, len(findings)+len(s.Suppressed))
	for _, f := range findings {
		all = append(all, Suppressed{Finding: f})
	}
	open := len(all)
	all = append(all, s.Suppressed...)
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return compare(all[i].Finding, all[j].Finding) })

	sorted := make([]Finding, len(all))
	for i, at := range order {
		sorted[i] = all[at].Finding
	}
	prints := Fingerprints(sorted)
	places := &regions{s.Root, sources{}}
	results := make([]sarifResult, len(all))
	for i, at := range order {
		results[i] = s.result(sorted[i], places)
		results[i].Fingerprints = map[string]string{"locklint/v1": prints[i]}
		results[i].Suppressions = []sarifSuppression{}
		if at >= open {
			results[i].Suppressions = []sarifSuppression{all[at].suppression()}
		}
	}
	return results
}

func (s Suppressed) suppression() sarifSuppression {
	if s.InSource {
		return sarifSuppression{"inSource", s.Reason}
	}
	return sarifSuppression{"external", s.Reason}
}

func (s *SARIF) result(f Finding, places *regions) sarifResult {
	r := sarifResult{
		RuleID:    cmp.Or(f.Kind, f.Pass),
		RuleIndex: slices.IndexFunc(s.Rules, func(rule Rule) bool { return rule.ID == f.Kind }),
		Level:     "warning",
		Message:   sarifText{Text: f.Message},
		Locations: []sarifPlace{{Physical: places.place(f.Pos, f.End)}},
	}
	for i, rel := range f.Related {
		r.Related = append(r.Related, sarifPlace{&i, places.place(rel.Pos, rel.End), &sarifText{Text: rel.Message}})
		// Viewers show a related position only if the message links to it.
		r.Message.Text += fmt.Sprintf("\n[%s](%d)", strings.NewReplacer("[", `\[`, "]", `\]`).Replace(rel.Message), i)
	}
	for _, fix := range f.Fixes {
		r.Fixes = append(r.Fixes, places.fix(fix))
	}
	return r
}

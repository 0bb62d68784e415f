package output

import (
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
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

type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool                `json:"tool"`
		Invocations []sarifInvocation        `json:"invocations"`
		URIBases    map[string]sarifLocation `json:"originalUriBaseIds"`
		ColumnKind  string                   `json:"columnKind"`
		Results     []sarifResult            `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		InfoURI string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string          `json:"id"`
		Name    string          `json:"name"`
		Short   sarifText       `json:"shortDescription"`
		Help    sarifText       `json:"help"`
		HelpURI string          `json:"helpUri"`
		Config  sarifConfig     `json:"defaultConfiguration"`
		Props   sarifProperties `json:"properties"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifProperties struct {
		Tags      []string `json:"tags"`
		Precision string   `json:"precision"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifPlace       `json:"locations"`
		Related      []sarifPlace       `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string  `json:"partialFingerprints,omitempty"`
		Fixes        []sarifFix         `json:"fixes,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions"`
	}
	sarifSuppression struct {
		Kind   string `json:"kind"`
		Reason string `json:"justification,omitempty"`
	}
	sarifPlace struct {
		ID       *int          `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifLocation `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifLocation struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifLocation      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted *sarifText  `json:"insertedContent,omitempty"`
	}
)

const srcRoot = "%SRCROOT%"

// Print writes the findings.
func (s *SARIF) Print(w io.Writer, findings []Finding) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name:    "locklint",
			Version: s.Version,
			InfoURI: "https://github.com/locklint/locklint",
		}},
		Invocations: []sarifInvocation{{Successful: len(s.Errors) == 0}},
		URIBases:    map[string]sarifLocation{srcRoot: {URI: fileURI(s.Root) + "/"}},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarifResult{},
	}
	for _, e := range s.Errors {
		inv := &run.Invocations[0]
		inv.Notifications = append(inv.Notifications, sarifNotification{"error", sarifText{Text: e}})
	}
	index := map[string]int{}
	for i, r := range s.Rules {
		index[r.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID:      r.ID,
			Name:    r.Name,
			Short:   sarifText{Text: r.Title},
			Help:    sarifText{Text: r.Help, Markdown: r.Help},
			HelpURI: r.URL,
			Config:  sarifConfig{"warning"},
			Props:   sarifProperties{Tags: []string{"redis", "lock", r.Tag}, Precision: "high"},
		})
	}

	prints := Fingerprints(findings)
	files := &columnsOf{root: s.Root}
	add := func(f Finding, print string, why []sarifSuppression) {
		rule, ok := index[f.Kind]
		if !ok {
			rule = -1
		}
		r := sarifResult{
			RuleID:       f.Kind,
			RuleIndex:    rule,
			Level:        "warning",
			Message:      sarifText{Text: f.Message},
			Locations:    []sarifPlace{{Physical: files.place(f.Pos, f.End)}},
			Suppressions: why,
		}
		if r.RuleID == "" {
			r.RuleID = f.Pass
		}
		if print != "" {
			r.Fingerprints = map[string]string{"locklint/v1": print}
		}
		for i, rel := range f.Related {
			r.Related = append(r.Related, sarifPlace{&i, files.place(rel.Pos, rel.End), &sarifText{Text: rel.Message}})
			// Viewers show a related position only if the message links to it.
			r.Message.Text += fmt.Sprintf("\n[%s](%d)", strings.NewReplacer("[", `\[`, "]", `\]`).Replace(rel.Message), i)
		}
		for _, fix := range f.Fixes {
			r.Fixes = append(r.Fixes, files.fix(fix))
		}
		run.Results = append(run.Results, r)
	}
	for i, f := range findings {
		add(f, prints[i], []sarifSuppression{})
	}
	for _, f := range s.Suppressed {
		kind := "external"
		if f.InSource {
			kind = "inSource"
		}
		add(f.Finding, "", []sarifSuppression{{kind, f.Reason}})
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

// columnsOf turns byte positions into lines and code points.
type columnsOf struct {
	root string
	file string // the one that content belongs to
	text string
}

func (c *columnsOf) load(file string) string {
	if file != c.file {
		data, _ := os.ReadFile(file) // an unreadable file has byte columns
		c.file, c.text = file, string(data)
	}
	return c.text
}

func (c *columnsOf) place(pos, end token.Position) sarifPhysical {
	if !end.IsValid() || end.Filename != pos.Filename {
		end = pos
		end.Column++
		end.Offset++
	}
	return sarifPhysical{
		Artifact: c.location(pos.Filename),
		Region: sarifRegion{
			StartLine: pos.Line, StartColumn: c.column(pos),
			EndLine: end.Line, EndColumn: c.column(end),
		},
	}
}

func (c *columnsOf) location(file string) sarifLocation {
	rel := Rel(c.root, file)
	if rel == file {
		return sarifLocation{URI: fileURI(file)}
	}
	return sarifLocation{URI: (&url.URL{Path: filepath.ToSlash(rel)}).EscapedPath(), BaseID: srcRoot}
}

// column counts code points, where a token.Position counts bytes.
func (c *columnsOf) column(p token.Position) int {
	text := c.load(p.Filename)
	start := p.Offset - (p.Column - 1)
	if start < 0 || p.Offset > len(text) {
		return p.Column
	}
	return utf8.RuneCountInString(text[start:p.Offset]) + 1
}

func (c *columnsOf) fix(fix Fix) sarifFix {
	out := sarifFix{Description: sarifText{Text: fix.Message}}
	byFile := map[string]int{}
	for _, e := range fix.Edits {
		i, ok := byFile[e.File]
		if !ok {
			i = len(out.Changes)
			byFile[e.File] = i
			out.Changes = append(out.Changes, sarifChange{Artifact: c.location(e.File)})
		}
		text := c.load(e.File)
		r := sarifReplacement{Deleted: region(text, e.Start, e.End)}
		if e.New != "" {
			r.Inserted = &sarifText{Text: e.New}
		}
		out.Changes[i].Replacements = append(out.Changes[i].Replacements, r)
	}
	return out
}

// region gives the lines and code points of text[start:end].
func region(text string, start, end int) sarifRegion {
	at := func(offset int) (line, column int) {
		before := text[:min(offset, len(text))]
		last := strings.LastIndexByte(before, '\n')
		return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[last+1:]) + 1
	}
	var r sarifRegion
	r.StartLine, r.StartColumn = at(start)
	r.EndLine, r.EndColumn = at(end)
	return r
}

func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows drive
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

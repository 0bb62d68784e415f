package output

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
)

// An Identity says what a finding is about without saying where it stands, so
// that it survives moved lines and files moved within a package.
type Identity struct {
	Package string `json:"package"`
	Rule    string `json:"rule"` // pass/kind
	Func    string `json:"func,omitempty"`
	Code    string `json:"code"` // what is reported, white space folded
}

// Identify returns the identity of each finding. Findings may share one.
func Identify(findings []Finding) []Identity {
	ids := make([]Identity, len(findings))
	files := map[string]string{}
	for i, f := range findings {
		text, ok := files[f.Pos.Filename]
		if !ok {
			data, _ := os.ReadFile(f.Pos.Filename) // unreadable: the rest must do
			text = string(data)
			files[f.Pos.Filename] = text
		}
		code := ""
		if end := f.End.Offset; f.End.IsValid() && f.Pos.Offset < end && end <= len(text) {
			code = text[f.Pos.Offset:end]
		} else if lines := strings.Split(text, "\n"); f.Pos.Line >= 1 && f.Pos.Line <= len(lines) {
			code = lines[f.Pos.Line-1]
		}
		ids[i] = Identity{
			Package: f.Package,
			Rule:    f.Rule(),
			Func:    f.Func,
			Code:    strings.Join(strings.Fields(code), " "),
		}
	}
	return ids
}

// Fingerprints returns a short unique name for each finding: its identity, and
// which one of those that share it.
func Fingerprints(findings []Finding) []string {
	prints := make([]string, len(findings))
	nth := map[Identity]int{}
	for i, id := range Identify(findings) {
		nth[id]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%d", id.Package, id.Rule, id.Func, id.Code, nth[id]))
		prints[i] = hex.EncodeToString(sum[:8])
	}
	return prints
}

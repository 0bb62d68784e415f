package output

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
	src := sources{}
	for i, f := range findings {
		ids[i] = Identity{
			Package: f.Package,
			Rule:    f.Rule(),
			Func:    f.Func,
			Code:    strings.Join(strings.Fields(src.code(f.Pos, f.End)), " "),
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

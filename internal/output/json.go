package output

import (
	"encoding/json"
	"go/token"
	"io"
)

// The shape of -json in the drivers of x/tools: package -> analyzer -> list.
type (
	jsonEdit struct {
		Filename string `json:"filename"`
		Start    int    `json:"start"`
		End      int    `json:"end"`
		New      string `json:"new"`
	}
	jsonFix struct {
		Message string     `json:"message"`
		Edits   []jsonEdit `json:"edits"`
	}
	jsonRelated struct {
		Posn    string `json:"posn"`
		End     string `json:"end"`
		Message string `json:"message"`
	}
	jsonDiagnostic struct {
		Category       string        `json:"category,omitempty"`
		Posn           string        `json:"posn"`
		End            string        `json:"end"`
		Message        string        `json:"message"`
		SuggestedFixes []jsonFix     `json:"suggested_fixes,omitempty"`
		Related        []jsonRelated `json:"related,omitempty"`
	}
)

// JSON writes the findings in the shape of the drivers of x/tools, so that tools
// made for "go vet -json" read it. It is one document.
func JSON(w io.Writer, findings []Finding) error {
	tree := map[string]map[string][]jsonDiagnostic{}
	for _, f := range findings {
		d := jsonDiagnostic{
			Category: f.Kind,
			Posn:     f.Pos.String(),
			End:      orPos(f.End, f.Pos).String(),
			Message:  f.Text(),
		}
		for _, fix := range f.Fixes {
			to := jsonFix{Message: fix.Message}
			for _, e := range fix.Edits {
				to.Edits = append(to.Edits, jsonEdit{e.File, e.Start, e.End, e.New})
			}
			d.SuggestedFixes = append(d.SuggestedFixes, to)
		}
		for _, r := range f.Related {
			d.Related = append(d.Related, jsonRelated{r.Pos.String(), orPos(r.End, r.Pos).String(), r.Message})
		}
		if tree[f.PackageID] == nil {
			tree[f.PackageID] = map[string][]jsonDiagnostic{}
		}
		tree[f.PackageID][f.Pass] = append(tree[f.PackageID][f.Pass], d)
	}
	data, err := json.MarshalIndent(tree, "", "\t")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

func orPos(end, pos token.Position) token.Position {
	if end.IsValid() {
		return end
	}
	return pos
}

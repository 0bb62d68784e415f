package output

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// GitHub writes findings as workflow commands, which GitHub Actions shows as
// annotations in the diff of a pull request. Paths are relative to root, the root
// of the repository.
func GitHub(w io.Writer, root string, findings []Finding) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	var b bytes.Buffer
	for _, f := range findings {
		end := orPos(f.End, f.Pos)
		file := filepath.ToSlash(Rel(root, f.Pos.Filename))
		fmt.Fprintf(&b, "::error file=%s,line=%d,col=%d,endLine=%d", property.Replace(file), f.Pos.Line, f.Pos.Column, end.Line)
		if end.Line == f.Pos.Line {
			fmt.Fprintf(&b, ",endColumn=%d", end.Column)
		}
		message := f.Message
		for _, r := range f.Related {
			message += fmt.Sprintf("\n%s:%d: %s", filepath.ToSlash(Rel(root, r.Pos.Filename)), r.Pos.Line, r.Message)
		}
		fmt.Fprintf(&b, ",title=%s::%s\n", property.Replace("locklint "+f.Rule()), data.Replace(message))
	}
	_, err := w.Write(b.Bytes())
	return err
}

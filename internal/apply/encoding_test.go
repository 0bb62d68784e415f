package apply

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/locklint/locklint/internal/output"
)

// A change keeps the line endings and the byte order mark of the file.
func TestEncoding(t *testing.T) {
	t.Parallel()
	const lf = "package p\n\nfunc f() {\n\t/* a\n\t   b */\n\ta()\n\t_ = `x\ny`\n}\n"
	crlf := strings.ReplaceAll(lf, "\n", "\r\n")
	for name, content := range map[string]string{
		"lf":            lf,
		"crlf":          crlf,
		"lf and mark":   "\uFEFF" + lf,
		"crlf and mark": "\uFEFF" + crlf,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "a.go")
			if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			at := strings.Index(content, "a()")
			f := finding(file)
			f.Fixes = []output.Fix{{Edits: []output.Edit{{File: file, Start: at, End: at + 3, New: "b(\n)"}}}}
			r := Plan([]output.Finding{f}, same)
			if len(r.Changes) != 1 || len(r.Errors) > 0 {
				t.Fatalf("%+v", r)
			}
			if got, want := string(r.Changes[0].New), strings.Replace(content, "a()", "b()", 1); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

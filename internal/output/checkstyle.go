package output

import (
	"bytes"
	"encoding/xml"
	"io"
	"path/filepath"
)

type (
	checkstyleDoc struct {
		XMLName xml.Name         `xml:"checkstyle"`
		Version string           `xml:"version,attr"`
		Files   []checkstyleFile `xml:"file"`
	}
	checkstyleFile struct {
		Name   string            `xml:"name,attr"`
		Errors []checkstyleError `xml:"error"`
	}
	checkstyleError struct {
		Line     int    `xml:"line,attr"`
		Column   int    `xml:"column,attr"`
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
)

// Checkstyle writes findings as the XML that Jenkins, GitLab converters and
// reviewdog read. Paths are relative to base.
func Checkstyle(w io.Writer, base string, findings []Finding) error {
	doc := checkstyleDoc{Version: "8.0"}
	for _, f := range findings {
		name := filepath.ToSlash(Rel(base, f.Pos.Filename))
		if n := len(doc.Files); n == 0 || doc.Files[n-1].Name != name {
			doc.Files = append(doc.Files, checkstyleFile{Name: name})
		}
		file := &doc.Files[len(doc.Files)-1]
		file.Errors = append(file.Errors, checkstyleError{
			f.Pos.Line, f.Pos.Column, "error", f.Message, "locklint." + f.Rule(),
		})
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", "  ")
	if err := e.Encode(doc); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

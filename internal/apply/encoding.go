package apply

import "bytes"

// encodedAs gives formatted source, which has LF and no byte order mark, the line
// endings of most lines of old and its mark.
func encodedAs(old, formatted []byte) []byte {
	if 2*bytes.Count(old, []byte("\r\n")) > bytes.Count(old, []byte("\n")) {
		formatted = bytes.ReplaceAll(formatted, []byte("\n"), []byte("\r\n"))
	}
	if mark := []byte("\uFEFF"); bytes.HasPrefix(old, mark) {
		formatted = append(mark, formatted...)
	}
	return formatted
}

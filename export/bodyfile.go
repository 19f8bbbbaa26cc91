package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"sonde/model"
)

// largeBody is the minimum size in bytes of an expected body that is written to a file of its own beside the tests.
const largeBody = 64 << 10

// bodyFiles collects the files with large expected bodies.
type bodyFiles struct{ files []OutputFile }

// of returns the Go expression that reads the expected body from a file, and adds the file to b. It returns "" if the
// body is small, or if b is nil because the suite is a single file.
func (b *bodyFiles) of(e *model.Expectation) string {
	text, isText := textOf(e)
	data, kind := []byte(text), "txt"
	switch {
	case b == nil || max(len(text), len(e.Value)) < largeBody:
		return ""
	case !isText:
		var indented bytes.Buffer
		if json.Indent(&indented, e.Value, "", "  ") != nil {
			return ""
		}
		data, kind = append(indented.Bytes(), '\n'), "json"
	case !utf8.ValidString(text):
		kind = "bin"
	}
	sum := sha256.Sum256(data)
	name := fmt.Sprintf("testdata/body-%x.%s", sum[:6], kind)
	if !slices.ContainsFunc(b.files, func(f OutputFile) bool { return f.Name == name }) {
		b.files = append(b.files, OutputFile{Name: name, Text: data})
	}
	return "content(t, " + quoted(name) + ")"
}

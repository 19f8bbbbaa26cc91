package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"sonde/model"
)

// largeBody is the minimum size in bytes of an expected body that is written to a file of its own beside the tests.
const largeBody = 64 << 10

// largeLiteral is the size in bytes from which a script has a body in a file of its own. A constant in Java has less
// than 64 KiB, in an encoding that needs at most twice the bytes of UTF-8.
const largeLiteral = 32 << 10

// bodyFiles collects the files with large expected bodies.
type bodyFiles struct {
	files []OutputFile
	// inScript is set for the files of a Script. It is not set for those of Go tests.
	inScript bool
}

// arg returns the argument for an expected body. For a large body, arg adds a file to b and returns the kind ArgFile
// with the name of the file. For other bodies it returns the given kind and text. If b is nil, the suite is a single
// file, and all bodies count as small.
func (b *bodyFiles) arg(e *model.Expectation, kind ArgKind, text string) (ArgKind, string) {
	body, isText := textOf(e)
	data, suffix := []byte(body), "txt"
	switch {
	case b == nil || b.inScript && !isLargeLiteral(kind, text) || !b.inScript && max(len(body), len(e.Value)) < largeBody:
		return kind, text
	case !isText:
		var indented bytes.Buffer
		if json.Indent(&indented, e.Value, "", "  ") != nil {
			return kind, text
		}
		data, suffix = append(indented.Bytes(), '\n'), "json"
	case !utf8.ValidString(body):
		suffix = "bin"
	}
	return ArgFile, b.add(data, suffix)
}

// isLargeLiteral reports whether a text is too large for a literal of a script, in the form in which it is printed.
func isLargeLiteral(kind ArgKind, text string) bool {
	switch {
	case kind == ArgLayout:
		text = ScriptJSON(text)
	case !utf8.ValidString(text):
		return base64.StdEncoding.EncodedLen(len(text)) >= largeLiteral
	}
	return len(text) >= largeLiteral
}

// add adds a file with this content, unless there is one, and returns its name.
func (b *bodyFiles) add(data []byte, suffix string) string {
	sum := sha256.Sum256(data)
	name := fmt.Sprintf("testdata/body-%x.%s", sum[:6], suffix)
	if !slices.ContainsFunc(b.files, func(f OutputFile) bool { return f.Name == name }) {
		b.files = append(b.files, OutputFile{Name: name, Text: data})
	}
	return name
}

package widget

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"sonde/ui/draw"
)

// IsText reports whether bytes are text in UTF-8. Text has no control characters below the space, apart from line
// ends, tabs and escape characters. The last character may be incomplete.
func IsText(b []byte) bool {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1:
			return !utf8.FullRune(b)
		case r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\x1b':
			return false
		}
		b = b[size:]
	}
	return true
}

// HexBytes returns bytes as pairs of hexadecimal digits.
func HexBytes(b []byte) string { return fmt.Sprintf("% x", b) }

// Limits of PayloadLines in bytes: maxShown for text, maxDump for binary data.
const (
	maxShown = 8 << 10
	maxDump  = 1 << 10
)

// PayloadLines returns the beginning of a message as lines. JSON is indented if the whole message fits. Binary data
// is written as hexadecimal digits. If bytes are left out, the last line has their number.
func PayloadLines(data []byte) []string {
	text := data[:min(len(data), maxShown)]
	if !IsText(text) {
		text = data[:min(len(data), maxDump)]
		return more(dump(text), len(data)-len(text))
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, text, "", "  ") == nil {
		return strings.Split(pretty.String(), "\n")
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], "\t", "    ")
	}
	return more(lines, len(data)-len(text))
}

// more appends a line with the number of bytes that are left out, if there are any.
func more(lines []string, left int) []string {
	if left > 0 {
		lines = append(lines, fmt.Sprintf("… %d bytes more", left))
	}
	return lines
}

// dump returns bytes as hexadecimal digits, with their ASCII characters on the right.
func dump(b []byte) (lines []string) {
	const row = 8
	for at := 0; at < len(b); at += row {
		some := b[at:min(at+row, len(b))]
		lines = append(lines, fmt.Sprintf("%04x  %-*s  %s", at, 3*row-1, HexBytes(some), bytes.Map(ascii, some)))
	}
	return lines
}

// ascii returns the character for a byte in a dump.
func ascii(r rune) rune {
	if r < ' ' || r > '~' {
		return '.'
	}
	return r
}

// EscapeControls writes unsafe characters as \u escapes, as in JSON, so that a terminal shows them as text. It
// escapes every character from U+007F on that draw.Clean would change.
func EscapeControls(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch high, low := utf16.EncodeRune(r); {
		case r < 0x7f || draw.Clean(string(r)) == string(r):
			out.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

package console

import (
	"fmt"
	"path/filepath"
	"strings"
)

// FileExtension is the extension of files in a format, such as ".json".
type FileExtension struct{ Ext, Format string }

// FormatOfFile returns the format of a file by its extension. A file without an extension has the format of
// endings[0]. An unknown extension is an error.
func FormatOfFile(file string, endings []FileExtension) (string, error) {
	ext := filepath.Ext(file)
	if ext == "" {
		return endings[0].Format, nil
	}
	var known []string
	for _, e := range endings {
		if strings.EqualFold(e.Ext, ext) {
			return e.Format, nil
		}
		known = append(known, e.Ext)
	}
	return "", fmt.Errorf("-o %q: no format has the extension %s: use %s, or add --format", file, ext, JoinWithOr(known))
}

// JoinWithOr lists alternatives: "a, b or c". words must have at least two.
func JoinWithOr(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

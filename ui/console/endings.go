package console

import (
	"fmt"
	"path/filepath"
	"strings"
)

// FileExtension is how the name of a file ends that is in a format.
type FileExtension struct{ Ext, Format string }

// FormatOfFile is the format that the ending of a file's name stands for; that of
// the first ending where the name has none.
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
	return "", fmt.Errorf("-o %q: no format is known by the ending %s: let it end in %s, or say --format", file, ext, JoinWithOr(known))
}

// JoinWithOr lists words to choose from: "a, b or c".
func JoinWithOr(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

package console

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Ending is how the name of a file ends that is in a format.
type Ending struct{ Ext, Format string }

// FormatOf is the format that the ending of a file's name stands for; that of
// the first ending where the name has none.
func FormatOf(file string, endings []Ending) (string, error) {
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
	return "", fmt.Errorf("-o %q: no format is known by the ending %s: let it end in %s, or say --format", file, ext, Or(known))
}

// Or lists words to choose from: "a, b or c".
func Or(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

package cli

import (
	"fmt"
	"path/filepath"
	"strings"
)

// ending is how the name of a file ends that is in a format.
type ending struct{ ext, format string }

// formatOf is the format that the ending of a file's name stands for; that of
// the first ending where the name has none.
func formatOf(file string, endings []ending) (string, error) {
	ext := filepath.Ext(file)
	if ext == "" {
		return endings[0].format, nil
	}
	var known []string
	for _, e := range endings {
		if strings.EqualFold(e.ext, ext) {
			return e.format, nil
		}
		known = append(known, e.ext)
	}
	return "", fmt.Errorf("-o %q: no format is known by the ending %s: let it end in %s, or say --format", file, ext, either(known))
}

// either lists words to choose from: "a, b or c".
func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

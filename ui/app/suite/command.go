package suite

import (
	"strings"

	"sonde/ui/app/command"
)

// FormatFlags are the flags for a format.
func FormatFlags(name string) []string {
	if name == DefaultFormat {
		return nil
	}
	return []string{"--format", name}
}

// ExportCommand exports the tests with the IDs, or all, into a folder, or the
// usual one, with more flags.
func ExportCommand(run string, pick []string, dir string, more ...string) string {
	words := []string{"sonde", "export", command.Quote(run)}
	if len(pick) > 0 {
		words = append(words, "--pick", command.Quote(strings.Join(pick, ",")))
	}
	if dir != "" && dir != DefaultFolder {
		words = append(words, "-o", command.Quote(dir))
	}
	return strings.Join(append(words, more...), " ")
}

package suite

import (
	"strings"

	"sonde/ui/app/command"
)

// FormatFlags returns the flags of sonde export that select a format. For the default format it returns none.
func FormatFlags(name string) []string {
	if name == DefaultFormat {
		return nil
	}
	return []string{"--format", name}
}

// ExportCommand returns the command that exports tests of a run to a folder; a dir of "" means the default folder. pick
// has the IDs of the tests, and is empty for all tests. The last arguments are additional flags.
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

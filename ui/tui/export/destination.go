package export

import (
	"path/filepath"
	"slices"
	"strings"

	"sonde/ui/app/usecase"
)

// defaultFolder is the folder of the tests unless the user types another.
const defaultFolder = "sonde-tests"

// destination has the folder, the format and the fault mode of the test file.
type destination struct {
	formats    []usecase.TestFormat
	chosen     int      // the index of the format of the file
	faultModes []string // the chosen fault mode comes first
	folder     string
	written    writtenFile
}

// writtenFile describes the test file that was written.
type writtenFile struct {
	busy bool
	path string // "" until the file is written
	err  error
}

// format returns the chosen format, or Go if there are no formats.
func (d *destination) format() usecase.TestFormat {
	if len(d.formats) == 0 {
		return usecase.TestFormat{Name: "go", File: "sonde_test.go", Run: "go test"}
	}
	return d.formats[d.chosen]
}

// faultMode returns the fault mode, "" if there is no choice.
func (d *destination) faultMode() string {
	if len(d.faultModes) == 0 {
		return ""
	}
	return d.faultModes[0]
}

func (d *destination) nextFaultMode() {
	d.faultModes = slices.Concat(d.faultModes[1:], d.faultModes[:1])
}

// runCommand returns the command that runs a test file, or the path of the file if the format has no such
// command.
func runCommand(f usecase.TestFormat, path string) string {
	path = filepath.ToSlash(path)
	if !filepath.IsAbs(path) && !strings.HasPrefix(path, "../") {
		path = "./" + strings.TrimPrefix(path, "./")
	}
	line := f.Run + " " + shellQuoted(path)
	if f.Helpers != "" {
		line += " " + shellQuoted(path[:strings.LastIndexByte(path, '/')+1]+f.Helpers)
	}
	return strings.TrimSpace(line)
}

// shellQuoted returns a word, quoted for the shell if necessary.
func shellQuoted(word string) string {
	special := func(r rune) bool {
		letter := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && !strings.ContainsRune("/._-+:@%,=~", r)
	}
	if strings.ContainsFunc(word, special) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

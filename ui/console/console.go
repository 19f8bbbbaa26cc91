// Package console has what commands need for input and output: streams, progress, questions, tables and
// JSON. It does not depend on any command.
package console

import (
	"fmt"
	"io"
	"os"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/words"

	"github.com/mattn/go-isatty"
)

// Streams are the standard streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// OneLine returns the text of an error as one line that is safe to print.
func OneLine(err error) string {
	return draw.Clean(strings.Join(strings.Fields(err.Error()), " "))
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// WithoutTerminals returns streams whose Out and Err do not count as terminals. Progress is then written in
// new lines instead of in place.
func (s Streams) WithoutTerminals() Streams {
	return Streams{In: s.In, Out: struct{ io.Writer }{s.Out}, Err: struct{ io.Writer }{s.Err}}
}

// PrintMoreNote writes a note that only the first seqs are listed, with their number.
func PrintMoreNote(w io.Writer, listed int) {
	PrintNote(w, "%s: --limit lists more", words.Limited(words.Plural(listed, "seq"), true))
}

// PrintNote writes a remark that is not part of the result.
func PrintNote(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "sonde: %s\n", draw.Clean(fmt.Sprintf(format, args...)))
}

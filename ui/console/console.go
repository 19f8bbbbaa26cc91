// Package console is how commands talk to whoever runs them: streams, progress,
// questions, tables and JSON. It knows no command.
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

// Streams are what the commands read and write.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// OneLine is the text of an error as one line that is safe to print.
func OneLine(err error) string {
	return draw.Clean(strings.Join(strings.Fields(err.Error()), " "))
}

// IsTerminal reports whether a stream is a person's terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// WithoutTerminals are streams of which none is taken for a terminal: what would change in place is
// said in further lines.
func (s Streams) WithoutTerminals() Streams {
	return Streams{In: s.In, Out: struct{ io.Writer }{s.Out}, Err: struct{ io.Writer }{s.Err}}
}

// PrintMoreNote says that a list was cut.
func PrintMoreNote(w io.Writer, listed int) {
	PrintNote(w, "there are more than %s: --limit lists more", words.Plural(listed, "seq"))
}

// PrintNote writes a remark that is no result.
func PrintNote(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "sonde: %s\n", draw.Clean(fmt.Sprintf(format, args...)))
}

package survey

import (
	"fmt"
	"io"
	"time"

	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// ProgressMeter displays the progress of a survey on a terminal.
type ProgressMeter struct {
	w    io.Writer // nil if there is no terminal
	last time.Time
}

// NewMeter returns a meter that draws on w if w is a terminal. Otherwise the meter draws nothing.
func NewMeter(w io.Writer) *ProgressMeter {
	if !console.IsTerminal(w) {
		w = nil
	}
	return &ProgressMeter{w: w}
}

func (m *ProgressMeter) show(n, of int) {
	if m.w == nil || time.Since(m.last) < 50*time.Millisecond {
		return
	}
	m.last = time.Now()
	fmt.Fprintf(m.w, "\r%s %s of %s\x1b[K", draw.Bar(float64(n)/float64(of), 40), words.Count(n), words.Plural(of, "file"))
}

func (m *ProgressMeter) clear() {
	if m.w != nil {
		fmt.Fprint(m.w, "\r\x1b[K")
	}
}

package search

import (
	"testing"

	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
)

// onFault is a run with the cursor on its second newest fault, shown on its page.
func onFault(t *testing.T) *driver {
	return drive(t, demo).press("enter").show(running()).press("v", "v", "down", "enter")
}

func TestFaultPage(t *testing.T) {
	d := onFault(t).sees("Fault ", "expected", "by curl:", "calls that show it")
	copied := ""
	m := d.model()
	m.page.copies = func(text string) error { copied = text; return nil }
	if said, ok := m.page.copy()().(screen.Say); !ok || said.Err != nil || copied != m.page.told.Curl || copied == "" {
		t.Errorf("copied %q, want %q", copied, m.page.told.Curl)
	}
	d.press("esc").sees("Covered over calls")
	d.press("enter").sees("by curl:").press("enter")
	if n := len(d.gone); n != 1 || d.gone[0].Tab != screen.Explore || d.gone[0].Op != m.page.fault.Op {
		t.Errorf("went to %v, want %s on Explore", d.gone, m.page.fault.Op)
	}
}

// No line is wider than the page, whatever its size, and the end can be reached.
func TestFaultPageFits(t *testing.T) {
	for _, size := range [][2]int{{40, 9}, {60, 21}, {80, 21}, {120, 33}, {200, 57}} {
		d := onFault(t).size(size[0], size[1]).press("end").sees("--data-raw")
		for _, line := range d.model().page.lines(size[0] - 4) {
			if w := ansi.StringWidth(line); w > size[0]-4 {
				t.Errorf("at %d columns a line has %d: %q", size[0], w, line)
			}
		}
		d.press("home").sees("severity")
	}
}

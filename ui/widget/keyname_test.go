package widget_test

import (
	"testing"

	"sonde/ui/widget"

	"github.com/charmbracelet/x/ansi"
)

func TestDoes(t *testing.T) {
	if got, want := ansi.Strip(widget.KeyAndHelp(widget.PageDown)), "pgdn a page down"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

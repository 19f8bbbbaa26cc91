package pane_test

import (
	"testing"

	"sonde/ui/pane"

	"github.com/charmbracelet/x/ansi"
)

func TestDoes(t *testing.T) {
	if got, want := ansi.Strip(pane.Does(pane.PageDown)), "pgdn a page down"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

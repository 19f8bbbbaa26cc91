package tui

import (
	"strings"
	"testing"
)

// The command log has what the user did, the newest last, and says if no command does the same.
func TestCommandLog(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press("~").sees(t, "Command log", "Nothing was done yet").press("~").misses(t, "Command log")
	d.press("/").write("cart").press("enter", "4", " ", "u", "~")
	d.sees(t, "Explore: filter cart", "Seqs: 1 pick", "undo: 1 pick", "No command does this: undo: 1 pick", "3 of 3 actions")
	d.press("y").sees(t, "no command does this: there is nothing to copy").press("esc").misses(t, "Command log")
	for _, size := range [][2]int{{40, 12}, {60, 24}, {80, 24}, {200, 50}} {
		d.size(size[0], size[1]).press("~").sees(t, "Command log", "esc close")
		if n := len(strings.Split(d.app.View(), "\n")); n != size[1] {
			t.Errorf("%d lines, want %d", n, size[1])
		}
		d.press("esc")
	}
}

// An action that failed is in the log, too.
func TestCommandLogHasFailures(t *testing.T) {
	open(shop(), nil).size(120, 36).press("5", "enter", "~").sees(t, "✗ search")
}

package tui

import (
	"fmt"
	"strings"
	"testing"

	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// welcomed returns a driver with an app that shows the demo because there is no spec to open.
func welcomed() *driver {
	d := start(engine(shop(), nil), local)
	d.app.prefs.Welcome, d.app.prefs.Tour = true, screen.TourOffered
	return d.openDemo()
}

// The welcome says what is shown, and how to open another spec. It and the offer of the tour fit together.
func TestWelcomeViews(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 24}, {80, 24}, {120, 36}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := welcomed().size(size[0], size[1])
			whole(t, d)
			if size[0] > 40 {
				d.sees(t, "Welcome to Sonde", "sonde openapi.yaml", "sonde https://HOST/openapi.json", "sonde init")
				d.sees(t, "New here?", "⏎ look around")
			}
			golden.RequireEqual(t, []byte(trimmed(d.app.View())))
		})
	}
}

// ⏎ and esc close the welcome. Any other key closes it, too, and does its work.
func TestWelcomeIsClosed(t *testing.T) {
	for _, k := range []string{"enter", "esc"} {
		welcomed().press(k).misses(t, "Welcome").sees(t, "New here?", tabs[0], "╭─ Operations")
	}
	welcomed().press("5").misses(t, "Welcome").sees(t, tabs[4])
	welcomed().press("/").write("cart").misses(t, "Welcome").sees(t, "/ cart")
	welcomed().press("ctrl+n").sees(t, "Tour 1/10")
	welcomed().click(t, "Welcome").misses(t, "Welcome")
	if !welcomed().press("q").quit {
		t.Error("q did not quit")
	}
	open(shop(), nil).misses(t, "Welcome")
}

// A key that is pressed while the spec is read does its work, and no welcome covers what it has opened.
func TestNoWelcomeAfterAKey(t *testing.T) {
	d := start(engine(shop(), nil), local)
	d.app.prefs.Welcome = true
	d.press("?").openDemo().misses(t, "Welcome to Sonde")
}

// The text of the welcome is not cut at 60 columns.
func TestWelcomeLines(t *testing.T) {
	for _, line := range (welcome{}).lines(56) {
		if ansi.StringWidth(line) > 56 {
			t.Errorf("%d cells: %q", ansi.StringWidth(line), line)
		}
	}
	text := strings.Join(strings.Fields(strings.Join(welcome{}.lines(56), " ")), " ")
	for _, want := range []string{"on this machine only.", "calls it, too", "writes sonde.yaml"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
}

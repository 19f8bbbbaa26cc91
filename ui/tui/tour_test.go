package tui

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/lipgloss"
)

// toured returns a driver with an app that begins or offers the tour.
func toured(way screen.Tour) *driver {
	d := start(engine(shop(), nil), local)
	d.app.prefs.Tour = way
	return d.openDemo()
}

// Each step of the tour waits until the user has done it. Then the next step follows automatically.
func TestTour(t *testing.T) {
	d := toured(screen.TourBegins).sees(t, "Tour 1/10", "↓ goes to the next operation").press("?", "esc").sees(t, "Tour 1/10")
	d.press("down").sees(t, "Tour 2/10", "✓ You went to POST /products", "/ finds")
	d.press("/").write("post").sees(t, "Tour 2/10").press("enter").sees(t, "Tour 3/10")
	d.press("5").sees(t, "Tour 3/10").press("2").sees(t, "Tour 4/10").press("3").sees(t, "Tour 5/10").press("4").sees(
		t, "Tour 6/10", "space picks",
	)
	d.press(" ").sees(t, "Tour 7/10", "5 is where").press("5").sees(t, "Tour 7/10", "⏎ starts it, against "+local.URL)
	d.send(halfway).sees(t, "Tour 8/10")
	steered := halfway
	steered.Snapshot.Marks = []model.AppliedCommand{{}}
	d.send(steered).sees(t, "Tour 9/10").press("6").sees(t, "Tour 10/10", "q quits").press("ctrl+n").misses(t, "Tour")
}

// Any arrow key ends the first step, wherever the cursor is. The tour says what the key has changed.
func TestTourNoticesArrows(t *testing.T) {
	begun := func(keys ...string) *driver {
		d := start(engine(shop(), nil), local)
		return d.openDemo().press(keys...).press("ctrl+t").sees(t, "Tour 1/10")
	}
	for name, c := range map[string]struct {
		before []string
		key    string
		want   string
	}{
		"operation":         {key: "down", want: "✓ You went to POST /products, and the page shows it"},
		"folder":            {key: "up", want: "✓ You went to products, and the page shows it"},
		"fold":              {key: "left", want: "✓ You went to products, and the page shows it"},
		"page":              {before: []string{"enter"}, key: "down", want: "✓ You moved to another line of GET /products"},
		"end of the list":   {before: []string{"end"}, key: "down", want: "✓ Nothing is further that way"},
		"start of the list": {before: []string{"home"}, key: "up", want: "✓ Nothing is further that way"},
		"a letter":          {key: "j", want: "✓ You went to POST /products"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, size := range [][2]int{{60, 24}, {80, 24}, {120, 36}} {
				begun(c.before...).size(size[0], size[1]).press(c.key).sees(t, "Tour 2/10", c.want)
			}
		})
	}
}

// Each step says what the user has done, and says nothing if the user skips it.
func TestTourConfirms(t *testing.T) {
	d := toured(screen.TourBegins).press("down", "/").write("post").press("enter").sees(t, `✓ The list has what matches "post"`)
	d.press("2").sees(t, "✓ These are the groups").press("3").sees(t, "✓ This is the graph").press("4").sees(t, "✓ These are seqs")
	d.press(" ").sees(t, "✓ 1 seq picked").press("5").send(halfway).sees(t, "✓ The search calls the service")
	steered := halfway
	steered.Snapshot.Marks = []model.AppliedCommand{{}}
	d.send(steered).sees(t, "✓ The search has taken the change").press("6").sees(t, "✓ This is the test file")
	toured(screen.TourBegins).press("down", "ctrl+n").sees(t, "Tour 3/10").misses(t, "✓ You")
}

// A step ends only by an action of the user. The end of the search does not end a step. A step that asks the user to
// open a screen does not end if this screen is already visible.
func TestTourWaits(t *testing.T) {
	done := halfway
	done.Snapshot.Phase = model.PhaseDone
	d := toured(screen.TourBegins).send(halfway)
	for range 6 {
		d.press("ctrl+n")
	}
	d.sees(t, "Tour 8/10", "→ turns smart sampling up").send(done).press("down")
	d.sees(t, "Tour 8/10", "The search has ended: n starts another")
	d.press("6", "ctrl+n").sees(t, "Tour 9/10", "▸6 Export").press("down").sees(t, "Tour 9/10").press("5", "6").sees(t, "Tour 10/10")
}

// The tour skips steps that cannot be done. The user can restart it and end it.
func TestTourIsLeft(t *testing.T) {
	e := engine(shop(), nil)
	d := start(e, screen.Service{})
	d.openDemo().press("ctrl+t").sees(t, "Tour 1/10")
	for range 6 {
		d.press("ctrl+n")
	}
	d.sees(t, "Tour 9/10").press("ctrl+t").sees(t, "Tour 1/10", "▸1 Explore").press("/", "ctrl+x").misses(t, "Tour").sees(t, "/ filter")
	d.press("ctrl+n", "ctrl+x").misses(t, "Tour")
	done := halfway
	done.Snapshot.Phase = model.PhaseDone
	d = toured(screen.TourBegins).send(done)
	for range 7 {
		d.press("ctrl+n")
	}
	d.sees(t, "Tour 9/10") // the tour skips the step that steers a running search
}

// The app asks a new user whether to take the tour.
func TestTourIsOffered(t *testing.T) {
	d := toured(screen.TourOffered).sees(t, "New here?", "ctrl+x not now").press("down", "2").sees(t, "New here?", "▸2 Groups")
	d.press("ctrl+n").sees(t, "Tour 1/10", "▸1 Explore")
	toured(screen.TourOffered).press("ctrl+x").misses(t, "New here?", "Tour")
}

// The tour fits into the terminal, and no text of a step is cut.
func TestTourFits(t *testing.T) {
	d := toured(screen.TourOffered)
	for _, size := range [][2]int{{40, 12}, {60, 24}, {80, 24}, {200, 50}} {
		d.size(size[0], size[1]).press("ctrl+t")
		for d.app.tour.shown() {
			rows := strings.Split(d.app.View(), "\n")
			if len(rows) != size[1] {
				t.Fatalf("%d rows, want %d", len(rows), size[1])
			}
			for _, r := range rows {
				if lipgloss.Width(r) != size[0] {
					t.Fatalf("%d cells, want %d: %s", lipgloss.Width(r), size[0], r)
				}
			}
			d.sees(t, "ctrl+x leave", strings.Fields(steps[d.app.tour.at].text(d.app.scene()))[5]).press("ctrl+n")
		}
	}
}

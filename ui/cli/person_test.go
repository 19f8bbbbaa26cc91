package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"sonde/ui/theme"
	"sonde/ui/tty"
)

// click presses and releases the left mouse button on a text of the screen.
func click(t *testing.T, s *tty.Session, text string) {
	t.Helper()
	for y, line := range s.Lines() {
		before, _, found := strings.Cut(line, text)
		if found {
			mouse(t, s, leftButton, utf8.RuneCountInString(before)+1, y+1)
			return
		}
	}
	t.Fatalf("there is no %q to click on:\n%s", text, strings.Join(s.Lines(), "\n"))
}

// The buttons of a mouse, as a terminal sends them.
const leftButton, wheelDown = 0, 65

// mouse presses a button. A terminal sends no release for the wheel.
func mouse(t *testing.T, s *tty.Session, button, x, y int) {
	t.Helper()
	at := fmt.Sprintf("\x1b[<%d;%d;%d", button, x, y)
	if button == leftButton {
		at += "M" + at + "m"
	} else {
		at += "M"
	}
	if err := s.Type(at); err != nil {
		t.Fatal(err)
	}
}

// wait waits until the screen shows a text.
func wait(t *testing.T, s *tty.Session, text string) {
	t.Helper()
	if err := s.WaitFor(text, patience); err != nil {
		t.Fatal(err)
	}
}

// waitUntilGone waits until the screen no longer shows a text. This is needed after escape, which would combine with
// the next key if they arrived together.
func waitUntilGone(t *testing.T, s *tty.Session, text string) {
	t.Helper()
	if err := s.Until("the end of "+text, patience, func(screen string) bool { return !strings.Contains(screen, text) }); err != nil {
		t.Fatal(err)
	}
}

// The mouse switches tabs, scrolls a list, and opens the help.
func TestMouse(t *testing.T) {
	dir := t.TempDir()
	copied(t, shopSpec, filepath.Join(dir, "shop.json"))
	s := in(t, dir)
	wait(t, s, "Seqs 226") // the spec is analyzed
	click(t, s, "POST   /products")
	wait(t, s, "▸  POST   /products")
	click(t, s, "2 Groups")
	wait(t, s, "▸2 Groups")
	click(t, s, "4 Seqs")
	wait(t, s, "▸4 Seqs")
	wait(t, s, "▸   GET /products ")
	mouse(t, s, wheelDown, 20, 15)
	wait(t, s, "▸   PUT /coupons")
	click(t, s, "? keys")
	wait(t, s, "esc close")
	keys(t, s, esc, "space pick")
	leave(t, s)
}

// A click on a slider of the form sets it, and a drag moves it. During the search, a drag is one change.
func TestSlidersByMouse(t *testing.T) {
	s, _ := app(t, 120, 40)
	keys(t, s, "", "Welcome to Sonde", "5", "smart      P       0.60")
	drag(t, s, "◂━━━", 8, 1)
	wait(t, s, "smart      P       0.00")
	keys(t, s, "\x1b[H", "▸ Start", "e", "esc cancel", "9000000", "9000000", enter, "9,000,000", enter, "running")
	drag(t, s, "◂", 2, 8)
	wait(t, s, "P .00→")
	keys(t, s, "x", "Result", "q", "")
	if code, err := s.Wait(patience); code != 0 || err != nil {
		t.Errorf("exit code %d, error %v", code, err)
	}
}

// drag drags the mouse on the line of a text, between two cells that are counted from the start of the text.
func drag(t *testing.T, s *tty.Session, text string, from, to int) {
	t.Helper()
	for y, line := range s.Lines() {
		before, _, found := strings.Cut(line, text)
		if !found {
			continue
		}
		x := utf8.RuneCountInString(before) + 1
		const moved = 32
		for _, event := range []string{
			fmt.Sprintf("\x1b[<%d;%d;%dM", leftButton, x+from, y+1),
			fmt.Sprintf("\x1b[<%d;%d;%dM", leftButton+moved, x+to, y+1),
			fmt.Sprintf("\x1b[<%d;%d;%dm", leftButton, x+to, y+1),
		} {
			if err := s.Type(event); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	t.Fatalf("there is no %q to drag:\n%s", text, strings.Join(s.Lines(), "\n"))
}

// The app draws complete frames after many changes of the terminal's size during a search, with keys
// between them.
func TestResizeStorm(t *testing.T) {
	s, _ := app(t, 120, 36)
	keys(t, s, "", "Gear shop", "5", "▸5 Search", "e", "esc cancel", "9000000", "9000000", enter, "9,000,000", enter, "running")
	r := rand.New(rand.NewPCG(1, 1))
	for range 150 {
		if err := s.Resize(1+r.IntN(220), 1+r.IntN(70)); err != nil {
			t.Fatal(err)
		}
		if err := s.Type(string("12345678jk\t"[r.IntN(11)])); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range [][2]int{{60, 20}, {80, 24}, {200, 60}, {100, 30}} {
		if err := s.Resize(size[0], size[1]); err != nil {
			t.Fatal(err)
		}
		keys(t, s, "5", "▸5", "", "calls/s")
		if err := s.Until("a whole frame", patience, func(screen string) bool { return framed(screen, size[1]) }); err != nil {
			t.Fatal(err)
		}
	}
}

// framed reports whether a screen has the title at the top, the keys at the bottom, and as many box ends as
// box starts.
func framed(screen string, height int) bool {
	lines := strings.Split(screen, "\n")
	return len(lines) == height && strings.HasPrefix(lines[0], " sonde") && strings.Contains(lines[height-1], "keys") &&
		strings.Count(screen, "╭") == strings.Count(screen, "╰") && strings.Count(screen, "╮") == strings.Count(screen, "╯")
}

// After the app was killed, it opens with the same picks and the same screen. The run on disk can be
// resumed.
func TestKilledAndReopened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := in(t, dir, "--demo")
	keys(
		t, s, "", "Gear shop", "4", "▸4 Seqs", " ", "1 picked", "5", "▸5 Search", "e", "esc cancel", "9000000",
		"9000000", enter, "9,000,000", enter, "calls/s",
	)
	speed := regexp.MustCompile(`[1-9][\d,]* calls/s`) // not 0: a run is on disk before its first call
	if err := s.Until("calls", patience, speed.MatchString); err != nil {
		t.Fatal(err)
	}
	keys(t, s, "4", "▸4 Seqs")
	state := filepath.Join(dir, "state", "sonde", "state.json")
	if err := s.Until("the pick and the screen to be on disk", patience, func(string) bool {
		text, err := os.ReadFile(state)
		return err == nil && strings.Contains(string(text), `"picks"`) && strings.Contains(string(text), `"tab": 3`)
	}); err != nil {
		t.Fatal(err)
	}
	s.Kill()
	runs := find(t, dir, "run.json")
	if len(runs) != 1 {
		t.Fatalf("runs on disk: %v", runs)
	}
	for _, args := range [][]string{{"recent"}, {"export", filepath.Dir(runs[0]), "-o", "tests"}} {
		if out, err := command(t, dir, "sonde", args...).CombinedOutput(); err != nil ||
			args[0] == "recent" && !strings.Contains(string(out), filepath.Dir(runs[0])) {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	s = in(t, dir, "--demo")
	keys(t, s, "", "▸4 Seqs", "", "1 picked", "5", "▸5 Search", "o", "no end", enter, "No end")
	keys(t, s, " ", "▸5 Search "+theme.Running, "x", "Stopped after")
	leave(t, s)
	s = in(t, dir, "--run", filepath.Dir(runs[0]))
	keys(t, s, "", "▸5 Search", "", "Stopped", "E", "Events")
	keys(t, s, "/", "to the list", "kind:run", "resumed where it ended", enter, "to the run")
	leave(t, s)
}

// The Events page of a running search lists the user's commands together with new results, and can filter
// both.
func testEventsOfASteeredSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	s, _ := app(t, 120, 36, "--demo")
	keys(t, s, "", "Gear shop", "5", "▸5 Search", "e", "esc cancel", "9000000", "9000000", enter, "9,000,000", enter, "space pause",
		right, "P   0.65", " ", "space resume", "E", "‖ pause    paused", " ", "space pause",
		"/", "to the list", "kind:pause", "▶ pause    resumed", enter, "Events 2 of", // without a filter, new events push lines out of view
		"/", "to the list", "kind:tune", "P .60→.65", enter, "Events 1 of")
	keys(t, s, "/", "to the list", "status:2xx", "/ status:2xx", enter, "see operation", esc, "")
	waitUntilGone(t, s, "status:2xx")
	keys(t, s, "E", "Covered over calls", "x", "new run", "E", "stopped:")
	leave(t, s)
}

// Each step of the tour waits until the user has performed it, on the demo with a real search.
func TestTour(t *testing.T) {
	s, _ := app(t, 80, 24, "tour")
	keys(t, s, "", "Tour 1/10", down, "Tour 2/10", "/", "esc", "post", "post", enter, "Tour 3/10",
		"2", "Tour 4/10", "3", "Tour 5/10", "4", "Tour 6/10", " ", "Tour 7/10",
		"5", "starts it", enter, "Tour 8/10", right, "Tour 9/10", "6", "Tour 10/10", ctrlX, "")
	waitUntilGone(t, s, "Tour")
}

// Only the first start of the app offers the tour.
func TestTourIsOfferedOnce(t *testing.T) {
	dir := t.TempDir()
	s := begin(t, command(t, dir, "sonde", "--demo"), 60, 24)
	keys(t, s, "", "New here?", ctrlX, "health")
	leave(t, s)
	s = in(t, dir, "--demo")
	keys(t, s, "", "health")
	if strings.Contains(strings.Join(s.Lines(), "\n"), "New here?") {
		t.Error("the tour is offered again")
	}
}

// The user builds a seq, looks at its requests, plays it and exports it. It is still there after a restart.
func TestBuildAndPlay(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	dir := t.TempDir()
	s := in(t, dir, "--demo")
	keys(t, s, "", "Gear shop", "/", "esc", "health", "health", enter, "GET /health",
		"b", "is call 1 of h1", "4", "▸4 Seqs", "e", "Build h1", "D", "2  GET /health",
		"n", "Dry run h1", esc, "Build h1", "R", "✓ 200", "R", "same answers", ".", "1 of 2",
		".", "That was the last", esc, "Seq h1", "6", "TestGetHealthTwice_200", "w", "sonde_test.go")
	leave(t, s)
	s = in(t, dir, "--demo")
	keys(t, s, "", "6 Export 1", "4", "by hand")
	leave(t, s)
}

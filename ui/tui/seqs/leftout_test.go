package seqs

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
)

// unsound returns a run of two tests. why is the reason why the second test is left out of exports, "" if it is
// included.
func unsound(why string) screen.RunProgress {
	tests := []model.Test{test("t1"), test("t2")}
	tests[1].EarlierState = why
	return screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseRunning, Tests: tests}, Folder: "run"}
}

// A test that is left out of exports is marked in the list, and its details have the reason.
func TestTestsThatDependOnEarlierStateAreMarked(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).send(unsound("GET /health was answered 500")).press("down")
	marked := func(size [2]int) (rows []string) {
		for line := range strings.SplitSeq(ansi.Strip(d.size(size[0], size[1]).screen.View(size[0], size[1])), "\n") {
			if runes := []rune(line); len(runes) > 3 && string(runes[2]) == leftOutSign {
				rows = append(rows, line)
			}
		}
		return rows
	}
	for _, size := range [][2]int{{40, 9}, {60, 21}, {80, 21}, {120, 33}, {200, 57}} {
		if rows := marked(size); len(rows) != 1 || !strings.Contains(rows[0], "▸") {
			t.Errorf("at %v %q are marked, want the row under the cursor", size, rows)
		}
	}
	text := func() string {
		var b strings.Builder
		for _, l := range d.screen.details.lines(d.screen.list.current(), 48) {
			b.WriteString(ansi.Strip(l.String()) + "\n")
		}
		return b.String()
	}
	if got := text(); !strings.HasPrefix(got, " ! depends on earlier state\n   GET /health was answered 500. Exports leave\n") {
		t.Errorf("the details say\n%s", got)
	}
	d.send(unsound(""))
	if rows, got := marked([2]int{80, 21}), text(); len(rows) > 0 || strings.Contains(got, "earlier state") {
		t.Errorf("a test that was repaired is still marked: %q\n%s", rows, got)
	}
}

package search

import (
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
)

// storeSearches stores two searches on disk: one that ended, and a newer one that was killed.
func (d *driver) storeSearches() *driver {
	killed, ended := tuned(), done()
	killed.Phase, killed.Used, killed.Summary.Cancelled = model.PhaseDone, 0.5, true
	killed.Open, ended.Open = nil, nil
	smart := usecase.SearchSettings{Limits: model.Limits{Calls: 2000}, Tuning: model.DefaultTuning(), Seed: 7, WhiteBox: true}
	plain := smart
	plain.Tuning.Smart, plain.Seed, plain.WhiteBox = 0, 1, false
	begun := time.Date(2026, 11, 20, 8, 30, 0, 0, time.UTC)
	d.past = []usecase.PastSearch{
		{Folder: "runs/killed", Started: begun, Settings: smart, Summary: killed.Summary, Command: "sonde search --again"},
		{Folder: "runs/ended", Started: begun.Add(-time.Hour), Settings: plain, Summary: ended.Summary, Finished: true, OtherVersion: true},
	}
	d.snaps = map[string]model.Snapshot{"runs/killed": killed, "runs/ended": ended}
	return d
}

// Searches on disk are listed with the settings in which they differ. When the user opens a search, the run
// that was shown before becomes the previous run.
func TestReopen(t *testing.T) {
	d := drive(t, demo).storeSearches().press("o")
	d.sees(
		"Recent searches 2", "no end", "P .60, seed 7, white-box", "done",
		"P .00, seed 1, another version of the spec", "kept in  runs/killed",
	)
	d.press("down").sees("kept in  runs/ended").press("enter")
	d.sees("Done in 4.4 s", "begun", "runs/ended", "n again, with seed 2", "seed 1")
	if m := d.model(); m.run.active() || len(d.settings) > 0 {
		t.Error("a search is running")
	}
	d.press("o", "enter").sees("No end", "It was killed", "previous: P .00, no white-box, seed 1", "sonde search --again")
}

// The folder of a run does not store its open targets, so the screen shows no number of them.
func TestOpenTargetsOfStoredRun(t *testing.T) {
	d := drive(t, demo).storeSearches().size(120, 33).press("o", "enter", "V", "V")
	d.sees("Open · Answers", "The folder of a run does not have the targets")
	if strings.Contains(ansi.Strip(d.screen.View(120, 33)), "Open 0") {
		t.Error("the screen has a number of open targets")
	}
}

// The next search has the settings of the search that was opened, and another seed.
func TestAgainAfterReopen(t *testing.T) {
	d := drive(t, demo).storeSearches().press("o", "enter", "n").press("end", "s")
	if len(d.settings) != 1 || d.settings[0].Seed != 8 || d.settings[0].ResumeFolder != "" || d.settings[0].Limits.Calls != 2000 {
		t.Errorf("settings %+v", d.settings)
	}
}

// A stopped or killed search can be resumed with its tuning. A search that is done cannot be resumed.
func TestGoOn(t *testing.T) {
	host := demo
	host.Probes = usecase.ProbesAvailable
	d := drive(t, host).storeSearches().press("o", "down", "enter", " ")
	if len(d.settings) != 0 {
		t.Fatal("a search that is done was resumed")
	}
	if d := drive(t, demo).storeSearches().press("o", "enter", " "); len(d.settings) != 0 {
		t.Fatal("a white-box search was resumed with a service without probes")
	}
	d.run = &fakeRun{folder: "runs/killed", snap: tuned()}
	d.press("o", "enter", " ")
	if len(d.settings) != 1 || d.settings[0].ResumeFolder != "runs/killed" || d.settings[0].Seed != 7 {
		t.Fatalf("settings %+v", d.settings)
	}
	d.tick()
	m := d.model()
	if n := len(m.run.waiting()); n != 0 {
		t.Errorf("%d steers seem to wait that were in force before", n)
	}
	d.press("x").show(done()).press("n", "end", "s")
	if len(d.settings) != 2 || d.settings[1].ResumeFolder != "" {
		t.Errorf("the next search: %+v", d.settings)
	}
}

// The user can type the folder of a search. If it cannot be read, the page shows the error.
func TestReopenAFolder(t *testing.T) {
	d := drive(t, demo).storeSearches().press("o", "e", "x", "enter")
	d.sees(`"x" is not a run`, "Recent searches 2")
	d.press("e", "x", "esc").sees("kept in").press("esc").sees("before you start")
	d.past = nil
	d.press("o").sees("No recent search of this spec is kept", "e opens one from any folder")
}

// The app can start with a search from disk. An error does not end the app.
func TestBeginsReopened(t *testing.T) {
	host := demo
	host.PastSearch = "runs/ended"
	d := drive(t, host)
	if len(d.shown) != 1 || d.shown[0].Tab != screen.TabSearch {
		t.Errorf("went to %v", d.shown)
	}
	d.storeSearches().send(screen.SpecOpened{Spec: shop()})
	if d.model().run.hasSnapshot {
		t.Error("opened again though the spec was only read again")
	}
}

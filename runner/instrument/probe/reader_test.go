package probe

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/runner/instrument/probedata"
)

// The probes of a service can be read after it was killed: the call that panicked was reached, and
// the call that returned was completed.
func TestKilled(t *testing.T) {
	source, err := os.ReadFile("testdata/crash/main.go")
	if err != nil {
		t.Fatal(err)
	}
	w := watch(t, built(t, Options{Dir: "testdata/crash"}))
	c := w.command()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	printed := w.find(probedata.CallCompleted, string(source), `Println("waiting")`).ID
	for i := 0; near(w.AppendScores(nil), printed) < 1 && i < 1000; i++ {
		time.Sleep(10 * time.Millisecond) // the line is printed before the probe of its completed call
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	scores := w.AppendScores(nil)
	for text, want := range map[string]float64{
		`Sprint("before")`:   1,
		"n := b.value()":     0.5,
		`Sprint("after"`:     0,
		`Println("waiting")`: 1,
		"time.Sleep":         0.5,
	} {
		if h := near(scores, w.find(probedata.CallCompleted, string(source), text).ID); h != want {
			t.Errorf("%s: h = %v, want %v", text, h, want)
		}
	}
}

// A Reader returns scores that improved, and scores of wanted targets. A service that does
// not get the path of a file does not change the file.
func TestReader(t *testing.T) {
	source, err := os.ReadFile("testdata/ladder/main.go")
	if err != nil {
		t.Fatal(err)
	}
	w := watch(t, builtLadder(t))
	if w.memory.Attached() != 0 || len(w.AppendScores(nil)) != 0 {
		t.Error("something was reached before the start")
	}
	ask, id := w.talk(), w.find(probedata.BranchTrue, string(source), `"int==":`).ID
	step := func(value string) {
		w.Reset()
		ask("int== " + value)
	}
	step("50")
	first := near(w.AppendImproved(nil), id)
	if first <= 0 || first >= 1 || w.memory.Attached() != 1 {
		t.Errorf("h = %v", first)
	}
	step("50")
	if h := near(w.AppendImproved(nil), id); h != 0 {
		t.Errorf("the same is better than itself: %v", h)
	}
	step("60")
	if h := near(w.AppendImproved(nil), id); h != 0 {
		t.Errorf("a step back is better: %v", h)
	}
	if h := near(w.AppendScores(nil), id); h <= 0 || h >= first {
		t.Errorf("a step back is %v, was %v", h, first)
	}
	step("43")
	if h := near(w.AppendImproved(nil), id); h <= first {
		t.Errorf("a step further is %v, was %v", h, first)
	}
	other := w.find(probedata.BranchTrue, string(source), `"int!=":`).ID
	w.SelectTargets(func(i int) bool { return w.manifest.Targets[i].ID == other })
	step("42")
	if got := w.AppendScores(nil); len(got) != 0 {
		t.Errorf("told without being asked: %v", got)
	}
	w.Reset()
	still := w.Fingerprint()
	ask("int!= 42")
	if got := w.AppendScores(nil); len(got) != 1 || got[0].Target != other || got[0].Number != 0 {
		t.Errorf("got %v", got)
	}
	if w.Fingerprint() == still {
		t.Error("what was reached does not show")
	}
	at := slices.IndexFunc(w.manifest.Targets, func(t probedata.Target) bool { return t.ID == other })
	w.SetFirstNumber(7)
	w.SetWanted(at, true)
	if got := w.AppendScores(nil); len(got) != 1 || got[0].Number != 7+at || w.IsCovered(at) != (got[0].H == 1) {
		t.Errorf("got %v, covered %t", got, w.IsCovered(at))
	}
	w.SetWanted(at, false)
	w.Reset()
	ask("int!= 42")
	if got := w.AppendScores(nil); len(got) != 0 {
		t.Errorf("got %v though nothing is asked for", got)
	}
}

// With the file of another build, a service prints a message and runs without probes. No target is
// reached.
func TestWrongFile(t *testing.T) {
	_, r := builtModule(t, little, Options{})
	for name, spoil := range map[string]func(w *watched) *watched{
		"is of another build": func(*watched) *watched {
			other := *r.Manifest
			other.Build++
			return watchBuild(t, r, &other)
		},
		"is cut short": func(w *watched) *watched {
			_ = os.Truncate(sharedFile(w.memory), int64(os.Getpagesize()))
			return w
		},
		"cannot be opened": func(w *watched) *watched {
			_ = os.Remove(sharedFile(w.memory))
			return w
		},
	} {
		w := spoil(watch(t, r))
		out, err := w.command().CombinedOutput()
		if want := "sonde: this service runs without probes: " + sharedFile(w.memory) + " " + name; err != nil ||
			!strings.Contains(string(out), want) {
			t.Errorf("%s: %v, %s", name, err, out)
		}
		if name == "is of another build" && (w.memory.Attached() != 0 || len(w.AppendScores(nil)) != 0) {
			t.Errorf("%s: something counts as reached", name)
		}
	}
}

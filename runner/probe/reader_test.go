package probe

import (
	"bufio"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/assets/probe/sondeprobe"
	"sonde/model"
)

// What a service did stays readable when it is killed: the call that panicked
// was tried, the one that came back was completed.
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
	printed := w.find(Call, string(source), `Println("waiting")`).ID
	for i := 0; near(w.Reached(nil), printed) < 1 && i < 1000; i++ {
		time.Sleep(10 * time.Millisecond) // what is printed comes before it is completed
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	scores := w.Reached(nil)
	for text, want := range map[string]float64{`Sprint("before")`: 1, "n := b.value()": 0.5, `Sprint("after"`: 0, `Println("waiting")`: 1, "time.Sleep": 0.5} {
		if h := near(scores, w.find(Call, string(source), text).ID); h != want {
			t.Errorf("%s: h = %v, want %v", text, h, want)
		}
	}
}

// Readings tell what improved, and what is asked for; a service that knows
// nothing of a file leaves it alone.
func TestReader(t *testing.T) {
	source, err := os.ReadFile("testdata/ladder/main.go")
	if err != nil {
		t.Fatal(err)
	}
	w := watch(t, built(t, Options{Dir: "testdata/ladder"}))
	if w.memory.Attached() != 0 || len(w.Reached(nil)) != 0 {
		t.Error("something was reached before the start")
	}
	ask, id := w.talk(), w.find(True, string(source), `"int==":`).ID
	step := func(value string) {
		w.Reset()
		ask("int== " + value)
	}
	step("50")
	first := near(w.Better(nil), id)
	if first <= 0 || first >= 1 || w.memory.Attached() != 1 {
		t.Errorf("h = %v", first)
	}
	step("50")
	if h := near(w.Better(nil), id); h != 0 {
		t.Errorf("the same is better than itself: %v", h)
	}
	step("60")
	if h := near(w.Better(nil), id); h != 0 {
		t.Errorf("a step back is better: %v", h)
	}
	if h := near(w.Reached(nil), id); h <= 0 || h >= first {
		t.Errorf("a step back is %v, was %v", h, first)
	}
	step("43")
	if h := near(w.Better(nil), id); h <= first {
		t.Errorf("a step further is %v, was %v", h, first)
	}
	other := w.find(True, string(source), `"int!=":`).ID
	w.Want(func(i int) bool { return w.manifest.Targets[i].ID == other })
	step("42")
	if got := w.Reached(nil); len(got) != 0 {
		t.Errorf("told without being asked: %v", got)
	}
	w.Reset()
	still := w.Stir()
	ask("int!= 42")
	if got := w.Reached(nil); len(got) != 1 || got[0].Target != other || got[0].Number != 0 {
		t.Errorf("got %v", got)
	}
	if w.Stir() == still {
		t.Error("what was reached does not show")
	}
	at := slices.IndexFunc(w.manifest.Targets, func(t Target) bool { return t.ID == other })
	w.Number(7)
	w.Ask(at, true) // again
	if got := w.Reached(nil); len(got) != 1 || got[0].Number != 7+at || w.Covered(at) != (got[0].H == 1) {
		t.Errorf("got %v, covered %t", got, w.Covered(at))
	}
	w.Ask(at, false)
	w.Reset()
	ask("int!= 42")
	if got := w.Reached(nil); len(got) != 0 || slices.ContainsFunc(w.open, func(open uint32) bool { return open != 0 }) {
		t.Errorf("got %v though nothing is asked for", got)
	}
}

// A service goes on without probes when the file is not one of its own, and says
// so; nothing counts as seen.
func TestWrongFile(t *testing.T) {
	r := built(t, Options{Dir: module(t, little)})
	for name, spoil := range map[string]func(w *watched){
		"is of another build": func(w *watched) { w.memory.head.Build++ },
		"is cut short":        func(w *watched) { _ = os.Truncate(w.memory.path, int64(os.Getpagesize())) },
		"cannot be opened":    func(w *watched) { _ = os.Remove(w.memory.path) },
	} {
		w := watch(t, r)
		spoil(w)
		out, err := w.command().CombinedOutput()
		if want := "sonde: this service goes on without probes: " + w.memory.path + " " + name; err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, %s", name, err, out)
		}
		if name == "is of another build" && (w.memory.Attached() != 0 || len(w.Reached(nil)) != 0) {
			t.Errorf("%s: something counts as seen", name)
		}
	}
}

// Nearness rises as the distance falls, also behind a term, and is below 1.
func TestCloseness(t *testing.T) {
	slot := func(d float64) uint64 { return sondeprobe.Done - 1 - math.Float64bits(d) }
	last := 0.0
	for _, d := range []float64{sondeprobe.Far, 1e300, 1e18, 1.7e9 + 1, 1.7e9, 1.7e9 - 1, 65536, 2, 1, 0.5, 1e-9} {
		for _, base := range []float64{0, 0.5, 0.75} {
			if h, scale := closeness(slot(d)), 1-base; base+scale*h <= base+scale*last || h >= 1 {
				t.Errorf("distance %v behind %v: %v after %v", d, base, h, last)
			}
		}
		last = closeness(slot(d))
	}
	if closeness(0) != 0 || closeness(sondeprobe.Done) != 1 || closeness(slot(math.SmallestNonzeroFloat64)) >= 1 {
		t.Error("the ends are wrong")
	}
}

// bigReader reads 100,000 targets, in the proportions of real services.
func bigReader(b *testing.B) *Reader {
	b.Helper()
	m := &Manifest{Version: FormatVersion, Preds: 30000, Hits: 40001}
	for i := 1; i < m.Hits; i++ {
		m.Targets = append(m.Targets, Target{ID: "hit", Hit: i})
		if p := i - 1; p < m.Preds {
			m.Targets = append(m.Targets, Target{ID: "true", Terms: outcome(p, 0)}, Target{ID: "false", Terms: outcome(p, 1)})
		}
	}
	mem, err := NewMemory(m)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { mem.Close() })
	return NewReader(m, mem)
}

// BenchmarkRead is what a test costs, of 100,000 targets, when the service
// touches all, functions that are one in 20, and every twentieth statement and
// branch, wherever it is. Distances are others each time.
//
//	go test ./runner/probe -run '^$' -bench Read
func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name    string
		touched func(i int) bool
	}{
		{"all", func(int) bool { return true }}, {"functions", func(i int) bool { return i/40%20 == 0 }},
		{"scattered", func(i int) bool { return i%20 == 0 }}, {"none", func(int) bool { return false }},
	} {
		b.Run(c.name, func(b *testing.B) {
			r, scores := bigReader(b), []model.Score(nil)
			var took []float64
			for b.Loop() {
				r.touch(c.touched, len(took))
				start := time.Now()
				scores = r.Reached(scores[:0])
				r.Reset()
				took = append(took, float64(time.Since(start).Microseconds()))
			}
			b.ReportMetric(median(took), "median-µs/test")
			b.ReportMetric(slices.Min(took), "least-µs/test") // others may use the machine, too
			b.ReportMetric(0, "ns/op")
		})
	}
}

// touch does what a service's probes do.
func (r *Reader) touch(touched func(i int) bool, salt int) {
	for i := 1; i < len(r.memory.hits); i++ {
		if touched(i) {
			r.memory.hits[i] = 1
		}
	}
	for p := range r.open {
		if touched(p) {
			r.memory.slots[2*p], r.memory.slots[2*p+1] = sondeprobe.Done, sondeprobe.Done-1-math.Float64bits(float64(p+1+salt))
			r.memory.open[p]++ // counted
		}
	}
}

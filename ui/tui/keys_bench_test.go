package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/ui/tui/screen"
)

// big returns very large specs: a generated spec, the largest real spec of the corpus, and the specs in the
// files that the environment variable SONDE_BENCH_SPECS lists. The files are separated like the folders in
// PATH.
func big(b *testing.B) map[string]*model.Spec {
	b.Helper()
	all := map[string]*model.Spec{"made-5000": large(5000)}
	for _, file := range filepath.SplitList(os.Getenv("SONDE_BENCH_SPECS")) {
		spec, err := openapi.Load(context.Background(), file, openapi.Options{})
		if err != nil {
			b.Fatal(err)
		}
		all[filepath.Base(file)] = spec
	}
	if spec, err := openapi.Load(
		context.Background(), "../../../shared/specs/oas2/magento.com/2.1/swagger.yaml", openapi.Options{},
	); err == nil {
		all["magento"] = spec
	}
	return all
}

// BenchmarkPreview measures the time from reading a spec's file to the first view of its operations, for
// the files in SONDE_BENCH_SPECS.
func BenchmarkPreview(b *testing.B) {
	for _, file := range filepath.SplitList(os.Getenv("SONDE_BENCH_SPECS")) {
		b.Run(filepath.Base(file), func(b *testing.B) {
			for b.Loop() {
				spec, err := openapi.Load(context.Background(), file, openapi.Options{})
				if err != nil {
					b.Fatal(err)
				}
				preview, err := screen.Preview(context.Background(), spec)
				if err != nil {
					b.Fatal(err)
				}
				d := start(engine(spec, nil), local).size(200, 60)
				d.app.Init()
				d.app.Update(specRead{no: d.app.spec.no, spec: preview})
				d.app.View()
			}
		})
	}
}

// BenchmarkOpening measures the time from a parsed spec to the first view that has all its values. It also
// reports the memory in use at that time.
func BenchmarkOpening(b *testing.B) {
	for name, spec := range big(b) {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				begun := time.Now()
				analyzed, err := screen.AnalyzeSpec(context.Background(), spec, match.DefaultMode)
				if err != nil {
					b.Fatal(err)
				}
				d := start(engine(spec, nil), local).size(200, 60)
				d.app.Init()
				d.app.Update(specRead{no: d.app.spec.no, spec: analyzed})
				d.app.View()
				took = append(took, time.Since(begun))
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "heap-MB")
				runtime.KeepAlive(d)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Milliseconds()), "first-frame-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkSwitch measures the first switch to a screen after a spec was opened. It reports the time from
// the key press to the first view, and to the complete view. Before the complete view, the work in the
// background is run sequentially.
func BenchmarkSwitch(b *testing.B) {
	for name, spec := range big(b) {
		for tab, screen := range map[string]string{"2": "groups", "3": "graph", "4": "seqs"} {
			b.Run(name+"/"+screen, func(b *testing.B) {
				var first, all []time.Duration
				for b.Loop() {
					d := open(spec, nil).size(200, 60)
					d.app.View()
					runtime.GC()
					begun := time.Now()
					_, cmd := d.app.Update(keyMessage(tab))
					d.app.View()
					first = append(first, time.Since(begun))
					d.do(cmd)
					d.app.View()
					all = append(all, time.Since(begun))
				}
				reportTimes(b, "first", first)
				reportTimes(b, "all", all)
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// reportTimes reports the minimum, the median and the maximum of some times. Other processes have the least
// influence on the minimum.
func reportTimes(b *testing.B, name string, took []time.Duration) {
	slices.Sort(took)
	milliseconds := func(t time.Duration) float64 { return float64(t.Microseconds()) / 1000 }
	b.ReportMetric(milliseconds(took[0]), name+"-min-ms")
	b.ReportMetric(milliseconds(took[len(took)/2]), name+"-p50-ms")
	b.ReportMetric(milliseconds(took[len(took)-1]), name+"-max-ms")
}

// BenchmarkKeys presses keys on each screen of a large spec. It reports the time from a key press to the
// new view, without work in the background.
func BenchmarkKeys(b *testing.B) {
	moves := "down down down pgdown pgdown end up up home enter down down esc tab down shift+tab right left G g ? esc ctrl+p c a r t esc"
	screens := map[string]string{
		"1": moves,
		"2": moves + " m m V V b b",
		"3": moves + " + + - w z z Z Z m w",
		"4": moves + " space A a u o o p esc d d",
		"5": moves,
		"6": moves,
	}
	for name, spec := range big(b) {
		for tab, keys := range screens {
			d := open(spec, nil).size(200, 60).press(tab)
			b.Run(
				fmt.Sprintf("%s/%s", name, d.app.screens.visible().Name()),
				func(b *testing.B) { pressing(b, d, tab, strings.Fields(keys)) },
			)
		}
	}
}

func pressing(b *testing.B, d *driver, tab string, keys []string) {
	var times keyTimes
	slowest, longest := "", time.Duration(0)
	for b.Loop() {
		times.round()
		for _, k := range append([]string{"esc", "esc", tab}, keys...) {
			if last := times.press(d, k); last > longest {
				slowest, longest = k, last
			}
		}
	}
	b.Logf("the slowest key was %q, %v", slowest, longest)
	times.report(b)
	b.ReportMetric(0, "ns/op")
}

// keyTimes holds the times from key presses to the new view, without work in the background. All rounds
// have the same keys.
type keyTimes struct {
	took, least []time.Duration // took has the times of all presses. least has, for each key, its minimum time over all rounds.
	no          int             // the index of the next key in its round
}

// round begins the next round.
func (t *keyTimes) round() { t.no = 0 }

// press presses a key, runs the work in the background, and returns the time to the new view.
func (t *keyTimes) press(d *driver, key string) time.Duration {
	begun := time.Now()
	_, cmd := d.app.Update(keyMessage(key))
	d.app.View()
	last := time.Since(begun)
	t.took = append(t.took, last)
	if t.no == len(t.least) {
		t.least = append(t.least, last)
	}
	t.least[t.no] = min(t.least[t.no], last)
	t.no++
	d.do(cmd)
	return last
}

// report reports the median, the 99th percentile and the maximum of all times. It also reports the 99th
// percentile of the minimum times of each key, on which other processes have little influence.
func (t *keyTimes) report(b *testing.B) {
	slices.Sort(t.took)
	slices.Sort(t.least)
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(milliseconds(t.least[len(t.least)*99/100]), "p99-least-ms/key")
	b.ReportMetric(milliseconds(t.took[len(t.took)/2]), "p50-ms/key")
	b.ReportMetric(milliseconds(t.took[len(t.took)*99/100]), "p99-ms/key")
	b.ReportMetric(milliseconds(t.took[len(t.took)-1]), "max-ms/key")
}

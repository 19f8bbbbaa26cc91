package tui

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkView draws a large spec in a large terminal, as after a key press.
func BenchmarkView(b *testing.B) {
	for name, keys := range map[string][]string{
		"explore": {"end", "up"}, "page": {"end", "enter"}, "groups": {"2"}, "graph": {"3"},
	} {
		d := open(large(1000), nil).size(200, 60).press(keys...)
		b.Run("view/"+name, func(b *testing.B) {
			for b.Loop() {
				d.app.View()
			}
		})
		b.Run("key/"+name, func(b *testing.B) {
			for b.Loop() {
				d.press("up")
				d.app.View()
				d.press("down")
				d.app.View()
			}
		})
	}
}

// BenchmarkFilter types filters on large specs. It reports the median and the 99th percentile of the time from a key
// press to the new view, without work in the background. The 99th percentile is also that of the least times of each key
// of all rounds, on which other processes have little influence.
func BenchmarkFilter(b *testing.B) {
	for name, spec := range big(b) {
		for tab, screen := range map[string]string{"1": "explore", "2": "groups", "4": "seqs"} {
			d := open(spec, nil).size(200, 60).press(tab)
			b.Run(name+"/"+screen, func(b *testing.B) { typing(b, d) })
		}
	}
}

func typing(b *testing.B, d *driver) {
	var took, least []time.Duration
	for b.Loop() {
		no := 0 // of the key in the round
		for _, text := range []string{
			"custord", "get /v1/customers/{", "method:post status:4 !value:id", "value:name in:query x:y", "schema:a unused nothing",
		} {
			keys := slices.Concat([]string{"/"}, strings.Split(text, ""), []string{"enter", "down", "down", "up", "esc"})
			for _, k := range keys {
				start := time.Now()
				_, cmd := d.app.Update(keyMessage(k))
				d.app.View()
				last := time.Since(start)
				took = append(took, last)
				if no == len(least) {
					least = append(least, last)
				}
				least[no] = min(least[no], last)
				no++
				d.do(cmd)
			}
		}
	}
	slices.Sort(took)
	slices.Sort(least)
	b.ReportMetric(float64(least[len(least)*99/100].Microseconds())/1000, "p99-least-ms/key")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms/key")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms/key")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms/key")
}

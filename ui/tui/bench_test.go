package tui

import (
	"slices"
	"strings"
	"testing"
)

// BenchmarkView draws a large spec in a large terminal, as the app does after each key press.
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

// BenchmarkFilter types filters on large specs. It measures the time from a key press to the new view, without work
// in the background, and reports the median and the 99th percentile. Other processes have little influence on the
// minimum time of a key over all rounds. BenchmarkFilter therefore also reports the 99th percentile of these
// minimums.
func BenchmarkFilter(b *testing.B) {
	for name, spec := range big(b) {
		for tab, screen := range map[string]string{"1": "explore", "2": "groups", "4": "seqs"} {
			d := open(spec, nil).size(200, 60).press(tab)
			b.Run(name+"/"+screen, func(b *testing.B) { typing(b, d) })
		}
	}
}

func typing(b *testing.B, d *driver) {
	var times keyTimes
	for b.Loop() {
		times.round()
		for _, text := range []string{
			"custord", "get /v1/customers/{", "method:post status:4 !value:id", "value:name in:query x:y", "schema:a unused nothing",
		} {
			for _, k := range slices.Concat([]string{"/"}, strings.Split(text, ""), []string{"enter", "down", "down", "up", "esc"}) {
				times.press(d, k)
			}
		}
	}
	times.report(b)
}

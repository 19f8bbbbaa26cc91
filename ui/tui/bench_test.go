package tui

import "testing"

// A frame of a large spec in a large terminal: what a key press costs.
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

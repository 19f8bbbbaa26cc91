package tui

import "testing"

// A user may think that the Search screen searches for a text. The screen says what it is for, and that the key /
// finds operations.
func TestSearchIsNoTextSearch(t *testing.T) {
	d := open(shop(), nil).size(80, 24).press("5").sees(t, "╭─ Search: sends calls, keeps tests ─", "look for a text: / does")
	d.press("s").sees(t, "╭─ Search: sends calls, keeps tests ─")
	d.press("/").write("move order").sees(t, tabs[0], "/ move order").press("enter").sees(t, "PATCH  /orders/{orderId}")
}

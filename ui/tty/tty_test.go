package tty

import "testing"

// A character that comes in two parts is one.
func TestWhole(t *testing.T) {
	for text, want := range map[string]int{
		"":              0,
		"a":             1,
		"a×":            3,
		"a\xc3":         1,
		"a\xe2\x96":     1,
		"a▸":            4,
		"a\xf0\x9f\x98": 1,
		"\xff\xff":      2,
		"a\x97":         2,
	} {
		if got := whole([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

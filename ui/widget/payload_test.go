package widget_test

import (
	"slices"
	"strings"
	"testing"

	"sonde/ui/widget"
)

func TestLines(t *testing.T) {
	for said, want := range map[string][]string{
		`{"a":[1]}`:      {"{", `  "a": [`, "    1", "  ]", "}"},
		"one\r\n\ttwo\n": {"one\r", "    two"},
		"\x00\xffok":     {"0000  00 ff 6f 6b              ..ok"},
		"":               {""},
	} {
		if got := widget.PayloadLines([]byte(said)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", said, got, want)
		}
	}
}

// A large message has at most 2,000 lines. The last line has the number of bytes that are left out.
func TestLinesOfMuch(t *testing.T) {
	for said, last := range map[string]string{
		strings.Repeat("text\n", 1<<16): "… 319488 bytes more",
		strings.Repeat("\x00", 1<<16):   "… 64512 bytes more",
	} {
		lines := widget.PayloadLines([]byte(said))
		if got := lines[len(lines)-1]; got != last || len(lines) > 2000 {
			t.Errorf("%d lines, the last %q, want %q", len(lines), got, last)
		}
	}
}

// A text whose last character is truncated is still shown as text.
func TestLegible(t *testing.T) {
	for said, want := range map[string]bool{
		"":            true,
		"a\tb\r\n":    true,
		"é"[:1]:       true,
		"é"[:1] + "a": false,
		"\x00":        false,
		"\x1b[2J":     true,
	} {
		if got := widget.IsText([]byte(said)); got != want {
			t.Errorf("%q: %t", said, got)
		}
	}
}

func TestEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb":       "a\nb",
		"\u202eevil": `\u202eevil`,
		"\u009b":     `\u009b`,
		"\U000e0001": `\udb40\udc01`,
		"ä":          "ä",
	} {
		if got := widget.EscapeControls(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

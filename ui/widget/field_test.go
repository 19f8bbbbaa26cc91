package widget_test

import (
	"strings"
	"testing"

	"sonde/ui/widget"
)

// The cursor of a text area can be put anywhere, also in a text whose lines are wrapped.
func TestCursorOfATextArea(t *testing.T) {
	text := "{\n  \"é\": \"" + strings.Repeat("long ", 40) + "\",\n\n  \"b\": 2\n}"
	area := widget.TextArea(text)
	area.SetWidth(20)
	for at := range len(text) + 1 {
		if at < len(text) && text[at]&0xc0 == 0x80 {
			continue // inside of a character
		}
		widget.SetText(&area, text, at)
		if got := widget.Offset(&area); got != at || area.Value() != text {
			t.Fatalf("the cursor is at %d, want %d", got, at)
		}
	}
	area.SetHeight(3)
	widget.MoveTo(&area, 99, 0)
	widget.ShowCursor(&area)
	if view := area.View(); !strings.Contains(view, "}") {
		t.Errorf("the cursor is not visible in\n%s", view)
	}
	for _, c := range []struct{ line, column, want int }{{0, 0, 0}, {1, 2, 4}, {9, 9, len(text)}, {3, 99, len(text) - 2}, {0, 0, 0}} {
		widget.MoveTo(&area, c.line, c.column)
		if got := widget.Offset(&area); got != c.want {
			t.Errorf("line %d, column %d: the cursor is at %d, want %d", c.line, c.column, got, c.want)
		}
	}
}

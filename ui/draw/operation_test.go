package draw_test

import (
	"testing"

	"sonde/ui/draw"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestPath(t *testing.T) {
	for name, c := range map[string]struct {
		path  string
		width int
		want  string
	}{
		"fits":              {"/carts/{cartId}/items", 21, "/carts/{cartId}/items"},
		"one segment less":  {"/carts/{cartId}/items", 20, "…/{cartId}/items"},
		"two segments less": {"/carts/{cartId}/items", 15, "…/items"},
		"last segment long": {"/carts/averyveryverylongone", 10, "…rylongone"},
		"no slash":          {"carts", 3, "…ts"},
		"empty":             {"", 3, ""},
		"slash at the end":  {"/carts/items/", 8, "…/items/"},
		"long before slash": {"/carts/items/", 4, "…ms/"},
		"no room":           {"/carts", 1, "…"},
	} {
		if got := draw.ShortPath(c.path, c.width); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestPathFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 30).Draw(t, "width")
		got := draw.ShortPath(rapid.StringMatching(`(/[a-z世{}]{0,9}){0,6}`).Draw(t, "path"), width)
		if ansi.StringWidth(got) > width {
			t.Fatalf("%q is wider than %d", got, width)
		}
	})
}

func TestOperation(t *testing.T) {
	for width, want := range map[int]string{40: "POST /carts/{cartId}/items", 14: "POST …/items", 3: "PO…"} {
		line := draw.OperationLine("POST /carts/{cartId}/items", width).Render(width, false)
		if got := ansi.Strip(line); got != draw.FitLine(want, width) {
			t.Errorf("width %d: got %q, want %q", width, got, want)
		}
	}
}

package draw_test

import (
	"strings"
	"testing"

	"sonde/ui/draw"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestFrame(t *testing.T) {
	got := draw.Frame{Title: "Groups", Note: "2 of 5", Width: 14, Height: 4}.Render("one\ntwo wide words\nthree")
	want := strings.Join([]string{
		"╭─ Groups ───╮",
		"│one         │",
		"│two wide wo…│",
		"╰─── 2 of 5 ─╯",
	}, "\n")
	if got := ansi.Strip(got); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A frame has its exact size for any content, so that the lines below it do not move.
func TestFrameKeepsItsSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := draw.Frame{
			Title: rapid.StringMatching(`[a-z世 ]{0,40}`).Draw(t, "title"),
			Note:  rapid.StringMatching(`[0-9é]{0,20}`).Draw(t, "note"),
			Width: rapid.IntRange(1, 60).Draw(t, "width"), Height: rapid.IntRange(1, 20).Draw(t, "height"),
		}
		lines := strings.Split(f.Render(rapid.StringMatching(`[a-z世é\n ]{0,400}`).Draw(t, "body")), "\n")
		if len(lines) != f.Height {
			t.Fatalf("%d lines, want %d", len(lines), f.Height)
		}
		for _, l := range lines {
			if got := ansi.StringWidth(l); got != f.Width {
				t.Fatalf("line %q is %d cells wide, want %d", l, got, f.Width)
			}
		}
	})
}

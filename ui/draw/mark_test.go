package draw

import (
	"strings"
	"testing"

	"sonde/ui/theme"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

func TestMark(t *testing.T) {
	lipgloss.SetColorProfile(termenv.ANSI)
	defer lipgloss.SetColorProfile(termenv.Ascii)
	ab := func(text string) []int { return []int{strings.Index(text, "b")} }
	line := Line{{"abc", theme.Plain}, {" bc", theme.Plain}}.Mark(ab)
	u := lipgloss.NewStyle().Bold(true).Underline(true).Render("b")
	if got, want := line.String(), "a"+u+"c "+u+"c"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r, ru := theme.Selected.Render, theme.Selected.Underline(true).Render
	if got, want := line.Render(8, true), r("a")+ru("b")+r("c ")+ru("b")+r("c  "); got != want {
		t.Errorf("with the cursor got %q, want %q", got, want)
	}
	flag := Line{{"🇩🇪", theme.Plain}}
	if got := flag.Mark(func(string) []int { return []int{0} }).String(); got != "🇩🇪" {
		t.Errorf("letters that belong together were cut: %q", got)
	}
}

// Marks do not change the text and the width of a line.
func TestMarkKeepsTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := Clean(rapid.String().Draw(t, "text"))
		var at []int
		for i := range text {
			if rapid.Bool().Draw(t, "mark") {
				at = append(at, i)
			}
		}
		line := TextLine(text, theme.Plain)
		marked := line.Mark(func(string) []int { return at })
		if marked.Text() != line.Text() || marked.Width() != line.Width() {
			t.Fatalf("got %q of %d cells, want %q of %d", marked.Text(), marked.Width(), line.Text(), line.Width())
		}
	})
}

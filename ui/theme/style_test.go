package theme

import (
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

// In every theme and for every terminal, Render gives the same result as lipgloss. Underlined text is
// compared without escape sequences, because lipgloss underlines each letter separately.
func TestRenderIsAsLipglossDraws(t *testing.T) {
	t.Cleanup(func() {
		Use(Auto)
		lipgloss.SetColorProfile(termenv.Ascii)
		lipgloss.SetHasDarkBackground(true)
	})
	rapid.Check(t, func(t *rapid.T) {
		Use(rapid.SampledFrom(Names()).Draw(t, "theme"))
		lipgloss.SetColorProfile(termenv.Profile(rapid.IntRange(int(termenv.TrueColor), int(termenv.Ascii)).Draw(t, "profile")))
		lipgloss.SetHasDarkBackground(rapid.Bool().Draw(t, "dark"))
		s := Style(rapid.Uint8Range(0, uint8(styles-1)).Draw(t, "style"))
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab 注é\t\n"))).Draw(t, "text")
		got, want := s.Render(text), s.Lipgloss().Render(text)
		if s.Underlined() {
			got, want = ansi.Strip(got), ansi.Strip(want)
		}
		if got != want {
			t.Fatalf("style %b: got %q, want %q", s, got, want)
		}
	})
}

// No two styles look the same, and each style has the attributes that were set.
func TestStylesDiffer(t *testing.T) {
	lipgloss.SetColorProfile(termenv.TrueColor)
	t.Cleanup(func() { lipgloss.SetColorProfile(termenv.Ascii) })
	seen := map[string]Style{}
	for s := range styles {
		text := s.Render("x")
		if other, ok := seen[text]; ok {
			t.Errorf("%b looks like %b", s, other)
		}
		seen[text] = s
	}
	if s := Dim.Bold().Underline(true); s.Underline(false) != Dim.Bold() || !s.Underlined() || Dim.Underlined() {
		t.Errorf("%b is underlined: %t", s, s.Underlined())
	}
}

func BenchmarkRender(b *testing.B) {
	lipgloss.SetColorProfile(termenv.TrueColor)
	b.Cleanup(func() { lipgloss.SetColorProfile(termenv.Ascii) })
	library := Accent.Lipgloss()
	for name, render := range map[string]func(string) string{
		"style":    Accent.Render,
		"lipgloss": func(s string) string { return library.Render(s) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				render("POST /orders")
			}
		})
	}
}

// Documents have the colours of the methods, which differ from each other on both grounds.
func TestColours(t *testing.T) {
	seen := map[string]string{}
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
		light, dark := Method(method).Bold().Colours()
		for _, colour := range []string{light, dark} {
			if len(colour) != len("#005faf") || seen[colour] != "" {
				t.Errorf("%s has %q, as %q", method, colour, seen[colour])
			}
			seen[colour] = method
		}
	}
	if light, dark := Strong.Colours(); light != "" || dark != "" {
		t.Errorf("a style without an ink has %q and %q", light, dark)
	}
}

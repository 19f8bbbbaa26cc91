package theme

import (
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Style is how text looks: an ink, or none, and what is done to it. Every piece of a
// line has one, and screens are drawn often: it is small, and what lipgloss writes around
// a text in it is kept.
type Style uint8

// The inks of a palette, in its order, and the bits that they take.
const (
	blue Style = 1 + iota
	green
	amber
	violet
	red
	grey
	cyan
	inks = cyan
)

// What is done to a text besides, a bit each, and how many styles there may be.
const (
	bold Style = 8 << iota
	italic
	underlined
	reverse
	styles
)

// Bold is the style with bold letters.
func (s Style) Bold() Style { return s | bold }

// Italic is the style with slanted letters.
func (s Style) Italic() Style { return s | italic }

// Underline is the style with a line below its letters, or without.
func (s Style) Underline(on bool) Style {
	if on {
		return s | underlined
	}
	return s &^ underlined
}

// Underlined reports whether there is a line below the letters.
func (s Style) Underlined() bool { return s&underlined != 0 }

// Lipgloss is the style as the components of libraries want it. It keeps the colours of
// the theme in force.
func (s Style) Lipgloss() lipgloss.Style {
	l := lipgloss.NewStyle()
	if ink := s & inks; ink != 0 {
		p := inForce.Load()
		l = l.Foreground(lipgloss.CompleteAdaptiveColor{Light: p.light[ink-1], Dark: p.dark[ink-1]})
	}
	for flag, set := range map[Style]func(lipgloss.Style, bool) lipgloss.Style{
		bold: lipgloss.Style.Bold, italic: lipgloss.Style.Italic, underlined: lipgloss.Style.Underline, reverse: lipgloss.Style.Reverse,
	} {
		if s&flag != 0 {
			l = set(l, true)
		}
	}
	return l
}

// Render draws a text as the terminal understands it.
func (s Style) Render(text string) string {
	if strings.ContainsAny(text, "\t\r\n") {
		return s.Lipgloss().Render(text) // in lines of the same width, without tabs
	}
	before, after := s.Around()
	return before + text + after
}

// around is what a style writes before and after a text on some ground.
type around struct {
	ground
	before, after string
}

// ground is all else that a style's looks depend on.
type ground struct {
	profile termenv.Profile
	dark    bool
	palette *palette
}

// written is what styles wrote last.
var written [styles]atomic.Pointer[around]

// Around returns what is written before and after a text of one line.
func (s Style) Around() (before, after string) {
	profile := lipgloss.ColorProfile()
	if s == Plain || profile == termenv.Ascii {
		return "", ""
	}
	now := ground{profile: profile, dark: lipgloss.HasDarkBackground(), palette: inForce.Load()}
	a := written[s].Load()
	if a == nil || a.ground != now {
		const probe = "x"
		a = &around{ground: now}
		a.before, a.after, _ = strings.Cut(s.Lipgloss().Render(probe), probe)
		written[s].Store(a)
	}
	return a.before, a.after
}

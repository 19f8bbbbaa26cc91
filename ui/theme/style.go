package theme

import (
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Style is the style of a text: an optional ink, and attributes. A Style is one byte, because every piece
// of a line has one and screens are drawn often. The escape sequences of a style, which come from lipgloss,
// are cached.
type Style uint8

// The inks, in the order of the shades of a palette. inks is the mask of the bits of a Style that select the ink.
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

// The attributes, one bit each. styles is the number of all combinations of inks and attributes.
const (
	bold Style = 8 << iota
	italic
	underlined
	reverse
	styles
)

// Bold returns the style with bold letters.
func (s Style) Bold() Style { return s | bold }

// Italic returns the style with italic letters.
func (s Style) Italic() Style { return s | italic }

// Underline returns the style with or without underlined letters.
func (s Style) Underline(on bool) Style {
	if on {
		return s | underlined
	}
	return s &^ underlined
}

// Underlined reports whether the letters are underlined.
func (s Style) Underlined() bool { return s&underlined != 0 }

// Lipgloss returns the style for components of libraries. It has the colours of the current theme, even if
// the theme changes later.
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

// Colours returns the colours of the style on light and on dark backgrounds in the default theme, such as "#005faf",
// for documents that are not shown in a terminal. They are "" for a style without an ink.
func (s Style) Colours() (light, dark string) {
	ink := s & inks
	if ink == 0 {
		return "", ""
	}
	p := palettes[Auto]
	return p.light[ink-1].TrueColor, p.dark[ink-1].TrueColor
}

// Render returns a text with the escape sequences of the style.
func (s Style) Render(text string) string {
	if strings.ContainsAny(text, "\t\r\n") {
		return s.Lipgloss().Render(text) // makes lines equally wide and replaces tabs
	}
	before, after := s.Around()
	return before + text + after
}

// around has the escape sequences that a style writes before and after a text. They are valid for one ground.
type around struct {
	ground
	before, after string
}

// ground has the settings of the terminal and the theme on which the escape sequences of a style depend.
type ground struct {
	profile termenv.Profile
	dark    bool
	palette *palette
}

// written caches the escape sequences of styles.
var written [styles]atomic.Pointer[around]

// Around returns the escape sequences before and after a text of one line.
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

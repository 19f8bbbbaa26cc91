// Package theme is the one place for colours and glyphs. No meaning rests on
// a colour alone: every state has a glyph or a word as well.
package theme

import (
	"github.com/charmbracelet/lipgloss"
)

// Styles by role.
var (
	Plain    = lipgloss.NewStyle()
	Dim      = lipgloss.NewStyle().Foreground(grey)
	Strong   = lipgloss.NewStyle().Bold(true)
	Accent   = lipgloss.NewStyle().Foreground(cyan)
	Active   = lipgloss.NewStyle().Foreground(cyan).Bold(true)
	Selected = lipgloss.NewStyle().Reverse(true)
	Good     = lipgloss.NewStyle().Foreground(green)
	Warn     = lipgloss.NewStyle().Foreground(amber)
	Bad      = lipgloss.NewStyle().Foreground(red)
	Value    = lipgloss.NewStyle().Foreground(amber)
	Border   = lipgloss.NewStyle().Foreground(grey)
	Focused  = lipgloss.NewStyle().Foreground(cyan)
)

// Glyphs that carry meaning without colour.
const (
	Cursor   = "▸"
	Open     = "▾"
	Closed   = "▸"
	Picked   = "✓"
	Required = "●"
	Optional = "○"
	Untried  = "·"
	Ok       = "✓"
	Refused  = "△"
	Failed   = "✗"
	Running  = "▶"
	Paused   = "‖"
	Live     = "●"
	Injected = "◆"
)

var methods = map[string]lipgloss.Style{
	"GET":    lipgloss.NewStyle().Foreground(blue),
	"POST":   lipgloss.NewStyle().Foreground(green),
	"PUT":    lipgloss.NewStyle().Foreground(amber),
	"PATCH":  lipgloss.NewStyle().Foreground(violet),
	"DELETE": lipgloss.NewStyle().Foreground(red),
}

// Method returns the style of an HTTP method, the same everywhere.
func Method(m string) lipgloss.Style {
	if s, ok := methods[m]; ok {
		return s
	}
	return Dim
}

// Class returns the glyph and style of an HTTP status: 2xx, 4xx, 5xx, other.
func Class(status int) (string, lipgloss.Style) {
	switch status / 100 {
	case 2:
		return Ok, Good
	case 4:
		return Refused, Warn
	case 5:
		return Failed, Bad
	}
	return Untried, Dim
}

// Answers returns the glyph and style of all that an operation answered:
// untried, some 5xx, some 2xx, or only refusals.
func Answers(counts map[int]int) (string, lipgloss.Style) {
	best := 0
	for status := range counts {
		if status/100 == 5 {
			return Class(500)
		}
		if status/100 == 2 || best == 0 {
			best = status
		}
	}
	return Class(best)
}

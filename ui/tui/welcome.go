package tui

import (
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// welcome is an overlay that says what Sonde is, that it shows the demo because there is no spec here, and how to open
// one. Any key closes it, and does its work at once; see app.route.
type welcome struct{}

// keyLook only closes the welcome.
var keyLook = key.NewBinding(key.WithKeys("enter", "esc"), key.WithHelp("⏎", "look around"))

const welcomeWidth = 74 // cells

// waysToOpen are the commands that open the user's own API, and what they open.
var waysToOpen = [][2]string{
	{"sonde openapi.yaml", "a file"},
	{"sonde https://HOST/openapi.json", "a URL"},
	{"sonde SPEC --url http://HOST", "calls it, too"},
	{"sonde init", "writes sonde.yaml"},
}

func (w welcome) update(msg tea.Msg) (overlay, tea.Cmd) {
	if m, ok := msg.(tea.MouseMsg); ok && widget.LeftClick(m) {
		return nil, nil
	}
	return w, nil
}

// lines returns the text in lines of at most width cells.
func (w welcome) lines(width int) []string {
	var lines []string
	for _, text := range []string{
		"Sonde explores an HTTP API: which operations belong together, what must be called before what, and what breaks.",
		"There is no OpenAPI document in this folder, so this is a demo: a shop with faults to find, on this machine only.",
		"To open your own API:",
	} {
		lines = append(append(lines, words.Wrap(text, width)...), "")
	}
	lines = lines[:len(lines)-1]
	for _, way := range waysToOpen {
		line := draw.Line{}.At(2, draw.Span{Text: way[0], Style: theme.Accent})
		lines = append(lines, line.At(35, draw.Span{Text: way[1], Style: theme.Plain}).Render(width, false))
	}
	return lines
}

func (w welcome) over(picture string, width, height int) string {
	f := draw.Frame{Title: "Welcome to Sonde", Note: "⏎ look around, any key works", Width: min(width, welcomeWidth), Focused: true}
	inner, _ := f.Inner()
	lines := w.lines(inner - 2)
	f.Height = min(height, len(lines)+2)
	body := " " + strings.Join(lines, "\n ")
	return draw.Overlay(picture, f.Render(body), (width-f.Width)/2, (height-f.Height)/2)
}

func (w welcome) keys() []key.Binding { return []key.Binding{keyLook, keyHelp, keyQuit} }

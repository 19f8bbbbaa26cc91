package tui

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// View draws exactly the terminal's size.
func (a *app) View() string { return theme.Draw(a.picture()) }

// picture is title, tabs, screen and keys.
func (a *app) picture() string {
	if a.width <= 0 || a.height <= 0 {
		return ""
	}
	if a.width < minWidth || a.height < minHeight {
		return draw.FitLines(fmt.Sprintf("Sonde needs %d×%d cells, here are %d×%d.", minWidth, minHeight, a.width, a.height), a.width, a.height)
	}
	tabs, _ := tabLine(a.width, a.tabs(), int(a.tab))
	lines := []string{a.title(), tabs, a.body()}
	if f, text := a.tourBox(); a.tour != nil {
		lines = append(lines, f.Render(text))
	}
	return draw.JoinRows(append(lines, a.foot())...)
}

// body draws the screen on show, or why there is none yet, and what lies over
// it.
func (a *app) body() string {
	w, h := a.width, a.room()
	var picture string
	switch {
	case a.study != nil:
		a.rebound.speak(a.screens[a.tab], func() { picture = draw.FitLines(a.screens[a.tab].View(w, h), w, h) })
	case a.opening.err != nil:
		picture = draw.FitLines(failure(a.opening, w), w, h)
	default:
		picture = draw.FitLines("\n  Reading "+draw.Clean(a.opening.source)+" …", w, h)
	}
	if a.overlay == nil {
		return picture
	}
	return a.overlay.over(picture, w, h)
}

// failure says what went wrong with a spec, and the ways out.
func failure(o opening, width int) string {
	text := ansi.Wrap(draw.Clean(o.err.Error()), max(1, width-4), "/")
	lines := []string{"", theme.Bad.Render("  " + theme.Failed + " This spec can't be opened."), ""}
	for _, l := range strings.Split(text, "\n") {
		lines = append(lines, "  "+l)
	}
	return strings.Join(append(lines, "",
		"  "+theme.Accent.Render(keyReload.Help().Key)+" reads it again",
		"  "+theme.Accent.Render(keyQuit.Help().Key)+" quits; plain sonde opens the demo"), "\n")
}

// foot draws what was said last, else the keys that matter now.
func (a *app) foot() string {
	switch {
	case a.said.Err != nil:
		return draw.FitLine(theme.Bad.Render(" "+theme.Failed+" "+draw.Clean(a.said.Err.Error())), a.width)
	case a.said.Text != "":
		return draw.FitLine(" "+draw.Clean(a.said.Text), a.width)
	}
	line, _ := keyLine(a.width, a.keys())
	return line
}

// mouse passes a position on to what lies there. A click on what is said at the
// foot clears it; the keys are not in sight then.
func (a *app) mouse(msg tea.MouseMsg) tea.Cmd {
	switch {
	case msg.Y == a.height-1 && a.said != (screen.StatusMessage{}):
		if widget.LeftClick(msg) {
			a.said = screen.StatusMessage{}
		}
		return nil
	case msg.Y == a.height-1:
		return a.clickKey(msg)
	case a.overlay != nil:
		msg.Y -= above
		return a.toOverlay(msg)
	case msg.Y == above-1:
		return a.clickTab(msg)
	case msg.Y < above || msg.Y >= above+a.room() || a.study == nil:
		return nil
	}
	msg.Y -= above
	return a.toScreen(msg)
}

func (a *app) clickKey(msg tea.MouseMsg) tea.Cmd {
	keys := a.keys()
	_, spans := keyLine(a.width, keys)
	if i := hit(spans, msg.X); i >= 0 && widget.LeftClick(msg) {
		return a.press(pressed(keys[i].Keys()[0]))
	}
	return nil
}

func (a *app) clickTab(msg tea.MouseMsg) tea.Cmd {
	_, spans := tabLine(a.width, a.tabs(), int(a.tab))
	if i := hit(spans, msg.X); i >= 0 && widget.LeftClick(msg) {
		return a.show(screen.Tab(i))
	}
	return nil
}

// span is the cells from..to-1 of a line.
type span struct{ from, to int }

// hit returns which span covers column x, or -1.
func hit(spans []span, x int) int {
	for i, s := range spans {
		if x >= s.from && x < s.to {
			return i
		}
	}
	return -1
}

// keyLine draws as many keys as fit, always the last one, and returns where
// each stands.
func keyLine(width int, keys []key.Binding) (string, []span) {
	spans := make([]span, len(keys))
	var line draw.Line
	last := len(keys) - 1
	for i, b := range keys {
		entry := keyEntry(b)
		room := width - line.Width()
		if i < last {
			room -= keyEntry(keys[last]).Width()
		}
		if entry.Width() > room {
			continue
		}
		spans[i] = span{line.Width(), line.Width() + entry.Width()}
		line = append(line, entry...)
	}
	return line.Render(width, false), spans
}

func keyEntry(b key.Binding) draw.Line {
	return draw.Line{{Text: " " + widget.KeyName(b), Style: theme.Accent}, {Text: " " + b.Help().Desc + " ", Style: theme.Plain}}
}

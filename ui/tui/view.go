package tui

import (
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// View draws the app in the exact size of the terminal.
func (a *app) View() string { return theme.Draw(a.picture()) }

// picture draws the title, the tabs, the visible screen, the tour and the last line.
func (a *app) picture() string {
	if a.width <= 0 || a.height <= 0 {
		return ""
	}
	if !a.fits() {
		return tooSmall(a.width, a.height)
	}
	tabs, _ := tabLine(a.width, a.screens.tabs(a.spec.opened != nil), int(a.screens.tab))
	lines := []string{titleLine(a.width, serviceLabel(a.host, a.base, max(12, a.width*2/3)), a.facts()), tabs, a.drag.over(a.body())}
	if box, text := a.tourBox(); a.tour.shown() {
		lines = append(lines, box.Render(text))
	}
	keys, kept := a.keys()
	foot, _ := keyLine(a.width, keys, kept)
	return draw.JoinRows(a.status.over(draw.JoinRows(lines...), a.width), foot)
}

// fits reports whether the terminal is large enough for the screens.
func (a *app) fits() bool { return a.width >= MinWidth && a.height >= MinHeight }

// body draws the visible screen and the overlay, or the reason why there is no screen. It is empty if the terminal is too
// small.
func (a *app) body() string {
	if !a.fits() {
		return ""
	}
	width, height := a.width, a.screenHeight()
	var picture string
	switch {
	case a.spec.opened != nil || a.previewing():
		picture = a.screens.picture(width, height)
	case a.spec.err != nil:
		picture = draw.FitLines(specFailure(a.spec.err, width), width, height)
	case a.spec.preview != nil:
		text := "\n  Finding what " + words.Plural(len(a.spec.preview.Spec.Operations), "operation") + " share …"
		picture = draw.FitLines(text, width, height)
	default:
		picture = draw.FitLines("\n  Reading "+draw.Clean(a.spec.source)+" …", width, height)
	}
	if a.overlay != nil {
		picture = a.overlay.over(picture, width, height)
	}
	return picture
}

// previewing reports whether the preview of the spec is visible. Only Explore shows it.
func (a *app) previewing() bool { return a.spec.preview != nil && a.screens.tab == screen.TabExplore }

// specFailure draws the reason why a spec can't be opened, and what the user can do.
func specFailure(err error, width int) string {
	text := ansi.Wrap(draw.Clean(err.Error()), max(1, width-4), "/")
	lines := []string{"", theme.Bad.Render("  " + theme.Failed + " This spec can't be opened."), ""}
	for _, l := range strings.Split(text, "\n") {
		lines = append(lines, "  "+l)
	}
	return strings.Join(append(lines, "",
		"  "+theme.Accent.Render(keyReload.Help().Key)+" reads it again",
		"  "+theme.Accent.Render(keyQuit.Help().Key)+" quits; plain sonde opens the demo"), "\n")
}

// mouse handles a mouse event on the frame, or passes it to the overlay or the screen. A click on a status
// message only clears the message, because the message hides what is below it.
func (a *app) mouse(msg tea.MouseMsg) tea.Cmd {
	switch {
	case !a.drag.pressed && a.status.covers(msg.Y, a.height-below, a.width):
		if widget.LeftClick(msg) {
			a.status.clear()
		}
		return nil
	case msg.Y == a.height-1 && !a.drag.pressed:
		return a.clickKey(msg)
	case a.overlay != nil:
		return mouseOnOverlay(a, msg)
	case msg.Y == above-1 && !a.drag.pressed:
		return a.clickTab(msg)
	case !a.drag.pressed && !onScreen(a, msg.Y) || a.spec.opened == nil && !a.previewing():
		return nil
	}
	msg.Y -= above
	cmd, done := a.drag.handle(msg, a.body, false)
	if done || !onScreen(a, msg.Y+above) {
		return cmd
	}
	return tea.Batch(cmd, a.drag.toScreen(msg, a.body))
}

// onScreen reports whether a row of the app is on the visible screen.
func onScreen(a *app, y int) bool { return y >= above && y < above+a.screenHeight() }

// mouseOnOverlay handles a mouse event while an overlay is shown. Text of the overlay can be selected, too.
func mouseOnOverlay(a *app, msg tea.MouseMsg) tea.Cmd {
	msg.Y -= above
	cmd, _ := a.drag.handle(msg, a.body, true)
	if msg.Action == tea.MouseActionMotion {
		return cmd
	}
	cmd = tea.Batch(cmd, a.toOverlay(msg))
	if a.overlay == nil {
		a.drag.drag = drag{}
	}
	return cmd
}

func (a *app) clickKey(msg tea.MouseMsg) tea.Cmd {
	keys, kept := a.keys()
	_, spans := keyLine(a.width, keys, kept)
	if i := spanAt(spans, msg.X); i >= 0 && widget.LeftClick(msg) {
		return a.press(keyMessage(keys[i].Keys()[0]))
	}
	return nil
}

func (a *app) clickTab(msg tea.MouseMsg) tea.Cmd {
	_, spans := tabLine(a.width, a.screens.tabs(a.spec.opened != nil), int(a.screens.tab))
	if i := spanAt(spans, msg.X); i >= 0 && widget.LeftClick(msg) {
		return a.nav.show(screen.Tab(i))
	}
	return nil
}

// span is a part of a line. from is the first cell, and to is the cell after the last one.
type span struct{ from, to int }

// spanAt returns the index of the span that contains column x, or -1.
func spanAt(spans []span, x int) int {
	for i, s := range spans {
		if x >= s.from && x < s.to {
			return i
		}
	}
	return -1
}

// keyLine draws the first keys that fit, at most maxFootKeys. kept is the number of keys at the end of the list for
// which keyLine reserves room. These keys are left out only if the line is too narrow for them alone. keyLine returns
// the span of each key, which is empty for a key that is not drawn.
func keyLine(width int, keys []key.Binding, kept int) (string, []span) {
	spans := make([]span, len(keys))
	var line draw.Line
	first := max(0, len(keys)-kept) // the first of the keys with reserved room
	reserved, left := 0, maxFootKeys-kept
	for _, b := range keys[first:] {
		reserved += keyEntry(b).Width()
	}
	for i, b := range keys {
		text := keyEntry(b)
		room := width - line.Width() - reserved
		if i >= first {
			reserved -= text.Width()
			room += text.Width()
			left = 1
		}
		if text.Width() > room || left == 0 {
			continue
		}
		spans[i] = span{line.Width(), line.Width() + text.Width()}
		line = append(line, text...)
		left--
	}
	return line.Render(width, false), spans
}

func keyEntry(b key.Binding) draw.Line {
	return draw.Line{
		{Text: " " + widget.KeyName(b), Style: theme.Accent},
		{Text: " " + b.Help().Desc + " ", Style: theme.Plain},
	}
}

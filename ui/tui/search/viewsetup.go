package search

import (
	"fmt"
	"strings"

	"sonde/ui/gauge"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"
)

const intro = "Sonde calls the operations in ever new orders and with ever new values, " +
	"watches which answers that brings, and keeps a test for each. Nothing is sent before you start."

const noReset = theme.Refused + " no reset is configured: tests run on what earlier ones left, and those that depend on it are not exported"

// viewSetup draws what will happen and the settings.
func (m Model) viewSetup() string {
	rows, _ := m.setupLines()
	f := pane.Frame{Title: "Search", Note: position(m.form.list), Width: m.width, Height: m.height, Focused: true}
	return f.Render(strings.Join(rows, "\n"))
}

// setupLines returns what is in the frame, and the line of the first setting.
// Where room is short, what explains the settings goes first.
func (m Model) setupLines() (rows []string, first int) {
	from, to := m.form.list.Visible()
	width, room := m.width-4, m.height-2-(to-from)
	foot := m.setupFoot(width)
	room -= len(foot)
	var head []string
	if about := m.about(width); len(about) <= room {
		head = about
	}
	if text := wrapped(intro, min(width, 76), theme.Plain); len(text)+len(head)+1 <= room {
		head = append(append(text, ""), head...)
	}
	if len(head) > 0 && len(head)+3 <= room {
		head = append(append([]string{""}, head...), "")
		foot = append([]string{""}, foot...)
	}
	rows = head
	for i := from; i < to; i++ {
		rows = append(rows, m.viewField(i, m.width-2))
	}
	return append(rows, foot...), len(head)
}

// fieldRows is how many settings there is room for over what stands below.
func (m Model) fieldRows() int {
	return max(1, min(len(m.form.fields), m.height-2-len(m.setupFoot(m.width-4))))
}

// about names the service and the spec.
func (m Model) about(width int) []string {
	host := theme.Warn.Render("none")
	if m.host.URL != "" {
		host = strings.TrimSpace(pane.Clean(m.host.Name) + "  " + pane.Clean(m.host.URL))
	}
	if m.host.Remote {
		host += theme.Warn.Render("  not on this machine")
	}
	rows := []string{" " + theme.Dim.Render("service  ") + host}
	if m.host.URL != "" && m.host.NoReset {
		rows = append(rows, wrapped(noReset, width, theme.Warn)...)
	}
	if m.study != nil {
		s := m.study.Spec
		text := fmt.Sprintf("%s, %s", pane.Clean(strings.TrimSpace(s.Title+" "+s.Version)), words.Plural(len(s.Operations), "operation"))
		rows = append(rows, " "+theme.Dim.Render("spec     ")+ansi.Truncate(text, max(0, width-9), "…"))
	}
	return rows
}

// viewField draws a setting: its name, value, slider, and what it means.
func (m Model) viewField(i, width int) string {
	f, chosen := m.form.fields[i], i == m.form.list.At
	mark, style := "  ", theme.Plain
	if chosen {
		mark, style = theme.Cursor+" ", theme.Active
	}
	label := " " + style.Render(mark+fmt.Sprintf("%-11s", fmt.Sprintf("%-7s%s", f.name, f.symbol)))
	if chosen && m.form.typing() {
		return label + m.form.input.View()
	}
	line := label + theme.Value.Render(fmt.Sprintf("%10s", f.show(m.form.settings)))
	slider := strings.Repeat(" ", 13)
	if f.share != nil {
		slider = " " + gauge.Slider(f.share(m.form.settings), 12, chosen)
	}
	line += " " + slider
	if width >= explained {
		line += "  " + theme.Dim.Render(f.what)
	}
	return line
}

// explained is the width from which on each setting has its meaning beside it;
// below, only the chosen one has, under the list.
const explained = 70

// setupFoot says what went wrong, and how to go on.
func (m Model) setupFoot(width int) (rows []string) {
	if width < explained && m.host.URL != "" && m.form.err == nil {
		rows = append(rows, " "+theme.Dim.Render(m.form.fields[m.form.list.At].what))
	}
	if m.form.err != nil {
		rows = wrapped(theme.Failed+" "+pane.Clean(m.form.err.Error()), width, theme.Bad)
	}
	switch {
	case m.form.typing():
		return append(rows, " "+pane.Does(keyAccept)+"   "+pane.Does(keyCancel))
	case m.host.URL == "":
		return append(rows, " There is no service. Start again with", "   "+m.command())
	}
	return append(rows, fitting(width, keyStart, keyType, keyPast, screen.KeyUsers))
}

// fitting is as many keys, with what they do, as a line has room for.
func fitting(width int, keys ...key.Binding) string {
	line := " " + pane.Does(keys[0])
	for _, k := range keys[1:] {
		longer := line + "   " + pane.Does(k)
		if ansi.StringWidth(longer) > width {
			break
		}
		line = longer
	}
	return line
}

// command opens the same spec with a service.
func (m Model) command() string {
	source := "SPEC"
	if m.study != nil && m.study.Spec.Source != "" && m.study.Spec.Source != "-" {
		source = pane.Clean(m.study.Spec.Source)
	}
	return "sonde " + source + " --url URL"
}

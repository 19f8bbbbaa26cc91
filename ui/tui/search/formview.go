package search

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"
)

// title says what the screen is for, because the name Search may suggest that the screen searches for texts.
const title = "Search: sends calls, keeps tests"

const intro = "A search sends calls in many orders and with many values. It keeps a test for each new status " +
	"of an operation and for each fault. Nothing is sent before you start. It does not look for a text: / does, " +
	"among the operations."

// shortIntro is the intro for a page with less room.
const shortIntro = "Calls operations in many ways, keeps a test for each new status and fault. " +
	"Nothing is sent before you start. It does not look for a text: / does."

const noReset = theme.Refused + " no reset is configured: tests run on the state that earlier tests left, " +
	"and tests that depend on it are not exported"

// view draws an explanation of a search, and the settings.
func (f *form) view() string {
	rows, _ := f.lines()
	frame := draw.Frame{Title: title, Note: position(f.list), Width: f.width, Height: f.height, Focused: true}
	return frame.Render(strings.Join(rows, "\n"))
}

// lines returns the lines in the frame, and the index of the line of the first visible row of the list. If
// there is little room, the explanations are left out first.
func (f *form) lines() (rows []string, first int) {
	from, to := f.list.Visible()
	width, room := f.width-4, f.height-2-(to-from)
	foot := f.foot(width)
	room -= len(foot)
	var head []string
	if about := f.about(width); len(about) <= room {
		head = about
	}
	for _, text := range []string{intro, shortIntro} {
		if lines := wrapped(text, min(width, 76), theme.Plain); len(lines)+len(head)+1 <= room {
			head = append(append(lines, ""), head...)
			break
		}
	}
	if len(head) > 0 && len(head)+3 <= room {
		head = append(append([]string{""}, head...), "")
		foot = append([]string{""}, foot...)
	}
	rows = head
	for i := from; i < to; i++ {
		if i < startRows {
			rows = append(rows, f.viewStart(f.width-2))
			continue
		}
		rows = append(rows, f.viewField(i-startRows, f.width-2))
	}
	return append(rows, foot...), len(head)
}

// visibleRows returns the number of rows that fit above the foot.
func (f *form) visibleRows() int {
	return max(1, min(startRows+len(f.fields), f.height-2-len(f.foot(f.width-4))))
}

// viewStart draws the row that starts the run.
func (f *form) viewStart(width int) string {
	mark, style := "  ", theme.Strong
	if f.setting() == nil {
		mark, style = theme.Cursor+" ", theme.Active
	}
	text := fmt.Sprintf("sends up to %s", words.Plural(f.settings.Limits.Calls, "call"))
	if f.host.URL == "" {
		style, text = theme.Dim, "needs a service"
	}
	line := " " + style.Render(mark+fmt.Sprintf("%-11s%-3s", "Start", "")) + theme.Dim.Render(text)
	if f.host.URL != "" && width >= explainedWidth {
		line += theme.Dim.Render("; " + widget.KeyName(keyStartHere) + " starts from any row")
	}
	return line
}

// about draws the names of the service and the spec, and warns if no reset is configured.
func (f *form) about(width int) []string {
	host := theme.Warn.Render("none")
	if f.host.URL != "" {
		host = strings.TrimSpace(draw.Clean(f.host.Name) + "  " + draw.Clean(f.host.Address()))
	}
	switch {
	case f.host.Production:
		host += theme.Bad.Render("  PRODUCTION")
	case f.host.Remote:
		host += theme.Warn.Render("  not on this machine")
	}
	if f.host.Environment != "" {
		host += "  " + draw.Clean(f.host.Environment)
	}
	rows := []string{" " + theme.Dim.Render("service  ") + host}
	if f.host.URL != "" && f.host.NoReset {
		rows = append(rows, wrapped(noReset, width, theme.Warn)...)
	}
	if s := f.spec; s != nil {
		title := draw.Clean(strings.TrimSpace(s.Title + " " + s.Version))
		text := fmt.Sprintf("%s, %s", title, words.Plural(len(s.Operations), "operation"))
		rows = append(rows, " "+theme.Dim.Render("spec     ")+ansi.Truncate(text, max(0, width-9), "…"))
	}
	return rows
}

// viewField draws a setting: its name, value, slider and meaning.
func (f *form) viewField(i, width int) string {
	at, chosen := &f.fields[i], &f.fields[i] == f.setting()
	mark, style := "  ", theme.Plain
	if chosen {
		mark, style = theme.Cursor+" ", theme.Active
	}
	label := " " + style.Render(mark+fmt.Sprintf("%-11s%-3s", at.name, at.symbol))
	if chosen && f.typing() {
		return label + f.input.View()
	}
	line := label + theme.Value.Render(fmt.Sprintf("%9s", at.show(f.settings)))
	slider := strings.Repeat(" ", max(0, sliderWidth(width)))
	if at.share != nil {
		slider = draw.Slider(at.share(f.settings), sliderWidth(width), chosen)
	}
	line += "  " + slider
	if width >= explainedWidth {
		line += "  " + theme.Dim.Render(at.meaning)
	}
	return line
}

// explainedWidth is the minimum width of a page that has the meaning of each setting next to it. A narrower
// page has only the meaning of the setting under the cursor, below the list.
const explainedWidth = 70

// foot draws an error or, on a narrow page, the meaning of the setting under the cursor. Below that it draws the keys
// to press. If there is no service, it draws no keys, but the command that starts the app with a service.
func (f *form) foot(width int) (rows []string) {
	if width < explainedWidth && f.host.URL != "" && f.err == nil {
		rows = append(rows, " "+theme.Dim.Render(f.meaning()))
	}
	if f.err != nil {
		rows = wrapped(theme.Failed+" "+draw.Clean(f.err.Error()), width, theme.Bad)
	}
	switch {
	case f.typing():
		return append(rows, " "+widget.KeyAndHelp(keyAccept)+"   "+widget.KeyAndHelp(keyCancel))
	case f.host.URL == "":
		if f.host.HasEnvironments {
			return append(rows, " There is no service. Choose one: "+widget.KeyAndHelp(screen.KeyEnvironments))
		}
		return append(rows, " There is no service. Start again with", "   "+f.command())
	}
	if f.setting() == nil {
		return append(rows, fitting(width, keyStart, keyCalls, keyPast, screen.KeyUsers))
	}
	return append(rows, fitting(width, keyChange, keyMore, keyStartHere, keyPast, screen.KeyUsers))
}

// meaning returns the meaning of the row under the cursor.
func (f *form) meaning() string {
	if at := f.setting(); at != nil {
		return at.meaning
	}
	return "sends the calls; " + widget.KeyName(keyStartHere) + " starts from any row"
}

// fitting draws a line of keys with their actions. It leaves out the last keys if they do not fit.
func fitting(width int, keys ...key.Binding) string {
	line := " " + widget.KeyAndHelp(keys[0])
	for _, k := range keys[1:] {
		longer := line + "   " + widget.KeyAndHelp(k)
		if ansi.StringWidth(longer) > width {
			break
		}
		line = longer
	}
	return line
}

// command returns the shell command that opens the same spec with a service.
func (f *form) command() string {
	source := "SPEC"
	if f.spec != nil && f.spec.Source != "" && f.spec.Source != "-" {
		source = draw.Clean(f.spec.Source)
	}
	return "sonde " + source + " --url URL"
}

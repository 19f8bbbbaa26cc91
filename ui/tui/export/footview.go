package export

import (
	"fmt"
	"strings"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// footView draws information about the file below the panes. It does not change the state.
type footView struct {
	width         int
	service       screen.Service
	surroundings  usecase.Surroundings
	destination   destination
	entry         *textEntry
	picks         picks
	writeAfterRun bool
	canWriteToo   bool // the key that writes the file also runs the items first
}

// pane draws the folder, and as much of the state as fits. The most important parts come first.
func (v footView) pane(r draw.Rect) string {
	rows := append([]string{v.folder(r.W)}, v.state()...)
	if r.H <= 2 {
		return draw.FitLines(strings.Join(rows, "\n"), r.W, r.H)
	}
	f := draw.Frame{Title: "File", Width: r.W, Height: r.H}
	return f.Render(strings.Join(rows, "\n"))
}

// folder draws the folder, the format and the fault mode, or the text field.
func (v footView) folder(width int) string {
	if v.entry != nil {
		label, field := v.entry.view(width)
		return theme.Active.Render(theme.Cursor+label) + field
	}
	d := v.destination
	line := " " + theme.Dim.Render("folder  ") + draw.Clean(d.folder)
	if len(d.formats) > 1 {
		change := widget.KeyAndHelp(keyFormat)
		if width < 80 { // leaves room for the fault mode
			change = keyText(widget.KeyName(keyFormat))
		}
		line += theme.Dim.Render("   format  ") + d.format().Name + "   " + change
	}
	if len(d.faultModes) > 1 {
		line += theme.Dim.Render("   faults  ") + d.faultMode() + "   " + keyText(widget.KeyName(keyFaults))
	}
	return line
}

// state returns lines about the written file, the tests that are left out, and the items that have to be run
// first. While the user types, it returns the keys of the text field.
func (v footView) state() []string {
	if v.entry != nil {
		return []string{" " + widget.KeyAndHelp(keyAccept) + "   " + widget.KeyAndHelp(keyCancel)}
	}
	rows := v.written()
	if n := v.picks.leftOut(); n > 0 {
		text := " " + theme.Refused + " " + words.Plural(n, "test") +
			" left out: dependent on earlier state, or not played again (sonde export --all)"
		rows = append(rows, theme.Warn.Render(text))
	}
	rows = append(rows, v.missing()...)
	if tests, _ := v.picks.tests(); len(rows) == 0 && len(tests) > 0 {
		write := widget.KeyAndHelp(keyWrite) + "s " + words.Plural(len(tests), "test")
		rows = append(rows, " "+write+"   "+widget.KeyAndHelp(keyFolder))
	}
	return rows
}

// written draws the state of the file.
func (v footView) written() []string {
	file := v.destination.written
	switch {
	case file.busy:
		return []string{" writing …"}
	case file.err != nil:
		return []string{theme.Bad.Render(" " + theme.Failed + " " + draw.Clean(file.err.Error()))}
	case file.path == "":
		return nil
	}
	command := draw.Clean(runCommand(v.destination.format(), file.path))
	if v.width < 60 {
		return []string{theme.Good.Render(" "+theme.Ok+" ") + command}
	}
	return []string{
		theme.Good.Render(" "+theme.Ok+" written: ") + theme.Strong.Render(command) +
			theme.Dim.Render("   "+v.serviceHint()),
	}
}

// serviceHint describes how the test file finds the service.
func (v footView) serviceHint() string {
	switch {
	case v.surroundings.Net:
		return "it builds the service by sonde build and starts it"
	case v.service.Name == "demo":
		return "once Sonde is closed, sonde demo serves the demo"
	}
	return "SONDE_BASE_URL=URL before it tests another service"
}

// missing returns lines that say how many items have to be run, how to run them, and why running them
// failed. While items are running, it returns the progress. It returns nil if no item has to be run.
func (v footView) missing() []string {
	values := &v.picks.values
	if values.running() {
		then := ""
		if v.writeAfterRun {
			then = ", then writing"
		}
		at := values.total - len(values.queue) + 1
		return []string{
			fmt.Sprintf(" running seq %d of %d%s …   %s", at, values.total, then, widget.KeyAndHelp(keyHalt)),
		}
	}
	n := len(v.picks.toRun())
	if n == 0 {
		return nil
	}
	text := v.missingText(n)
	also := ", " + keyText(widget.KeyName(keyWrite)) + " also writes them"
	if v.canWriteToo && ansi.StringWidth(text+also) <= v.width-2 {
		text += also
	}
	if failure := v.picks.failure(); failure != "" {
		return []string{theme.Bad.Render(" " + theme.Failed + " " + failure), text}
	}
	return []string{text}
}

func (v footView) missingText(n int) string {
	seqs := " " + countText(n, "seq", "has", "have") + " no values yet: "
	switch {
	case !v.picks.lacksValues():
		return " " + countText(n, "test", "was", "were") + " not played with your stubs yet: " +
			keyText(widget.KeyName(keyPlay)) + " plays them"
	case v.service.URL == "":
		return seqs + "start Sonde with --url to find them"
	}
	return seqs + keyText(widget.KeyName(keyRun)) + " runs them on " + draw.Clean(v.service.Address()) + v.surroundingsText()
}

// surroundingsText describes the surroundings of the service while items are run, "" for the real network.
func (v footView) surroundingsText() string {
	switch n := len(v.surroundings.Stubs); {
	case !v.surroundings.Net:
		return ""
	case n > 0:
		return " with " + words.Plural(n, "stub") + " of yours"
	}
	return " with a virtual network"
}

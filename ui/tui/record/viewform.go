package record

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
)

const intro = "Sonde listens between clients and a running service, and between the service and other hosts, and records " +
	"the traffic. It generates tests from that, in which other hosts answer as they were recorded."

// view draws the settings of the next recording, and the command that starts it from a shell.
func (f *form) view(width, height int, w *watch) string {
	frame := draw.Frame{Title: "Record", Width: width, Height: height, Focused: true}
	inner, h := frame.Inner()
	foot := f.foot(inner, w)
	rows := append(f.head(inner, f.room(h, foot)), f.viewStart())
	for i := range f.fields {
		rows = append(rows, f.viewField(i, inner))
	}
	return frame.Render(strings.Join(append(rows, foot...), "\n"))
}

// room returns the number of lines above the list in a page with height lines.
func (f *form) room(height int, foot []string) int {
	return height - startRows - len(f.fields) - len(foot)
}

// viewStart draws the row that starts the recording.
func (f *form) viewStart() string {
	mark, style := "  ", theme.Strong
	if f.setting() == nil {
		mark, style = theme.Cursor+" ", theme.Active
	}
	text := "listens and records; " + widget.KeyName(keyStartHere) + " starts from any row"
	return " " + style.Render(mark+fmt.Sprintf("%-10s", "Start")) + theme.Dim.Render(text)
}

// rowAt returns the row of the list on a line of the page, which may not exist.
func (f *form) rowAt(y, width, height int, w *watch) int {
	return y - 1 - len(f.head(width-2, f.room(height-2, f.foot(width-2, w))))
}

// minHelpWidth is the minimum width of a page that shows the help of each setting next to its value.
// valueWidth is the width of a value. A narrower page shows the help of the setting under the cursor below
// the list.
const minHelpWidth, valueWidth = 110, 42

// viewField draws a setting with its value, and with its help if there is enough room.
func (f *form) viewField(i, width int) string {
	at, chosen := &f.fields[i], &f.fields[i] == f.setting()
	mark, style := "  ", theme.Plain
	if chosen {
		mark, style = theme.Cursor+" ", theme.Active
	}
	label := " " + style.Render(mark+fmt.Sprintf("%-10s", at.name))
	if chosen && f.typing() && !f.opens {
		f.input.Width = max(1, width-16)
		return label + f.input.View()
	}
	value := draw.Clean(at.show(f.watch))
	line := label + theme.Value.Render(fmt.Sprintf("%-*s", valueWidth, cmp.Or(value, "—")))
	if width < minHelpWidth {
		return line
	}
	return line + "  " + theme.Dim.Render(at.help)
}

// foot draws the lines below the settings. On a narrow page, the help of the setting under the cursor comes first. An
// error follows. The keys and the shell command that starts the recording come last. While a value is typed, or a
// recording is started, stopped or read, other lines replace the keys and the command.
func (f *form) foot(width int, w *watch) []string {
	rows := []string{""}
	if at := f.setting(); width < minHelpWidth && !f.typing() && at != nil {
		rows = append(wrapped(at.help, width), "")
	}
	if err := cmp.Or(f.err, w.err); err != nil {
		for _, l := range wrapped(theme.Failed+" "+err.Error(), width) {
			rows = append(rows, theme.Bad.Render(l))
		}
	}
	switch {
	case f.typing() && f.opens:
		f.input.Width = max(1, width-28)
		return append(
			rows, theme.Active.Render(" "+theme.Cursor+" folder to open  ")+f.input.View(),
			" "+widget.KeyAndHelp(keyAccept)+"   "+widget.KeyAndHelp(keyCancel),
		)
	case f.typing():
		return append(rows, " "+widget.KeyAndHelp(keyAccept)+"   "+widget.KeyAndHelp(keyCancel))
	case w.busy != "":
		return append(rows, " "+draw.Clean(w.busy)+" …")
	}
	var keys []string
	shown := []key.Binding{keyStart, keyOpen}
	if f.setting() != nil {
		shown = []key.Binding{keyChange, keyStartHere, keyOpen}
	}
	for _, k := range shown {
		keys = append(keys, widget.KeyAndHelp(k))
	}
	rows = append(rows, " "+strings.Join(keys, "   "), "")
	for i, l := range words.Wrap("In a shell: "+f.command(), max(20, width-4)) {
		if i > 0 {
			l = "  " + l
		}
		rows = append(rows, theme.Dim.Render(" "+l))
	}
	return rows
}

// command returns the shell command with the settings of the form.
func (f *form) command() string {
	parts := []string{"sonde record --demo"}
	if f.host.Name != "demo" {
		parts = []string{"sonde record --spec", "SPEC"}
		parts[1] = cmp.Or(draw.Clean(f.source), parts[1])
	}
	if f.host.Environment != "" {
		parts = append(parts, "--env", draw.Clean(f.host.Environment))
	}
	w := f.watch
	switch {
	case w.Build && f.host.Name == "demo":
		parts = append(parts, "--net")
	case !w.Build && f.host.Net != usecase.NetworkUnavailable && f.host.Name != "demo":
		parts = append(parts, "--no-net")
	}
	if w.Build {
		w.In = nil
	}
	for _, in := range w.In {
		parts = append(parts, "--in", draw.Clean(in.Addr+"="+in.URL))
	}
	for _, out := range w.Out {
		parts = append(parts, "--out", draw.Clean(out.Addr+"="+out.URL))
	}
	if w.Serial {
		parts = append(parts, "--serial")
	}
	if w.Units && w.Build {
		parts = append(parts, "--units")
	}
	for _, m := range w.Masks {
		parts = append(parts, "--mask", draw.Clean(m))
	}
	if w.First > 0 {
		parts = append(parts, "--first", strconv.Itoa(w.First))
	}
	return strings.Join(append(parts, "-o", draw.Clean(w.Folder)), " ")
}

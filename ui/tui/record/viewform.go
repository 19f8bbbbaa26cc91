package record

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

const intro = "Sonde stands in front of a service that runs and behind it, and watches what goes in and out. " +
	"Of what it saw it makes tests: what the service asked of others is answered as it was then."

// viewForm draws how the next recording is to be made, and the command that does the same.
func (s *Screen) viewForm() string {
	f := pane.Frame{Title: "Record", Width: s.width, Height: s.height, Focused: true}
	w, h := f.Inner()
	head, foot := []string{""}, s.formFoot(w)
	for _, l := range words.Wrap(intro, min(w-3, 76)) {
		head = append(head, " "+l)
	}
	head = append(head, "")
	if len(head)+len(s.form.fields)+len(foot) > h {
		head = nil
	}
	rows := head
	for i := range s.form.fields {
		rows = append(rows, s.viewField(i, w))
	}
	return f.Render(strings.Join(append(rows, foot...), "\n"))
}

// describing is the width from which on each setting has its meaning beside its value,
// which has so many cells; below, only the chosen one has, under the list.
const describing, valued = 110, 42

// viewField draws a setting, its value, and what it means where there is room.
func (s *Screen) viewField(i, width int) string {
	at, chosen := s.form.fields[i], i == s.form.list.At
	mark, style := "  ", theme.Plain
	if chosen {
		mark, style = theme.Cursor+" ", theme.Active
	}
	label := " " + style.Render(mark+fmt.Sprintf("%-10s", at.name))
	if chosen && s.form.typing() && !s.form.opens {
		s.form.input.Width = max(1, width-16)
		return label + s.form.input.View()
	}
	value := pane.Clean(at.show(s.form.watch))
	line := label + theme.Value.Render(fmt.Sprintf("%-*s", valued, cmp.Or(value, "—")))
	if width < describing {
		return line
	}
	return line + "  " + theme.Dim.Render(at.what)
}

// formFoot says what went wrong, how to go on, and the command that does the same.
func (s *Screen) formFoot(width int) []string {
	rows := []string{""}
	if width < describing && !s.form.typing() {
		rows = append(wrapped(s.form.fields[s.form.list.At].what, width), "")
	}
	if err := cmp.Or(s.form.err, s.watch.err); err != nil {
		for _, l := range wrapped(theme.Failed+" "+err.Error(), width) {
			rows = append(rows, theme.Bad.Render(l))
		}
	}
	switch {
	case s.form.typing() && s.form.opens:
		s.form.input.Width = max(1, width-28)
		return append(rows, theme.Active.Render(" "+theme.Cursor+" folder to open  ")+s.form.input.View(), " "+pane.Does(keyAccept)+"   "+pane.Does(keyCancel))
	case s.form.typing():
		return append(rows, " "+pane.Does(keyAccept)+"   "+pane.Does(keyCancel))
	case s.watch.busy != "":
		return append(rows, " "+pane.Clean(s.watch.busy)+" …")
	}
	rows = append(rows, " "+pane.Does(keyStart)+"   "+pane.Does(keyType)+"   "+pane.Does(keyTurn)+"   "+pane.Does(keyOpen), "")
	for i, l := range words.Wrap("In a shell: "+s.command(), max(20, width-4)) {
		if i > 0 {
			l = "  " + l
		}
		rows = append(rows, theme.Dim.Render(" "+l))
	}
	return rows
}

// command records as the form says.
func (s *Screen) command() string {
	parts := []string{"sonde record --demo"}
	if s.host.Name != "demo" {
		parts = []string{"sonde record --spec", "SPEC"}
		if s.study != nil {
			parts[1] = cmp.Or(pane.Clean(s.study.Spec.Source), parts[1])
		}
	}
	w := s.form.watch
	switch {
	case w.Build && s.host.Name == "demo":
		parts = append(parts, "--net")
	case !w.Build && s.host.Net != screen.NoNet && s.host.Name != "demo":
		parts = append(parts, "--no-net")
	}
	if w.Build {
		w.In = nil
	}
	for _, in := range w.In {
		parts = append(parts, "--in", pane.Clean(in.Addr+"="+in.URL))
	}
	for _, out := range w.Out {
		parts = append(parts, "--out", pane.Clean(out.Addr+"="+out.URL))
	}
	if w.Serial {
		parts = append(parts, "--serial")
	}
	for _, m := range w.Masks {
		parts = append(parts, "--mask", pane.Clean(m))
	}
	if w.First > 0 {
		parts = append(parts, "--first", strconv.Itoa(w.First))
	}
	return strings.Join(append(parts, "-o", pane.Clean(w.Folder)), " ")
}

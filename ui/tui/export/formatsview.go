package export

import (
	"fmt"
	"strings"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// formatsView draws the list of formats, and what is known of the format under its cursor. It does not change the
// state.
type formatsView struct {
	formatList
	all []usecase.TestFormat
}

// pane draws the list.
func (v formatsView) pane(r draw.Rect, focused bool) string {
	f := draw.Frame{Title: fmt.Sprintf("Formats %d", len(v.all)), Width: r.W, Height: r.H, Focused: focused}
	width, _ := f.Inner()
	if v.list.Rows > v.list.Height {
		f.Note = fmt.Sprintf("%d of %d", v.list.At+1, v.list.Rows)
	}
	var rows []string
	if v.filtered() {
		field := v.field
		field.Width = max(1, width-4)
		rows = append(rows, " "+field.View())
	}
	if len(v.shown) == 0 {
		rows = append(rows, theme.Dim.Render(" no format is called that"))
	}
	from, to := v.list.Visible()
	for i := from; i < to; i++ {
		selected := i == v.list.At
		rows = append(rows, v.row(v.all[v.shown[i]], selected, width).Render(width, selected && focused))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// row draws the name of a format, its description, what it needs if there is room, and how many tests it leaves out.
func (v formatsView) row(f usecase.TestFormat, selected bool, width int) draw.Line {
	const name, text, needs = 2, 12, 54
	line := draw.Line{{Text: " "}}
	style := theme.Plain
	if selected {
		line, style = draw.TextLine(theme.Cursor, theme.Active), theme.Active
	}
	line = line.At(name, draw.Span{Text: draw.Clean(f.Name), Style: style})
	mark := v.mark(f, width)
	end := width - mark.Width() - 1
	wide := end > needs+24
	room := end - text - 1
	if wide {
		room = needs - text - 1
	}
	line = line.At(text, draw.Span{Text: ansi.Truncate(draw.Clean(f.Text), max(0, room), "…")})
	if wide && f.Needs != "" {
		line = line.At(needs, draw.Span{Text: ansi.Truncate("needs "+f.Needs, end-needs-1, "…"), Style: theme.Dim})
	}
	return line.At(end, mark...)
}

// mark draws how many tests a format leaves out. It draws nothing if no test is picked.
func (v formatsView) mark(f usecase.TestFormat, width int) draw.Line {
	fit, known := v.fits[f.Name]
	switch {
	case v.tests == 0:
		return nil
	case !known:
		return draw.TextLine("…", theme.Dim)
	case fit.LeftOut == 0:
		return draw.TextLine(theme.Ok+" all", theme.Good)
	case fit.LeftOut >= v.tests:
		return draw.TextLine(theme.Failed+" none", theme.Bad)
	case width < 60:
		return draw.TextLine(fmt.Sprintf("%s −%d", theme.Refused, fit.LeftOut), theme.Warn)
	}
	return draw.TextLine(fmt.Sprintf("%s %d of %d left out", theme.Refused, fit.LeftOut, v.tests), theme.Warn)
}

// details draws what the format under the cursor is, what it needs, and what it leaves out, with the reasons. A low
// pane has no border.
func (v formatsView) details(r draw.Rect) string {
	f := draw.Frame{Width: r.W, Height: r.H}
	width, height := f.Inner()
	if r.H <= 2 {
		width, height = r.W, r.H
	}
	var rows []string
	if len(v.shown) > 0 {
		format := v.all[v.shown[v.list.At]]
		f.Title = draw.Clean(format.Name)
		rows = append(v.about(format, width-2), v.leftOut(format, width-2)...)
	}
	if len(rows) > height {
		rows = append(rows[:max(0, height-1)], ansi.Truncate(strings.Join(rows[max(0, height-1):], " "), width-1, "…"))
	}
	if r.H <= 2 {
		return draw.FitLines(strings.Join(rows, "\n"), r.W, r.H)
	}
	return f.Render(strings.Join(rows, "\n"))
}

// about describes a format: its description, the file, and what it needs.
func (v formatsView) about(f usecase.TestFormat, width int) []string {
	text := draw.Clean(f.Text) + theme.Dim.Render("  file ") + draw.Clean(f.File)
	needs := "  needs nothing: it is only read"
	if f.Needs != "" {
		needs = "  needs " + draw.Clean(f.Needs)
	}
	if ansi.StringWidth(text+needs) <= width {
		return []string{" " + text + theme.Dim.Render(needs)}
	}
	return []string{" " + ansi.Truncate(text, width, "…"), theme.Dim.Render(ansi.Truncate(" "+strings.TrimSpace(needs), width, "…"))}
}

// leftOut draws what a format leaves out of the picked tests.
func (v formatsView) leftOut(f usecase.TestFormat, width int) []string {
	fit, known := v.fits[f.Name]
	switch {
	case v.tests == 0:
		return []string{theme.Dim.Render(" Pick tests on Seqs (4): then this says what the format leaves out of them.")}
	case !known:
		return []string{theme.Dim.Render(" comparing …")}
	}
	glyph, style, text := theme.Ok, theme.Good, "It can express "+words.Plural(v.tests, "picked test")+"."
	if fit.LeftOut > 0 {
		glyph, style, text = theme.Refused, theme.Warn, fmt.Sprintf("%d of %s left out.", fit.LeftOut, words.Plural(v.tests, "test"))
	}
	lines := words.Wrap(draw.Clean(text+" "+strings.Join(fit.Omissions, " ")), width-2)
	for i, l := range lines {
		if i == 0 {
			lines[i] = " " + style.Render(glyph) + " " + l
		} else {
			lines[i] = "   " + l
		}
	}
	return lines
}

package draw

import (
	"strings"

	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// Frame is a rectangle with a rounded border, a title in the upper edge and a
// note in the lower one.
type Frame struct {
	Title, Note   string
	Width, Height int // including the border
	Focused       bool
}

// Inner returns the size of the space inside the border. It is never negative.
func (f Frame) Inner() (width, height int) {
	return max(0, f.Width-2), max(0, f.Height-2)
}

// Render draws body inside the frame. It truncates or pads body, so that the result has exactly Height
// lines of Width cells.
func (f Frame) Render(body string) string {
	if f.Width < 2 || f.Height < 2 {
		return FitLines(body, f.Width, f.Height)
	}
	w, h := f.Inner()
	side := f.style().Render("│")
	rows := []string{f.edge("╭", f.Title, "╮", false)}
	for _, line := range strings.Split(FitLines(body, w, h), "\n")[:h] {
		rows = append(rows, side+line+side)
	}
	return strings.Join(append(rows, f.edge("╰", f.Note, "╯", true)), "\n")
}

func (f Frame) style() theme.Style {
	if f.Focused {
		return theme.Focused
	}
	return theme.Border
}

// edge draws an upper or lower border with a text at its start or, if atEnd is set, at its end.
func (f Frame) edge(left, text, right string, atEnd bool) string {
	w := f.Width - 2
	if text != "" && w > 4 {
		text = " " + ansi.Truncate(text, w-4, "…") + " "
	} else {
		text = ""
	}
	line := strings.Repeat("─", max(0, w-widthOf(text)-1))
	stub := strings.Repeat("─", min(1, w))
	s := f.style()
	if atEnd {
		return s.Render(left+line) + text + s.Render(stub+right)
	}
	return s.Render(left+stub) + text + s.Render(line+right)
}

// FitLines truncates and pads text to exactly height lines of width cells.
func FitLines(text string, width, height int) string {
	lines := strings.Split(text, "\n")
	out := make([]string, 0, max(0, height))
	for i := range max(0, height) {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		out = append(out, FitLine(line, width))
	}
	return strings.Join(out, "\n")
}

// FitLine truncates and pads one line to exactly width cells.
func FitLine(line string, width int) string {
	if width <= 0 {
		return ""
	}
	w := widthOf(line)
	if w > width {
		line = ansi.Truncate(line, width, "…")
		w = widthOf(line)
	}
	return line + strings.Repeat(" ", max(0, width-w))
}

// JoinColumns joins panes of equal height from left to right.
func JoinColumns(panes ...string) string {
	rows := strings.Split(panes[0], "\n")
	for _, p := range panes[1:] {
		for i, line := range strings.Split(p, "\n") {
			rows[i] += line
		}
	}
	return strings.Join(rows, "\n")
}

// JoinRows joins panes of equal width from top to bottom.
func JoinRows(panes ...string) string {
	return strings.Join(panes, "\n")
}
